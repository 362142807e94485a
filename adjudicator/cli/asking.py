"""The questions of `courtly new --ask`. The value of an option, if given, is the default answer to its question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.given import pairs
from adjudicator.core.game.choices import Joining, MissingSheets

if TYPE_CHECKING:
    from adjudicator.core.contract.ruleset import Ruleset

MISSING = tuple(one.value for one in MissingSheets)
"""The choices for missing sheets."""
JOINING = tuple(one.value for one in Joining)
"""Ways to fill open seats."""
NONE = "none"
"""The answer that leaves a value out, where Enter would choose a default."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a new game, as its options give them."""

    sealed: bool
    length: str | None
    zone: str | None
    hour: str | None
    days_off: tuple[str, ...]
    holidays: tuple[str, ...]
    grace: str | None
    missing: str | None
    join: str | None
    phases: tuple[str, ...]
    starts: str | None
    rhythm: Mapping[str, Any]
    """The keys of a schedule that come from a file; options replace them."""

    @property
    def schedule(self) -> dict[str, Any]:
        """The schedule in the form of game.yaml; raises `click.UsageError` for a phase that is not KIND=LENGTH."""
        said = {
            "turn": self.length,
            "phases": pairs(self.phases, "--phase"),
            "zone": self.zone,
            "at": self.hour,
            "days_off": list(self.days_off),
            "holidays": list(self.holidays),
            "grace": self.grace,
            "missing": self.missing,
            "starts": self.starts,
        }
        return {**self.rhythm, **{key: value for key, value in said.items() if value}}


def ask_game(
    ruleset: str, title: str, host: str | None, host_account: str | None
) -> tuple[str, str, str | None, str | None]:
    """Ask for the ruleset, the title, the host and the host's account."""
    ruleset = click.prompt("Ruleset", default=ruleset)
    title = click.prompt("Title", default=title)
    host = _maybe("Who hosts it", host)
    number = _maybe("The host's account number, for rulings by pull request", host_account)
    return ruleset, title, host, number


def ask_people(
    seats: tuple[str, ...], players: dict[str, str], numbers: dict[str, str], keys: dict[str, str] | None
) -> None:
    """Ask for each seat's player and account and, unless `keys` is None, the key for private news; fill in the answers."""
    for seat in seats:
        players[seat] = click.prompt(f"Who plays {seat}", default=players.get(seat, "open"))
        if players[seat] == "open":
            continue
        numbers[seat] = click.prompt(f"  {players[seat]}'s account number (0: none)", default=numbers.get(seat, "0"))
        if keys is not None and (key := _maybe(f"  {players[seat]}'s key for private news", keys.get(seat))):
            keys[seat] = key


def ask_terms(given: Terms, rules: Ruleset[Any, Any, Any], *, masters: bool, free: bool) -> Terms:
    """Ask for the terms; `masters` is true if a master secret is available, `free` if a seat has no player."""
    # If the secret is available, Enter must not choose dice that anybody can compute (H3-7).
    sealed = rules.secrecy is not None or click.confirm(
        "May players seal their sheets", default=given.sealed or masters
    )
    length = click.prompt(f"How long a turn stays open ({NONE}: no deadlines)", default=given.length or "3d")
    if length == NONE:
        return Terms(sealed, None, None, None, (), (), None, None, _ask_join(given, free=free), (), None, {})
    return Terms(
        sealed=sealed,
        length=length,
        zone=click.prompt("Time zone of deadlines", default=given.zone or "UTC"),
        hour=_maybe("Time of day of deadlines, such as 18:00", given.hour),
        days_off=_several("Days of the week that do not count, such as Saturday, Sunday", given.days_off),
        holidays=_several("Dates that do not count, such as 2026-12-24", given.holidays),
        grace=_maybe("How long to wait for missing sheets after a deadline, such as 12h", given.grace),
        missing=click.prompt(
            "What happens when a sheet is missing", type=click.Choice(MISSING), default=given.missing or MISSING[0]
        ),
        join=_ask_join(given, free=free),
        phases=_several(f"Kinds of turns with a different length, such as {rules.rules.kinds[-1]}=1d", given.phases),
        starts=_maybe("Earliest time for the first turn to open, such as 2026-12-01T18:00Z", given.starts),
        rhythm=given.rhythm,
    )


def _ask_join(given: Terms, *, free: bool) -> str | None:
    """Ask how open seats are filled; asks nothing if every seat has a player."""
    if not free:
        return given.join
    choice = click.Choice((*JOINING, NONE))
    answer: str = click.prompt("How open seats are filled", type=choice, default=given.join or JOINING[0])
    return None if answer == NONE else answer


def _maybe(question: str, given: str | None) -> str | None:
    """Ask for an optional answer; Enter returns the given value, or None."""
    hint = "" if given else " (Enter: none)"
    answer: str = click.prompt(f"{question}{hint}", default=given or "", show_default=bool(given))
    return answer or None


def _several(question: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Ask for answers separated by commas; Enter returns the given ones."""
    answer = _maybe(question, ", ".join(given))
    return tuple(one.strip() for one in answer.split(",") if one.strip()) if answer else ()
