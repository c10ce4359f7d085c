"""Cut the typefaces of printed pictures: the letters that a catalogue or a table's names may use, and their widths.

`python -m tools.faces Arimo-Regular.ttf DejaVuSans.ttf` writes `explorer/paper/faces` from Arimo 1.33 (Debian's package
`fonts-croscore`), which is as wide as Arial and Helvetica, and DejaVu Sans 2.37 (`fonts-dejavu-core`) for what Arimo
lacks: signs of mathematics, and the scripts that are read from right to left.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from explorer.paper.letters import FACES, FOLDER, WIDTHS

LATIN = ((0x20, 0x7E), (0xA0, 0x17F), (0x1A0, 0x1B0), (0x218, 0x21B), (0x2B0, 0x36F), (0x1E80, 0x1EFF))
GREEK_AND_CYRILLIC = ((0x370, 0x45F), (0x490, 0x4FF))
SIGNS = ((0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20BF), (0x2100, 0x230B), (0x25A0, 0x25FF))
MARKS = ((0x2605, 0x2606), (0x2713, 0x2718), (0x27E8, 0x27EB), (0x2A7D, 0x2A7E))
FROM_RIGHT_TO_LEFT = ((0x5D0, 0x5EA), (0x600, 0x6FF))
JOINERS = (0x200C, 0x200D)  # say where Persian letters join
RAISED = (0xB2, 0xB3, 0xB9, *range(0x2070, 0x20A0))  # of one make, which Arimo's are not


def wanted() -> Iterator[int]:
    """All letters and signs that a face may keep."""
    for first, last in (*LATIN, *GREEK_AND_CYRILLIC, *SIGNS, *MARKS, *FROM_RIGHT_TO_LEFT):
        yield from (code for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Cf")
    yield from JOINERS


def cut(face: Path, codes: set[int], made: Path) -> TTFont:
    """Keep so many letters of a typeface, with what joins them, and without what small screens need."""
    options = subset.Options(hinting=False, name_IDs=["*"], notdef_outline=True, drop_tables=["MATH", "FFTM"])
    options.layout_features.remove("kern")  # a text is as wide as its letters
    font = subset.load_font(str(face), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    subset.save_font(font, str(made), options)
    return TTFont(made)


def widths(font: TTFont) -> dict[str, int]:
    """The width of each letter, in thousandths of the size."""
    size, advances = 1000 / font["head"].unitsPerEm, font["hmtx"].metrics
    return {chr(code): round(size * advances[name][0] + 0.001) for code, name in sorted(font.getBestCmap().items())}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the cut faces and their widths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faces", nargs=len(FACES), type=Path, metavar="FACE.ttf")
    left, told = set(wanted()), dict[str, dict[str, int]]()
    FOLDER.mkdir(exist_ok=True)
    for name, path in zip(FACES, parser.parse_args(arguments).faces, strict=True):
        later = {*JOINERS, *RAISED} if name == FACES[0] else set[int]()
        made = FOLDER / f"{name}.ttf"
        told[name] = widths(cut(path, left - later, made))
        left -= set(map(ord, told[name]))
        print(f"{made.name}: {len(told[name])} letters, {made.stat().st_size / 1000:.0f} kB")
    lines = (f'"{name}": {json.dumps(each, ensure_ascii=False, separators=(",", ":"))}' for name, each in told.items())
    WIDTHS.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
