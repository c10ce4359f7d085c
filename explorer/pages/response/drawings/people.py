"""A class as dots, twice: the truth, which stays with each person, and the reports to all.

Filled is a yes, hollow a no. A dot is a stroke of length zero with a round end, and a row of dots is one dashed line:
800 people twice are some ten kilobytes. More than fit are drawn as areas. Words stand in HTML and grow with the page,
dots in SVG and grow with their panel, up to the height that the stage has.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import singledispatch
from html import escape

import numpy as np

from explorer.drawings.crowd import MOST_DOTS, PEOPLE_STYLE, REPORT, Panel, _blank, _counted, _panel
from explorer.drawings.intervals import IntervalRow, intervals
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments.response import ClassSurveyResult
from ldpcore.experiments.response.classes import STEPS, ClassMemberResult, CuratorSurveyResult
from ldpcore.questions import Result

Beside = tuple[*tuple[CuratorSurveyResult, ...], Look, Words]  # what comes after what the class has said


@singledispatch
def survey(result: Result, *beside: *Beside) -> str:
    """Everybody's reports beside the truth, and their worth; or one person, whose coins fall."""
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
    """The collector's estimate from the reports, and a curator's knowledge: not while people predict."""
    inner = curators[0].interval if curators and look.truth else None
    row = IntervalRow(words["row"], result.interval, result.estimate, REPORT, inner)
    return intervals([row], look, words, result.truth if look.truth else None)


def kind(result: ClassSurveyResult | ClassMemberResult, *beside: object) -> str:
    """The stage of one person's coins, or whether a curator stands beside everybody, or neither."""
    if isinstance(result, ClassMemberResult):
        return result.experiment.step
    return "curator" if beside else ""


def _areas(result: ClassSurveyResult, honest: str, look: Look, words: Words) -> str:
    """Two areas, each filled to the share of people who are, or say, yes."""
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
