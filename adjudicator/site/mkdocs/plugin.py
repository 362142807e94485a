"""The thin MkDocs plugin, which puts the archive's pages into Material's page.

Games never pass through Markdown or a template engine. MkDocs renders one empty shell per depth. When it has finished, every game is read,
its pages are stamped from their shells and written, and the game is forgotten, so an archive may be larger than memory. Rulebooks are
our text and are ordinary Markdown pages.
"""

from __future__ import annotations

import html
import json
import logging
import re
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from markupsafe import escape
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from adjudicator.core.contract.ruleset import find, folders, slugs
from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.places import own_text, read_own
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT
from adjudicator.core.jobs.schemas import schemas
from adjudicator.core.jobs.whole import whole_schema
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.load import load_charter
from adjudicator.render.palette import page_style
from adjudicator.site.boards import Boards
from adjudicator.site.desk import unseen_table
from adjudicator.site.engine import engine_files
from adjudicator.site.explained import SETTINGS, all_settings, appendix
from adjudicator.site.feeds import FEED_OF_ALL
from adjudicator.site.home import ruleset_boards
from adjudicator.site.lessons import Ready, lesson_files, load_lessons
from adjudicator.site.mkdocs.head import DESCRIPTION, Head, describe
from adjudicator.site.mkdocs.policy import SERVED, with_policy
from adjudicator.site.mkdocs.publish import GAMES, Handbook, publish
from adjudicator.site.mkdocs.slim import OWN, bare, classes_in, slim
from adjudicator.site.mkdocs.written import ADDRESS, BODY, SITEMAP, TITLE, put
from adjudicator.site.pictures import NAME as CARD
from adjudicator.site.pictures import can_draw, png, site_card
from adjudicator.site.rulebook import beside, introduce, with_anchors, with_examples
from adjudicator.site.shipped import (
    DIGESTS,
    TOLD,
    as_published,
    digest,
    executed,
    in_the_way,
    is_executed,
    listed,
    read_again,
    shipped,
    template,
)

SHELLS = {0: "shell.md", 2: "games/shell/page.md", 3: "games/shell/turn/page.md"}
THEME = re.compile(r'<script src="([^"]*/bundle\.[^"]*\.js)"></script>')
"""The theme's script in a page."""
SHEET = re.compile(r'<link rel="stylesheet" href="((?:\.\./)*)(assets/stylesheets/main\.[^"]*\.css)">')
"""The theme's style sheet in a page."""
OURS = "assets/courtly.js"
"""The script of ours that mkdocs.yml names."""
PLAY = "assets/stylesheets/play.css"
"""The part of it that pages of games need."""
SEARCH = 'data-md-component="search" role="dialog"'
"""The dialog of the theme's search, which has no name."""
SELDOM = "---\nsearch: {boost: 0.2}\n---\n\n"
"""Front matter of a page that few readers look for."""
PAGES = "courtly.pages"
"""Entry points that each give a page of Markdown under their name; the command's manual is one."""
LINK = re.compile(r"\]\(((?:\.\./)*([\w-]+\.md))#[^)\s]*")
"""A link to a heading of another page."""
LOG = logging.getLogger("mkdocs.plugins.courtly")


def with_theme_later(page: str, config: MkDocsConfig) -> str:
    """A page whose theme script late.js loads; unchanged with a group's own theme, or with its own script, which may need the theme's."""
    sheet = SHEET.search(page)
    if sheet is None or any(str(script) != OURS for script in config.extra_javascript):
        return page
    mark = rf'<div id="courtly-theme" data-src="\1" data-style="{sheet[1]}{sheet[2]}" hidden></div>'
    return THEME.sub(mark, page, count=1)


def name_search(page: str) -> str:
    """A page whose search has a name for those who hear it."""
    return page.replace(f"{SEARCH}>", f'{SEARCH} aria-label="Search">')


class CourtlyConfig(Config):  # type: ignore[no-untyped-call]  # mkdocs leaves its hook untyped
    """The plugin's options in mkdocs.yml."""

    archive = config_options.Type(str, default=".")
    """The folder that holds games/, relative to mkdocs.yml's folder."""
    pictures = config_options.Type(bool, default=True)
    """Whether links to the site are shown with pictures in chats, if `courtly[pictures]` is installed and `site_url` is set."""


class CourtlyPlugin(BasePlugin[CourtlyConfig]):  # type: ignore[no-untyped-call]  # as above
    """Puts the archive's pages into Material's page; the module's docstring explains how."""

    def __init__(self) -> None:
        self.handbook_alone = False
        """True if the caller publishes the games itself."""
        self.served = False
        """True if nothing is published, and the pages are only shown to whoever works on them."""
        self.handbook: Handbook | None = None
        self.problems: list[Problem] = []
        self.home: str | None = None
        """The page with the list of games, relative to the site's folder."""
        self.about: dict[str, str] = {}
        """Hand-written page -> its description."""
        self.lessons: list[Ready] = []
        self.own: set[str] = set()
        """The group's pages that replace those of the package."""
        self.boards: dict[str, str] = {}
        """Address -> picture of worked examples. There are hundreds of small files, and MkDocs need not know them."""
        self.archive = Archive(Path())

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Notes whether the site is served or built."""
        self.served = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Reads the archive, and puts every rulebook into the navigation."""
        # The theme puts it into pages unescaped in some places.
        config.site_name = escape(config.site_name)
        self.archive = Archive(Path(config.config_file_path or "mkdocs.yml").absolute().parent / self.config.archive)
        books = [{find(slug).about.title: f"rulesets/{slug}.md"} for slug in slugs()]
        if config.nav is not None:
            config.nav = [{"Rulebooks": books} if part == {"Rulebooks": "rulebooks"} else part for part in config.nav]
        self.problems, self.home = [], None
        try:
            self.archive.slugs()
            load_charter(self.archive)
            self.lessons = load_lessons()
        except Problems as error:
            raise PluginError("\n".join(map(str, error.problems))) from None
        return config

    def on_serve(self, server: Any, config: MkDocsConfig, builder: Any) -> Any:
        """Watches the archive and the rulebooks while serving."""
        server.watch(str(self.archive.games))
        for folder in folders():
            server.watch(str(folder))
        return server

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Adds shells, rulebooks, schemas, the style sheet of pictures, and each page of the package that the group has not replaced."""
        self.add_shipped(files, config)
        self.boards.clear()
        for path in SHELLS.values():
            text = f"---\ntitle: {TITLE}\ndescription: {DESCRIPTION}\nhide: [navigation, toc]\nsearch: {{exclude: true}}\n---\n\n{BODY}\n"
            files.append(File.generated(config, path, content=text, inclusion=InclusionLevel.NOT_IN_NAV))
        for slug in slugs():
            rules = find(slug)
            book = own_text(rules.folder / "RULES.md")
            boards = Boards(rules)
            text = f"{with_anchors(with_examples(introduce(book, rules), rules, boards))}\n{appendix(rules)}"
            files.append(File.generated(config, f"rulesets/{slug}.md", content=text))
            self.boards |= {f"rulesets/{address}": svg for address, svg in boards.files.items()}
            for page in beside(rules):
                address = f"rulesets/{slug}-{page.stem.lower()}.md"
                # Found after everything that helps people to play.
                files.append(File.generated(config, address, content=f"{SELDOM}{own_text(page)}"))
            own = Own(rules.folder)
            if rules.host_files is not None:
                # Hosts can start their custom files from those that they may replace.
                data = {source.name: source for source in own.paths(rules.folder / "data", "*.yaml")}
                data |= {
                    source.name: source
                    for kind in rules.host_files.kinds
                    for source in own.paths(rules.folder / f"{kind}s", "*.yaml")
                }
                data |= {
                    f"{board.parent.name}.yaml": board for board in own.each(rules.folder, "boards", "*", "board.yaml")
                }
                for name, source in data.items():
                    text = own_text(source)
                    files.append(File.generated(config, f"data/{slug}/{name}", content=text))
            for kind, schema in schemas(slug).items():
                text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
                files.append(File.generated(config, f"schema/{slug}/{kind}.json", content=text))
            text = json.dumps(whole_schema(slug), indent=2, ensure_ascii=False) + "\n"
            files.append(File.generated(config, f"schema/{slug}/whole-game.json", content=text))
        files.append(File.generated(config, "assets/maps.css", content=page_style()))
        for entry in entry_points(group=PAGES):
            files.append(File.generated(config, f"{entry.name}.md", content=entry.load()()))
        security = own_text(template() / "SECURITY.md")
        files.append(File.generated(config, "security.md", content=security))
        return files

    def add_shipped(self, files: Files, config: MkDocsConfig) -> None:
        """Adds the package's files. A group's page replaces the package's, but a changed script or executed page is a fault."""
        read_again()
        self.own.clear()
        docs = Path(config.docs_dir)
        faults = []
        for file in [*files]:
            if is_executed(file.dest_uri) and not file.src_uri.endswith(".d.ts"):
                path = Path(file.abs_src_path or file.src_uri)
                said = path.relative_to(docs.parent).as_posix() if docs.parent in path.parents else str(path)
                fault = in_the_way(file.dest_uri, file.content_bytes, said)
                if fault is not None:
                    faults.append(fault)
                files.remove(file)
        if faults:
            raise Problems(faults) if self.handbook_alone else PluginError("\n".join(map(str, faults)))
        charter = load_charter(self.archive)
        forge = charter.forge if charter is not None and charter.place is not None else DEFAULT
        for name in executed():
            files.append(
                File.generated(config, name, content=as_published(name, forge), inclusion=InclusionLevel.INCLUDED)
            )
        for name, path in shipped().items():
            own = files.src_uris.get(name)
            if path.suffix == ".css" and (own is None or own.content_bytes == read_own(path)):
                if own is not None:
                    files.remove(own)
                files.append(File.generated(config, name, content=bare(own_text(path))))
            elif own is None and name not in executed():
                files.append(File.generated(config, name, abs_src_path=str(path)))
            elif own is not None and own.generated_by is None and own.content_bytes != read_own(path):
                self.own.add(name)

    def on_page_markdown(self, markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Puts the table of settings into the Host page, and the desk's digest into the Trust page.

        A group's page need not have the headings of the package's, so links from our pages lead to the page instead of a
        heading.
        """
        if page.file.generated_by is not None and self.own:
            markdown = LINK.sub(lambda link: f"]({link[1]}" if link[2] in self.own else link[0], markdown)
        markdown = markdown.replace(TOLD, f"`{digest()}`")
        return markdown.replace(SETTINGS, all_settings()) if SETTINGS in markdown else markdown

    def on_page_content(self, content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Finds the home page by its place for the list of games, and keeps the description of each page."""
        if page.file.src_uri not in SHELLS.values():
            own, title = page.meta.get("description"), str(page.title or config.site_name)
            self.about[page.file.src_uri] = str(own) if own else describe(content, title, str(config.site_description))
            page.meta["description"] = DESCRIPTION
        if GAMES in content:
            self.home = page.file.dest_uri
        return content

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Fills the head of a hand-written page."""
        about = self.about.get(page.file.src_uri)
        if about is None:
            return output
        head = Head(
            title=html.unescape(str(page.title or config.site_name)),
            description=about,
            kind="website",
            address=page.canonical_url,
            feeds=(FEED_OF_ALL,),
            root="../" * page.file.dest_uri.count("/"),
            picture=address + CARD if (address := self.address(config)) and self.draws(config) else None,
        )
        return head.put_into(output, html.unescape(config.site_name))

    @event_priority(-100)  # after other plugins and hooks have changed the pages
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Removes the shells, writes the files that depend on no game, and publishes the games if they are wanted."""
        site = Path(config.site_dir)
        files = Disk(site)
        base = self.address(config) or "https://courtly.example/"
        shells = {}
        for depth, path in SHELLS.items():
            shell = site / path.replace(".md", ".html")
            text = files.text(shell).replace(base + path.replace(".md", ".html"), ADDRESS)
            text = self.lighten(config, files, site, name_search(text))
            # The theme leaves many blank lines; spaces carry no meaning in an empty page.
            shells[depth] = with_policy(re.sub(r"\s*\n\s*", "\n", text), SERVED if self.served else None)
            files.remove(shell)
        files.remove(site / "games/shell")
        files.make(site / "games")
        self.give_policies(config, files, site)
        self.mend_sitemap(site)
        put(files, site / "assets/unseen.json", unseen_table().encode())
        named = json.dumps({"name": html.unescape(config.site_name)}, ensure_ascii=False)
        put(files, site / "assets/name.json", f"{named}\n".encode())
        put(files, site / DIGESTS, listed().encode())
        for address, data in engine_files().items():
            put(files, site / address, data)
        boards = ruleset_boards()
        for address, text in (lesson_files(self.lessons) | self.boards | boards).items():
            put(files, site / address, text.encode())
        name = html.unescape(config.site_name)
        if self.draws(config):
            put(files, site / CARD, png(site_card(name, html.unescape(str(config.site_description or "")), boards)))
        self.handbook = Handbook(
            site, shells, base, self.address(config), name, self.home, "", pictures=self.draws(config)
        )
        if self.handbook_alone:
            return
        done = publish(self.archive, self.handbook, site)
        self.problems = done.problems
        for problem in self.problems:
            LOG.warning("%s", problem)

    def address(self, config: MkDocsConfig) -> str | None:
        """The site's address with a slash at its end; None if nobody has named it."""
        return config.site_url.rstrip("/") + "/" if config.site_url else None

    def draws(self, config: MkDocsConfig) -> bool:
        """True if the site has pictures for shared links: it is published, its address is known, and the libraries are installed."""
        return self.config.pictures and bool(config.site_url) and not self.served and can_draw()

    def lighten(self, config: MkDocsConfig, files: Disk, site: Path, shell: str) -> str:
        """An empty page that loads neither the theme's script nor the parts of its style sheet that pages of games never use.

        Menus work without the script; late.js loads both when the reader goes to the search.
        """
        sheet = SHEET.search(shell)
        later = with_theme_later(shell, config)
        if sheet is None or later == shell:
            return shell
        whole = files.text(site / sheet[2])
        put(files, site / PLAY, slim(whole, classes_in(shell) | OWN).encode())
        return SHEET.sub(lambda match: f'<link rel="stylesheet" href="{match[1]}{PLAY}">', later, count=1)

    def give_policies(self, config: MkDocsConfig, files: Disk, site: Path) -> None:
        """Gives each page around the games its content policy, and its search a name; the package's own pages already have one.

        The home page loads the theme's script when the reader goes to the search: nothing else there needs it, and it is slow on a phone.
        """
        for path in files.files_below(site):
            if path.suffix == ".html" and path.relative_to(site).as_posix() not in executed():
                text = name_search(files.read(path).decode("utf-8", "surrogateescape"))
                text = with_theme_later(text, config) if path == site / "index.html" else text
                text = with_policy(text, SERVED if self.served else None)
                put(files, path, text.encode("utf-8", "surrogateescape"))

    def mend_sitemap(self, site: Path) -> None:
        """Removes the shells from the sitemap."""
        path, files = site / SITEMAP, Disk(site)
        if files.is_file(path):
            text = files.text(path)
            text = re.sub(
                r"\s*<url>\s*<loc>[^<]*(?:games/shell/|/shell\.html)[^<]*</loc>.*?</url>", "", text, flags=re.DOTALL
            )
            files.write(path, text.encode(), lasting=False)
