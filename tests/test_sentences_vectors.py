"""What the page about vectors says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.pages.vectors.settings import Columns, VectorsSettings
from ldpcore.experiments.vectors import METHODS, method
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.splitting import SampledCoordinates
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import PublicScale
from tests.rationing import crossed
from tests.sentences import sentences

LANGUAGES = ("en", "de")


def errors(level: float, d: int) -> dict[str, float]:
    """The worst variance of one mean by each method, straight from the mechanisms."""
    return {slug: method(slug, level, d).worst_variance() for slug in METHODS}


@pytest.mark.parametrize("d", [1, 2, 3, 10, 99, 100])
def test_at_small_levels_nothing_beats_asking_one_question_each(d: int) -> None:
    for level in (0.01, 0.1, 0.3):
        assert errors(level, d)["sampled"] <= min(errors(level, d).values()) * (1 + 1e-9)
        assert SampledCoordinates(level, d).m == SampledCoordinates(4.999, d).m == 1


def test_the_hypercube_stops_gaining_at_large_levels_where_questions_are_many() -> None:
    """Its corner has at best a majority right, so that the variance ends above what no noise at all would leave."""
    for d in (10, 99):
        far, farther = errors(20.0, d)["hypercube"], errors(40.0, d)["hypercube"]
        assert farther == pytest.approx(far, rel=1e-6) and far > 1


# --- one question, one column ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view", ["dimensions", "plan"])
def test_one_question_is_spoken_of_as_one(view: str, language: str) -> None:
    for level in (0.01, 1.0, 10.0):
        said = sentences("vectors", view, VectorsSettings(1), level, language, 0.05 if view == "plan" else None)
        for wrong in ("no times", "all 1 ", "alle 1 ", "all means of one", "auf das Einfache", " at once", "für alle "):
            assert wrong not in said


def rows(*columns: list[float]) -> Columns:
    names = tuple(f"column {place}" for place in range(len(columns)))
    return Columns(NumberRows.of(columns, [PublicScale(0, 10)] * len(columns)), names)


def test_one_column_and_one_moved_number_are_spoken_of_as_one() -> None:
    asked = rows([1.0, 2.0, 3.0, 12.0])
    said = sentences("vectors", "mine", VectorsSettings(), 1.0, "en", asked)
    assert "One number was moved" in said and "The interval holds" in said and "all hold together" not in said
    assert "No number was moved" in sentences("vectors", "mine", VectorsSettings(), 1.0, "en", rows([1.0, 2.0]))
    several = sentences("vectors", "mine", VectorsSettings(), 1.0, "de", rows([1.0, 11.0], [11.0, -1.0]))
    assert "3 Zahlen wurden" in several and "alle zugleich gelten" in several
    assert "Eine Zahl wurde" in sentences("vectors", "mine", VectorsSettings(), 1.0, "de", asked)


# --- how likely corners are ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["lower", "split", "upper"])
def test_agreeing_corners_are_as_likely_as_is_said(rule: str) -> None:
    """From somebody high in both answers: + + agrees, + − is a tie, − − agrees too little."""
    law = HypercubeSampling(1.0, 2, rule)
    own = np.ones(2)
    agreeing, tied, opposed = (
        math.exp(law.log_density(np.array(corner), own)) for corner in ((1, 1), (1, -1), (-1, -1))
    )
    assert agreeing / opposed == pytest.approx(math.e)
    between = not any(math.isclose(tied, other) for other in (agreeing, opposed))
    if between:
        assert agreeing / tied == pytest.approx(2 * math.e / (math.e + 1)) == pytest.approx(1.462, abs=1e-3)
    said = sentences("vectors", "leak", VectorsSettings(2), 1.0, "en", (2, rule, "opposite"))
    assert ("with ties between both" in said) == between == (rule == "split")
    assert "as those that agree too little" in said and "as likely as the others" not in said


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "level"), crossed([1, 2, 10, 100], [0.01, 1.0, 2.0, 10.0]))
def test_a_method_is_called_by_a_noun_within_a_sentence(d: int, level: float) -> None:
    for view, own in (("dimensions", None), ("plan", 0.05)):
        said = sentences("vectors", view, VectorsSettings(d), level, "de", own)
        for wrong in ("irrt Gezogen", "irrt Beste", "irrt Hyper", "irrt Kugel", "braucht Gezogen", "braucht Beste"):
            assert wrong not in said
