"""`game.yaml`: the settings that people choose before a game begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core.contract.ruleset import Keep, Ruleset, as_shipped, find
from adjudicator.core.game.archive import OVER, SLUG
from adjudicator.core.game.choices import Joining
from adjudicator.core.game.drawn import Draw
from adjudicator.core.game.forges import ADDRESS, DEFAULT, Kind, Place, kind_of
from adjudicator.core.game.schedule import Schedule
from adjudicator.core.secrets.age import canonical_key, check_recipient
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.codec import Flag, Whole, decode, encode, field_text, record
from adjudicator.core.text.problems import Problem, Problems, contain_errors, nearest, problem
from adjudicator.core.text.yamltext import INTEGER, OWN_LIMIT, Text, read

SCHEMA = 1
"""The version of the archive's files that this program writes. It cannot read files of a later version."""
CHARTER = "games/archive.yaml"
"""The archive's own settings."""
FEW = 20
"""Number of legal sheets that are computed for each seat, to test a position that somebody wrote."""
NONCE = re.compile(r"[A-Za-z0-9]{8,64}", re.ASCII)
COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)
OWN_FILES = ("wish", "draw")
"""Names of files in a game's folder `join` that do not belong to a seat."""
OWN_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)


@record
class Since:
    """The first commit of an archive's history that counts as evidence (its full hash), and the reason why earlier ones do not."""

    commit: str
    reason: str


class Names(StrEnum):
    """When the archive's pages name the players of a game."""

    ALWAYS = "always"
    AT_END = "at_end"
    """When it is over. Its files and pull requests name them all the time."""


class Maps(StrEnum):
    """The turns whose maps the archive keeps. Maps take most of its space, and can be drawn again at any time."""

    ALL = "all"
    LATEST = "latest"
    """Maps of each game's two latest turns, and of its end."""

    def kept(self, turns: Sequence[str]) -> Sequence[str]:
        """The turns of a game whose maps are kept."""
        return turns if self is Maps.ALL else turns[-2:]


class Door(StrEnum):
    """A way to send a sheet: as a pull request with one file, or as an issue that holds the file's text."""

    PULLS = "pull_requests"
    ISSUES = "issues"


@record
class Charter:
    """`games/archive.yaml`: settings for all games of an archive."""

    schema: int
    archive: str
    """The archive's random id. Sealed sheets name it, and no two archives with running games may share one."""
    repository: str | None = None
    """The repository that takes the players' pull requests, as `owner/name`."""
    forge: str = DEFAULT
    """The web address of the forge that has the repository, such as https://codeberg.org. Any address but GitHub's is taken for Forgejo."""
    branch: str = "main"
    """The branch that holds the archive."""
    doors: tuple[Door, ...] = (Door.PULLS, Door.ISSUES)
    """Ways to send a sheet. A sheet that comes in any other way is refused, and its author learns which ways are open."""
    maps: Maps = Maps.ALL
    """The turns whose maps are kept as files."""
    years: Mapping[str, str] | None = None
    """Year -> address of the site with the games that ended in it, if it is another site."""
    main: str | None = None
    """Address of the main site, for an archive that has only the games of some years."""
    since: Since | None = None
    """The beginning of the history that `courtly verify --history` checks, if it is not the first commit."""

    @property
    def place(self) -> Place | None:
        """The place that hosts the archive; None if the charter does not name a repository."""
        return Place(self.forge, self.repository, self.branch) if self.repository is not None else None

    @property
    def open_doors(self) -> tuple[Door, ...]:
        """The doors that the host leaves open and the forge supports."""
        return tuple(door for door in self.doors if door in keepable(kind_of(self.forge)))


def keepable(kind: Kind) -> tuple[Door, ...]:
    """The doors that a kind of forge supports. Issues need a forge that shows who edited them, because their text may not be the author's."""
    return (Door.PULLS, Door.ISSUES) if kind.tells_editors else (Door.PULLS,)


def read_charter(text: Text) -> Charter:
    """Decode and check `archive.yaml`; raises `Problems`."""
    check_schema(text)
    charter = decode(Charter, text)
    if not ADDRESS.fullmatch(charter.forge):
        right = f"write the forge's own address with nothing after it, in lower case, such as {DEFAULT}"
        raise Problems([text.problem(("forge",), f"{charter.forge!r:.80} is not the address of a forge", right)])
    if charter.doors and not charter.open_doors:
        kind = kind_of(charter.forge).name
        what = f"{kind} does not show who edited an issue, so no sheet can be sent in one, and no other door is open"
        raise Problems([text.problem(("doors",), what, "write `doors: [pull_requests]`")])
    return charter


class GameKind(StrEnum):
    """A `game` is judged. A `record` is known only from reports: it is shown, but never judged."""

    GAME = "game"
    RECORD = "record"


@record
class Player:
    """The person in a seat."""

    player: str
    account: Annotated[
        Whole | None,
        field_text("The number of the account that plays the seat; a name can change hands, a number cannot."),
    ] = None
    key: Annotated[str | None, field_text("The age or SSH key that private news for this seat is sealed to.")] = None
    nonce: Annotated[str | None, field_text("The player's part in the dice of the setup, chosen by the player.")] = None

    @property
    def free(self) -> bool:
        """True if the seat is free to be joined: it names no player and no account."""
        return self.account is None and self.player == "open"


@record
class Asked:
    """A request for an open seat: `games/GAME/join/SEAT.yaml` of a pull request."""

    seat: str
    key: str | None = None
    """The age or SSH key to seal their private news to."""


@record
class Joined:
    """Intake's record of somebody who took or asked for a seat: their text, and the account that GitHub names."""

    schema: int
    seat: str
    player: str
    account: Whole
    key: str | None = None
    turn: str | None = None
    """The first turn that they play: the one that was open when they took the seat. Absent if the game had not begun."""
    asked: str
    """The time of the request, by the server's clock."""

    @property
    def person(self) -> Player:
        """The person who joined."""
        return Player(player=self.player, account=self.account, key=self.key)

    def by(self, turn: str) -> bool:
        """True if they had joined by the turn with this name."""
        return self.turn is None or int(self.turn.partition("-")[0]) <= int(turn.partition("-")[0])


@record
class Absence:
    """Intake's record of days when a player is away: their text, the account that the forge names, and the time of the request."""

    schema: int
    seat: str
    account: Annotated[
        Whole | None,
        field_text("The account that plays the seat; without one, the absence counts for whoever plays it."),
    ] = None
    first: Annotated[str, field_text("The first day, in the time zone of the game's schedule.")]
    last: Annotated[str, field_text("The last day.")]
    announced: Annotated[str, field_text("The time of the request, by the server's clock.")]


@record
class GameData:
    """`game.yaml` in its written form. `settings` are house rules, which are read with the ruleset's own type."""

    schema: int
    ruleset: str
    title: str
    opened: Annotated[str, field_text("The day on which the game was opened, such as `2026-11-20`.")]
    seats: Mapping[str, Player]
    id: Annotated[
        str | None,
        field_text("The game's random id, from which its keys are derived. Sealed games without one have format 1."),
    ] = None
    named: Annotated[
        str | None,
        field_text(
            "The name that the game was opened under, if it has changed since: keys, dice and sealed sheets use it."
        ),
    ] = None
    archive: Annotated[
        str | None,
        field_text("The id of the archive that the game was opened in, if it has changed since: keys use it."),
    ] = None
    kind: GameKind = GameKind.GAME
    host: str | None = None
    about: str | None = None
    made: Annotated[str | None, field_text("How a demonstration game was made; its page folds it.")] = None
    source: Annotated[str | None, field_text("The source of a game that was played elsewhere, and its licence.")] = None
    host_account: Annotated[Whole | None, field_text("The number of the account that sends the host's rulings.")] = None
    host_accounts: Annotated[
        tuple[Whole, ...],
        field_text("The numbers of further accounts that send rulings, if the game has several hosts."),
    ] = ()
    seed: Annotated[str, field_text("The seed of the dice, which everybody can read; for games without secrets.")] = ""
    sealed: Annotated[
        Flag, field_text("Whether sheets may be sealed, and the dice come from the archive's master secret.")
    ] = False
    setup: Annotated[
        str | None,
        field_text(
            "The commitment to the secret of the setup's dice. The game opens when every player has given a nonce."
        ),
    ] = None
    draw: Annotated[
        str | None,
        field_text("The commitment to the secret of the draw of the seats, where people rank those they would like."),
    ] = None
    letters: Annotated[
        str | None,
        field_text("The age key that letters for after the game are sealed to; without it, nobody can send any."),
    ] = None
    join: Annotated[
        Joining | None,
        field_text("How seats whose player is `open` are filled; without it the host enters their players here."),
    ] = None
    join_least: Annotated[
        Annotated[Whole, Choice(ge=1, le=100)] | None,
        field_text(
            "The least share, in percent, of their sheets that people who join have sent in this archive's games."
        ),
    ] = None
    reserve: Annotated[
        tuple[Player, ...],
        field_text(
            "People who take over seats that fall into civil disorder by the schedule's `out` or `missing`, in this order, each with an account."
        ),
    ] = ()
    names: Annotated[
        Names | None,
        field_text(
            "When pages name the players: all the time if this is left out, or `at_end`. Files always name them."
        ),
    ] = None
    words: Annotated[
        Flag, field_text("Whether a sheet may say something to everybody, published with the turn once it is judged.")
    ] = False
    standing: Annotated[Flag, field_text("Whether sheets may apply again in later turns.")] = True
    schedule: Schedule | None = None
    settings: Mapping[str, Any] | None = None
    begins: Annotated[
        str | None,
        field_text(
            "The file beside game.yaml with the position that the game begins with, as `courtly new --from` writes it."
        ),
    ] = None
    as_played: Annotated[
        Mapping[str, str] | None,
        field_text(
            "Turns that are kept as they were played, though today's rules would judge them differently, each with the reason."
        ),
    ] = None
    rejudged: Annotated[
        Mapping[str, str] | None,
        field_text("Turns from which the game was judged again, by corrected rules, each with the reason."),
    ] = None

    @property
    def rulers(self) -> frozenset[int]:
        """The accounts whose pull requests may bring rulings."""
        return frozenset(self.host_accounts) | ({self.host_account} if self.host_account is not None else frozenset())


DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


UNNAMED = ("open", "nobody", "not recorded", "left out")
"""Players of seats that no particular person holds, or held."""


def is_day(text: str) -> bool:
    """True if `text` is a calendar day, such as `2026-11-20`."""
    try:
        return bool(DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


Beside = Callable[[str], bytes]
"""Function that returns the bytes of a file beside game.yaml, by its name; raises `Problems`."""
OWN_FILE = re.compile(r"[a-z0-9][a-z0-9-]{0,59}\.yaml", re.ASCII)
OWN_NAMES = "use lowercase letters, digits and hyphens, and end it in .yaml, such as `islands.yaml`"
LETTERS, LETTERS_KEY = "letters", "letters.yaml"
"""A game's folder for letters that players seal for after its end, and the file that then opens them."""
TAKEN = frozenset({"game.yaml", "ending.yaml", LETTERS_KEY})
KEPT = "kept"
"""A game's folder for copies of its ruleset's data from when it began: boards, scenarios, card sets."""
START = "start"
"""The key of a game's start in `as_played`, beside the names of its turns."""


def nothing_kept(name: str) -> None:
    """Return None: the game has no copy of any ruleset file."""


def nothing_beside(name: str) -> bytes:
    """A `Beside` without files: raises `Problems` for every name."""
    raise problem("", f"there is no file {name!r:.60} here", "name one that comes with courtly")


def house_rules(
    rules: Ruleset[Any, Any, Any], text: Text, beside: Beside, folder: str = "", keep: Keep = as_shipped
) -> tuple[Any, tuple[str, ...]]:
    """Read a game's settings and the files that they name. Return the settings with these files, and the names of the host's own files.

    Raises `Problems`; a fault in one of these files has that file's path and lines.
    """
    named: dict[str, None] = {}

    def read_beside(name: str) -> tuple[bytes, str]:
        if not OWN_FILE.fullmatch(name) or name in TAKEN:
            raise problem("", f"{name!r:.80} cannot be the name of a file beside game.yaml", OWN_NAMES)
        named[name] = None
        return beside(name), f"{folder}{name}"

    settings = decode(rules.types.settings, text)
    if rules.host_files is not None:
        settings = rules.host_files.furnish(settings, read_beside, keep)
    return settings, tuple(named)


class Game:
    """A game's `game.yaml`, read and checked: `data`, its `ruleset`, its `settings`.

    `archive` is the archive's id and `masters` its secrets, which sealed games need to open turns and to judge them. `beside` returns the
    host's own files, which settings may name. `kept` returns the game's copy of a file of its ruleset; None if the game has none.
    """

    def __init__(
        self,
        slug: str,
        text: Text,
        *,
        archive: str = "",
        masters: Masters | None = None,
        home: str = "",
        beside: Beside = nothing_beside,
        kept: Callable[[str], bytes | None] = nothing_kept,
    ) -> None:
        self.slug = slug
        """The name of its folder."""
        self.home = home or f"games/{slug}"
        """Its folder, relative to the archive's, for messages."""
        self.text = text
        """The file with its marks, for faults that appear only together with the turns."""
        self.masters = masters or Masters()
        self.joined: Mapping[str, Joined] = {}
        """Seat -> the person who took it by joining."""
        self.absences: tuple[Absence, ...] = ()
        """The days when players are away, as they announced them, by first day and seat."""
        self.drawn: Draw | None = None
        """The draw of the game's seats, if there was one."""
        self.begun_with: dict[str, bytes] = {}
        """The ruleset's files that the game uses, by name: the game's copy of each, or else the file that comes with the ruleset today."""
        check_schema(text)
        self.data = decode(GameData, text)
        faults: list[Problem] = []
        if not is_day(self.data.opened):
            faults.append(
                text.problem(("opened",), f"{self.data.opened!r:.40} is not a day", "write it like 2026-11-20")
            )
        if self.data.schedule is not None:
            faults.extend(
                text.problem(("schedule", *place), what, right) for place, what, right in self.data.schedule.faults()
            )
        if self.data.sealed and self.data.seed:
            faults.append(
                text.problem(
                    ("seed",), "a sealed game has a seed that everybody can read", "leave out `seed` or `sealed`"
                )
            )
        if self.data.join is not None and self.data.setup is not None:
            what = "people who join give no nonce for the setup"
            faults.append(text.problem(("join",), what, "leave out `join` or `setup`"))
        faults.extend(self._draw_faults(text))
        faults.extend(self._letters_faults(text))
        if self.data.id is not None and not OWN_ID.fullmatch(self.data.id):
            right = "write 16 hexadecimal digits in quotation marks, as `courtly new` does"
            faults.append(text.problem(("id",), f"{self.data.id!r:.40} is not the id of a game", right))
        self.name: str = self.data.named or slug
        """The name that it was opened under; keys, dice, sealed sheets and the site's addresses use it."""
        self.archive = self.data.archive or archive
        if self.data.named is not None and (not SLUG.fullmatch(self.data.named) or self.data.named == OVER):
            what, right = f"{self.data.named!r:.90} cannot be a game's name", "restore it, as `courtly rename` wrote it"
            faults.append(text.problem(("named",), what, right))
        if self.data.sealed and not self.archive:
            right = "write one with `courtly new`, or leave out `sealed`"
            faults.append(text.problem(("sealed",), f"a sealed game needs the archive's id in {CHARTER}", right))
        try:
            self.ruleset: Ruleset[Any, Any, Any] = find(self.data.ruleset)
        except Problems as error:
            raise Problems([*faults, *(text.problem(("ruleset",), p.what, p.right) for p in error.problems)]) from None

        def keep(name: str, shipped: bytes | None) -> bytes | None:
            said = kept(name)
            if said is None:
                said = shipped
            if said is not None:
                self.begun_with[name] = said
            return said

        try:
            own = text.under("settings")
            self.settings, self.files = house_rules(self.ruleset, own, beside, f"{self.home}/", keep)
            seats = self.ruleset.rules.seats(self.settings)
        except Problems as error:
            raise Problems([*faults, *(_at(p, text) for p in error.problems)]) from None
        self.seats: tuple[str, ...] = seats
        self.begins: Any = None
        """The position that the game begins with, if it does not begin with the ruleset's setup."""
        if self.data.begins is not None:
            faults.extend(self._begins_faults(text, self.data.begins, beside))
        faults.extend(self._seat_faults(text))
        faults.extend(self._reserve_faults(text))
        if self.data.schedule is not None:
            for kind in self.data.schedule.phases or {}:
                kinds = self.ruleset.rules.kinds
                if kind not in kinds:
                    right = nearest(kind, kinds) or "kinds: " + ", ".join(kinds)
                    faults.append(
                        text.problem(
                            ("schedule", "phases", kind), f"there is no kind of turn called {kind!r:.40}", right
                        )
                    )
        if self.ruleset.secrecy is not None and not self.data.sealed and self.data.kind is GameKind.GAME:
            what = f"{self.ruleset.about.title} has hidden information, but the game is not sealed"
            faults.append(text.problem((), what, "add `sealed: true`"))
        if faults:
            raise Problems(faults)

    def _begins_faults(self, text: Text, name: str, beside: Beside) -> Iterator[Problem]:
        """Read the position that the game begins with; yields the faults in it."""
        if self.ruleset.secrecy is not None:
            what = f"{self.ruleset.about.title} has hidden information, and everybody would see all of this position"
            yield text.problem(("begins",), what, "leave it out")
            return
        if not OWN_FILE.fullmatch(name) or name in TAKEN:
            what = f"{name!r:.80} cannot be the name of a file beside game.yaml"
            yield text.problem(("begins",), what, OWN_NAMES)
            return
        try:
            found = read(beside(name), f"{self.home}/{name}", limit=OWN_LIMIT)
            self.begins, self.files = self.written_position(found), (*self.files, name)
        except Problems as error:
            yield from error.problems

    def _draw_faults(self, text: Text) -> Iterator[Problem]:
        """Faults in the commitment to the draw of the seats."""
        if self.data.join is Joining.PREFERENCE and self.data.sealed and self.data.draw is None:
            what = "the seats are to be drawn, but nothing commits to the draw"
            yield text.problem(
                ("join",), what, "open the game with `courtly new --join preference`, which adds `draw:`"
            )
        if self.data.draw is not None and not COMMITMENT.fullmatch(self.data.draw):
            right = "write 64 hexadecimal digits in quotation marks, as `courtly new` does"
            yield text.problem(("draw",), f"{self.data.draw!r:.40} is not a commitment", right)

    def _letters_faults(self, text: Text) -> Iterator[Problem]:
        """Faults in the key that letters for after the game are sealed to."""
        key = self.data.letters
        if key is None:
            return
        if not self.data.sealed or self.data.id is None:
            what, right = "letters need a sealed game", "open the game with `courtly new --sealed --letters`"
            yield text.problem(("letters",), what, right)
        if not key.startswith("age1") or check_recipient(key):
            right = "open the game with `courtly new --letters`, which adds it"
            yield text.problem(("letters",), f"{key!r:.40} is not an age key", right)

    def _seat_faults(self, text: Text) -> Iterator[Problem]:
        """Faults in the seats: unknown names, missing players, keys that are malformed or used twice."""
        for seat in self.data.seats:
            if seat not in self.seats:
                right = nearest(seat, self.seats) or "seats: " + ", ".join(self.seats)
                yield text.problem(("seats", seat), f"no seat is called {seat!r:.60}", right)
            elif self.data.join is not None and seat_file(seat) in OWN_FILES:
                what = f"people join by sending files, and {seat_file(seat)}.yaml cannot be the file of a seat"
                yield text.problem(("seats", seat), what, "give the seat another name, or leave out `join`")
        keys: dict[str, str] = {}
        for seat in self.seats:
            player = self.data.seats.get(seat)
            if player is None:
                what, right = f"the seat {seat} has no player", f"add `{seat}: {{player: NAME}}`"
                yield text.problem(("seats",), what, right)
            elif player.key is not None:
                place = ("seats", seat, "key")
                if fault := check_recipient(player.key):
                    yield text.problem(place, fault, "use an age key (age1...) or an SSH key")
                elif (other := keys.setdefault(canonical_key(player.key), seat)) != seat:
                    yield text.problem(place, f"{other} has the same key", "each seat needs its own key")
        for seat, player in self.data.seats.items():
            if player.nonce is not None and not NONCE.fullmatch(player.nonce):
                yield text.problem(("seats", seat, "nonce"), "this is not a nonce", "write 8 to 64 letters and digits")

    def _reserve_faults(self, text: Text) -> Iterator[Problem]:
        """Faults in the reserve: people without an account or, in a game with hidden information, without a key; anybody listed twice."""
        seen: set[int | None] = set()
        for index, person in enumerate(self.data.reserve):
            place = ("reserve", index)
            if person.player in UNNAMED:
                yield text.problem((*place, "player"), f"{person.player!r} names nobody", "write the person's name")
            if person.account is None:
                yield text.problem(place, f"{person.player} has no account", "add `account:` with its number")
            elif person.account in seen:
                yield text.problem(place, f"the account {person.account} is listed twice", "list each person once")
            seen.add(person.account)
            if person.key is None and self.ruleset.secrecy is not None:
                right = "add `key:`, which private news is sealed to"
                yield text.problem(place, f"{person.player} has no key", right)
            elif person.key is not None and (fault := check_recipient(person.key)):
                yield text.problem((*place, "key"), fault, "use an age key (age1...) or an SSH key")
            if person.nonce is not None:
                yield text.problem((*place, "nonce"), "the dice of the setup have been rolled by then", "leave it out")

    def position(self, text: Text) -> Any:
        """Decode a position from a file, in the ruleset's type; raises `Problems`."""
        position = decode(self.ruleset.types.position, text)
        if self.ruleset.host_files is None:
            return position
        try:
            return self.ruleset.host_files.attach(position, self.settings)
        except Problems as error:
            place = ("settings",)
            raise Problems(p if p.line else text.problem(place, p.what, p.right) for p in error.problems) from None

    def written_position(self, text: Text) -> Any:
        """Read a position that somebody wrote. Raises `Problems` if it is invalid, or if its settings differ from the game's."""
        position = self.position(text)
        with contain_errors(text.path):
            faults = [one for one in self.ruleset.rules.faults(position) if one.level == "error"]
        problems = [text.problem(one.place, one.what, one.right) for one in faults]
        here, said = encode(self.settings), encode(position.settings)
        for key in sorted({*here, *said}):
            if here.get(key) != said.get(key):
                what = f"the position has {key}: {said.get(key)}, but the game has {key}: {here.get(key)}"
                problems.append(text.problem(("settings",), what, "write the same in both"))
        if problems:
            raise Problems(problems)
        self._try(position, text)
        return position

    def _try(self, position: Any, text: Text) -> None:
        """Play a turn without orders from a position that somebody wrote; raises `Problems` if that fails.

        Rulesets check a position, but not for everything. Whatever they miss stops the game here, rather than when its first turn is due.
        """
        rules = self.ruleset
        try:
            for seat in self.seats:
                view = rules.view(position, seat)
                tuple(islice(rules.rules.options(view, seat), FEW))
                rules.rules.check(view, seat, rules.sheet_for(view, seat)())
            rules.due(position)
            done = rules.rules.resolve(position, {}, NamedDice(b"a try"))
            rules.pictures.draw(rules.view(done.position, None), None)
        except Exception as error:
            what = f"a turn from this position cannot be judged ({type(error).__name__}: {error!s:.80})"
            right = "it refers to something that does not exist, or a part is missing: compare it with a position that a table hands out"
            raise Problems([text.problem((), what, right)]) from error

    @property
    def foreseen(self) -> bool:
        """True if anybody can compute the coming rolls, because the seed of the dice is public or empty."""
        return self.ruleset.about.rolls(self.settings) and not self.data.sealed and self.data.kind is GameKind.GAME

    @property
    def title(self) -> str:
        """The game's title."""
        return self.data.title

    def player(self, seat: str) -> str:
        """The name of the person in a seat at the beginning of the game."""
        joined = self.joined.get(seat)
        return joined.player if joined is not None and joined.turn is None else self.data.seats[seat].player


def _at(fault: Problem, text: Text) -> Problem:
    """Return a fault, placed at the settings if it has neither a path nor a line."""
    return fault if fault.line or fault.path else text.problem(("settings",), fault.what, fault.right)


def check_schema(text: Text) -> None:
    """Raise `Problems` for a file whose schema is later than any that this program knows, or never existed."""
    version = text.data.get("schema") if isinstance(text.data, dict) else None
    if isinstance(version, bool) or not INTEGER.fullmatch(str(version)) or version == SCHEMA:
        return
    given = str(version)[:40]
    if given.startswith("-") or given == "0":
        raise Problems([text.problem(("schema",), f"there is no schema {given}", f"write schema: {SCHEMA}")])
    if given != str(SCHEMA):
        what = f"the file has schema {given}, but this courtly knows only schema {SCHEMA}"
        raise Problems([text.problem(("schema",), what, "update courtly")])


def seat_file(seat: str) -> str:
    """The file name (without ending) of a seat's sheet: lower case, spaces as hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", seat.casefold()).strip("-")
