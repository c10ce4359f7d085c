"""A class as dots, twice: what is true, which stays with the person, and what is reported to all.

Filled is a yes, hollow a no. A dot is a stroke of length zero with a round end, and a row of dots is one dashed line:
800 people twice are some ten kilobytes. More than fit are drawn as areas. Words stand in HTML and grow with the page,
dots in SVG and grow with their panel, up to the height that the stage has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.facts import Count
from explorer.figures.theme import Look
from explorer.rooms.response.drawings.intervals import IntervalRow, intervals
from explorer.text.catalogue import Words
from ldpcore.experiments.response import ClassSurveyResult
from ldpcore.experiments.response.classes import STEPS, ClassMemberResult, CuratorSurveyResult
from ldpcore.questions import Result

MOST_DOTS = 800  # more dots than this cannot be told apart
LEAST_ACROSS = 6.5  # a panel is at least so many dots wide, lest few people become balloons
REPORT = "#D55E00"
WIDER = 2.0  # a crowd is so many times as wide as high: height is what is scarce, on a phone and in a hall
SIZE = 0.78  # of a dot, in places
PEOPLE_STYLE = """<style>
.ldp-crowd { display: grid; grid-template-columns: 1fr 1fr; column-gap: clamp(.75rem, 4%, 3rem); margin-bottom: .5rem; }
.ldp-crowd > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; align-items: start; }
.ldp-crowd svg { display: block; width: 100%; height: auto; max-height: max(7rem, var(--ldp-room, 100vh)); }
.ldp-crowd .area { display: flex; flex-direction: column; justify-content: flex-end; overflow: hidden;
  height: clamp(6rem, var(--ldp-room, 14rem), 22rem); border-radius: .4rem; margin: .4rem 0; }
.ldp-crowd .head { margin-bottom: .2rem; }
.ldp-everybody { --ldp-room: calc(var(--ldp-height, 28rem) - 11.25rem); }
.ldp-person { --ldp-room: calc(var(--ldp-height, 28rem) - 14.75rem); }
.ldp-name { font-weight: 600; }
.ldp-quiet { font-size: .875rem; opacity: .85; }
.ldp-cards { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin-bottom: .75rem; }
@media (max-width: 640px) { .ldp-crowd .head .ldp-quiet { display: block; } }
@media (max-width: 640px) { .ldp-cards { grid-template-columns: 1fr 1fr; gap: .5rem; } }
.ldp-cards button, .ldp-coins { color: inherit; background: none; font: inherit; text-align: start; cursor: pointer; }
.ldp-cards button { border: 1.5px solid; border-radius: .75rem; padding: .5rem .75rem; min-height: 6.5rem; }
.ldp-coins { border: 1px solid; border-radius: 1rem; padding: .15rem .75rem; margin-bottom: .5rem; font-size: .875rem; }
@media print { .ldp-coins { display: none; } }
.ldp-cards .value { font-size: 1.6rem; font-weight: 650; line-height: 1.3; }
.ldp-cards .small { font-size: .875rem; }
.ldp-cards .wait { border-style: dashed; }
</style>"""
Bits = NDArray[np.bool_]
Beside = tuple[*tuple[CuratorSurveyResult, ...], Look, Words]  # what comes after what the class has said


@singledispatch
def survey(result: Result, *beside: *Beside) -> str:
    """Everybody's reports beside what is true, and what they are worth; or one person, whose coins fall."""
    raise TypeError(f"a result must be one about a class; got {type(result).__name__}")


@survey.register
def _everybody(result: ClassSurveyResult, *beside: *Beside) -> str:
    """The class as dots or areas; a curator's release, the look and the words come after."""
    *curators, look, words = beside
    flips, n = result.flips, result.experiment.n
    honest = words["honest"] if look.truth else ""
    if flips is None or n > MOST_DOTS:
        panels = _areas(result, honest, look, words)
    else:
        truth = Panel("true", words["waits"], look.ink, flips.truth if look.truth else _blank(n), look.truth)
        said = Panel("said", "", REPORT, flips.answers, True)
        panels = truth.drawn(look, words, honest) + said.drawn(look, words)
    crowd = f'<div class="ldp-crowd">{panels}</div>'
    crowd += _step("question", 1, escape(words["begin"]), "ldp-coins") if n <= MOST_DOTS else ""
    return f'<div class="ldp-everybody">{PEOPLE_STYLE}{crowd}{estimate(result, curators, look, words)}</div>'


@survey.register
def _one_person(result: ClassMemberResult, look: Look, words: Words) -> str:
    """One person's cards, turned over one by one, above the class in which the person stands."""
    n, place = result.experiment.survey.n, result.experiment.person - 1
    step = STEPS.index(result.experiment.step)
    yes, known = _blank(n), _blank(n)
    yes[place], known[place] = result.answer, step == len(STEPS) - 1
    truth = Panel(
        "true", words["waits"], look.ink, np.array(result.crowd) if look.truth else _blank(n), look.truth, place
    )
    said = Panel("said", words["one" if known.any() else "none"], REPORT, yes, known, place)
    panels = truth.drawn(look, words) + said.drawn(look, words) if n <= MOST_DOTS else ""
    crowd = (
        f'<div class="ldp-crowd">{panels}</div>{_step("everybody", len(STEPS) + 1, escape(words["all"]), "ldp-coins")}'
    )
    return f'<div class="ldp-person">{PEOPLE_STYLE}{_cards(result, step, look, words)}{crowd}</div>'


def estimate(result: ClassSurveyResult, curators: Sequence[CuratorSurveyResult], look: Look, words: Words) -> str:
    """What the collector makes of the reports, and what a curator would have known: not while people predict."""
    inner = curators[0].interval if curators and look.truth else None
    row = IntervalRow(words["row"], result.interval, result.estimate, REPORT, inner)
    return intervals([row], look, words, result.truth if look.truth else None)


def kind(result: ClassSurveyResult | ClassMemberResult, *beside: object) -> str:
    """How far the coins of one person have fallen, whether a curator stands beside everybody, or neither."""
    if isinstance(result, ClassMemberResult):
        return result.experiment.step
    return "curator" if beside else ""


def _blank(n: int) -> Bits:
    return np.zeros(n, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the two crowds: who is a yes, whose answer is known here, and who is looked at."""

    name: str
    waiting: str
    color: str
    yes: Bits
    known: Bits | bool
    ring: int | None = None

    @property
    def columns(self) -> int:
        """How many dots stand beside one another."""
        return math.ceil(math.sqrt(WIDER * len(self.yes)))

    def drawn(self, look: Look, words: Words, more: str = "") -> str:
        """The crowd under its name; whoever is not known yet is a speck."""
        n, columns = len(self.yes), self.columns
        known = np.broadcast_to(np.asarray(self.known, dtype=np.bool_), n)
        if known.all():  # all as hollow dots, row by row, and then the yes on top
            dots = self._rows(self.color, SIZE) + self._rows(look.paper, 0.72 * SIZE)
        else:
            dots = self._rows(look.ghost, 0.25 * SIZE) + self._single(known & ~self.yes, look)
        dots += self._dots(known & self.yes, self.color, SIZE) + self._circle(look)
        wide, high = max(columns, LEAST_ACROSS), math.ceil(n / columns)
        edge = 0.15  # room for the ring around someone at the edge
        box = f"{-0.5 - edge} {-0.5 - edge} {wide + 2 * edge:.4g} {high + 2 * edge:.4g}"
        svg = (
            f'<svg viewBox="{box}" preserveAspectRatio="xMinYMin" xmlns="http://www.w3.org/2000/svg" '
            f'aria-hidden="true" stroke-linecap="round" fill="none">{dots}</svg>'
        )
        return _panel(self.name, words, " · ".join(filter(None, (self.counted(words), more))), svg)

    def _rows(self, color: str, size: float) -> str:
        """All people: a dashed line for each row, whose dashes have no length."""
        n, columns = len(self.yes), self.columns
        whole = "".join(f"M0 {row}H{columns - 0.5}" for row in range(n // columns))
        last = f"M0 {n // columns}H{n % columns - 0.5}" if n % columns else ""
        return f'<path d="{whole}{last}" stroke="{color}" stroke-width="{size:.3g}" stroke-dasharray="0 1"/>'

    def _dots(self, who: Bits, color: str, size: float) -> str:
        """Some people, each by their place."""
        path = "".join(f"M{place % self.columns} {place // self.columns}h0" for place in np.flatnonzero(who))
        return f'<path d="{path}" stroke="{color}" stroke-width="{size:.3g}"/>' if path else ""

    def _single(self, no: Bits, look: Look) -> str:
        return self._dots(no, self.color, SIZE) + self._dots(no, look.paper, 0.72 * SIZE)

    def _circle(self, look: Look) -> str:
        """The ring around the person who is looked at."""
        if self.ring is None:
            return ""
        wide = max(0.09, self.columns / 110)
        x, y = self.ring % self.columns, self.ring // self.columns
        radius = max(0.55, self.columns / 40)
        return f'<circle cx="{x}" cy="{y}" r="{radius:.3g}" stroke="{look.accent}" stroke-width="{wide:.3g}"/>'

    def counted(self, words: Words) -> str:
        """How many dots are filled and how many hollow."""
        if not np.all(self.known):
            return self.waiting
        yes = int(self.yes.sum())
        return _counted(words, yes, len(self.yes) - yes)


def _counted(words: Words, yes: int, no: int) -> str:
    return words.fill("told", yes=Count(yes), no=Count(no))


def _panel(name: str, words: Words, count: str, inside: str) -> str:
    alt = f"{words[f'{name}_alt']} {count}"
    return (
        f'<div role="img" aria-label="{escape(alt)}">'
        f'<div class="head"><span class="ldp-name">{escape(words[name])}</span> '
        f'<span class="ldp-quiet">{escape(words[f"{name}_note"])}</span></div>'
        f'{inside}<div class="ldp-quiet">{escape(count)}</div></div>'
    )


def _areas(result: ClassSurveyResult, honest: str, look: Look, words: Words) -> str:
    """Two areas, filled as far as people are, or say, yes."""
    n, true, said = result.experiment.n, result.experiment.yes, result.answered_yes
    parts = []
    for name, yes, color in (("true", true if look.truth else None, look.ink), ("said", said, REPORT)):
        share = 0.0 if yes is None else 100 * yes / n
        area = (
            f'<div class="area {name}" style="border: 2px solid {color}">'
            f'<div style="height: {share:.4g}%; background: {color}"></div></div>'
        )
        more = honest if name == "true" else ""
        count = words["waits"] if yes is None else _counted(words, yes, n - yes)
        parts.append(_panel(name, words, " · ".join(filter(None, (count, more))), area))
    return "".join(parts)


def _cards(result: ClassMemberResult, step: int, look: Look, words: Words) -> str:
    """One person's truth, coins and report, turned over one by one; coins beside an answer would tell the truth."""
    spoken = words["no"], words["yes"]
    coin = words["tails"], words["heads"]
    secret = not look.truth and step == len(STEPS) - 1
    first = (words["coin_1"], coin[result.honest], words["first_honest" if result.honest else "first_other"])
    second = (words["coin_2"], coin[result.second], words["second_yes" if result.second else "second_no"])
    if result.honest:
        second = (words["coin_2"], "–", words["second_idle"])
    if secret:
        first, second = (words["coin_1"], "?", ""), (words["coin_2"], "?", "")
    faces = (
        (words["truth"], spoken[result.truth] if look.truth else "?", words["truth_note"]),
        first,
        second,
        (words["answer"], spoken[result.answer], words["answer_note"]),
    )
    colors = (look.ink, look.accent, look.accent, look.ink if look.dark else "#A84A00")
    cards = [_card(place, face, colors[place], step, look) for place, face in enumerate(faces)]
    return f'<div class="ldp-cards" role="group" aria-label="{escape(words["cards_alt"])}">{"".join(cards)}</div>'


def _card(place: int, face: tuple[str, str, str], color: str, step: int, look: Look) -> str:
    """One card, which is turned over by pressing it; those before it are open then, those after it are not."""
    name, value, note = face if place <= step else (face[0], "…", "")
    inside = (
        f'<div class="small">{escape(name)}</div>'
        f'<div class="value" style="color: {color}">{escape(value)}</div><div class="small">{escape(note)}</div>'
    )
    border = look.accent if place == step else look.ghost
    return _step(STEPS[place], place + 1, inside, "" if place <= step else "wait", f"border-color: {border}")


def _step(step: str, key: int, inside: str, kind: str, style: str = "") -> str:
    """A button that leads to a step, and the key that presses it."""
    setting = escape(json.dumps({"response_stage": step}))
    return (
        f'<button type="button" class="{kind}" style="{style}" data-take="{setting}" aria-keyshortcuts="{key}" '
        f'title="{key}">{inside}</button>'
    )
