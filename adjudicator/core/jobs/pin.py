"""The version of courtly that a repository's workflows install, as its `.github/courtly.txt` names it, and the version that runs here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from adjudicator.core.files.disk import Disk

PINNED = ".github/courtly.txt"
PINNED_SITE = ".github/courtly-site.txt"
INSTALL = "# install: "
"""Prefix of a line that workflows install separately, after all others: it names a commit, which has no hash that pip could check."""
PACKAGE = Path(__file__).parents[2]
_COMMIT = re.compile(
    rf"^(?:{re.escape(INSTALL)})?courtly @ git\+([^\s@]+(?:@[^\s@/]+)*)@([0-9a-f]{{40}})[ \t]*$", re.MULTILINE
)
_RELEASE = re.compile(r"^courtly==([A-Za-z0-9.!+_-]+)(?=[ \t\\]|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """An exact version of courtly: a commit of its repository, or a release. Addresses are ignored when two are compared."""

    commit: str = ""
    """All 40 digits; empty for a release."""
    version: str = ""
    """Version of a release; empty for a commit."""
    address: str = field(default="", compare=False)
    """Address of the repository that has the commit, without `git+`."""

    def __str__(self) -> str:
        return f"commit {self.commit}" if self.commit else f"release {self.version}"


def pinned(text: str) -> Pin | None:
    """The version of courtly that the text of a `.github/courtly.txt` names; None if it names none, or several."""
    text = text.replace("\r\n", "\n")
    named = {Pin(commit=commit, address=address) for address, commit in _COMMIT.findall(text)}
    named |= {Pin(version=version) for version in _RELEASE.findall(text)}
    return named.pop() if len(named) == 1 else None


def installed() -> Pin | None:
    """The version of courtly that runs here; None if it was not installed from a release or a commit, so that others cannot install it."""
    try:
        return pin_of(distribution("courtly"))
    except PackageNotFoundError:
        return None


def pin_of(package: Distribution, here: Path = PACKAGE) -> Pin | None:
    """The version in pip's record of an installed package; None if it names neither release nor commit, or if other code is running."""
    if Path(str(package.locate_file(here.name))).resolve() != here.resolve():
        return None
    told = package.read_text("direct_url.json")
    if told is None:
        return Pin(version=package.version)
    try:
        origin = json.loads(told)
        git = origin["vcs_info"]
        if git["vcs"] == "git" and re.fullmatch(r"[0-9a-f]{40}", git["commit_id"]):
            return Pin(commit=git["commit_id"], address=origin["url"])
    except (ValueError, KeyError, TypeError):
        pass
    return None


def pin_findings(root: Path) -> list[tuple[bool, str]]:
    """Compare the version that a repository's workflows install with the one that runs here: lines, each with True if all is well."""
    path, files = root / PINNED, Disk(root)
    if not files.is_file(path):
        return []
    text = files.text(path)
    if f"{INSTALL}.\n" in text:
        return []  # the project itself, whose jobs install their own folder
    named, here = pinned(text), installed()
    renew = "run `courtly init`"
    if named is None:
        return [
            (False, f"{PINNED} does not name exactly one version of courtly, so the workflows install none: {renew}")
        ]
    findings = []
    if "--hash=sha256:" not in text:
        findings.append((False, f"{PINNED} names packages without their hashes: {renew}"))
    if here is None:
        findings.append((True, f"{PINNED} names {named}; what runs here was not installed from a commit or a release"))
    elif here != named:
        findings.append((False, f"{PINNED} names {named}, but {here} runs here: {renew}, or install the one it names"))
    else:
        findings.append((True, f"{PINNED} names {named}, which runs here"))
    return findings
