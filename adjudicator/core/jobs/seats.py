"""Warnings about seats that nobody can play and games that are waiting for players, in the same words for every command and page."""

from __future__ import annotations

from adjudicator.core.game.game import Charter, Game, GameKind
from adjudicator.core.game.join import Holder, gathers, holders, starts_later, waits_for
from adjudicator.core.text.problems import Problem
from adjudicator.core.turn.data import Turn


def unplayable(charter: Charter | None, game: Game, latest: Turn | None) -> list[Problem]:
    """Warnings about the seats of a running game that nobody can play by pull request, with remedies.

    `latest` is the game's latest turn, or None before its first. An archive that names no repository may be played without accounts and
    gets no warnings.
    """
    if charter is None or charter.repository is None or game.data.kind is GameKind.RECORD:
        return []
    players = latest.data.players if latest is not None else None
    answers = holders(game, players, begun=latest is not None)
    where = f"games/{game.slug}/game.yaml"
    named = [seat for seat, answer in answers.items() if answer is Holder.NAME]
    empty = [seat for seat, answer in answers.items() if answer is Holder.NOBODY]
    warnings: list[tuple[str, str]] = []
    if named:
        what = f"no account is known for {', '.join(named)}: nobody can send a sheet for them by pull request"
        warnings.append((what, f"give each an `account:` {_there(latest, named)} (--account SEAT=NUMBER)"))
    if empty:
        what = f"nobody plays {', '.join(empty)}, and nobody can join"
        right = f"give each a `player:` and an `account:` {_there(latest, empty)} (--account SEAT=NUMBER)"
        hidden = game.ruleset.secrecy is not None and latest is not None
        warnings.append((what, right if hidden else f"{right}, or let people join: `join: first` (--join first)"))
    return [Problem(where, 0, 0, what, right, "warning") for what, right in warnings]


def _there(latest: Turn | None, seats: list[str]) -> str:
    """Where the host gives these seats to people: in game.yaml, or by a ruling if a ruling has given one of them away before."""
    ruled = latest is not None and any(seat in (latest.data.players or {}) for seat in seats)
    return "by a `replace` ruling" if ruled else "there"


def without_host(charter: Charter | None, game: Game) -> list[Problem]:
    """Warn that rulings cannot come by pull request while no host account is named; empty if the archive names no repository."""
    if charter is None or charter.repository is None or game.data.rulers:
        return []
    what = "no account of the host is named, so rulings cannot come by pull request"
    right = "add `host_account:` with its number there (--host-account NUMBER)"
    return [Problem(f"games/{game.slug}/game.yaml", 0, 0, what, right, "warning")]


def not_begun(game: Game, at: str | None) -> list[Problem]:
    """A warning that a game without a turn is waiting for players or for its opening time; empty if the next run opens it."""
    where = f"games/{game.slug}"
    if gathers(game):
        right = "the next run opens it once everybody has joined"
        return [Problem(where, 0, 0, waits_for(game), right, "warning")]
    if (starts := starts_later(game, at)) is not None:
        what = f"its first turn opens at {starts} at the earliest"
        return [Problem(where, 0, 0, what, "`starts` in its schedule says so", "warning")]
    return []
