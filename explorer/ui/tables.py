"""Rows as an HTML table: no pandas, no widget, everything escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence

from explorer.facts import Number
from explorer.text.catalogue import Catalogue
from explorer.ui.language import catalogue

SHOWN = 200


def cell(value: object, words: Catalogue | None = None) -> str:
    """One cell as text for people, in the reader's language or in that of `words`."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (words or catalogue()).write(Number(value, 4))
    return str(value)


def table(rows: Sequence[Sequence[object]], alt: str, most: int = SHOWN, words: Catalogue | None = None) -> str:
    """A header and its rows (at most `most`) as an HTML table that scrolls inside its own frame."""
    header, *body = rows
    head = "".join(f'<th scope="col">{html.escape(cell(value, words))}</th>' for value in header)
    lines = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell(v, words))}</td>" for v in row) + "</tr>" for row in body[:most]
    )
    name = html.escape(alt, quote=True)
    return (
        f'<div class="ldp-table" tabindex="0" role="region" aria-label="{name}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )
