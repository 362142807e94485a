"""Commands for pictures and pages."""

from __future__ import annotations

import contextlib
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path

import click

from adjudicator.cli.output import clean_errors, progress, say
from adjudicator.cli.root import main, open_archive


@main.command()
@click.argument("game", required=False)
@click.argument("turn", required=False)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the picture here.")
@click.option("--tidy", is_flag=True, help="In every game, keep the maps that archive.yaml asks for, and no others.")
@click.option(
    "--seat", help="Draw what this seat sees, from its dispatch; needs -o and, until the game is over, its key."
)
@click.option("-i", "--identity", type=click.Path(dir_okay=False, path_type=Path), help="The seat's key (age or SSH).")
@clean_errors
def render(
    game: str | None, turn: str | None, output: Path | None, *, tidy: bool, seat: str | None, identity: Path | None
) -> None:
    """Draw a turn's map again (default: the game's latest turn).

    Maps can be drawn again from the turns' files at any time. `maps: latest` in games/archive.yaml keeps only those of each
    game's two latest turns. --tidy removes maps that are not kept, and draws missing ones that are.

    \b
    Example:
      courtly render summer-2026 001-spring-1901-movement -o map.svg
      courtly render --tidy
      courtly render farna --seat Anise -i my-key.txt -o my-map.svg
    """
    from adjudicator.core.contract.words import many
    from adjudicator.core.jobs.seal import seat_map
    from adjudicator.core.text.problems import nearest, problem
    from adjudicator.core.turn.files import map_text
    from adjudicator.core.turn.load import load_game, load_turn
    from adjudicator.core.turn.maps import tidy_maps

    archive = open_archive()
    if tidy != (game is None) or (tidy and (turn or output or seat or identity)):
        raise click.UsageError("name a game, or give --tidy and nothing else")
    if game is None:
        with archive.writing():
            gone, drawn = tidy_maps(archive)
        say(f"{many(gone, 'map')} removed, {drawn} drawn.", removed=gone, drawn=drawn)
        return
    names = archive.turns(game)
    keyless = seat is not None and identity is None and not archive.has_ended(game)
    if keyless or (seat is None and identity is not None) or (seat is not None and output is None):
        raise click.UsageError("to draw what a seat sees, give --seat, its key with -i, and the picture's file with -o")
    if turn is not None and turn not in names:
        raise problem(archive.place(game), f"there is no turn {turn!r:.60}", nearest(turn, names))
    if not names:
        raise problem(archive.place(game), "the game has no turn yet", "run `courtly run` first")
    if seat is not None and output is not None:
        picture = seat_map(archive, game, turn or names[-1], seat, identity)
        files, path = archive.file_named(output)
        files.write(path, picture)
        say(f"{output}: {len(picture)} bytes.", path=str(output), bytes=len(picture))
        return
    loaded = load_turn(archive, load_game(archive, game), turn or names[-1])
    picture = map_text(loaded.game, loaded.data)
    target = output or loaded.folder / "map.svg"
    with archive.writing() if output is None else contextlib.nullcontext():
        files, path = archive.file_named(target)
        changed = files.write(path, picture)
    say(f"{target}: {len(picture)} bytes{'' if changed else ', unchanged'}.", path=str(target), bytes=len(picture))


def require_site() -> None:
    """Raise `Problems` if the dependencies for building the site are not installed; judging needs none of them."""
    from adjudicator.core.text.problems import problem

    try:
        there = all(
            find_spec(module) is not None for module in ("icalendar", "markupsafe", "mkdocs", "material", "openskill")
        )
    except ImportError:
        there = False
    if not there:
        extra: list[str] = []
        # Not `courtly[site]`: that name is looked up on an index, where anybody may own it.
        with contextlib.suppress(PackageNotFoundError):
            extra = [
                line for line in requires("courtly") or () if "extra ==" in line and '"site"' in line.replace("'", '"')
            ]
        words = " ".join(f'"{line.partition(";")[0].strip()}"' for line in extra) or "mkdocs mkdocs-material"
        raise problem(
            "",
            "MkDocs and its theme, which build the site, are not installed",
            f"install them: python3 -m pip install {words}",
        )


@main.command()
@click.option(
    "-d", "--site-dir", type=click.Path(file_okay=False, path_type=Path), default=None, help="Where to build."
)
@click.option("--all", "everything", is_flag=True, help="Build everything again.")
@click.option(
    "--shard", type=click.Choice(["year"]), help="Also build a separate site for each year that archive.yaml lists."
)
@clean_errors
def site(site_dir: Path | None, everything: bool, shard: str | None) -> None:
    """Build the site that readers browse, and print the page to open.

    A game's pages are not built again until the game changes. What has been built is remembered outside the archive (COURTLY_CACHE
    names a folder for it), and can be deleted. --all builds everything again; the result is the same to the byte.

    If an archive outgrows one site, `years: {2025: https://...}` in games/archive.yaml gives the address for the games that ended in
    a year. --shard year builds their site beside the main one, such as in public-2025; the sites link to each other.

    \b
    Example:
      courtly site
      courtly site --shard year
    """
    require_site()
    from adjudicator.site.mkdocs.build import build_parts

    built = build_parts(open_archive().root, site_dir, everything=everything, shards=shard is not None, watch=progress)
    for year, index in built.items():
        said = {} if year is None else {"year": year}
        say(f"Open {index.as_uri()}", index=str(index), **said)


@main.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@clean_errors
def serve(port: int) -> None:
    """Build the site, serve it on this machine, and build it again when a file changes.

    \b
    Example:
      courtly serve --port 8080
    """
    require_site()
    from adjudicator.site.mkdocs.build import serve as serve_site

    serve_site(open_archive().root, port)
