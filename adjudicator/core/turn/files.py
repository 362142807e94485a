"""The files of a turn in their written form: turn.yaml, the map, dispatches, the ending."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.contract.resolution import Ending, Resolution
from adjudicator.core.contract.scene import Scene
from adjudicator.core.game.game import SCHEMA, Game, GameKind, seat_file
from adjudicator.core.secrets.age import encrypt
from adjudicator.core.secrets.envelope import (
    DISPATCH_WIDTH,
    NEWS_WIDTH,
    news_size,
    news_width,
    pack,
    pad_news,
    stretch,
)
from adjudicator.core.secrets.masters import news_salt
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import problem
from adjudicator.core.text.yamltext import Text, write
from adjudicator.core.turn.apart import without_public
from adjudicator.core.turn.aside import Asides, asides_for, with_aside
from adjudicator.core.turn.data import ORDER, EndingData, Turn, TurnData, recorded_resolution
from adjudicator.core.turn.keys import Keys, keys_for
from adjudicator.core.turn.sheets import holder, unused_keys


def public_data(game: Game, data: TurnData, *, over: bool) -> TurnData:
    """The part of a turn that `turn.yaml` shows: all of it, or in a game with hidden information what the public may see.

    In that case the turn's keys are left out until the game is `over`.
    """
    secrecy = game.ruleset.secrecy
    if secrecy is None:
        return data
    setup = data.setup
    if setup is not None and not over:
        setup = replace(setup, secret=None, rolls=tuple(r for r in setup.rolls if secrecy.public_roll(r.name)))
    return replace(
        data,
        position=secrecy.seen_by(data.position, None),
        verdicts=game.ruleset.heard(data.verdicts, None),
        events=game.ruleset.heard(data.events, None),
        rolls=tuple(roll for roll in data.rolls if secrecy.public_roll(roll.name)),
        dice=data.dice if over else replace(data.dice, secret=None),
        seal=data.seal if over or data.seal is None else replace(data.seal, identity=None),
        setup=setup,
    )


def turn_text(data: TurnData) -> bytes:
    """A turn's canonical bytes."""
    return write(plain_turn(data)).encode()


def plain_turn(data: TurnData) -> dict[str, Any]:
    """A turn in plain data, with its keys in the order of `ORDER`."""
    plain = encode(data)
    if not data.paused:
        del plain["paused"]
    return {key: plain[key] for key in ORDER if key in plain}


def scene_of(game: Game, position: Any, done: Resolution[Any, Any] | None) -> Scene:
    """The scene of a turn. A game of the kind `record` gets no tally, because there may be more on the board than the record shows."""
    scene = game.ruleset.pictures.draw(position, done)
    return scene.uncounted() if game.data.kind is GameKind.RECORD else scene


def map_text(game: Game, data: TurnData) -> bytes:
    """`map.svg`'s bytes: the position, and the orders with their verdicts once the turn is resolved."""
    public = public_data(game, data, over=False)
    return game.ruleset.pictures.paint(scene_of(game, public.position, recorded_resolution(public))).encode()


@dataclass(frozen=True, slots=True)
class PublicNews:
    """The public part of a turn's news, which no dispatch repeats (from format 2): the view in plain data, and the facts."""

    view: Mapping[str, Any]
    events: tuple[Any, ...]


def news(
    game: Game,
    seat: str,
    data: TurnData,
    before: TurnData | None,
    salt: str | None = None,
    public: PublicNews | None = None,
) -> bytes:
    """A seat's news when a turn opens: the verdicts and facts it heard of the turn before, its brief, and its view.

    All of it comes from the functions of `Secrecy`, called for the seat and for the public.
    """
    rules, secrecy = game.ruleset, game.ruleset.secrecy
    assert secrecy is not None, "only games with hidden information have dispatches"
    plain: dict[str, Any] = {"schema": SCHEMA, "game": game.name, "turn": data.turn, "phase": data.phase, "seat": seat}
    if salt is not None:
        plain |= {"attempt": data.attempt or 1, "salt": salt}
    if before is not None:
        view = secrecy.seen_by(before.position, seat)
        verdicts, events = _heard_alone(game, seat, before, public)
        plain["told"] = [rules.words.tell(view, fact) for fact in (*verdicts, *events)]
        plain["verdicts"] = encode(verdicts)
        plain["events"] = encode(events)
    now = secrecy.seen_by(data.position, seat)
    if brief := secrecy.brief(now, seat):
        plain["brief"] = list(brief)
    seen = encode(now)
    if public is not None:
        view = public.view
        seen = {key: value for key, value in seen.items() if key not in view or view[key] != value}
    plain["position"] = seen
    return write(plain).encode()


def view_in_news(turn: Turn, text: Text) -> Any:
    """A seat's view of an open turn, from its dispatch and (from format 2) what the public knows. Raises `Problems`."""
    plain = text.data if isinstance(text.data, dict) else {}
    if "salt" not in plain:
        return turn.game.position(text.under("position"))
    own = plain.get("position")
    seen = encode(turn.data.position) | (own if isinstance(own, dict) else {})
    return turn.game.position(Text(text.path, seen, {}))


def _heard_alone(
    game: Game, seat: str, before: TurnData, public: PublicNews | None
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The verdicts that a seat heard of the turn before, and the facts it heard, without those in `public`."""
    verdicts, events = (game.ruleset.heard(facts, seat) for facts in (before.verdicts, before.events))
    return verdicts, events if public is None else tuple(event for event in events if event not in public.events)


def all_news(game: Game, data: TurnData, before: TurnData | None, keys: Keys) -> dict[str, bytes]:
    """Seat -> the plain text of its dispatch; empty for a ruleset that hides nothing."""
    rules = game.ruleset
    if rules.secrecy is None:
        return {}
    if keys.lengths[0] is None:
        return {seat: news(game, seat, data, before) for seat in game.seats}
    public = encode(rules.view(data.position, None))
    public_news = PublicNews(public, rules.heard(before.events, None) if before is not None else ())
    # A correction must change every digest, not only those of the seats that it concerns; otherwise the digests would reveal them.
    moved = sum(ruling.kind in ("correct", "hidden", "decide") for ruling in data.rulings)
    return {seat: news(game, seat, data, before, news_salt(keys.dice, seat, moved), public_news) for seat in game.seats}


def with_digests(data: TurnData, texts: Mapping[str, bytes]) -> TurnData:
    """Add the digests of its dispatches to a turn. The turn is unchanged in format 1, and if nothing is hidden."""
    if not texts or data.seal is None or data.seal.format is None:
        return data
    return replace(data, dispatches={seat: hashlib.sha256(text).hexdigest() for seat, text in texts.items()})


def open_files(game: Game, data: TurnData, before: TurnData | None) -> dict[str, bytes]:
    """The files of a turn's folder when it opens; `before` is the complete judged turn before it."""
    texts = all_news(game, data, before, keys_for(game, data.turn, data)) if game.ruleset.secrecy is not None else {}
    data = with_digests(data, texts)
    files = {"turn.yaml": turn_text(public_data(game, data, over=False)), "map.svg": map_text(game, data)}
    if game.ruleset.secrecy is not None:
        assert data.seal is not None
        files["secret.age"] = secret_file(game, data)
        files |= dispatches(game, data, before, texts, game.seats)
    return files


def secret_file(game: Game, data: TurnData, *, whole: bool = False) -> bytes:
    """`secret.age`: all of a turn, sealed to the turn's key; from format 3 without the public part, unless `whole`."""
    assert data.seal is not None
    if data.seal.format is None:
        return encrypt(
            pad_news(turn_text(replace(data, seal=replace(data.seal, identity=None)))), [data.seal.recipient]
        )
    member = pack(secret_text(game, data, whole=whole))
    return encrypt(stretch(member, news_width([member], data.seal.secret or NEWS_WIDTH)), [data.seal.recipient])


def secret_text(game: Game, data: TurnData, *, whole: bool) -> bytes:
    """The text inside `secret.age`."""
    assert data.seal is not None
    inside = replace(data, seal=replace(data.seal, identity=None))
    if whole or data.seal.format != 3:
        return turn_text(inside)
    return write(without_public(plain_turn(inside), plain_turn(public_data(game, data, over=False)))).encode()


def dispatches(
    game: Game, data: TurnData, before: TurnData | None, texts: Mapping[str, bytes], seats: Iterable[str]
) -> dict[str, bytes]:
    """Seal some seats' private news (from `all_news`), each to the seat's key. All have the same length, enough for the longest of any seat.

    From format 2 the news is followed by the aside for the seat's desk; in format 3, by as much of the aside as fits. Raises `Problems` if
    a seat has no key.
    """
    assert data.seal is not None
    if data.seal.format is None:
        size = news_size(texts.values())
        padded = {seat: pad_news(text, size) for seat, text in texts.items()}
    else:
        heard = {seat: game.ruleset.heard(before.events if before is not None else (), seat) for seat in texts}
        asides = asides_for(game.ruleset, game.name, data.turn, data.position, heard, unused_keys(game))
        size = DISPATCH_WIDTH
        if data.seal.dispatch is not None:
            size = news_width((pack(text) for text in texts.values()), data.seal.dispatch)
            members = {seat: pack_fitting(text, asides[seat], size) for seat, text in texts.items()}
        else:
            members = {seat: pack(with_aside(text, asides[seat].whole)) for seat, text in texts.items()}
            size = news_width(members.values(), DISPATCH_WIDTH)
        padded = {seat: stretch(member, size) for seat, member in members.items()}
    files = {}
    for seat in seats:
        key = holder(game, data, seat).key
        if key is None:
            right = f"add `key:` to {seat} in game.yaml: an age key (age1...) or an SSH key"
            what = f"{seat} has no key that its private news can be sealed to"
            raise problem(f"{game.home}/game.yaml", what, right)
        files[f"dispatches/{seat_file(seat)}.age"] = encrypt(padded[seat], [key])
    return files


def pack_fitting(text: bytes, asides: Asides, size: int) -> bytes:
    """Pack a dispatch into `size` bytes: its news, followed by the first of its asides that fits, or by none.

    So the length of dispatches depends only on the news, and a long aside does not make them longer.
    """
    for aside in asides:
        member = pack(with_aside(text, aside))
        if len(member) <= size:
            return member
    return pack(text)


def ending_files(game: Game, turn: str, ended: Ending, position: Any) -> dict[str, bytes]:
    """The files to write into a game's folder when the game is over, in this order: the last map, `ending.yaml`."""
    ending = EndingData(schema=SCHEMA, turn=turn, ended=ended, position=position)
    return {
        "map.svg": game.ruleset.pictures.picture(position, None).svg.encode(),
        "ending.yaml": write(encode(ending)).encode(),
    }
