"""Makes the distribution `courtly-engine`: python vendor/pyodide/make.py FOLDER.

The wheel holds Pyodide (from npm, by its lock), the packages that the judge imports (from PyPI, by the hashes in .github/courtly.txt) and the
judge itself, all as byte code of the Python that runs them in a browser. It contains no other code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LOCK = ROOT / ".github/courtly.txt"
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--abi", "cp314")
PACKED = {"wasm": "pyodide.asm.wasm", "stdlib": "stdlib.zip", "packages": "packages.zip", "binary": "binary.zip"}
PLAIN = ("pyodide.mjs", "pyodide.asm.mjs")
"""Files that a page loads directly by name."""
WANTED = (
    "annotated-types", "mypy-extensions", "pydantic", "pydantic-core", "ruamel-yaml", "svgwrite", "typing-extensions",
    "typing-inspection",
)  # fmt: skip
LICENCES = """\
What is in this distribution, and whose it is.

courtly: MIT.
Pyodide {pyodide} (https://github.com/pyodide/pyodide): Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/. Its files
are as they were published on npm, but for its standard library, which is compiled; the source is at the address above.
CPython {python} (https://www.python.org): Python Software Foundation License 2, https://docs.python.org/3/license.html.
Emscripten (https://emscripten.org): MIT.
"""
PROJECT = """\
[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "courtly-engine"
version = "{version}"
description = "Courtly's judge for readers' browsers: data that `courtly site` publishes"
license = "MIT AND MPL-2.0 AND PSF-2.0"
license-files = ["LICENCES"]
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
packages = ["courtly_engine"]
"""


def wheels(folder: Path) -> None:
    """Downloads the wheels and checks their hashes."""
    entries = re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8"))
    named = {re.split(r"[= ]", entry)[0]: entry for entry in entries}
    wanted = folder / "wanted.txt"
    wanted.write_text("\n".join(named[name] for name in WANTED) + "\n", encoding="utf-8")
    options = ("--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", str(folder / "wheels"))
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *PLATFORM, "-r", str(wanted)], check=True)


def make(work: Path, to: Path) -> None:
    """Makes the package's folder, ready to be built as a wheel."""
    for name in ("package.json", "package-lock.json", "build.mjs", "compile.py"):
        shutil.copy(HERE / name, work / name)
    subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=work, check=True)
    wheels(work)
    for part in ("core", "mechanics", "render", "rulesets"):
        source = ROOT / "adjudicator" / part
        shutil.copytree(source, work / "source/adjudicator" / part, ignore=shutil.ignore_patterns("__pycache__"))
    made_in = work / "made"
    made_in.mkdir()
    subprocess.run(["node", "build.mjs", ".", "made"], cwd=work, check=True)
    made = json.loads((made_in / "made.json").read_text(encoding="utf-8"))
    parts = to / "courtly_engine/parts"
    parts.mkdir(parents=True)
    for name in PLAIN:
        shutil.copyfile(made_in / name, parts / name)
    for name in PACKED.values():
        (parts / f"{name}.gz").write_bytes(gzip.compress((made_in / name).read_bytes(), 9, mtime=0))
    shutil.copyfile(made_in / "own.zip", parts / "own.zip")
    pyodide = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]["pyodide"]
    said = {
        "info": made["info"],
        "pyodide": pyodide,
        "packages": made["packages"],
        "plain": PLAIN,
        "parts": {name: f"{file}.gz" for name, file in PACKED.items()},
        "code": "own.zip",
        "own": made["own"],
    }
    (parts / "engine.json").write_text(json.dumps(said, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    rule = f"\n{'-' * 72}\n"
    licences = [LICENCES.format(pyodide=pyodide, python=made["info"]["python"])]
    licences += [f"{name}\n\n" + "\n\n".join(texts) for name, texts in sorted(made["licences"].items())]
    (to / "LICENCES").write_text(rule.join(licences), encoding="utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    (to / "pyproject.toml").write_text(PROJECT.format(version=version), encoding="utf-8")
    about = (
        '"""Data alone: the judge for readers\' browsers, which `courtly site` publishes. See the file LICENCES."""\n'
    )
    (to / "courtly_engine/__init__.py").write_text(about, encoding="utf-8")


def main() -> None:
    """Makes the wheel."""
    parser = argparse.ArgumentParser(description="Make the wheel of courtly-engine.")
    parser.add_argument("folder", type=Path, help="where the wheel is put")
    folder = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory() as place:
        work, package = Path(place, "work"), Path(place, "package")
        work.mkdir()
        package.mkdir()
        make(work, package)
        options = ("--quiet", "--no-deps", "--wheel-dir", str(folder))
        subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(package)], check=True)


if __name__ == "__main__":
    main()
