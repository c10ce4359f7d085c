"""The small pictures of the overview, as `tools/pictures.py` has drawn them from the pages' own scenes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "drawn"


@lru_cache(maxsize=64)
def picture(slug: str, dark: bool) -> str:
    """The picture of a page as SVG, in the colors of light or dark paper; empty where there is none."""
    path = FOLDER / f"{slug}.svg"
    if not path.exists():
        return ""
    pairs, svg = path.read_text("utf-8").splitlines()
    for pair in pairs.split(";") if dark and pairs else ():
        light, _, other = pair.partition(" ")
        svg = svg.replace(light, other)
    return svg
