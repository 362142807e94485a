"""Let stand-ins play seats in the archive. Their sheets are files like everybody else's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.run import Step, run_game
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.age import encrypt
from adjudicator.core.secrets.envelope import Envelope, envelope_text, new_nonce
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.judge import apply_rulings_anew
from adjudicator.core.turn.keys import sheet_width
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.core.turn.sheets import by_seat, holder, sealed_attempt, sheet_name

HEAD = "# By a stand-in.\n"


def write_stand_in_sheets(archive: Archive, slug: str, seats: Iterable[str], seed: str) -> list[str]:
    """Write a stand-in's sheet for each of these seats that owes one and has no sheet, sent or standing; returns those seats.

    In a sealed game, the sheets are sealed like everybody else's. Raises `Problems` for unknown seats, and when no turn is open.
    """
    game = load_game(archive, slug)
    wanted = list(dict.fromkeys(seats))
    faults = [
        Problem(
            "--stand-in", 0, 0, f"no seat is called {seat!r:.60}", nearest(seat, game.seats) or ", ".join(game.seats)
        )
        for seat in wanted
        if seat not in game.seats
    ]
    if faults:
        raise Problems(faults)
    names = archive.turns(slug)
    turn = load_turn(archive, game, names[-1]) if names else None
    if turn is None or turn.data.status != "open" or archive.has_ended(slug):
        raise problem(game.home, "no turn is open", "stand-ins play only in running games")
    whole, _ = apply_rulings_anew(archive, turn, load_all(archive, turn))
    stand = (whole.standing or {}).get(game.ruleset.kind(whole.position), {})
    sent = {*by_seat(archive, turn)[0], *stand}
    written = []
    for seat in wanted:
        if seat in sent or seat not in game.ruleset.due(whole.position):
            continue
        sheet = encode(write_sheet(game.ruleset, whole.position, seat, chance_of(seed, turn.name)))
        usual = encode(game.ruleset.sheet_for(whole.position, seat)())
        plain = {key: value for key, value in sheet.items() if value != usual.get(key)} | {"final": True}
        body = (HEAD + write(plain)).encode()
        if turn.data.seal is not None:
            envelope = Envelope(
                archive=game.archive, game=game.name, turn=turn.name, attempt=sealed_attempt(turn.data), seat=seat,
                account=holder(game, whole, seat).account, sequence=1, nonce=new_nonce(), sheet=plain,
            )  # fmt: skip
            body = encrypt(envelope_text(envelope, sheet_width(game, turn.data)), [turn.data.seal.recipient])
        path = turn.folder / "orders" / sheet_name(seat, sealed=turn.data.seal is not None)
        archive.files.make(path.parent)
        archive.files.write(path, body)
        written.append(seat)
    return written


def play(archive: Archive, slug: str, seats: tuple[str, ...], seed: str, at: str, turns: int) -> Iterator[Step]:
    """Let stand-ins send sheets and judge the turn, for this number of turns or to the game's end; yields each step."""
    for number in range(turns):
        if number and archive.has_ended(slug):
            return
        write_stand_in_sheets(archive, slug, seats, seed)
        yield from run_game(archive, slug, at=at, now=True)
