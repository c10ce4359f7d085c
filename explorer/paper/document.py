"""Sheets as one HTML file that needs nothing else: no script, no font, no other server; A4 and Letter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from explorer.paper.leaving import is_near
from explorer.paper.sheets import Sheet
from explorer.text import hypertext
from explorer.text.catalogue import Catalogue
from explorer.text.conventions import PSEUDO
from explorer.text.typefaces import page_style

_STYLE = Path(__file__).with_name("sheet.css")


@lru_cache(maxsize=1)
def _style() -> str:
    return _STYLE.read_text("utf-8")


def document(sheets: Sequence[Sheet], catalogue: Catalogue) -> str:
    """The whole file: each sheet begins a page; a single one has a heading of the first rank."""
    several = len(sheets) > 1
    title = catalogue.label("contents", "sheet") if several else sheets[0].heading
    head = f"<h1>{escape(title)}</h1>{_contents(sheets)}" if several else ""
    body = "".join(_article(sheet, catalogue, place, 1 + several) for place, sheet in enumerate(sheets))
    return page(title, head + body, catalogue)


def page(title: str, body: str, catalogue: Catalogue) -> str:
    """One HTML file that needs nothing else, in the print style of the project."""
    language = "en-x-pseudo" if catalogue.language == PSEUDO else catalogue.language
    return (
        f'<!DOCTYPE html>\n<html lang="{language}" dir="{catalogue.direction}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">'
        f"<title>{escape(title)}</title><style>{_style()}{page_style(catalogue.language)}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _contents(sheets: Sequence[Sheet]) -> str:
    """The table of contents, in its order."""
    lines = "".join(f"<li>{escape(sheet.heading)}<span> · {escape(sheet.view)}</span></li>" for sheet in sheets)
    return f"<ol>{lines}</ol>"


def _article(sheet: Sheet, catalogue: Catalogue, place: int, rank: int) -> str:
    """One sheet: question and answer, the figure with its legend, the lines, and the source."""
    name, audience = f"sheet-{place}", sheet.said
    question = f"{sheet.question} · " if sheet.heading != sheet.question else ""
    lines = "".join(f"<div><dt>{escape(term)}</dt><dd>{text}</dd></div>" for term, text in sheet.lines)
    caption = f"<figcaption>{escape(sheet.caption)}</figcaption>" if sheet.caption else ""
    listed = f'<div class="listed">{sheet.listed}</div>' if sheet.listed else ""
    note = f'<div class="note">{sheet.note}</div>' if sheet.note else ""
    figure = f'<figure><div class="ldp-drawing">{sheet.picture}</div></figure>' if sheet.picture else ""
    return (
        f'<article aria-labelledby="{name}"><header><p class="audience">{escape(audience)}</p>'
        f'<h{rank} id="{name}">{escape(sheet.heading)}</h{rank}>'
        f'<p class="view">{escape(question)}{escape(sheet.view)}</p></header>'
        f'<div class="answer">{sheet.answer}</div>{figure.replace("<figure>", f"<figure>{caption}")}{note}'
        f"{listed}<dl>{lines}</dl>{_foot(sheet, catalogue)}</article>"
    )


def _foot(sheet: Sheet, catalogue: Catalogue) -> str:
    """The foot: levels in use elsewhere, where a level is told; day, version and seed; the link, and its QR code."""
    link = escape(sheet.link, quote=True)
    term = escape(catalogue.label("terms.link", "sheet"))
    alt = escape(catalogue.label("qr_alt"), quote=True)
    near = " " + escape(catalogue.label("near", "sheet")) if is_near(sheet.link) else ""
    return (
        f"<footer><div>{elsewhere(catalogue) if sheet.leveled else ''}<p>{sheet.origin}</p>"
        f'<p>{term}: <a href="{link}">{link}</a>{near}</p></div>'
        f'<div class="code" role="img" aria-label="{alt}">{sheet.code}</div></footer>'
    )


def elsewhere(catalogue: Catalogue) -> str:
    """The levels in use, as the pages list them in a table of Markdown: one line each, without its source."""
    text = catalogue.listing("labels").text("deployments").strip()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if line.startswith("|")]
    first, *_ = text.split("\n")
    items = "; ".join(f"{row[0]} – {row[1]}" for row in rows[2:])
    return f"<p>{hypertext.inline(first)} {hypertext.inline(items)}.</p>"
