"""The content policy of every page that the site publishes: what a browser may load and run there, whatever stands in the page.

What players and hosts write is escaped before it comes into a page. Should that fail once, the policy holds: a script runs only if it
is a file of this address or one of those that the theme has in its pages, each of which is named by its hash. So the hashes are taken
while a page has nothing of a game in it yet.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from html.parser import HTMLParser

MEMBER = '<meta http-equiv="Content-Security-Policy" content="'
BEGINNING = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; "
"""How a policy from here begins, and no other: search, its worker, data and fonts come from this address, and nothing is embedded."""
LOOKS = "img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
"""The theme's signs are pictures in its style sheets. Maps bring a style sheet of their own in each page, and pictures of them the width
that they need in an attribute: those differ by page and board. A style runs nothing, and loads nothing from elsewhere by this policy.
"""
OURS = re.compile(re.escape(MEMBER + BEGINNING) + r'[^"]*">\n?')
OTHER = re.compile(r"<meta\s[^>]*http-equiv\s*=\s*[\"']?content-security-policy", re.IGNORECASE)
PLACES = (
    re.compile(r"<meta\s+charset\s*=[^>]*>\s*", re.IGNORECASE),
    re.compile(r"<head(?:\s[^>]*)?>\s*", re.IGNORECASE),
    re.compile(r"(?:\s*<!doctype[^>]*>\s*)?(?:<html(?:\s[^>]*)?>\s*)?", re.IGNORECASE),
)
"""Behind what it is put, the first that a page has: the letters must be known before, and it must stand before all that it is for."""
DATA = re.compile(r"(?:application|text)/(?:[a-z.-]+\+)?json$", re.IGNORECASE)
"""Types of what stands in a script's place and is never run."""


class _Scripts(HTMLParser):
    """Collects the scripts that stand in a page, as a browser reads it: not those in comments, nor those from files."""

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
    """The scripts that stand in a page itself."""
    parser = _Scripts()
    parser.feed(text.replace("\r\n", "\n").replace("\r", "\n"))
    parser.close()
    return parser.found


def hash_of(script: str) -> str:
    """A script as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def policy(scripts: Iterable[str]) -> str:
    """The policy of a page in which these scripts stand."""
    named = "".join(f" {one}" for one in dict.fromkeys(map(hash_of, scripts)))
    return f"{BEGINNING}{LOOKS}script-src 'self'{named}"


SERVED = f"{BEGINNING}{LOOKS}script-src 'self' 'unsafe-inline'"
"""While one works on the pages and `courtly serve` shows them: MkDocs puts a script of its own into each as it goes out, another each time,
that loads the page again when it has changed. It is not published."""


def with_policy(text: str, said: str | None = None) -> str:
    """A page with a policy for the scripts that stand in it now, in place of one from here that it had; with `said`, with this one.

    A page that brings one of its own keeps it, and gets no other.
    """
    text = OURS.sub("", text, count=1)
    if OTHER.search(text.partition("<body")[0]):
        return text
    end = next(found.end() for place in PLACES if (found := place.search(text)))
    return f'{text[:end]}{MEMBER}{said or policy(scripts_in(text))}">\n{text[end:]}'


def renewed(page: bytes) -> bytes:
    """A page that has a policy from here, after something in it was changed; any other as it is."""
    text = page.decode("utf-8", "surrogateescape")
    return with_policy(text).encode("utf-8", "surrogateescape") if OURS.search(text) else page
