"""The site can be built with MkDocs and with ProperDocs, its continuation, with the same result (decision 0022)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.conftest import empty_site

GENERATOR = re.compile(rb'<meta name="generator" content="([^"]*)">')


def built(folder: Path, module: str) -> Path:
    """The site that a generator builds from a folder, in a process without the other's modules."""
    site = folder.parent / f"site-{module}"
    done = subprocess.run(
        [sys.executable, "-m", module, "build", "--quiet", "--config-file", "mkdocs.yml", "--site-dir", str(site)],
        cwd=folder, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return site


@pytest.mark.slow
def test_both_generators_build_the_same_site(tmp_path: Path) -> None:
    """Every file, but for the generator's own name in each page."""
    folder = tmp_path / "archive"
    folder.mkdir()
    empty_site(folder, ["first-lessons"])
    sites = {module: built(folder, module) for module in ("mkdocs", "properdocs")}
    files = {
        module: {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for module, site in sites.items()
    }
    assert [*sorted(files["mkdocs"])] == [*sorted(files["properdocs"])]
    assert len(files["mkdocs"]) > 400
    names = {module: set(GENERATOR.findall(files[module]["play.html"])) for module in sites}
    assert names["mkdocs"].isdisjoint(names["properdocs"])
    plain = {
        module: {name: GENERATOR.sub(b"", data) for name, data in found.items()} for module, found in files.items()
    }
    differ = [name for name, data in plain["mkdocs"].items() if plain["properdocs"][name] != data]
    assert differ == []
