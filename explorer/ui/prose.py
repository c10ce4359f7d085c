"""Templates become paragraphs, filled with strings: for the pages that the catalogue does not write yet."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.text import Template
from explorer.text.escaping import FORMULA, formula, markdown

__all__ = ["fill", "formula", "markdown", "plain"]


def fill(template: str, values: Mapping[str, object]) -> str:
    """A template with its data put in, each piece escaped for where it lands; a missing value is an error."""
    parts = FORMULA.split(template)
    written = {name: markdown(value) for name, value in values.items()}
    in_formula = {name: formula(value) for name, value in values.items()}
    return "".join(
        Template(part).substitute(in_formula if position % 2 else written) for position, part in enumerate(parts)
    )


def plain(template: str, values: Mapping[str, object]) -> str:
    """A template filled for a place that shows text as it is (an alt text, a file, a figure that escapes itself)."""
    return Template(template).substitute(values)
