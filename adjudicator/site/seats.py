"""Open seats, as readers see them: which there are, how to take one, who asked for one; and games that wait for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Charter, Game, Joining, Player, seat_file
from adjudicator.core.game.join import FOLDER, load_requests, open_seats
from adjudicator.core.turn.load import load_charter
from adjudicator.site.desk_data import JoinFile
from adjudicator.site.markup import item_list, join, link, mark_code, table, tag


def seats_to_join(archive: Archive, game: Game, players: Mapping[str, Player] | None, root: str) -> Markup | None:
    """The open seats of a running game and how to join; None if nobody can."""
    free = open_seats(game, players)
    hidden = game.ruleset.secrecy is not None
    if not free or (hidden and archive.turns(game.slug)):
        return None
    charter = load_charter(archive)
    more = " Write your public key into the file: your private news are sealed to it." if hidden else ""
    wanted = [(seat, Request.of(game, seat, charter)) for seat in free]
    files = [
        (link(seat, request.address) if request.address else seat, tag("code", request.path))
        for seat, request in wanted
    ]
    first = game.data.join is Joining.FIRST
    requests = [] if first else [request for request in load_requests(archive, game) if request.seat in free]
    asked = (
        item_list(f"{request.player} asks for {request.seat} ({request.asked})." for request in requests)
        if requests
        else None
    )
    about = link("How to join", f"{root}play.html#joining")
    return tag(
        "section",
        tag("h2", "Open seats"),
        tag("p", f"Seats open: {', '.join(free)}. {how_to_join(game)}{more} ", about),
        table(("Seat", "The file that asks for it"), files, "Open seats"),
        asked,
        class_="courtly-open",
    )


@dataclass(frozen=True, slots=True)
class Request:
    """The file that asks for an open seat, and where GitHub makes it."""

    path: str
    text: str
    address: str | None
    """GitHub's page for a new file with this text; None where the archive does not name its repository."""

    @classmethod
    def of(cls, game: Game, seat: str, charter: Charter | None) -> Request:
        """The request for one seat, with a line for a key where private news are sealed to one."""
        path = f"{game.home}/{FOLDER}/{seat_file(seat)}.yaml"
        text = f"seat: {seat}\n" + ("key: age1...\n" if game.ruleset.secrecy is not None else "")
        if charter is None or charter.repository is None:
            return cls(path, text, None)
        query = urlencode({"filename": path, "value": text})
        return cls(path, text, f"https://github.com/{charter.repository}/new/{charter.branch}?{query}")


def how_to_join(game: Game) -> str:
    """Who gets an open seat, in a sentence."""
    first = game.data.join is Joining.FIRST
    return "Whoever asks first for one by pull request has it." if first else "Ask by pull request; the host decides."


def join_file(game: Game, seat: str, charter: Charter | None) -> JoinFile:
    """What the desk needs to ask for an open seat."""
    request = Request.of(game, seat, charter)
    return {"path": request.path, "text": request.text, "address": request.address, "how": how_to_join(game)}


def gathering_page(archive: Archive, game: Game, root: str) -> Markup:
    """The page of a game that opens when people have joined all its seats."""
    people = [(seat, game.joined[seat].player if seat in game.joined else game.player(seat)) for seat in game.seats]
    return tag(
        "div",
        tag("p", link("All games", f"{root}index.html"), class_="courtly-crumbs"),
        tag("h1", game.title),
        tag("p", f"{game.ruleset.about.title} · opens when all its seats are taken", class_="courtly-lead"),
        tag("p", mark_code(game.data.about)) if game.data.about else None,
        seats_to_join(archive, game, None, root),
        tag("section", tag("h2", "Players"), table(("Seat", "Player"), people, "Players")),
        class_="courtly courtly-game",
    )


def gathering_list(games: Iterable[Game]) -> Markup:
    """The games that wait for people, for the home page; empty without such games."""
    rows = [
        tag("li", link(game.title, f"games/{game.name}/index.html"), f": seats open: {', '.join(open_seats(game))}")
        for game in games
    ]
    return tag("section", tag("h2", "Waiting for players"), tag("ul", join(rows))) if rows else Markup("")
