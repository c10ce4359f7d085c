"""Texts with formulas as HTML, for pages without Streamlit's Markdown: formulas become MathML."""

from __future__ import annotations

import re
from functools import lru_cache

from latex2mathml.converter import convert

from explorer.text.hypertext import blocks

_SIZED = re.compile(r"\\[Bb]ig+[lr]?\s*(?=\\[lr](?:floor|ceil|angle|Vert))")  # a bracket by name is no sized one there


@lru_cache(maxsize=4096)
def mathml(source: str) -> str:
    """A formula between its dollar signs as MathML; two signs on each side put it on a line of its own."""
    display = "block" if source.startswith("$$") else "inline"
    made: str = convert(_SIZED.sub("", source.strip("$")), display=display)
    return made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


def prose(text: str) -> str:
    """A text of the catalogue, in Markdown, as HTML."""
    made = blocks(text, mathml)
    return made if made.startswith("<") else f"<p>{made}</p>"
