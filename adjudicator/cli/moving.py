"""Commands that rename games, put them away when they are over, and move them to other archives."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.output import clean_errors, progress, say
from adjudicator.cli.root import main, open_archive


@main.command()
@click.argument("old")
@click.argument("new")
@clean_errors
def rename(old: str, new: str) -> None:
    """Give a game's folder another name; from then on, sheets are sent to the new one.

    The game keeps its original name in its game.yaml (`named:`): keys, dice, sealed sheets and the addresses of its pages use it, so
    that nothing has to be sealed again and no link breaks. A game can be renamed at any time.

    \b
    Example:
      courtly rename summer-2026 the-long-summer
    """
    from adjudicator.core.jobs import move

    archive = open_archive()
    with archive.writing():
        first = move.rename(archive, old, new)
        place = archive.place(new)
    if first == new:
        say(f"{old} is back in {place}, under its original name.", game=new, named=first)
    else:
        say(f"{old} is now in {place}. Its pages and sealed sheets keep the name {first}.", game=new, named=first)


@main.command("move")
@click.argument("games", nargs=-1, metavar="GAME FOLDER")
@click.option("--over", is_flag=True, help="Put games that are over into games/over/: those that you name, or all.")
@clean_errors
def move_(games: tuple[str, ...], *, over: bool) -> None:
    """Move a game to the archive in another FOLDER; or put games that are over into games/over/.

    A run puts a game away when it ends; --over does this for games that ended before. Running games can then be checked out without
    the others (`/games/*` without `/games/over/`). Every command finds games in both places.

    A game that goes to another archive keeps the id of its original archive in its game.yaml (`archive:`): its keys depend on it.

    \b
    Example:
      courtly move summer-2026 ../games-2026
      courtly move --over
    """
    from adjudicator.core.contract.words import many
    from adjudicator.core.jobs import move
    from adjudicator.core.turn.load import load_game

    archive = open_archive()
    if over:
        with archive.writing():
            for game in games:
                archive.turns(game)
            running = {game: archive.game_folder(game) for game in archive.slugs()}
            todo = list(dict.fromkeys(games)) or [
                game for game, folder in running.items() if folder.parent == archive.games and archive.has_ended(game)
            ]
            for game in progress(todo, "Moving"):
                move.put_away(archive, game)
        say(f"{many(len(todo), 'finished game')} moved to games/over/.", games=todo)
        return
    if len(games) != 2:
        raise click.UsageError("name the game and the folder of the other archive, or use --over")
    game, folder = games
    other = move.other_archive(Path(folder))
    with archive.writing():
        kid = move.move(archive, game, other)
        place = other.place(game)
    secret = f" It is sealed: whoever judges it there needs the master secret {kid}" if kid is not None else ""
    if kid is not None:
        letters = load_game(other, game).data.letters is not None
        secret += ", and the one that it was opened with, if that is another: its letters need it." if letters else "."
    say(f"{game} is now in {folder}, in {place}.{secret} Commit both archives.", game=game, folder=folder, master=kid)
