"""The printed table of divergences: the distance of two values' reports, and the allowance of the promise."""

from __future__ import annotations

import math
from html import escape

from explorer.facts import Number
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.verify.measures import MeasureRow, MeasuresResult

SLACK = 1e-9  # what rounding leaves of a measure that attains its bound
STYLE = """<style>
.ldp-measures { overflow-x: auto; margin: .5rem 0; }
.ldp-measures table { border-collapse: collapse; width: 100%; font-size: 1rem; }
.ldp-measures th, .ldp-measures td { text-align: start; padding: .45rem .6rem; vertical-align: top; }
.ldp-measures td { font-variant-numeric: tabular-nums; white-space: nowrap; }
.ldp-measures tbody tr { border-top: 1px solid rgba(128, 128, 128, .35); }
.ldp-measures tbody th { font-weight: 600; }
.ldp-measures .ldp-quiet { display: block; font-weight: 400; font-size: .85rem; opacity: .85; }
.ldp-lecture .ldp-measures .ldp-quiet { display: none; }  /* there is room for large type, or for them */
@media (max-height: 480px) {
.ldp-measures .ldp-quiet { display: none; }
.ldp-measures table { font-size: .8125rem; }
.ldp-measures th, .ldp-measures td { padding-block: .55rem; }
}
@media (max-width: 640px) {
.ldp-measures .ldp-quiet { display: none; }
.ldp-measures th, .ldp-measures td { padding: .4rem .25rem; }
}
</style>"""
HEADS = ("measure", "forth", "back", "allowed")


def measures(result: MeasuresResult, look: Look, words: Words) -> str:
    """One row for each measure; one beyond the promise is red."""
    head = "".join(f'<th scope="col">{escape(words[name])}</th>' for name in HEADS)
    body = "".join(_row(row, look, words) for row in result.rows)
    return (
        f'{STYLE}<div class="ldp-measures" role="group" aria-label="{escape(words["alt"])}"><table><thead><tr>{head}'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: MeasureRow, look: Look, words: Words) -> str:
    name = f'{escape(words[row.slug])}<span class="ldp-quiet">{escape(words[f"{row.slug}_note"])}</span>'
    cells = "".join(
        f"<td{_color(row, value)}>{escape(_written(value, look, words))}</td>" for value in (row.forth, row.back)
    )
    allowed = words["waits"] if look.predicting else words.write(Number(row.allowed, 4))  # where it may be reached
    return f'<tr><th scope="row">{name}</th>{cells}<td>{escape(allowed)}</td></tr>'


def _written(value: float, look: Look, words: Words) -> str:
    return words.write(Number(value, 4)) if look.truth else words["waits"]


def beyond(row: MeasureRow, value: float) -> bool:
    """Whether a measure goes beyond the allowance of the promise; a sum of errors does where it is smaller."""
    if row.slug == "errors":
        return value < row.allowed * (1 - SLACK) - 1e-15
    return value > row.allowed * (1 + SLACK) + 1e-15


def _color(row: MeasureRow, value: float) -> str:
    return f' style="color: {PALETTE[1]}; font-weight: 700"' if not math.isnan(value) and beyond(row, value) else ""


def table(result: MeasuresResult, look: Look, words: Words) -> list[list[object]]:
    """The distances of the drawing in full, as rows of a table under their headings."""
    rows = [[words[row.slug], *((row.forth, row.back) if look.truth else ("", "")), row.allowed] for row in result.rows]
    return [[words[name] for name in HEADS], *rows]
