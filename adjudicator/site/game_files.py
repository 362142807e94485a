"""Every file of a game on the site, by its address."""

from __future__ import annotations

from adjudicator.core.game.game import seat_file
from adjudicator.site.chapters import chapter_page, chapters_of, seat_page
from adjudicator.site.game import game_page, told_seats
from adjudicator.site.luck import luck_page
from adjudicator.site.story import Story
from adjudicator.site.turn import map_of, proof, turn_page


def pages_of(story: Story) -> dict[str, tuple[str, str]]:
    """Every file of a game's pages: address -> title and text. Pictures have no title."""
    folder = f"games/{story.slug}"
    told = chapters_of(story)
    maps = [map_of(story, turn) for turn in story.turns]
    final = story.game.ruleset.pictures.picture(story.final, None) if story.ending else None
    files = {f"{folder}/index.html": (story.game.title, str(game_page(story, "../../", final or maps[-1], told)))}
    for chapter in told:
        page = chapter_page(story, chapter, told, "../../")
        files[f"{folder}/{chapter.name}.html"] = (f"{chapter.title}, {story.game.title}", str(page))
    for seat in told_seats(story):
        page = seat_page(story, seat, "../../")
        files[f"{folder}/seat-{seat_file(seat)}.html"] = (f"{seat}’s view, {story.game.title}", str(page))
    luck = luck_page(story, "../../")
    if luck is not None:
        files[f"{folder}/luck.html"] = (f"The luck of {story.game.title}", str(luck))
    if final is not None:
        files[f"{folder}/map.svg"] = ("", final.svg)
    for index, (turn, picture) in enumerate(zip(story.turns, maps, strict=True)):
        title = f"{turn.data.phase}, {story.game.title}"
        files[f"{folder}/{turn.name}/index.html"] = (title, str(turn_page(story, index, picture.svg, "../../../")))
        files[f"{folder}/{turn.name}/map.svg"] = ("", picture.svg)
        files[f"{folder}/{turn.name}/proof.json"] = ("", proof(turn))
    return files
