"""Every file of a game on the site, by its address."""

from __future__ import annotations

import functools
from collections.abc import Container
from dataclasses import dataclass

from adjudicator.core.contract.scene import Drawing, drawing_of
from adjudicator.core.game.game import Charter
from adjudicator.site.cards import game_pages
from adjudicator.site.chapters import chapter_page, chapters_of, seat_pages
from adjudicator.site.desk import desk_files
from adjudicator.site.engine import has_engine
from adjudicator.site.game import END, game_page, shown_first, told_seats, turn_ways
from adjudicator.site.luck import luck_page
from adjudicator.site.packs import PACK, can_be_judged, checked_at_desk, game_pack, turn_pack
from adjudicator.site.pictures import NAME as CARD
from adjudicator.site.pictures import SharedCard, game_card, turn_card
from adjudicator.site.records import Record, record_of
from adjudicator.site.replay import NAME, Packed
from adjudicator.site.story import Story
from adjudicator.site.turn import TURNS, proof, scene_to_see, turn_page, turns_script


@dataclass(frozen=True, slots=True)
class GameFiles:
    """The published files of a game."""

    pages: dict[str, tuple[str, str | None]]
    """Address of every page -> title and text, with None as the text of a page that stays unchanged."""
    others: dict[str, str | None]
    """Address of every other file -> text; None for one that stays unchanged."""
    cards: dict[str, SharedCard | None]
    """Address of every picture for shared links -> its contents; None for one that stays unchanged. Empty if none are wanted."""
    record: Record | None
    """The record of a finished game."""
    board: Drawing
    """The map that represents the game, the only one with a separate file: `map.svg`."""


def files_of(
    story: Story,
    charter: Charter | None,
    stay: Container[str] = (),
    packed: Packed | None = None,
    site_name: str | None = None,
) -> GameFiles:
    """Every file of a game. A turn's map is part of its page, and the replay's file holds all of them.

    The pages of the turns in `stay` exist already and are not touched. The maps in `packed` are not drawn again. With `site_name`,
    there are pictures for shared links, which show that name.
    """
    folder = f"games/{story.slug}"
    told = chapters_of(story)
    pictures = story.game.ruleset.pictures
    scene = functools.cache(lambda index: scene_to_see(story, story.turns[index]))

    @functools.cache
    def board(index: int) -> Drawing:
        """A turn's map, or the map at the end."""
        if index == len(story.turns):
            return pictures.picture(story.final, None)
        return drawing_of(pictures.paint(scene(index)))

    maps = packed or Packed()
    names = [turn.name for turn in story.turns] + ([END] if story.ending else [])
    for index, name in enumerate(names):
        if name not in maps.maps:
            maps.add(name, board(index).svg)
    shown = board(shown_first(story))
    pages: dict[str, tuple[str, str | None]] = {
        f"{folder}/index.html": (story.game.title, str(game_page(story, "../../", shown, told)))
    }
    for chapter in told:
        page = chapter_page(story, chapter, told, "../../")
        pages[f"{folder}/{chapter.name}.html"] = (f"{chapter.title}, {story.game.title}", str(page))
    pages |= {
        f"{folder}/{name}": (f"{seat}’s view, {story.game.title}", str(page))
        for seat in told_seats(story)
        for name, page in seat_pages(story, seat, "../../").items()
    }
    for card in game_pages(story):
        pages[card.address] = (card.title, str(card.body))
    luck = luck_page(story, "../../")
    if luck is not None:
        pages[f"{folder}/luck.html"] = (f"Luck in {story.game.title}", str(luck))
    others: dict[str, str | None] = {
        f"{folder}/map.svg": shown.svg,
        f"{folder}/{NAME}": maps.script(),
        f"{folder}/{TURNS}": turns_script(story),
    }
    again = has_engine() and can_be_judged(story)
    if again or (has_engine() and checked_at_desk(story, story.last)):
        others[f"{folder}/{PACK}"] = game_pack(story)
    for index, turn in enumerate(story.turns):
        stays = turn.name in stay
        text = None
        if not stays:
            page = turn_page(story, index, board(index).svg, "../../../", scene(index).legend)
            text = str(page + turn_ways(story, turn, charter))
        pages[f"{folder}/{turn.name}/index.html"] = (f"{turn.data.phase}, {story.game.title}", text)
        others[f"{folder}/{turn.name}/proof.json"] = None if stays else proof(turn)
        if again or (has_engine() and checked_at_desk(story, turn)):
            others[f"{folder}/{turn.name}/{PACK}"] = None if stays else turn_pack(story, index)
    others |= {f"{folder}/{name}": text for name, text in desk_files(story, charter).items()}
    cards: dict[str, SharedCard | None] = {}
    if site_name is not None:
        cards[f"{folder}/{CARD}"] = game_card(story, shown, site_name)
        for index, turn in enumerate(story.turns):
            stays = turn.name in stay
            cards[f"{folder}/{turn.name}/{CARD}"] = None if stays else turn_card(story, turn, board(index), site_name)
    return GameFiles(pages, others, cards, record_of(story, scene), shown)
