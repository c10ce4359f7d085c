"""The typeface of languages whose letters a reader's computer may set badly: Vazirmatn 33, for Persian alone.

`tools/webfaces.py` cuts both files from it. Each travels inside the page, where the language asks for it; letters of
other scripts keep their typeface, for its range is that of Persian. Figures write the digits 0 to 9, which their own
face draws as Persian ones, so that axes and pointers need no code for it.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import Path

from explorer.text.conventions import PSEUDO, conventions_of

FOLDER = Path(__file__).parent
LETTERS, DIGITS = FOLDER / "vazirmatn.woff2", FOLDER / "vazirmatn-digits.woff2"
FAMILY = "Vazirmatn"
_RANGE = "U+0600-06FF, U+200C-200D, U+FB50-FDFF, U+FE70-FEFC, U+00AB, U+00BB"
_PLOTTED = ".ldp-figure text, .ldp-figure .annotation-text, #js-plotly-tester text"


def asks(language: str) -> bool:
    """Whether a language has a typeface of its own here."""
    return language != PSEUDO and conventions_of(language).zero == "\u06f0"


@lru_cache(maxsize=16)
def style(language: str, *families: str) -> str:
    """The rules that set a language in its typeface, also where a page asks for one of these families; often none."""
    if not asks(language):
        return ""
    faces = "".join(_face(family, LETTERS, _RANGE) for family in families or (FAMILY,))
    digits = f"{FAMILY} digits"
    fonts = ", ".join(f'"{family}"' for family in (digits, *(families or (FAMILY,))))
    plotted = f"{_PLOTTED} {{ font-family: {fonts}, sans-serif !important; }}\n"
    return faces + _face(digits, DIGITS, "U+0030-0039, U+066B-066C") + plotted


def page_style(language: str) -> str:
    """The rules of a page of our own, such as a sheet, a file or a phone's page; often none."""
    if not asks(language):
        return ""
    family = f'"{FAMILY}", system-ui, "Segoe UI", Roboto, Arial, sans-serif'
    places = ("", " .ldp-phone", " body", " text")
    set_in = ", ".join(f"html[lang={language}]{place}" for place in places)
    return f"{style(language)}html[lang={language}] {{ --st-font: {family}; }}\n{set_in} {{ font-family: {family}; }}\n"


def _face(family: str, file: Path, signs: str) -> str:
    letters = base64.b64encode(file.read_bytes()).decode()
    return (
        f'@font-face {{ font-family: "{family}"; font-weight: 400 700; font-display: swap; unicode-range: {signs}; '
        f"src: url(data:font/woff2;base64,{letters}) format('woff2'); }}\n"
    )
