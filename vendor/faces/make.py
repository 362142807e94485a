"""Makes the typefaces of pictures from npm packages; README.md says what they are."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LITERATA, NOTO = "@fontsource-variable/literata@5.3.0", "@fontsource/noto-sans@5.3.0"
LATIN = [
    *range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026,
    *range(0x2190, 0x2194),
]  # fmt: skip
ALL = [*range(0x20, 0x250), *range(0x370, 0x500), *range(0x2000, 0x2070), *range(0x2190, 0x2194), 0x2212]


def package(name: str, folder: Path) -> Path:
    """The folder of files of an npm package."""
    packed = subprocess.run(
        ["npm", "pack", "--silent", name], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    place = folder / packed.stdout.strip().removesuffix(".tgz")
    with tarfile.open(folder / packed.stdout.strip()) as archive:
        archive.extractall(place, filter="data")
    return place / "package/files"


def write(font: TTFont, letters: list[int], features: list[str], path: Path) -> None:
    """Writes a typeface with these letters only."""
    options = Options()
    options.layout_features = features
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font.flavor = None
    font.save(path)


def main(target: Path) -> None:
    """Writes all typefaces into the folder `target`."""
    with tempfile.TemporaryDirectory() as folder:
        literata = package(LITERATA, Path(folder)) / "literata-latin-wght-normal.woff2"
        font = instantiateVariableFont(TTFont(literata, recalcTimestamp=False), {"wght": 700})
        write(font, LATIN, ["kern", "liga"], target / "literata-700.ttf")
        noto = package(NOTO, Path(folder))
        for part in ("latin", "latin-ext", "cyrillic", "greek"):
            font = TTFont(noto / f"noto-sans-{part}-600-normal.woff2", recalcTimestamp=False)
            for entry in font["name"].names:
                if entry.nameID == 1:
                    entry.string = "Noto Sans" if part == "latin" else f"Noto Sans {part}"
            write(font, ALL, ["kern"], target / f"noto-sans-600-{part}.ttf")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
