"""Publishing: the handbook that MkDocs made, then every game that has changed since it was last published, then the lists of all games.

The published files of a game are remembered by the hash of its folder. This does not change a byte of the site: `courtly site
--all` remembers nothing and makes an identical site.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.files.disk import Disk
from adjudicator.core.files.floor import Files
from adjudicator.core.files.places import named, remembered, scratch
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.game.series import FOLDER as SERIES_FOLDER
from adjudicator.core.game.series import load_series, series_names
from adjudicator.core.game.trees import code_version
from adjudicator.core.jobs.receipts import Receipts
from adjudicator.core.jobs.series import scored
from adjudicator.core.text.problems import Problem, Problems, contain_errors, problem, with_path
from adjudicator.core.turn.load import load_charter, load_game
from adjudicator.site.boards import FOLDER as BOARDS
from adjudicator.site.calendars import NAME as CALENDAR
from adjudicator.site.calendars import calendar
from adjudicator.site.cards import Did
from adjudicator.site.desk_data import OpenGame
from adjudicator.site.feeds import FEED_OF_ALL, LIMIT, Feed, shared_feed
from adjudicator.site.game_files import files_of
from adjudicator.site.home import home_lists
from adjudicator.site.mkdocs.before import Before, Signs, keep
from adjudicator.site.mkdocs.policy import renewed
from adjudicator.site.mkdocs.search import INDEXES, NEWEST, Entry, bounded, gathering_entry, parted
from adjudicator.site.mkdocs.written import SITEMAP, Kept, Newest, Written, put, sitemap
from adjudicator.site.people import FOLDER as PEOPLE
from adjudicator.site.people import Part as Played
from adjudicator.site.people import by_person, name_in
from adjudicator.site.pictures import NAME as PICTURE
from adjudicator.site.pictures import Drawer
from adjudicator.site.receipts import intake_receipts
from adjudicator.site.records import DATA as RECORDS_DATA
from adjudicator.site.records import PAGE as RECORDS
from adjudicator.site.records import Record
from adjudicator.site.replay import NAME, Packed
from adjudicator.site.series import MARK as SERIES_MARK
from adjudicator.site.series import PAGE as SERIES
from adjudicator.site.series import series_page
from adjudicator.site.story import Story, load_story
from adjudicator.site.years import PAGE, other_games, page_of, shown_of, sites_of, year_of

GAMES = '<div id="courtly-games"></div>'
"""Marks the place of the list of games on a hand-written page."""
OF_PAGES = "sitemap-pages.xml"
"""The sitemap of the pages that belong to no game."""


@dataclass(frozen=True, slots=True)
class Handbook:
    """The output of MkDocs: hand-written pages, rulebooks, the theme, and the empty pages that games are stamped from."""

    folder: Path
    shells: dict[int, str]
    base: str
    """The site's address with a slash at its end."""
    published: str | None
    """The site's address if somebody has named it, otherwise None."""
    name: str
    home: str | None
    """The page with the list of games."""
    key: str
    """Hash of everything that it was made from; empty if that cannot be known."""
    pictures: bool = False
    """True if the site has pictures for shared links."""
    made_for: str = ""
    """The address of the site it was made for, if that differs from `base`."""

    def moved(self, data: bytes) -> bytes:
        """One of its files, changed for the address `base`: addresses of the site it was made for become addresses of this one."""
        if self.made_for in ("", self.base):
            return data
        data = data.replace(self.made_for.encode(), self.base.encode())
        old, new = (urlsplit(address).path.rstrip("/").encode() for address in (self.made_for, self.base))
        # A page that may be shown at any address, such as the page for unknown addresses, has paths from the root.
        named = rb'(")' + re.escape(old) + rb'(?=[/"])' if old else rb'((?:href|src)="|URL\(")(?=/(?!/))'
        return renewed(re.sub(named, lambda match: match[1] + new, data))

    def writer(self, files: Files, site: Path) -> Written:
        """The writer that makes pages from its shells."""
        picture = self.base + PICTURE if self.pictures else None
        return Written(files, site, self.shells, self.base, self.published, self.name, picture)


@dataclass(frozen=True, slots=True)
class Part:
    """The games of one site, and where the others are."""

    year: str | None = None
    """The only year whose games it has; None for the main site."""
    sites: Mapping[str, str] = field(default_factory=dict)
    """Year -> address of its site."""
    main: str | None = None
    apart: bool = False
    """True if games of the years with separate sites are left out here."""

    @property
    def kind(self) -> str:
        """The name of its receipts, and of the folder for files that are kept between builds."""
        return "site" if self.year is None else f"site-{self.year}"

    def wants(self, archive: Archive, slug: str) -> bool:
        """True if a game belongs to this site."""
        if not self.apart:
            return True
        year = year_of(archive, slug)
        return year == self.year if self.year is not None else year not in self.sites


@dataclass(slots=True)
class Published:
    """The outcome for the archive's games: those that were written again, those that are waiting for players, and the faults."""

    games: dict[str, Kept] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    gathering: list[Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def publish(
    archive: Archive,
    handbook: Handbook,
    site: Path,
    *,
    everything: bool = False,
    part: Part | None = None,
    watch: Callable[[Iterable[str], str], Iterable[str]] = lambda games, _: games,
) -> Published:
    """Writes every part of the site that is missing or out of date. A game with faults is left out, and its faults are reported.

    `watch` gets the games that are written, with a word for them, and returns them one by one.
    """
    here = str(site.absolute())
    part = part or Part(sites=sites_of(load_charter(archive)))
    receipts = Receipts(archive, part.kind, f"{handbook.key} {handbook.base} {here} {part}")
    if everything or not handbook.key:  # nobody knows the sources of the pages around the games
        receipts.games.clear()
    inside = site == handbook.folder  # MkDocs has just made all of it there
    files, site = archive.file_named(site)
    with _workshop(archive.root, part.kind) as (kept_files, workshop):
        unfinished = workshop / "unfinished"
        if kept_files.exists(unfinished):
            receipts.games.clear()  # a build was stopped midway: nobody knows its state
        kept_files.write(unfinished, b"")
        fresh = inside or not receipts.games or not files.is_folder(site / "games")
        if fresh:
            receipts.games.clear()
        if fresh and not inside:
            _clear(files, site)
        if not inside:
            _lay_out(handbook, files, site)
        done = _games(archive, handbook, files, site, receipts, kept_files, workshop, part, watch)
        gone = _gone(files, site, done)
        lists = ("feed.xml", "games/desks.json", *((handbook.home,) if handbook.home else ()))
        seasons = series_mark(archive) if part.year is None else ""
        kept = workshop / ".series.txt"
        other = not kept_files.is_file(kept) or kept_files.read(kept).decode() != seasons
        whole = all(files.is_file(site / name) for name in lists)
        if fresh or gone or other or done.written or done.gathering or done.problems or not whole:
            _lists(archive, handbook, files, site, done, kept_files, workshop, part, fresh=fresh)
        faulty = any(fault.path.startswith(f"{SERIES_FOLDER}/") for fault in done.problems)
        kept_files.write(kept, b"" if faulty else seasons.encode())
        receipts.save()
        kept_files.remove(unfinished)
    return done


def series_mark(archive: Archive) -> str:
    """A digest of all files of series with their names."""
    folder = archive.root / SERIES_FOLDER
    bodies = {name: archive.read(folder / f"{name}.yaml", own=True) for name in series_names(archive)}
    return hashlib.sha256(
        b"\0".join(part for name, body in bodies.items() for part in (name.encode(), body))
    ).hexdigest()


def _series(
    archive: Archive, writer: Written, files: Files, site: Path, done: Published
) -> tuple[list[Entry], dict[str, str]]:
    """Write the page of each season and tournament, and remove those that are gone; returns their search entries, and address -> title.

    A series with faults is left out, and its faults are reported.
    """
    names, found, titles = series_names(archive), list[Entry](), dict[str, str]()
    for path in files.each(site, *SERIES.replace("{}", "*").split("/")):
        if path.parent.name not in names and SERIES_MARK.encode() in files.read(path):
            files.remove(path)
    for name in names:
        try:
            with contain_errors(f"{SERIES_FOLDER}/{name}.yaml"):
                data = load_series(archive, name)
                body = series_page(name, data, [*scored(archive, data)])
        except Problems as error:
            done.problems.extend(error.problems)
            continue
        titles[SERIES.format(name)] = data.title
        found.append(writer.add_page(SERIES.format(name), data.title, f"Standings of {data.title}.", body))
    return found, titles


@contextlib.contextmanager
def _workshop(root: Path, kind: str) -> Iterator[tuple[Files, Path]]:
    """A folder for files that are kept between builds; a temporary one if nothing can be remembered."""
    try:
        files, folder = named(remembered(root).root / kind)
        files.make(folder)
    except OSError:
        with scratch() as files:
            yield files, files.root
        return
    yield files, folder


def _clear(files: Files, site: Path) -> None:
    """Removes the output of another build, except hidden files, as MkDocs does. Raises `Problems` if the folder is a link (RT-3)."""
    if files.is_link(site):
        what = "this is a link, and the site would empty the folder that it points to"
        raise problem(site.name, what, "remove it")
    for path in files.paths(site):
        if not path.name.startswith("."):
            files.remove(path)


def _lay_out(handbook: Handbook, files: Files, site: Path) -> None:
    """Copies the handbook, except for pages and lists that are written from it."""
    made = {handbook.home, SITEMAP, f"{SITEMAP}.gz", *INDEXES.values()}
    made_files = Disk(handbook.folder)
    for path in made_files.files_below(handbook.folder):
        name = path.relative_to(handbook.folder).as_posix()
        if name in made:
            continue
        data = made_files.read(path)
        put(files, site / name, handbook.moved(data) if path.suffix in (".html", ".xml") else data)
    # A picture that looks different has another name, so the old one would stay forever.
    for path in files.each(site, "rulesets", "*", BOARDS, "*.svg"):
        if not made_files.is_file(handbook.folder / path.relative_to(site)):
            files.remove(path)


def _games(
    archive: Archive,
    handbook: Handbook,
    files: Files,
    site: Path,
    receipts: Receipts,
    kept_files: Files,
    workshop: Path,
    part: Part,
    watch: Callable[[Iterable[str], str], Iterable[str]],
) -> Published:
    """Writes the games that have changed."""
    done, writer, charter = Published(), handbook.writer(files, site), load_charter(archive)
    drawer = Drawer(lambda address, data: put(files, site / address, data))
    name_shown = handbook.name if handbook.pictures else None
    taken = intake_receipts(archive.root)
    of_game: dict[str, list[str]] = defaultdict(list)
    for path, digest in sorted(taken or ()):
        of_game[path.split("/")[1] if path.count("/") > 1 else ""].append(f"{path} {digest}")
    changed: dict[str, str] = {}
    for slug in archive.slugs():
        if not part.wants(archive, slug):
            continue
        kept = receipts.get(slug)
        name = kept["slug"] if kept is not None else archive.name_of(slug)
        if name != slug:
            of_game[slug] += of_game.pop(name, [])
        known = hashlib.sha256("\n".join(of_game[slug] if taken else ["unknown"]).encode()).hexdigest()
        there = all(files.is_file(site / "games" / name / file) for file in ("index.html", "map.svg"))
        if kept is not None and kept["taken"] == known and there:
            with contextlib.suppress(KeyError, TypeError, ValueError):
                done.games[name] = Kept.of(kept)
                if kept_files.is_file(workshop / f"{name}.json"):
                    continue
        done.games.pop(name, None)
        changed[slug] = known
    parts = {slug: receipts.trees.parts(slug) for slug in changed if not archive.has_ended(slug)}
    for slug in watch([*changed], "Games"):
        known = changed[slug]
        name = archive.name_of(slug)
        file = workshop / f"{name}.turns.json"
        now = None
        if slug in parts and slug in receipts.games:  # nothing can stay on a site that was emptied
            before = Before.load(kept_files, file, receipts.key, files, site / "games" / name)
        else:
            before = Before()
        receipts.forget(slug)  # its pages may now be written from files that are in no commit
        try:
            with with_path(archive.place(slug)), contain_errors(archive.place(slug)):
                if slug in parts:
                    now = Signs.of(parts[slug], archive.turns(slug), of_game[slug] if taken else None)
                told = before.read(now)
                story = load_story(archive, slug, taken, told)
                if story is not None:
                    stay = [turn.name for turn in story.turns if before.stays(now, turn)]
                    made = files_of(story, charter, stay, _maps(before, now, story), name_shown)
                    said, newest = writer.add(story, made)
                    drawer.add(made.cards)
                    put(kept_files, workshop / f"{name}.json", newest.text().encode())
                    done.games[name] = said
                    done.written.append(slug)
                    receipts.keep(slug, {**said.plain(), "taken": known})
                    if now is not None:
                        keep(kept_files, file, receipts.key, now, story.turns, told)
                elif (game := load_game(archive, slug)).data.kind is GameKind.GAME:
                    done.gathering.append(game)
        except Problems as error:
            # A faulty game is left out and reported at the end; the others are published.
            done.problems.extend(error.problems)
            files.remove(site / "games" / name)
        if now is None:
            kept_files.remove(file)
        drawer.lot()
    drawer.finish()
    return done


def _maps(before: Before, now: Signs | None, story: Story) -> Packed | None:
    """The maps that need not be drawn again, from the one file on the site that holds them all."""
    names = before.maps_kept(now, story.turns)
    if names and before.site is not None and before.files is not None:
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            return Packed.resumed(before.files.text(before.site / NAME), names)
    return None


def _gone(files: Files, site: Path, done: Published) -> bool:
    """Removes games that no longer exist; returns True if there were any."""
    there = {path.name for path in files.paths(site / "games") if files.is_folder(path)}
    gone = there - {*done.games} - {game.name for game in done.gathering}
    for slug in gone:
        files.remove(site / "games" / slug)
    return bool(gone)


# Lists of all games ---------------------------------------------------------------------------------------------------


def _lists(
    archive: Archive,
    handbook: Handbook,
    files: Files,
    site: Path,
    done: Published,
    kept_files: Files,
    workshop: Path,
    part: Part,
    *,
    fresh: bool,
) -> None:
    """Writes the home page, feeds, search, sitemaps, cards, and the files that the desk asks for."""
    writer = handbook.writer(files, site)
    games = [done.games[slug] for slug in sorted(done.games)]

    @functools.lru_cache(maxsize=256)
    def newest(slug: str) -> Newest:
        return Newest.of(kept_files.read(workshop / f"{slug}.json"))

    files.make(site / "games")
    latest = sorted(games, key=lambda game: (game.card.time, game.slug), reverse=True)
    found = list(bounded(game.found for game in latest))
    found += _cards(writer, games, kept_files, workshop / ".cards.json", handbook.key, fresh=fresh)
    for waiting in done.gathering:
        writer.add_gathering(archive, waiting)
    found += map(gathering_entry, done.gathering)
    for address, data in _feeds(games, latest, newest, handbook):
        put(files, site / address, data)
    people = by_person(part for game in games for part in game.people)
    _remove_people(files, site, {*people, *(feed.address for game in games for feed in game.feeds)})
    records: dict[str, list[Record]] = {}
    for game in sorted(games, key=lambda game: (game.card.time, game.slug), reverse=True):
        if game.record is not None:
            records.setdefault(game.ruleset, []).append(game.record)
    records = dict(sorted(records.items()))
    for address in (RECORDS, RECORDS_DATA):
        for path in files.each(site, *address.replace("{}", "*").split("/")):
            if path.parent.name not in records:
                files.remove(path)
    for address, data in _calendars(games, people, handbook):
        put(files, site / address, data)
    found += writer.add_records(records, people)
    more_found, seasons = _series(archive, writer, files, site, done) if part.year is None else ([], {})
    found += more_found
    found += writer.add_people(people, records, seasons)
    desks: list[OpenGame] = [game.desk for game in games if game.desk is not None]
    put(files, site / "games/desks.json", (json.dumps(desks, ensure_ascii=False) + "\n").encode())
    shown = shown_of(game.card for game in games)
    for year, cards in shown.years.items():
        found.append(writer.add_year(year, cards))
    wanted = {
        *map(page_of, shown.years),
        *(path.name for path in Disk(handbook.folder).paths(handbook.folder, "games-*.html")),
    }
    for path in files.paths(site, "games-*.html"):
        if PAGE.fullmatch(path.name) and path.name not in wanted:
            files.remove(path)
    if handbook.home is not None:
        more = other_games(shown, part.sites, part.main, part.year)
        lists = str(home_lists(shown.cards, done.gathering, more))
        page = handbook.moved(Disk(handbook.folder).read(handbook.folder / handbook.home)).decode()
        put(files, site / handbook.home, page.replace(GAMES, lists, 1).encode())
    _extend_search(handbook, files, site, [*found, *_turns(latest, newest)])
    _map_pages(handbook, files, site, [game.slug for game in games], writer.addresses)


def _cards(writer: Written, games: list[Kept], kept_files: Files, file: Path, key: str, *, fresh: bool) -> list[Entry]:
    """Writes the pages of cards, unless they would be the same as last time; returns their search entries.

    Most rulesets are loaded for these pages only. A `fresh` site has none of them, and an empty `key` means that
    nothing is known.
    """
    by_ruleset: dict[str, dict[str, list[Did]]] = {slug: {} for slug in slugs()}
    for game in games:
        for name, one in (game.did or {}).items():
            by_ruleset.setdefault(game.ruleset, {}).setdefault(name, []).append(one)
    plain = {
        slug: {name: [asdict(one) for one in them] for name, them in did.items()} for slug, did in by_ruleset.items()
    }
    sign = hashlib.sha256(json.dumps([key, code_version(), plain]).encode()).hexdigest()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(kept_files.read(file))
        there = all(writer.files.is_file(writer.site / address) for address in known["addresses"])
        if known["sign"] == sign and key and there and not fresh:
            writer.addresses += known["addresses"]
            found: list[Entry] = known["found"]
            return found
    before = len(writer.addresses)
    found = [entry for slug in slugs() for entry in writer.add_cards(slug, by_ruleset[slug])]
    put(kept_files, file, json.dumps({"sign": sign, "addresses": writer.addresses[before:], "found": found}).encode())
    return found


def _feeds(
    games: list[Kept], latest: list[Kept], newest: Callable[[str], Newest], handbook: Handbook
) -> Iterator[tuple[str, bytes]]:
    """Address and text of the feed of all games, and of each player's feed."""
    by_address: dict[str, tuple[Feed, list[Kept]]] = {FEED_OF_ALL.address: (FEED_OF_ALL, latest)}
    for game in games:
        for feed in game.feeds:
            # Two players whose names give the same address share the feed, under the name of the first.
            by_address.setdefault(feed.address, (feed, []))[1].append(game)
    for feed, theirs in by_address.values():
        order = sorted(theirs, key=lambda game: (game.card.time, game.slug), reverse=True)
        entries = [
            entry
            for game in _enough(order, LIMIT, lambda slug: [one.updated for one in newest(slug).entries])
            for entry in newest(game.slug).entries
        ]
        yield feed.address, shared_feed(feed, entries, handbook.base, pictures=handbook.pictures)


def _calendars(
    games: list[Kept], people: Mapping[str, Sequence[Played]], handbook: Handbook
) -> Iterator[tuple[str, bytes]]:
    """Address and text of the calendar of all open turns, and of each player's, which stays while it has no deadline."""
    due = [game.due for game in games if game.due is not None]
    yield CALENDAR, calendar(f"{handbook.name}: deadlines", due, handbook.base)
    for page, parts in people.items():
        names = {part.player for part in parts}
        theirs = [one for one in due if names & {*one.players}]
        address = f"{page.rpartition('/')[0]}/{CALENDAR}"
        yield address, calendar(f"Deadlines of {name_in(parts)}", theirs, handbook.base)


def _enough(latest: Iterable[Kept], most: int, times: Callable[[str], Iterable[str]]) -> Iterator[Kept]:
    """The games that may hold the newest `most` things. The times of things are read only from games that are recent enough."""
    seen: list[str] = []
    for game in latest:
        if len(seen) >= most and game.card.time < seen[most - 1]:
            return
        yield game
        seen = sorted([*seen, *times(game.slug)], reverse=True)[:most]


def _turns(latest: list[Kept], newest: Callable[[str], Newest]) -> Iterator[Entry]:
    """The search entries of the newest turns of all games, latest first."""
    games = _enough(latest, NEWEST, lambda slug: [time for time, *_ in newest(slug).turns])
    turns = [turn for game in games for turn in newest(game.slug).turns]
    for *_, entry in sorted(turns, key=lambda turn: turn[:3], reverse=True)[:NEWEST]:
        yield entry


def _remove_people(files: Files, site: Path, wanted: set[str]) -> None:
    """Remove the pages and feeds of players who no longer play in any game."""
    for name in ("feed.xml", "index.html"):
        for path in [*files.each(site / PEOPLE, "*", name)]:
            if path.relative_to(site).as_posix() not in wanted:
                files.remove(path)
    for path in [*files.each(site / PEOPLE, "*", CALENDAR)]:
        if (path.parent / "index.html").relative_to(site).as_posix() not in wanted:
            files.remove(path)
    for folder in files.paths(site / PEOPLE):
        if files.is_folder(folder) and not files.names(folder):
            files.remove(folder)


def _extend_search(handbook: Handbook, files: Files, site: Path, entries: Iterable[Entry]) -> None:
    """Writes the search's three indexes, with games and turns in them."""
    path, made_files = handbook.folder / INDEXES["help"], Disk(handbook.folder)
    if not made_files.is_file(path):
        return
    index = json.loads(made_files.read(path))
    for part, docs in parted([*index["docs"], *entries]).items():
        text = json.dumps({**index, "docs": docs}, ensure_ascii=False, separators=(",", ":"))
        put(files, site / INDEXES[part], text.encode())


def _map_pages(handbook: Handbook, files: Files, site: Path, games: list[str], pages: list[str]) -> None:
    """Writes the sitemap: an index of each game's sitemap, beside its pages, and of one for all other pages."""
    own, made_files = handbook.folder / SITEMAP, Disk(handbook.folder)
    if not made_files.is_file(own):
        return
    text = handbook.moved(made_files.read(own)).decode()
    more = sitemap(handbook.base, pages).decode().partition('0.9">\n')[2]
    put(
        files,
        site / OF_PAGES,
        text.replace("</urlset>", more.removesuffix("\n").rpartition("</urlset>")[0] + "</urlset>").encode(),
    )
    addresses = [OF_PAGES, *(f"games/{slug}/{SITEMAP}" for slug in games)]
    entries = "".join(
        f"    <sitemap>\n         <loc>{html.escape(handbook.base + one)}</loc>\n    </sitemap>\n" for one in addresses
    )
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    )
    index = f"{head}{entries}</sitemapindex>\n".encode()
    put(files, site / SITEMAP, index)
    put(files, site / f"{SITEMAP}.gz", gzip.compress(index, mtime=0))
