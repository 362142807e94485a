"""Guard the open turn: the keys and commitments that it shows must follow from the archive's master secret.

Players seal to the key in `turn.yaml` and trust the commitment there. Whoever can push could replace the key with their own and read the
next sheets. A lost archive.yaml or a changed seed also leads to other keys. So whoever has the master secret derives the keys again and
compares them, before judging, before taking sheets in, and before reporting that a game can be judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudicator.core.contract.lengths import MOST_SHEET, STEP
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.draw import draw_secret
from adjudicator.core.game.game import CHARTER, Game, GameKind
from adjudicator.core.secrets import dice as luck
from adjudicator.core.secrets.age import recipient_of
from adjudicator.core.secrets.envelope import HIDDEN_WIDTH, OPEN_WIDTH
from adjudicator.core.secrets.masters import ahead_identity, dice_secret, turn_identity
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.ahead import ahead_recipients
from adjudicator.core.turn.data import SealData, Turn
from adjudicator.core.turn.keys import Sizes, derive_keys
from adjudicator.core.turn.load import load_charter, load_game, load_turn
from adjudicator.core.turn.press import PURPOSE, key_of_letters


def strange_keys(archive: Archive, turn: Turn) -> list[Problem]:
    """Problems if an open turn's keys and commitments do not follow from the master secret, or from an unsealed game's seed (FS-3, FS-4).

    Empty for a sealed game if no master secret is available, because nothing can be checked then. Raises `Problems` if none of the
    available master secrets is the one that the turn names.
    """
    game, data = turn.game, turn.data
    if data.status != "open" or game.data.kind is GameKind.RECORD or (game.data.sealed and not game.masters.secrets):
        return []
    # The file must not choose the attempt: the keys of attempts that were put back are public.
    attempt = archive.attempts(game.slug, turn.name) + 1
    keys = derive_keys(game, turn.name, data.seal.kid if data.seal is not None else None, attempt)
    path = f"{display(turn.folder, archive.root)}/turn.yaml"
    gives = "this archive's master secret gives" if game.data.sealed else "the game's seed gives"
    differences: list[tuple[bytes, str]] = []
    if data.dice.commitment != luck.commitment(keys.dice):
        differences.append((b"dice", f"the commitment to the dice is not the one that {gives}"))
    if _public_half(data.seal) != _public_half(keys.seal):
        differences.append((b"seal", f"the key that sheets are sealed to is not the one that {gives}"))
    if data.seal is not None and data.seal.ahead is not None:
        recipients = ahead_recipients(game, data.seal.kid, data.seal.ahead, turn.name, attempt)
        lists = game.ruleset.ahead.lists(data.position) if game.ruleset.ahead is not None else {}
        if data.seal.ahead != recipients or {*lists} != {*recipients}:
            differences.append((b"seal", f"the keys that orders ahead are sealed to are not those that {gives}"))
    if data.dice.secret is not None or (data.seal is not None and (data.seal.identity or data.seal.ahead_identity)):
        differences.append((b"dice", "this turn is open, but shows secrets"))
    if (data.attempt or 1) != attempt:
        differences.append(
            (b"attempt", f"this is attempt {data.attempt or 1}, but going by undone/ it should be attempt {attempt}")
        )
    hidden = game.ruleset.secrecy is not None
    before = _before(archive, game.slug, turn.name) if hidden else None
    if data.seal is not None and (
        not fit(data.seal.lengths, hidden=hidden) or (before is not None and before != data.seal.lengths)
    ):
        differences.append(
            (b"seal", "the lengths of the sealed files are not allowed, or differ from those of the turn before")
        )
    right = (
        f"from the history, restore whatever was changed: turn.yaml, or what its keys come from ({CHARTER}, "
        f"and `id:` or `seed:` in {game.home}/game.yaml). Until then nothing is judged here"
    )
    return [
        *(Problem(path, _line(turn.source, key), 0, what, right) for key, what in differences),
        *_strange_letters(game),
        *_twice(archive, game),
    ]


def _twice(archive: Archive, game: Game) -> Iterator[Problem]:
    """A problem if another game here was opened under the same name: ending one of them would publish keys that the other still uses."""
    if game.data.named is None:
        return
    for slug in archive.slugs():
        if slug != game.slug and archive.name_of(slug) == game.name:
            what = f"{archive.place(slug)} was opened under the same name, {game.name}, so both have the same keys"
            right = "remove the copy, and restore the game from the history. Until then nothing is judged here"
            yield game.text.problem(("named",), what, right)


def _strange_letters(game: Game) -> list[Problem]:
    """A problem if the key that letters are sealed to does not follow from a master secret: another's key would open them today."""
    letters, own = game.data.letters, game.data.id or ""
    if letters is None or key_of_letters(game.masters, game.archive, game.name, own, letters) is not None:
        return []
    what = "the key in `letters:` is not one that this archive's master secrets give"
    right = "restore game.yaml from the history, or give the older master secret too. Until then nothing is judged here"
    return [game.text.problem(("letters",), what, right)]


KID = re.compile(rb"^seal:\n  kid: \"?([0-9a-f]{16})\"?$", re.MULTILINE)


AHEAD = re.compile(rb"^ahead:(?: \{.*\}|(?:\n  .*)+)$", re.MULTILINE)
TURN_NAME = re.compile(rb"[0-9]{3,6}-[a-z0-9-]{1,100}")


def missing_masters(archive: Archive) -> dict[str, list[Problem]]:
    """Running sealed game -> the problem that the master secret of its open turn is not available (H3-10).

    This includes games without a turn whose seats will be drawn with a master secret, so that the host learns of the problem before people
    wish for seats. It searches the bytes of the files instead of parsing them, because every job checks all games.
    """
    faulty: dict[str, list[Problem]] = {}
    for slug in archive.slugs():
        names = [] if archive.has_ended(slug) else archive.turns(slug)
        if not names and not archive.has_ended(slug):
            faulty |= _without_draw(archive, slug)
        path = archive.game_folder(slug) / names[-1] / "turn.yaml" if names else None
        if path is None or not archive.files.is_file(path):
            continue
        head = archive.files.start(path, 4096)
        for kid in _kids(archive, slug, head):
            if archive.masters is None or archive.masters.named(kid) is None:
                what = f"the game is sealed, but its master secret {kid} is not available"
                right = "give it in COURTLY_MASTER or COURTLY_MASTER_FILE; on GitHub it is the COURTLY_MASTER secret of the `courtly` environment"
                faulty[slug] = [Problem(f"games/{slug}", 0, 0, what, right)]
    return faulty


def _kids(archive: Archive, slug: str, head: bytes) -> Iterator[str]:
    """The names of the master secrets that an open turn needs, from the beginning of its file: its own, and those of its orders ahead."""
    if (kid := KID.search(head)) is not None:
        yield kid[1].decode()
    ahead = AHEAD.search(head)
    names = {name.decode() for name in TURN_NAME.findall(ahead[0])} if ahead is not None else set()
    for name in sorted(names & {*archive.turns(slug)}):
        before = KID.search(archive.files.start(archive.game_folder(slug) / name / "turn.yaml", 4096))
        if before is not None:
            yield before[1].decode()


def _without_draw(archive: Archive, slug: str) -> dict[str, list[Problem]]:
    """Game -> the problem that the secret for drawing its seats is not available; empty if it is available, or not needed."""
    try:
        game = load_game(archive, slug)
    except (Problems, OSError):
        return {}  # reported by whoever reads the game
    try:
        if game.data.draw is not None and game.drawn is None:
            draw_secret(game)
    except Problems as error:
        return {slug: list(error.problems)}
    return {}


def fit(lengths: Sizes, *, hidden: bool) -> bool:
    """True if a turn may have this format and these lengths: format 3 allows any that a ruleset may choose, earlier ones only fixed lengths.

    Every turn of a game must have the values of its first turn. This check catches values that would make every sheet invalid, or would
    let a file's length reveal something.
    """
    format_, *sizes = lengths
    if format_ == 3:
        most = (MOST_SHEET, MOST, MOST)
        return hidden and all(
            size is not None and LEAST <= size <= limit and size % STEP == 0
            for size, limit in zip(sizes, most, strict=True)
        )
    width = (None, None, None) if format_ is None else (HIDDEN_WIDTH if hidden else OPEN_WIDTH, None, None)
    return format_ in (None, 2) and tuple(sizes) == width


LEAST, MOST = 1024, 1 << 20
"""Limits for lengths of format 3, in bytes; no ruleset needs shorter or longer files."""


def _before(archive: Archive, slug: str, name: str) -> Sizes | None:
    """The format and the lengths of the turn before this one; None if this is the first, or if the bytes do not plainly show them."""
    names = archive.turns(slug)
    earlier = names[: names.index(name)] if name in names else []
    path = archive.game_folder(slug) / earlier[-1] / "turn.yaml" if earlier else None
    found = KEY.findall(archive.read(path, own=True)) if path is not None and archive.files.is_file(path) else []
    return _sizes(found[0]) if len(found) == 1 else None


def _sizes(found: tuple[bytes, ...]) -> Sizes:
    format_, width, dispatch, secret = (int(said) if said else None for said in found[2:6])
    return format_, width, dispatch, secret


def _public_half(seal: SealData | None) -> tuple[str | int | None, ...]:
    """The parts of a turn's key that must not differ: the name of its secret, its recipient, and true if it has no format."""
    return () if seal is None else (seal.kid, seal.recipient, seal.format is None)


def _line(source: bytes, key: bytes) -> int:
    match = re.search(rb"^" + key + rb":", source, re.MULTILINE)
    return source[: match.start()].count(b"\n") + 1 if match is not None else 0


STATUS = re.compile(rb"^status: open$", re.MULTILINE)
SEALED = re.compile(rb"^sealed: true$", re.MULTILINE)
ID = re.compile(rb"^id: \"?([0-9a-f]{16})\"?$", re.MULTILINE)
NAMED = re.compile(rb"^id:", re.MULTILINE)
LETTERS = re.compile(rb"^letters\b.*$", re.MULTILINE)
RULESET = re.compile(rb"^ruleset: ([a-z_]{1,40})$", re.MULTILINE)
ATTEMPT = re.compile(rb"^attempt: ([0-9]{1,4})$", re.MULTILINE)
KEY = re.compile(
    rb"^seal:\n  kid: \"?([0-9a-f]{16})\"?\n  recipient: (age1[0-9a-z]{58})\n(?:  format: ([23])\n  width: ([1-9][0-9]{1,5})\n)?(?:  dispatch: ([1-9][0-9]{1,6})\n  secret: ([1-9][0-9]{1,6})\n)?(?:  ahead:( \{[a-z0-9:, ]+\}\n|\n(?:    [a-z]+: age1[0-9a-z]{58}\n)+))?(?=[a-z]|\Z)",
    re.MULTILINE,
)
LIST = re.compile(rb"([a-z]+): (age1[0-9a-z]{58})")
DICE = re.compile(rb"^dice:\n  commitment: \"?([0-9a-f]{64})\"?\n(?=[a-z]|\Z)", re.MULTILINE)
ODD = re.compile(
    rb"^(?![a-z_]+:(?: |$)|[ #-]|$)|(?:^|[:,\[{-])\s*['|>&*!]|^(?:[^\"\n]*\"[^\"\n]*\")*[^\"\n]*\"[^\"\n]*$",
    re.MULTILINE,
)
"""Lines that the archive's own files never have. In a file with such a line, a word at the beginning of a line need not be a key."""


def strangers(archive: Archive) -> dict[str, list[Problem]]:
    """Running game -> the problems that `strange_keys` finds in its open turn; games without problems are left out.

    Every job checks this for all games, so a turn is not read in full if the few lines that matter are certainly right.
    """
    faulty: dict[str, list[Problem]] = {}
    try:
        charter = load_charter(archive)
    except Problems:
        return faulty  # reported by whoever reads a game
    for slug in archive.slugs():
        if archive.has_ended(slug):
            continue
        names = archive.turns(slug)
        try:
            if names and not _sure(archive, charter.archive if charter else "", slug, names[-1]):
                turn = load_turn(archive, load_game(archive, slug), names[-1])
                if faults := strange_keys(archive, turn):
                    faulty[slug] = faults
        except (Problems, OSError):
            continue  # an unreadable game is not judged either, and is reported then
    return faulty


def _sure(archive: Archive, own: str, slug: str, name: str) -> bool:
    """True if an open turn's file certainly has the right key and commitment; checks this without parsing the whole turn."""
    folder = archive.game_folder(slug)
    game, turn = (
        archive.read(folder / "game.yaml"),
        archive.read(folder / name / "turn.yaml", own=True),
    )
    key, dice, named = KEY.findall(turn), DICE.findall(turn), ID.findall(game)
    if (
        # The program writes keys at the beginning of a line; in an indented file what is found there need not be a key.
        not turn.startswith(b"schema: ")
        or ODD.search(turn)
        or ODD.search(game)
        or not STATUS.search(turn)
        or not SEALED.search(game)
        or len(key) != 1
        or len(dice) != 1
    ):
        return False
    if len(named) > 1 or len(named) != len(NAMED.findall(game)) or bool(named) != bool(key[0][2]):
        return False
    if any(len(re.findall(rb"^%s\b" % word, turn, re.MULTILINE)) != 1 for word in (b"seal", b"dice", b"status")):
        return False
    rules = RULESET.findall(game)
    sizes = _sizes(key[0])
    hidden = len(rules) == 1 and find(rules[0].decode()).secrecy is not None
    if len(rules) != 1 or not fit(sizes, hidden=hidden):
        return False
    if hidden and _before(archive, slug, name) not in (None, sizes):
        return False
    attempts = ATTEMPT.findall(turn)
    secret = archive.masters.named(key[0][0].decode()) if archive.masters is not None else None
    begun = archive.attempts(slug, name) + 1
    if secret is None or [int(attempt) for attempt in attempts] != ([begun] if begun > 1 else []):
        return False
    origin = (own, archive.name_of(slug), name, named[0].decode() if named else "", begun)
    commitment = luck.commitment(dice_secret(secret, *origin)).encode()
    letters = LETTERS.findall(game)
    if letters:
        key_line = b"letters: " + recipient_of(turn_identity(secret, *origin[:2], PURPOSE, origin[3])).encode()
        if letters != [key_line]:
            return False
    lists = LIST.findall(key[0][6])
    if len(lists) != key[0][6].count(b": ") or any(
        one != recipient_of(ahead_identity(secret, name_of.decode(), *origin)).encode() for name_of, one in lists
    ):
        return False
    return bool(dice[0] == commitment and key[0][1] == recipient_of(turn_identity(secret, *origin)).encode())
