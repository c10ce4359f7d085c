"""Two pictures of one survey: a curator who knows everything, and everybody for themselves; a dashed line says how far
a true value travels. Drawn side by side for wide screens, one below the other for phones.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.facts import Number
from explorer.facts.naming import opened
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.trust import TwoPicturesResult

WIDE, GAP, BETWEEN = 520, 20, 16  # of one picture; beside each other, and one below the other
SIDE, STACKED = 550, 440  # how high a picture is beside the other one, and below it
TOP, BELOW = 84, 76  # to the middle of the first person, and from that of the last one
TRUE, NOISED = "#009E73", "#D55E00"


def pictures(answer: PerhapsNamed[TwoPicturesResult], look: Look, words: Words) -> str:
    """Both pictures with the numbers of this survey."""
    result: TwoPicturesResult = opened(answer)[0]
    survey = result.survey
    values = [words.write(Number(float(value), 3)) for value in survey.values] or [words["waits"]] * len(survey.reports)
    reports = [words.write(Number(float(report), 3)) for report in survey.reports]

    def drawn(high: int, x: int, y: int) -> str:
        first = _picture("curator", values, values, look, words, high)
        second = _picture("local", values, reports, look, words, high)
        return _svg(f'{first}<g transform="translate({x} {y})">{second}</g>', WIDE + x, high + y)

    alt = escape(words["alt"])
    return (
        f'<div class="ldp-wide" role="img" aria-label="{alt}">{drawn(SIDE, WIDE + GAP, 0)}</div>'
        f'<div class="ldp-tall" role="img" aria-label="{alt}">{drawn(STACKED, 0, STACKED + BETWEEN)}</div>'
    )


def _svg(inside: str, width: int, height: int) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" '
        f'style="max-height:calc(var(--ldp-height, 28rem) - 1rem)" direction="ltr" text-anchor="middle" '
        f'font-family="inherit">{inside}</svg>'
    )


def _picture(model: str, values: Sequence[str], sent: Sequence[str], look: Look, words: Words, high: int) -> str:
    """People on the left, their messages on the way, and the collector on the right."""
    trusted = model == "curator"
    color = TRUE if trusted else NOISED
    places = [TOP + (high - TOP - BELOW) * place / max(len(sent) - 1, 1) for place in range(len(sent))]
    middle = (places[0] + places[-1]) / 2
    people = zip(places, values, sent, strict=True)
    rows = "".join(_row((y, middle), own, report, color, look) for y, own, report in people)
    edge = WIDE - 3 if trusted else 150  # up to this line a value travels as it is
    fence = (
        f'<rect x="3" y="44" width="{edge - 3}" height="{high - 48}" rx="16" fill="{TRUE}" fill-opacity="0.1" '
        f'stroke="{TRUE}" stroke-width="3" stroke-dasharray="9 7"/>'
    )
    number, spread, label, note = (words[f"{model}_{part}"] for part in ("number", "spread", "box", "note"))
    box = (
        f'<rect x="318" y="{middle - 98:g}" width="188" height="196" rx="16" fill="{look.paper}" stroke="{look.ink}" '
        f'stroke-width="3"/>{_text(412, middle, _fitting(number), number, color, 700)}'
        f"{_text(412, middle - 60, 20, label, look.ink)}{_text(412, middle + 42, 22, spread, look.ink)}"
        f"{_text(412, middle + 78, 17, note, look.ink)}"
    )
    title = f'<g text-anchor="start">{_text(4, 28, 26, words[f"{model}_title"], look.ink, 700)}</g>'
    return title + fence + rows + _text(78, high - 18, 20, words["more"], look.ink) + box


def _fitting(number: str) -> int:
    """The size of a number that must stay in its box."""
    return 38 if len(number) <= 7 else max(18, 270 // len(number))


def _row(heights: tuple[float, float], own: str, report: str, color: str, look: Look) -> str:
    """One person with their number, and their message from their height to that of the box."""
    y, middle = heights
    person = (
        f'<circle cx="30" cy="{y - 12:g}" r="9" fill="{look.ink}"/>'
        f'<path d="M13 {y + 16:g} a17 17 0 0 1 34 0 z" fill="{look.ink}"/>'
    )
    target = (y + middle) / 2
    arrow = (
        f'<line x1="156" y1="{y:g}" x2="176" y2="{y:g}" stroke="{color}" stroke-width="4"/>'
        f'<line x1="284" y1="{y:g}" x2="316" y2="{target:g}" stroke="{color}" stroke-width="4"/>'
    )
    return person + _text(100, y + 8, 22, own, look.ink) + arrow + _text(230, y + 8, 22, report, color, 600)


def _text(x: float, y: float, size: float, text: str, color: str, weight: int = 400) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{color}">{escape(text)}</text>'
