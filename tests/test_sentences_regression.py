"""What the page about curves says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

from explorer.facts import Number, Share, Term, plain
from explorer.facts.naming import opened
from explorer.figures.theme import Look
from explorer.pages.regression.facts import facts
from explorer.pages.regression.settings import CURVE, MODES, Classes, Regression
from explorer.scenes import scene, told_of
from explorer.text import page_text
from explorer.text.catalogue import catalogue_of
from ldpcore.estimating.regression import Tuning, cells_of
from ldpcore.estimating.tunings import Schedule
from ldpcore.experiments import regression
from ldpcore.experiments.regression.curves import FURTHER, best_direct, direct_error
from ldpcore.people.curves import LINES, ClassModel, CurveModel
from ldpcore.people.partitions import Partition
from tests.fuzz.said import plainly
from tests.rationing import crossed
from tests.samples.regression import samples
from tests.scenes import answered, declared
from tests.sentences import sentences

BILLION = 10**9
LONELY = Regression(CurveModel("line"), 100)  # so few people that one cell is chosen
LANGUAGES = ("en", "de")
OLD = {"en": ("wider ones miss", "valley"), "de": ("breitere verfehlen", "Tal")}


def of_sides(function: str, n: int, scatter: str = "normal", level: float = 1.0) -> regression.ChoiceOfSideResult:
    settings = Regression(CurveModel(function, "uniform", scatter), n)
    result = settings.sides(level).run()
    assert isinstance(result, regression.ChoiceOfSideResult)
    return result


# --- how many cells --------------------------------------------------------------------------------------------------


def test_the_best_number_of_cells_of_honest_answers_is_not_the_end_of_the_list() -> None:
    """Of a billion honest answers about a wave: bias π²/(2·3)·(2π/…)… by the slope, variance Kσ²/n, over every K."""
    result = of_sides("sine", BILLION)
    model = result.experiment.model
    steps, chances = model.noise
    cells = np.arange(1000, 10_000)
    square = model.roughness.slope / (12 * cells.astype(float) ** 2) + cells * float(steps**2 @ chances) / BILLION
    best = round(1 / result.best_honest)
    assert best == 3072 and abs(math.log(best / cells[square.argmin()])) < math.log(1.5)
    for language in LANGUAGES:
        assert "3 072" in sentences("regression", "sides", Regression(CurveModel(), BILLION), 1.0, language)


@pytest.mark.parametrize("function", LINES)
def test_no_cells_of_honest_answers_are_better_than_the_best(function: str) -> None:
    for n in (100, 10**5, BILLION):
        result = of_sides(function, n)
        others = [
            direct_error(result.experiment.model, n, 1 / along) for along in (1, 2, 3, 8, 48, 192, 1024, *FURTHER)
        ]
        assert result.honest_error <= min(others) * (1 + 1e-12)
        assert math.isclose(direct_error(result.experiment.model, n, result.best_honest), result.honest_error)


def test_the_end_of_the_list_is_told_as_an_end() -> None:
    settings = Regression(CurveModel("sawtooth", "bell", "heavy"), BILLION)
    result = settings.sides(10.0).run()
    assert result.ends and result.private[-1] < result.private[:-1].min()
    assert "At least 1 024 cells" in sentences("regression", "sides", settings, 10.0)
    assert "mindestens 1 024 Zellen" in sentences("regression", "sides", settings, 10.0, "de")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_constant_needs_one_cell_and_no_wider_ones_miss_it(language: str) -> None:
    settings = Regression(CurveModel("constant"), 10**5)
    result = settings.sides(1.0).run()
    assert result.best == 1 and (np.diff(result.private[:4]) > 0).all()
    said = sentences("regression", "sides", settings, 1.0, language)
    assert not any(words in said for words in OLD[language])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("function", "level", "n"), [("constant", 0.01, 10**5), ("line", 1.0, 100)])
def test_where_noise_hides_the_curve_no_number_of_cells_is_called_best(
    function: str, level: float, n: int, language: str
) -> None:
    settings = Regression(CurveModel(function), n)
    model = settings.model
    flat = sum(float(weight) * float(height) ** 2 for weight, height in zip(model.weights, model.curve, strict=True))
    assert settings.sides(level).run().private.min() > 0.99 * flat
    said = sentences("regression", "sides", settings, level, language)
    assert {"en": "no number of cells helps", "de": "hilft keine Zahl von Zellen"}[language] in said
    assert not any(words in said for words in OLD[language])


def test_a_page_on_which_every_cell_sinks_still_tells_of_its_valley() -> None:
    settings = Regression(CurveModel(), 10**5)
    assert settings.survey(0.1).run().sunk == settings.survey(0.1).run().cells
    best = settings.sides(0.1).run()
    assert ("no number of cells helps" in sentences("regression", "sides", settings, 0.1)) == best.helpless


def test_the_smallest_levels_and_crowds_find_a_threshold() -> None:
    tuning = Tuning(0.1, 0.3, 0.1, 0.05)
    assert regression.ChoiceOfSide(CurveModel("sawtooth"), 100, 0.01, tuning).run().helpless


# --- one cell --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", [0.01, 1.0, 10.0])
def test_a_single_cell_is_spoken_of_as_one(level: float, language: str) -> None:
    for view, own in (("steps", None), ("report", (0.3, 0.7)), ("sides", None)):
        said = sentences("regression", view, LONELY, level, language, own)
        for wrong in ("All cell", "of 1 cells", "all 1 ", "Alle 1 ", "von 1 Zellen", "allen 1 ", "two of them"):
            assert wrong not in said


def test_a_report_of_one_cell_is_about_the_person_alone() -> None:
    said = sentences("regression", "report", LONELY, 10.0, "en", (0.3, 0.7))
    assert "2 numbers, and both are about the person" in said


# --- whose noise a curator adds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["both", "halves"])
def test_the_curators_noise_is_the_one_that_is_told(kind: str) -> None:
    """Counts of 500 cells, less those of honest answers, scatter by the told deviation, within five of its errors."""
    settings = Regression(CurveModel(), 10**5, kind, "own", own=Tuning(0.002, 0.3, 1.2, 0.45))
    survey, curator = (question.run() for question in settings.steps(1.0, "curator"))
    noise = (curator.steps.shares - survey.direct.shares) * settings.n
    deviation = math.sqrt(8) / 0.45
    assert facts(curator)["curator_location"] == Number(deviation)
    # The mean square of Laplace noise has the variance 5σ⁴/k.
    assert float((noise**2).mean()) == pytest.approx(deviation**2, rel=5 * math.sqrt(5 / len(noise)))


def test_half_and_half_a_curator_does_not_add_what_each_report_has() -> None:
    kinds = (Regression(kind="both"), Regression(kind="halves"))
    both, halves = (sentences("regression", "steps", each, own="curator") for each in kinds)
    assert "6.29" in both and "each single report has here" in both
    assert "6.29" in halves and "each single report" not in halves


# --- the price -------------------------------------------------------------------------------------------------------


def test_the_price_is_that_of_the_wish_and_honest_answers_that_would_do_are_told() -> None:
    result = Regression().plan(1.0, 0.1).run()
    enough = best_direct(CurveModel(), math.ceil(1.05 * result.honest))
    assert enough <= 0.01 <= best_direct(CurveModel(), math.floor(0.95 * result.honest))
    assert result.price == pytest.approx(result.needed / result.honest)
    said = sentences("regression", "plan", Regression(), 1.0, "en", 0.1)
    assert "people stand for one" in said and "honest answers would do" in said


# --- consistency -----------------------------------------------------------------------------------------------------


def test_the_printed_condition_alone_does_not_let_the_noise_vanish() -> None:
    """With M = n^0.3, h = n^-0.25 and c = n^-0.125 the printed condition holds and the noise of the responses grows."""
    asked = Schedule(0.25, 0.125, "power", 0.3)
    met = {condition.name: condition.met for condition in asked.conditions()}
    assert met["noise"] and not met["growth"]
    noise = [n ** (2 * 0.3) * math.log(n) / (n * n**-0.25 * n**-0.5) for n in (1e6, 1e12, 1e24)]
    assert noise[0] < noise[1] < noise[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_names_both_conditions_and_says_which_is_derived_here(language: str) -> None:
    why = page_text("regression", language)["why"]
    assert r"(\ln n)^3/(n\,c^2 h^{2d}) \to 0" in why and r"M^2 \ln n/(n\,\alpha^2 c^2 h^{2d}) \to 0" in why
    here = {"en": "derived here", "de": "hier hergeleitet"}[language]
    assert here in why


# --- what is cut off, and what is left -------------------------------------------------------------------------------


def test_how_many_responses_were_moved_is_told() -> None:
    for settings in samples():
        result = opened(settings.survey(1.0).run())[0]
        people, bound = result.experiment.people, result.experiment.tuning.bound
        moved = sum(int(count) for row, count in zip(people.values, people.counts, strict=True) if abs(row[-1]) > bound)
        said = sentences("regression", "steps", settings)
        if moved:
            assert plain(facts(result))["moved"] == Share(moved / people.n)
            assert "% of the responses lay beyond ±M" in said
        else:
            assert "No response lay beyond ±M" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_many_were_moved_is_not_told_while_people_predict(language: str) -> None:
    page = declared("regression")
    made = scene(page, page.views["steps"], Regression(), 1.0, Look(truth=False), language, answered)
    assert "±M" not in made.note


@pytest.mark.parametrize("function", LINES)
def test_what_cells_leave_is_called_nothing_where_they_fit(function: str) -> None:
    settings = Regression(CurveModel(function), 10**5)
    result = settings.survey(1.0).run()
    cells = cells_of(settings.model, Partition(result.experiment.tuning.side))
    left = sum(
        float(square) - float(curve) ** 2 / float(share)
        for square, curve, share in zip(cells.square, cells.curve, cells.share, strict=True)
    )
    assert (plain(facts(result))["leaving"] == Term("verdicts.nothing")) == (left < 1e-12)


def test_of_a_table_nobody_knows_what_cells_leave() -> None:
    table = next(settings for settings in samples() if not settings.invented)
    assert plain(facts(table.survey(1.0).run()))["leaving"] == Term("verdicts.unknown")


# --- classes ---------------------------------------------------------------------------------------------------------


def test_a_sum_of_zero_counts_as_the_second_label_and_the_page_says_so() -> None:
    result = regression.LabelSurvey(ClassModel("blobs"), 5, 1.0, 16).run()
    assert (result.shares == 0).any() and (result.honest[result.shares == 0] == 1).all()
    assert "a sum of exactly 0 counts as +1" in sentences("regression", "classes", Regression(), own=Classes())
    german = sentences("regression", "classes", Regression(), 1.0, "de", Classes())
    assert "eine Summe von genau 0 zählt als +1" in german


def test_how_often_a_rule_is_right_is_not_said_as_about() -> None:
    assert "right about" not in sentences("regression", "classes", Regression(), own=Classes())


# --- one number of cells ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "told_as"), crossed(MODES, [*itertools.product((CURVE, "saddle", "ring"), LANGUAGES)], 3), ids=str
)
def test_the_line_of_settings_and_the_note_tell_one_number_of_cells(mode: str, told_as: tuple[str, str]) -> None:
    function, language = told_as
    asked, page = Regression(CurveModel(), 10**7, mode=mode), declared("regression")
    told = told_of(page, page.views["sides"], asked, function)
    assert told is not None
    line = catalogue_of(language).text("regression", *told)
    cells = {"en": "cells", "de": "Zellen"}[language]
    for level in (0.01, 1.0, 10.0):
        result = asked.sides(level, function).run()
        assert isinstance(result, regression.ChoiceOfSideResult)
        many = math.ceil(1 / result.experiment.tuning.side - 1e-9) ** (1 if function == CURVE else 2)
        assert f"{many} {cells}" in sentences("regression", "sides", asked, level, language, function) or many == 1
        read = re.findall(rf"(\d+) {cells}", " ".join(plainly(line)))
        assert read in ([str(many)], []), (line, many)
        moves = mode == "anew" or (mode == "own" and function != CURVE)
        assert (read == []) == moves == ({"en": "at every α", "de": "bei jedem α"}[language] in line), line
