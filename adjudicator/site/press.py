"""Letters on the site: beside their turns once the game is over, and how many are sealed until then."""

from __future__ import annotations

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.press import Letter, letter_files
from adjudicator.site.markup import item_list, join, link, tag
from adjudicator.site.story import Story, is_unnamed


def letters_beside(story: Story, turn: Turn) -> Markup | None:
    """The letters about a turn of a game that is over, for readers; None if there are none."""
    letters = [one.letter for one in story.letters if one.letter is not None and one.letter.turn == turn.name]
    if not letters:
        return None
    return tag(
        "section",
        tag("h2", "Letters"),
        tag("p", "Written during the game, and sealed until it was over.", class_="courtly-small"),
        *(_shown(story, letter) for letter in letters),
        id="letters",
        class_="courtly-press",
    )


def _shown(story: Story, letter: Letter) -> Markup:
    paragraphs = (tag("p", part) for part in letter.letter)
    return tag("blockquote", *paragraphs, tag("footer", "– ", _writer(story, letter.seat)), class_="courtly-letter")


def _writer(story: Story, seat: str) -> str:
    """The seat, with its player's name if only one person ever held it: nothing in a letter proves which of several wrote it."""
    names = story.players_of(seat)
    return seat if len(names) > 1 or is_unnamed(names[0]) else f"{names[0]}, {seat}"


def letters_of_game(story: Story, root: str) -> Markup | None:
    """A game's letters on its own page: how many are sealed, or links to them; None if the game takes none."""
    if story.game.data.letters is None or story.record:
        return None
    if story.ending is None:
        sent = {seat: len(files) for seat, files in letter_files(story.archive, story.game)[0].items()}
        number = sum(sent.values())
        lines: list[Markup | str] = [
            "Players of this game can seal letters that open when it is over. "
            + (f"{many(number, 'letter')} so far." if number else "There are none yet.")
        ]
        return tag(
            "section", tag("h2", "Letters"), tag("p", *lines, " ", link("How to write one", f"{root}play.html#letters"))
        )
    told = {turn.name: turn for turn in story.turns}
    astray = [one.letter for one in story.letters if one.letter is not None and one.letter.turn not in told]
    ways = [
        join([link(f"{one.seat}, {told[one.letter.turn].data.phase}", f"{one.letter.turn}/index.html#letters")])
        for turn in told
        for one in story.letters
        if one.letter is not None and one.letter.turn == turn
    ]
    shut = [f"A letter of {one.seat} does not count: {one.fault}." for one in story.letters if one.letter is None]
    if not ways and not shut and not astray:
        return None
    about = "What the players wrote during the game. It was sealed until the game was over."
    return tag(
        "section",
        tag("h2", "Letters"),
        tag("p", about) if ways or astray else None,
        item_list(ways) if ways else None,
        tag("p", "About turns that were put back:") if astray else None,
        *(_shown(story, letter) for letter in astray),
        *(tag("p", line, class_="courtly-small") for line in shut),
    )
