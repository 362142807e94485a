"""The content policy of every page that the site publishes: what a browser may load and run there, whatever text the page holds.

Text from players and hosts is escaped before it comes into a page. If that ever fails, the policy still holds: a script runs only if
it is a file of this address or one of the theme's inline scripts, whose hashes are in the policy. The hashes are therefore
taken before anything of a game is in the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from html.parser import HTMLParser

MEMBER = '<meta http-equiv="Content-Security-Policy" content="'
BEGINNING = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; "
"""The beginning of every policy made here, and of no other. Search, its worker, data and fonts come from this address, and nothing is
embedded."""
LOOKS = "img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
"""The theme's signs are pictures in its style sheets. Each page embeds a style sheet for its maps, and pictures of maps have their width
in an attribute, so the styles differ by page and board. A style runs nothing, and under this policy loads nothing from elsewhere.
"""
OURS = re.compile(re.escape(MEMBER + BEGINNING) + r'[^"]*">\n?')
OTHER = re.compile(r"<meta\s[^>]*http-equiv\s*=\s*[\"']?content-security-policy", re.IGNORECASE)
PLACES = (
    re.compile(r"<meta\s+charset\s*=[^>]*>\s*", re.IGNORECASE),
    re.compile(r"<head(?:\s[^>]*)?>\s*", re.IGNORECASE),
    re.compile(r"(?:\s*<!doctype[^>]*>\s*)?(?:<html(?:\s[^>]*)?>\s*)?", re.IGNORECASE),
)
"""The policy goes after the first of these that a page has. The character set must be known before it, and everything that it covers
must come after it."""
DATA = re.compile(r"(?:application|text)/(?:[a-z.-]+\+)?json$", re.IGNORECASE)
"""Types of data that a script element may hold and that is never run."""


class _Scripts(HTMLParser):
    """Collects the inline scripts of a page as a browser reads it, without those in comments or from files."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.inside = tag == "script" and "src" not in said and not DATA.match(said.get("type") or "")
        if self.inside:
            self.found.append("")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def scripts_in(text: str) -> list[str]:
    """The inline scripts of a page."""
    parser = _Scripts()
    parser.feed(text.replace("\r\n", "\n").replace("\r", "\n"))
    parser.close()
    return parser.found


def hash_of(script: str) -> str:
    """A script as a policy names it: by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def policy(scripts: Iterable[str]) -> str:
    """The policy of a page with these inline scripts."""
    named = "".join(f" {one}" for one in dict.fromkeys(map(hash_of, scripts)))
    return f"{BEGINNING}{LOOKS}script-src 'self'{named}"


SERVED = f"{BEGINNING}{LOOKS}script-src 'self' 'unsafe-inline'"
"""The policy while somebody works on the pages and `courtly serve` shows them. MkDocs adds a script to each page as it goes out, a
different one each time, that reloads the page after a change. It is not published."""


def with_policy(text: str, said: str | None = None) -> str:
    """A page with a policy for the inline scripts that it has now, or with the policy `said`. It replaces one that was made here before.

    A page that brings another policy keeps that one and gets no second.
    """
    text = OURS.sub("", text, count=1)
    if OTHER.search(text.partition("<body")[0]):
        return text
    end = next(found.end() for place in PLACES if (found := place.search(text)))
    return f'{text[:end]}{MEMBER}{said or policy(scripts_in(text))}">\n{text[end:]}'


def renewed(page: bytes) -> bytes:
    """A page with its policy renewed after a change, if the policy was made here; any other page unchanged."""
    text = page.decode("utf-8", "surrogateescape")
    return with_policy(text).encode("utf-8", "surrogateescape") if OURS.search(text) else page
