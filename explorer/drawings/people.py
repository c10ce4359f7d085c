"""A class as dots, twice: what is true, which stays with the person, and what is reported, which the collector sees.

Filled is a yes, hollow a no. A dot is a stroke of length zero with a round end, so that 800 people are one short path;
more than fit are drawn as bars. Words stand in HTML and grow with the page, dots in SVG and grow with their panel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.drawings.intervals import Row, intervals
from explorer.figures.theme import Look
from explorer.numbers import people as counted
from ldpcore.experiments.response import ClassSurveyResult, Flips

Words = Mapping[str, str]
BESIDE = 200  # up to so many the two crowds fit side by side on a phone
MOST = 800  # more dots than this cannot be told apart on a phone
STAGES = ("question", "first", "second", "report", "everybody")
WIDTH, ROOMY = 400.0, 64.0
REPORT = "#D55E00"
STYLE = """<style>
.ldp-crowd { display: flex; flex-wrap: wrap; gap: 1rem clamp(.75rem, 3%, 2rem); }
.ldp-crowd > div { flex: 1 1 9rem; min-width: 0; }
.ldp-crowd.large > div { flex-basis: 15rem; }
.ldp-crowd svg { display: block; width: 100%; height: auto; }
.ldp-crowd .said { animation: ldp-wipe .6s ease-out; }
.ldp-crowd .bar { display: flex; height: 3.5rem; border-radius: .4rem; overflow: hidden; margin-top: .5rem; }
.ldp-name { font-weight: 600; }
.ldp-cards { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin-bottom: 1.25rem; }
@media (max-width: 640px) { .ldp-cards { grid-template-columns: 1fr 1fr; } }
.ldp-cards > div { border: 1.5px solid; border-radius: .75rem; padding: .6rem .75rem; min-height: 7.5rem; }
.ldp-cards .value { font-size: 1.6rem; font-weight: 650; line-height: 1.3; }
.ldp-cards .small { font-size: .875rem; }
.ldp-cards .wait { border-style: dashed; }
.ldp-cards .new { animation: ldp-turn .5s ease-out; }
@keyframes ldp-turn { from { transform: rotateX(90deg); opacity: 0; } }
@keyframes ldp-wipe { from { clip-path: inset(0 0 100% 0); } to { clip-path: inset(0); } }
@media (prefers-reduced-motion: reduce) { .ldp-crowd .said, .ldp-cards .new { animation: none; } }
</style>"""


def drawable(result: ClassSurveyResult) -> bool:
    """Whether the class is small enough for dots."""
    return result.flips is not None and result.experiment.n <= MOST


def survey(result: ClassSurveyResult, look: Look, words: Words, stage: str = "everybody", person: int = 1) -> str:
    """The whole picture: one person's coins up to a stage, or everybody's reports and what they are worth."""
    flips = result.flips
    if flips is None or result.experiment.n > MOST:
        return STYLE + _bars(result, look, words) + estimate(result, look, words)
    chosen, everybody = min(person, result.experiment.n) - 1, stage == "everybody"
    known = np.full(len(flips.truth), everybody)
    known[chosen] |= stage == "report"
    true_known = np.full(len(flips.truth), look.truth)
    ring = None if everybody else chosen
    truth = Panel("true", words["hidden"], look.ink, flips.truth, true_known, ring)
    said = Panel("said", words["one" if known.any() else "none"], REPORT, flips.answers, known, ring)
    honest = words["honest"] if everybody and look.truth else ""
    panels = truth.drawn(look, words, "", honest) + said.drawn(look, words, "said" if everybody else "")
    cards = "" if everybody else _cards(flips, chosen, STAGES.index(stage), look, words)
    scale = estimate(result, look, words) if everybody else ""
    size = " large" if result.experiment.n > BESIDE else ""
    return f'{STYLE}{cards}<div class="ldp-crowd{size}">{panels}</div>{scale}'


def estimate(result: ClassSurveyResult, look: Look, words: Words) -> str:
    """What the collector makes of the reports."""
    return intervals([Row(words["row"], result.interval, result.estimate, REPORT)], look, words, result.truth)


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the two crowds: who is a yes, whose answer is known here, and who is looked at."""

    name: str
    waiting: str
    color: str
    yes: NDArray[np.bool_]
    known: NDArray[np.bool_]
    ring: int | None = None

    def drawn(self, look: Look, words: Words, kind: str, more: str = "") -> str:
        """The crowd under its name; whoever is not known yet is a speck."""
        n = len(self.yes)
        columns = math.ceil(math.sqrt(1.25 * n))
        pitch = min(WIDTH / columns, ROOMY)
        place = np.arange(n)
        x, y = (place % columns + 0.5) * pitch, (place // columns + 0.5) * pitch
        size = 0.78 * pitch

        def dots(who: NDArray[np.bool_], color: str, wide: float) -> str:
            path = "".join(f"M{a:.4g} {b:.4g}h0" for a, b in zip(x[who], y[who], strict=True))
            return f'<path d="{path}" stroke="{color}" stroke-width="{wide:.3g}" stroke-linecap="round"/>'

        no = self.known & ~self.yes
        drawn = dots(~self.known, look.ghost, 0.25 * size) + dots(self.known & self.yes, self.color, size)
        drawn += dots(no, self.color, size) + dots(no, look.paper, 0.72 * size)
        if self.ring is not None:
            a, b = x[self.ring], y[self.ring]
            drawn += (
                f'<circle cx="{a:.4g}" cy="{b:.4g}" r="{max(0.58 * pitch, 11):.3g}" fill="none" '
                f'stroke="{look.accent}" stroke-width="{max(0.09 * pitch, 3):.3g}"/>'
            )
        edge = max(0.14 * pitch, 7.0)  # room for the ring around someone at the edge
        width, height = columns * pitch + 2 * edge, math.ceil(n / columns) * pitch + 2 * edge
        box = f"{-edge:.4g} {-edge:.4g} {max(width, WIDTH):.4g} {height:.4g}"
        svg = f'<svg viewBox="{box}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" class="{kind}">{drawn}</svg>'
        return _panel(self.name, words, " · ".join(filter(None, (self.told(words), more))), svg)

    def told(self, words: Words) -> str:
        """How many dots are filled and how many hollow."""
        yes = int((self.known & self.yes).sum())
        return _told(words, yes, len(self.yes) - yes) if self.known.all() else self.waiting


def _told(words: Words, yes: int, no: int) -> str:
    return f"● {counted(yes)} {words['yes']} · ○ {counted(no)} {words['no']}"


def _panel(name: str, words: Words, told: str, inside: str) -> str:
    alt = f"{words[f'{name}_alt']} {told}"
    return (
        f'<div role="img" aria-label="{escape(alt)}">'
        f'<div class="ldp-name">{escape(words[name])}</div>'
        f'<div class="ldp-quiet">{escape(words[f"{name}_note"])}</div>'
        f'{inside}<div class="ldp-quiet">{escape(told)}</div></div>'
    )


def _bars(result: ClassSurveyResult, look: Look, words: Words) -> str:
    """Two bars, filled as far as people are, or say, yes."""
    n, true, said = result.experiment.n, result.experiment.yes, result.answered_yes
    parts = []
    for name, yes, color in (("true", true if look.truth else None, look.ink), ("said", said, REPORT)):
        share = 0.0 if yes is None else 100 * yes / n
        bar = (
            f'<div class="bar {name}" style="border: 2px solid {color}">'
            f'<div style="width: {share:.4g}%; background: {color}"></div></div>'
        )
        parts.append(_panel(name, words, words["hidden"] if yes is None else _told(words, yes, n - yes), bar))
    return f'<div class="ldp-crowd large">{"".join(parts)}</div>'


def _cards(flips: Flips, person: int, step: int, look: Look, words: Words) -> str:
    """One person's truth, coins and report, turned over one by one."""
    honest, second = bool(flips.honest[person]), bool(flips.second[person])
    spoken = words["yes"], words["no"]
    faces = (
        (words["truth"], spoken[not flips.truth[person]] if look.truth else "?", words["truth_note"]),
        (words["first"], words["heads" if honest else "tails"], words["first_honest" if honest else "first_other"]),
        (words["second"], "–", words["second_idle"])
        if honest
        else (words["second"], words["heads" if second else "tails"], words["second_yes" if second else "second_no"]),
        (words["report"], spoken[not flips.answers[person]], words["report_note"]),
    )
    colors = (look.ink, look.accent, look.accent, look.ink if look.dark else "#A84A00")
    cards = [_card(face, colors[place], place == step, place <= step, look) for place, face in enumerate(faces)]
    return f'<div class="ldp-cards" role="group" aria-label="{escape(words["cards_alt"])}">{"".join(cards)}</div>'


def _card(face: tuple[str, str, str], color: str, new: bool, open_: bool, look: Look) -> str:
    name, value, note = face if open_ else (face[0], "…", "")
    kind = "new" if new else "" if open_ else "wait"
    border = look.accent if new else look.ghost
    return (
        f'<div class="{kind}" style="border-color: {border}"><div class="small">{escape(name)}</div>'
        f'<div class="value" style="color: {color}">{escape(value)}</div><div class="small">{escape(note)}</div></div>'
    )
