"""What the page about vectors says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.rooms.vectors.settings import Columns, Vectors
from ldpcore.experiments import vectors
from ldpcore.experiments.vectors import METHODS, method
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import PublicScale
from tests.sentences import sentences

LANGUAGES = ("en", "de")


def errors(level: float, d: int) -> dict[str, float]:
    """The worst variance of one mean by each method, straight from the mechanisms."""
    return {slug: method(slug, level, d).worst_variance() for slug in METHODS}


# --- where the best cap is the best ----------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 8, 20, 100])
def test_the_best_cap_leads_where_it_is_said_to(d: int) -> None:
    result = vectors.AgainstLevel(d, 5000).run()
    led = result.least("tuned")
    for level in np.geomspace(0.011, 9.9, 23).tolist():
        every = errors(level, d)
        least = min(every, key=lambda slug: float(f"{every[slug]:.6e}"))
        near = led is not None and any(0.8 < level / end < 1.25 for end in led)
        inside = led is not None and led[0] <= level < led[1]
        assert near or (least == "tuned") == inside, (level, every)


@pytest.mark.parametrize(
    ("d", "english", "german"),
    [
        (2, "it never errs less than all others", "irrt hier nie weniger als alle anderen"),
        (3, "it errs least from α = 2.1 to 7.1", "irrt hier von α = 2,1 bis 7,1 am wenigsten"),
        (5, "it errs least from α = 1.8 on", "irrt hier von α = 1,8 an am wenigsten"),
    ],
)
def test_the_page_says_where_the_best_cap_leads(d: int, english: str, german: str) -> None:
    assert english in sentences("vectors", "along", Vectors(d))
    assert german in sentences("vectors", "along", Vectors(d), 1.0, "de")


# --- one question, one column ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view", ["dimensions", "along", "plan"])
def test_one_question_is_spoken_of_as_one(view: str, language: str) -> None:
    for level in (0.01, 1.0, 10.0):
        said = sentences("vectors", view, Vectors(1), level, language, 0.05 if view == "plan" else None)
        for wrong in ("no times", "all 1 ", "alle 1 ", "all means of one", "auf das Einfache", " at once", "für alle "):
            assert wrong not in said


def rows(*columns: list[float]) -> Columns:
    names = tuple(f"column {place}" for place in range(len(columns)))
    return Columns(NumberRows.of(columns, [PublicScale(0, 10)] * len(columns)), names)


def test_one_column_and_one_moved_number_are_spoken_of_as_one() -> None:
    asked = rows([1.0, 2.0, 3.0, 12.0])
    said = sentences("vectors", "mine", Vectors(), 1.0, "en", asked)
    assert "One number was moved" in said and "The interval holds" in said and "all hold together" not in said
    assert "No number was moved" in sentences("vectors", "mine", Vectors(), 1.0, "en", rows([1.0, 2.0]))
    several = sentences("vectors", "mine", Vectors(), 1.0, "de", rows([1.0, 11.0], [11.0, -1.0]))
    assert "3 Zahlen wurden" in several and "alle zugleich gelten" in several
    assert "Eine Zahl wurde" in sentences("vectors", "mine", Vectors(), 1.0, "de", asked)


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
    said = sentences("vectors", "rule", Vectors(2), 1.0, "en", (2, rule, "opposite"))
    assert ("with ties between both" in said) == between == (rule == "split")
    assert "as those that agree too little" in said and "as likely as the others" not in said


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.01, 1.0, 2.0, 10.0])
@pytest.mark.parametrize("d", [1, 2, 10, 100])
def test_a_method_is_called_by_a_noun_within_a_sentence(d: int, level: float) -> None:
    for view, own in (("dimensions", None), ("along", None), ("plan", 0.05)):
        said = sentences("vectors", view, Vectors(d), level, "de", own)
        for wrong in ("irrt Gezogen", "irrt Beste", "irrt Hyper", "irrt Kugel", "braucht Gezogen", "braucht Beste"):
            assert wrong not in said
