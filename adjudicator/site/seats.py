"""Open seats for readers: the list, how to take one, and the people who asked for one; and games that are waiting for players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.core.contract.words import join_words
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.draw import FOLDER, SENT
from adjudicator.core.game.game import Charter, Door, Game, Player, seat_file
from adjudicator.core.game.join import Holder, gathers, holders, load_requests, open_seats, standing_wishes
from adjudicator.core.jobs.letters import letter
from adjudicator.core.text.yamltext import scalar
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.desk_data import JoinFile
from adjudicator.core.turn.load import load_charter
from adjudicator.site.markup import item_list, join, link, mark_code, table, tag
from adjudicator.site.story import shown_name


def seats_to_join(archive: Archive, game: Game, players: Mapping[str, Player] | None, root: str) -> Markup | None:
    """The open seats of a running game and how to join; None if nobody can."""
    free = open_seats(game, players, begun=bool(archive.turns(game.slug)))
    hidden = game.ruleset.secrecy is not None
    if not free:
        return None
    charter = load_charter(archive)
    more = " Write your public key into the file: your private news is sealed to it." if hidden else ""
    about = link("How to join", f"{root}play.html#joining")
    drawn = game.data.join is Joining.PREFERENCE
    return tag(
        "section",
        tag("h2", "Open seats"),
        tag("p", f"Seats open: {', '.join(free)}. {how_to_join(game)}{more} ", about),
        _wishes(archive, game, free, charter) if drawn else _requests(archive, game, free, charter),
        class_="courtly-open",
    )


def _requests(archive: Archive, game: Game, free: Sequence[str], charter: Charter | None) -> Markup:
    """The files that ask for open seats, and the people who sent one."""
    wanted = [(seat, Request.of(game, seat, charter)) for seat in free]
    files = [(link(seat, request.address) if request.address else seat, _file(request)) for seat, request in wanted]
    first = game.data.join is Joining.FIRST
    requests = [] if first else [request for request in load_requests(archive, game) if request.seat in free]
    asked = [f"{request.player} asks for {request.seat} ({request.asked})." for request in requests]
    return join(
        [table(("Seat", "The file that asks for it"), files, "Open seats"), item_list(asked) if asked else Markup("")]
    )


def _wishes(archive: Archive, game: Game, free: Sequence[str], charter: Charter | None) -> Markup:
    """The file that ranks seats, and the people who sent one."""
    request = Request.of_wish(game, free, charter)
    wishes = standing_wishes(archive, game)
    rows = [
        (shown_name(game, kept.wish.player, over=False), ", ".join(kept.wish.seats), kept.wish.asked)
        for kept in sorted(wishes, key=lambda kept: (kept.wish.asked, kept.wish.account))
    ]
    file = _file(request)
    way = join([link("Send a wish", request.address), " (", file, ")"]) if request.address else join(["Send ", file])
    return join(
        [
            tag("p", way, f". {len(rows)} of {len(free)} are in."),
            table(("Player", "Would like", "Sent"), rows, "Who wants to play") if rows else Markup(""),
        ]
    )


def draw_of_seats(game: Game, root: str, *, over: bool) -> Markup | None:
    """How a game's seats were drawn, and the proof; None if they were not drawn."""
    draw = game.drawn
    if draw is None:
        return None
    names = {pick.account: shown_name(game, pick.player, over=over) for pick in draw.picks}
    people = [
        (number, names[pick.account], pick.seat or "none was left", _choice(pick.choice) if pick.seat else "")
        for number, pick in enumerate(draw.picks, 1)
    ]
    values = [("Commitment", game.data.draw), ("Secret", draw.secret), ("Digest of the wishes", draw.digest)]
    rolls = [(roll.name, roll.sides, roll.value) for roll in draw.rolls]
    drawn = f" on {draw.drawn}" if draw.drawn else ""
    foreseen = "The game is not sealed: anybody could compute this draw before the last wish came in."
    return tag(
        "section",
        tag("h2", "How the seats were drawn"),
        tag(
            "p",
            f"The game's dice put the players in this order{drawn}, and each took the first seat on their list that was "
            "still free. ",
            link("How the draw works", f"{root}dice.html#seats-that-are-drawn"),
        ),
        table(("Order", "Player", "Seat", "Their choice"), people, "The draw of the seats"),
        tag(
            "details",
            tag("summary", "The draw and its proof"),
            tag("p", foreseen) if not game.data.sealed else None,
            tag("dl", join(tag("dt", key) + tag("dd", tag("code", value)) for key, value in values if value)),
            table(
                ("Player", "SHA-256 of their wish"),
                [(names[pick.account], tag("code", pick.wish)) for pick in draw.picks],
                "Wishes",
            ),
            table(("Roll", "Sides", "Value"), rolls, "Rolls") if rolls else None,
            class_="courtly-dice",
        ),
        class_="courtly-draw",
    )


def _choice(choice: int | None) -> str:
    """The rank of the drawn seat among somebody's choices, in words."""
    return f"choice {choice}" if choice is not None else "one that was left"


def seats_without(charter: Charter | None, game: Game, latest: Turn | None) -> Markup | None:
    """The seats of a running game that nobody can play, and why, in words for readers; None if every seat can be played."""
    answers = holders(game, latest.data.players if latest is not None else None, begun=latest is not None)
    forge = charter is not None and charter.repository is not None
    empty = [seat for seat, answer in answers.items() if answer is Holder.NOBODY]
    named = [seat for seat, answer in answers.items() if answer is Holder.NAME and forge]
    lines = [
        f"{', '.join(seats)}: {what}"
        for seats, what in (
            (empty, "no player. To play, ask the host."),
            (named, "no account is known, so no sheet can be sent by pull request. Ask the host to enter one."),
        )
        if seats
    ]
    return item_list(lines, class_="courtly-unplayed") if lines else None


def reserve_line(game: Game) -> Markup | None:
    """The people who take over seats that fall into civil disorder; None if there are none."""
    names = [shown_name(game, person.player, over=False) for person in game.data.reserve]
    if not names:
        return None
    return tag("p", f"On the reserve list, to take over a seat that misses too many turns: {join_words(names)}.")


def _file(request: Request) -> Markup:
    """The file that asks for a seat, and how to send it as an issue."""
    file = tag("code", request.path)
    return join([file, link("as an issue", request.issue)], ", or ") if request.issue else file


@dataclass(frozen=True, slots=True)
class Request:
    """The file that asks for an open seat, and the page on the archive's forge that creates it."""

    path: str
    text: str
    address: str | None
    """The page for a new file with this text, as far as the forge fills it in; None if it cannot be sent that way."""
    issue: str | None
    """The page for an issue that holds the file; None if it cannot be sent that way."""

    @classmethod
    def of(cls, game: Game, seat: str, charter: Charter | None) -> Request:
        """The request for one seat, with a line for a key if private news is sealed to one."""
        path = f"{game.home}/{FOLDER}/{seat_file(seat)}.yaml"
        text = f"seat: {seat}\n" + ("key: age1...\n" if game.ruleset.secrecy is not None else "")
        return cls(path, text, *ways(charter, path, text, f"Seat {seat} of {game.slug}"))

    @classmethod
    def of_wish(cls, game: Game, free: Sequence[str], charter: Charter | None) -> Request:
        """The file that ranks the open seats; its author puts them in order of preference."""
        path = f"{game.home}/{FOLDER}/{SENT}"
        hint = "# Put the seat you would like best first. You may leave out seats, but keep at least one.\n"
        lines = "".join(f"- {scalar(seat)}\n" for seat in free)
        text = f"{hint}seats:\n{lines}" + ("key: age1...\n" if game.ruleset.secrecy is not None else "")
        return cls(path, text, *ways(charter, path, text, f"A seat of {game.slug}"))


def ways(charter: Charter | None, path: str, text: str, title: str) -> tuple[str | None, str | None]:
    """The forge's pages for a new file with this text and for an issue that holds it; None for a way that is closed."""
    place = charter.place if charter is not None else None
    if charter is None or place is None:
        return None, None
    file = place.address("filled_file", filename=path, text=text) or place.address("new_file", filename=path)
    issue = place.address("new_issue", title=title, body=letter(path, text))
    return file if Door.PULLS in charter.open_doors else None, issue if Door.ISSUES in charter.open_doors else None


def how_to_join(game: Game) -> str:
    """How open seats are given out, in a sentence or two."""
    least = game.data.join_least
    asked = (
        f" Players who sent fewer than {least}% of their sheets in games here cannot join; newcomers can."
        if least
        else ""
    )
    return _way(game) + asked


def _way(game: Game) -> str:
    """How open seats are given out, in a sentence."""
    match game.data.join:
        case Joining.FIRST:
            return "Whoever asks for one first gets it."
        case Joining.PREFERENCE:
            return "Rank those you would like. Once there are as many wishes as open seats, the seats are drawn."
        case _:
            return "Ask for one; the host decides."


def join_file(game: Game, seat: str, charter: Charter | None) -> JoinFile:
    """The data that the desk needs to ask for an open seat."""
    request = Request.of(game, seat, charter)
    return {
        "path": request.path,
        "text": request.text,
        "address": request.address,
        "issue": request.issue,
        "how": how_to_join(game),
    }


def gathering_page(archive: Archive, game: Game, root: str) -> Markup:
    """The page of a game that has no turn yet."""
    names = {seat: game.joined[seat].player if seat in game.joined else game.player(seat) for seat in game.seats}
    people = [(seat, shown_name(game, name, over=False)) for seat, name in names.items()]
    return tag(
        "div",
        tag("p", link("All games", f"{root}index.html"), class_="courtly-crumbs"),
        tag("h1", game.title),
        tag(
            "p",
            f"{game.ruleset.about.title} · {when_it_opens(game)}",
            class_="courtly-lead",
        ),
        tag("p", mark_code(game.data.about)) if game.data.about else None,
        seats_to_join(archive, game, None, root),
        tag(
            "section",
            tag("h2", "Players"),
            table(("Seat", "Player"), people, "Players"),
            seats_without(load_charter(archive), game, None),
        ),
        draw_of_seats(game, root, over=False),
        class_="courtly courtly-game",
    )


def when_it_opens(game: Game) -> str:
    """When a game without turns opens its first, in words."""
    starts = game.data.schedule.starts if game.data.schedule is not None else None
    earliest = f", at {starts} at the earliest" if starts is not None else ""
    if gathers(game):
        return f"its first turn opens when all its seats are taken{earliest}"
    if game.data.setup is not None and not all(player.nonce for player in game.data.seats.values()):
        return f"its first turn opens when every player has given a nonce{earliest}"
    return f"all its seats are taken; its first turn opens soon{earliest}"
