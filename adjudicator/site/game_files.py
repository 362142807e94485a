"""Every file of a game on the site, by its address."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract.scene import Drawing, drawing_of
from adjudicator.core.game.game import Charter, seat_file
from adjudicator.site.cards import game_pages
from adjudicator.site.chapters import chapter_page, chapters_of, seat_page
from adjudicator.site.desk import desk_files
from adjudicator.site.game import END, game_page, shown_first, told_seats, turn_ways
from adjudicator.site.luck import luck_page
from adjudicator.site.replay import NAME, replay_script
from adjudicator.site.story import Story
from adjudicator.site.turn import proof, scene_to_see, turn_page


@dataclass(frozen=True, slots=True)
class GameFiles:
    """What is published of a game."""

    pages: dict[str, tuple[str, str]]
    """Address -> title and text, of every page."""
    others: dict[str, str]
    """Address -> text, of every other file."""
    board: Drawing
    """The map that the game is shown by, the only one that is a file of its own: `map.svg`."""


def files_of(story: Story, charter: Charter | None) -> GameFiles:
    """Every file of a game. A turn's map stands in its page, and with all the others in the replay's file."""
    folder = f"games/{story.slug}"
    told = chapters_of(story)
    paint = story.game.ruleset.pictures.paint
    scenes = [scene_to_see(story, turn) for turn in story.turns]
    boards = [drawing_of(paint(scene)) for scene in scenes]
    names = [turn.name for turn in story.turns]
    if story.ending:
        boards.append(story.game.ruleset.pictures.picture(story.final, None))
        names.append(END)
    shown = boards[shown_first(story)]
    pages = {f"{folder}/index.html": (story.game.title, str(game_page(story, "../../", shown, told)))}
    for chapter in told:
        page = chapter_page(story, chapter, told, "../../")
        pages[f"{folder}/{chapter.name}.html"] = (f"{chapter.title}, {story.game.title}", str(page))
    for seat in told_seats(story):
        page = seat_page(story, seat, "../../")
        pages[f"{folder}/seat-{seat_file(seat)}.html"] = (f"{seat}’s view, {story.game.title}", str(page))
    for card in game_pages(story):
        pages[card.address] = (card.title, str(card.body))
    luck = luck_page(story, "../../")
    if luck is not None:
        pages[f"{folder}/luck.html"] = (f"The luck of {story.game.title}", str(luck))
    others = {
        f"{folder}/map.svg": shown.svg,
        f"{folder}/{NAME}": replay_script(zip(names, (board.svg for board in boards), strict=True)),
    }
    for index, turn in enumerate(story.turns):
        page = turn_page(story, index, boards[index].svg, "../../../", scenes[index].legend)
        page += turn_ways(story, turn, charter)
        pages[f"{folder}/{turn.name}/index.html"] = (f"{turn.data.phase}, {story.game.title}", str(page))
        others[f"{folder}/{turn.name}/proof.json"] = proof(turn)
    others |= {f"{folder}/{name}": text for name, text in desk_files(story, charter).items()}
    return GameFiles(pages, others, shown)
