"""Cut the typeface of Persian pages: the letters of Persian, and a face that draws the digits 0 to 9 as Persian ones.

`python -m tools.webfaces Vazirmatn[wght].ttf` writes `explorer/text/vazirmatn*.woff2` from the variable font of the
npm package `vazirmatn` 33.0.3, in the weights 400 to 700. It needs fontTools and Brotli, which no test needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from explorer.text.typefaces import DIGITS, LETTERS

ALPHABET = (*range(0x621, 0x63B), *range(0x640, 0x653), 0x654, 0x670, 0x67E, 0x686, 0x698, 0x6A9, 0x6AF, 0x6C0, 0x6CC)
SIGNS = (0x60C, 0x61B, 0x61F, 0x66A, 0x66B, 0x66C, 0xAB, 0xBB, 0xB1, 0xB7, 0xD7, 0x2026, 0x2013, 0x2014, 0x2212, 0x2022)
JOINERS = (0x200C, 0x200D)  # say where letters join
PERSIAN = range(0x6F0, 0x6FA)  # its digits


def cut(face: Path, codes: Iterable[int], made: Path) -> None:
    """Keep so many letters of a typeface, with all that joins them, packed for browsers."""
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["*"])
    font = subset.load_font(str(face), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    subset.save_font(font, str(made), options)
    print(f"{made.name}: {made.stat().st_size / 1000:.1f} kB")


def redirect(font: TTFont) -> None:
    """Let the digits 0 to 9 have the shapes of the Persian ones."""
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap |= {0x30 + place: table.cmap[code] for place, code in enumerate(PERSIAN)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("face", type=Path, metavar="FACE.ttf")
    font = instancer.instantiateVariableFont(TTFont(parser.parse_args(arguments).face), {"wght": (400, 700)})
    with TemporaryDirectory() as folder:
        made = Path(folder) / "face.ttf"
        font.save(made)
        cut(made, {*ALPHABET, *SIGNS, *JOINERS, *PERSIAN}, LETTERS)
        redirect(font)
        font.save(made)
        cut(made, {*range(0x30, 0x3A), 0x66B, 0x66C}, DIGITS)


if __name__ == "__main__":
    main()
