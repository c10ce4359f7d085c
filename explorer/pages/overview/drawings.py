"""The probability of every report from two people, the report that is seen, and the evidence in it.

Words stand in HTML and grow with the page; the curves are SVG that is stretched to the place there is. Heights are
relative to the peak, so that the ratio of two heights is the ratio of the two densities.
"""

from __future__ import annotations

from html import escape

import numpy as np

from explorer.facts import Exact, Hidden, Quantity
from explorer.figures.theme import PALETTE, Look
from explorer.pages.overview.facts import chance
from explorer.text.catalogue import Words
from ldpcore.experiments.overview import HIGH, LOW, NO, YES, PrivacyLossOfReportResult
from ldpcore.mechanisms.grr import RandomizedResponse

STEPS = 60  # of the curves, which are straight between two of them
NEAR = (0.02, 0.05, 0.08, 0.12, 0.16, 0.25, 0.35)  # distances from a peak at which a steep curve has steps besides
WIDE, HIGHEST = 600, 100  # of the curves' own units
STYLE = """<style>
.ldp-ratio { display: flex; flex-direction: column; font-size: min(1rem, 3.4vh); line-height: 1.3; }
.ldp-ratio .people { display: flex; flex-wrap: wrap; gap: 0 2em; padding-inline-end: 6.5rem; }
.ldp-ratio .people span, .ldp-ratio .mark { display: inline-block; }
.ldp-ratio .mark { width: .85em; height: .85em; margin-inline-end: .4em; vertical-align: -.08em; }
.ldp-ratio .plot { position: relative; direction: ltr; overflow: hidden; margin-top: .3em;
  height: clamp(6.5em, calc(var(--ldp-height, 24rem) - 7.6em), 24em); }
.ldp-ratio .curves { cursor: pointer; }
.ldp-ratio .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.ldp-ratio .plot .mark { position: absolute; margin: -.42em; }
.ldp-ratio .report { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; }
.ldp-ratio .ticks { position: relative; direction: ltr; height: 1.3em; }
.ldp-ratio .ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.ldp-ratio .ticks .axis { right: 0; transform: none; }
.ldp-ratio .answers { display: grid; grid-template-columns: 1fr 1fr; gap: 4%; padding-top: .4em; }
.ldp-ratio .answer { display: grid; grid-template-columns: 1fr 1fr; gap: 2%; padding: 1.6em 8% 0; border-radius: .5em; }
.ldp-ratio .column { position: relative; height: 100%; border-bottom: 1px solid; }
.ldp-ratio .column i { position: absolute; bottom: 0; left: 0; width: 100%; }
.ldp-ratio .column span { position: absolute; left: 50%; transform: translateX(-50%); white-space: nowrap; }
.ldp-ratio .bar { direction: ltr; height: .7em; margin-top: .4em; border-radius: .35em 0 0 .35em;
  border-right: 4px solid; }
.ldp-ratio .bar i { display: block; height: 100%; border-radius: .35em 0 0 .35em; }
.ldp-ratio .tells { display: flex; justify-content: space-between; gap: 1.5em; margin-top: .25em; }
.ldp-ratio .end { white-space: nowrap; font-weight: 600; }
@media (max-width: 1180px) { .ldp-ratio .tells { min-height: 2.6em; } }
@media (max-width: 640px) { .ldp-ratio .people { padding-inline-end: 0; } }
</style>"""


def ratio(result: PrivacyLossOfReportResult, look: Look, words: Words) -> str:
    """The two people's reports, numbers as curves and answers as columns, above the bar of the evidence."""
    coin = isinstance(result.experiment.mechanism, RandomizedResponse)
    inside = _columns(result, look, words) if coin else _curves(result, look, words)
    people = "".join(
        f"<span>{_mark(person, look)}{escape(words[name])}</span>" for person, name in enumerate(("first", "second"))
    )
    return f'<div class="ldp-ratio">{STYLE}<div class="people">{people}</div>{inside}{_bar(result, look, words)}</div>'


def table(result: PrivacyLossOfReportResult, look: Look, words: Words) -> list[list[object]]:
    """The numbers of the drawing: every report in it, and its probability from each of the two."""
    coin = isinstance(result.experiment.mechanism, RandomizedResponse)
    reports = [NO, YES] if coin else list(_reports())
    names = [words["no"], words["yes"]] if coin else reports
    rows = [[name, *(result.likely(each, who) for who in (NO, YES))] for name, each in zip(names, reports, strict=True)]
    return [[words["row_report"], words["row_first"], words["row_second"]], *rows]


def _colors(look: Look) -> tuple[str, str]:
    """Ada's color and Ben's."""
    return look.accent, PALETTE[1]


def _mark(person: int, look: Look, place: str = "") -> str:
    """A person's mark, round or square, here or at a place in percent."""
    shape = "" if person else "; border-radius: 50%"
    return f'<i class="mark" style="background: {_colors(look)[person]}{shape}{place}"></i>'


def _reports() -> list[float]:
    """The reports whose numbers are told: even steps, among them both peaks."""
    return [round(float(each), 6) for each in np.linspace(LOW, HIGH, STEPS + 1)]


def _along() -> list[float]:
    """The reports at which the curves are drawn: more of them near the peaks."""
    near = {round(peak + side * step, 6) for peak in (NO, YES) for side in (-1, 1) for step in NEAR}
    return sorted({*_reports(), *near})


def _across(report: float) -> float:
    """The place of a report, as a share of the width; one that is not drawn stands at the edge."""
    return (min(max(report, LOW), HIGH) - LOW) / (HIGH - LOW)


def _curves(result: PrivacyLossOfReportResult, look: Look, words: Words) -> str:
    """Two curves, the report as a line through both, and the two true answers below; no curves while people predict."""
    report, parts, asks = result.experiment.report, [], look.predicting
    left = f"left: {100 * _across(report):.5g}%"
    for person, color in () if asks else enumerate(_colors(look)):
        line = " ".join(
            f"{WIDE * _across(each):.4g} {HIGHEST * (1 - result.likely(each, person)):.4g}" for each in _along()
        )
        dash = ' stroke-dasharray="9 5"' if person else ""
        parts.append(
            f'<path d="M-9 {HIGHEST}V{HIGHEST * (1 - result.likely(LOW, person)):.4g}L{line}H{WIDE + 9}V{HIGHEST}" '
            f'fill="{color}" fill-opacity="0.13" stroke="{color}" stroke-width="3" vector-effect="non-scaling-stroke"'
            f"{dash}/>"
        )
    svg = (
        f'<svg viewBox="0 -8 {WIDE} {HIGHEST + 10}" preserveAspectRatio="none" xmlns="http://www.w3.org/2000/svg" '
        f'aria-hidden="true">{"".join(parts)}<path d="M0 {HIGHEST}H{WIDE}" stroke="{look.ghost}" '
        'stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>'
    )
    seen = f'<div class="report" style="{left}; background: {look.ink}"></div>'
    for person in (NO, YES):
        high, across = (0.1, 100 * _across(person)) if asks else (result.likely(report, person), 100 * _across(report))
        top = (8 + HIGHEST * (1 - high)) / (HIGHEST + 10)
        seen += _mark(person, look, f"; left: {across:.5g}%; top: {100 * top:.5g}%")
    ticks = "".join(
        f'<span style="left: {100 * _across(true):.5g}%">{words.write(Exact(true))}</span>' for true in (NO, YES)
    )
    axis = f'<span class="axis">{escape(words["axis"])}</span>'
    return (
        f'<div class="plot curves" role="img" aria-label="{escape(words["alt"])}" '
        f'data-low="{LOW}" data-high="{HIGH}">{svg}{seen}</div><div class="ticks">{ticks}{axis}</div>'
    )


def _columns(result: PrivacyLossOfReportResult, look: Look, words: Words) -> str:
    """Two columns for each answer; the one that is reported stands on a ground of its own."""
    groups = names = ""
    for answer, name in ((NO, "no"), (YES, "yes")):
        ground = f' style="background: {look.faint}"' if answer == result.experiment.report else ""
        columns = "".join(
            f'<div class="column"><i style="height: {100 * share:.5g}%; background: {color}"></i>'
            f'<span style="bottom: {100 * share:.5g}%">{escape(words.write(said))}</span></div>'
            for share, said, color in (_column(result, answer, who, look) for who in (NO, YES))
        )
        groups += f'<div class="answer"{ground}>{columns}</div>'
        names += f'<span style="left: {25 + 50 * answer}%">{escape(words[name])}</span>'
    return (
        f'<div class="plot answers" role="img" aria-label="{escape(words["alt"])}">{groups}</div>'
        f'<div class="ticks">{names}</div>'
    )


def _column(result: PrivacyLossOfReportResult, answer: float, who: int, look: Look) -> tuple[float, Quantity, str]:
    """The height of a column, the text above it, and its color; flat while people predict."""
    share = 0.0 if look.predicting else result.likely(answer, who)
    return share, Hidden() if look.predicting else chance(share), _colors(look)[who]


def _bar(result: PrivacyLossOfReportResult, look: Look, words: Words) -> str:
    """The evidence of the report for one of the two, up to an end that none can pass; empty while people predict."""
    filled, likelier = (100 * result.filled, NO if result.loss > 0 else YES) if look.truth else (0.0, NO)
    return (
        f'<div class="bar" style="background: {look.faint}; border-color: {look.ink}">'
        f'<i style="width: {filled:.5g}%; background: {_colors(look)[likelier]}"></i></div>'
        f'<div class="tells"><span>{escape(words["tells"])}</span><span class="end">{escape(words["end"])}</span></div>'
    )
