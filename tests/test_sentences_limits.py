"""What the page about limits says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from explorer.facts import Number
from explorer.pages.limits.settings import USUAL, Limits, WorldsChoice
from explorer.text import page_text
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments import limits
from ldpcore.limits.bounds import chance_lower_bound, direct_lower_bound, sharp_lower_bound
from ldpcore.limits.errorlosses import REGULAR, loss_of
from ldpcore.limits.problems import PROBLEMS, BoundedMoment, EventShare, HeavyMean
from tests.cases import for_each
from tests.rationing import crossed
from tests.sentences import sentences

LANGUAGES = ("en", "de")
FEWER = {"en": "less than a blind guess", "de": "weniger als blindes Raten"}


# --- promises and guesses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("problem", "width"), [(BoundedMoment(), 1.0), (EventShare(), 0.5), (HeavyMean(), 1.5)])
def test_nobody_is_asked_where_a_guess_is_near_enough(problem: BoundedMoment, width: float, language: str) -> None:
    assert problem.guess <= width**2
    nobody = {"en": "nobody needs to be asked", "de": "muss niemand gefragt werden"}[language]
    for level in (0.01, 1.0, 10.0):
        said = sentences("limits", "people", Limits(problem, 100), level, language, ("people", width))
        assert nobody in said and "at least one person" not in said and "mindestens eine Person" not in said
        assert not limits.LimitPlan(problem, level, 100, width).run().recommended
        less = 0.99 * math.sqrt(problem.guess)
        assert nobody not in sentences("limits", "people", Limits(problem, 100), level, language, ("people", less))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("n", "level"), [(1, 0.01), (1, 1.0), (10_000, 0.01), (10_000, 1.0), (10**9, 10.0)])
def test_no_method_is_said_to_promise_more_than_the_scale_is_wide(n: int, level: float, language: str) -> None:
    said = sentences("limits", "vectors", Limits(n=n), level, language, 10)
    result = limits.VectorBounds(level, 10, n).run()
    best = min(result.here.errors.values())
    assert (FEWER[language] in said) == (best >= 1)
    if best < 1:
        assert "sampling questions promises most" in said or language == "de" or level > 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("loss", REGULAR)
def test_what_plus_minus_means_is_said_where_the_loss_does_not_count(loss: str, language: str) -> None:
    root = {"en": "always the root mean square", "de": "immer die Wurzel aus dem mittleren Quadrat"}[language]
    assert root in sentences("limits", "vectors", Limits(loss=loss), 1.0, language, 10)


# --- where limits come from ------------------------------------------------------------------------------------------


def test_a_pair_is_not_said_to_make_the_limit_where_chance_decides() -> None:
    asked = Limits(BoundedMoment(), 10_000)
    assert asked.known(10.0).run().here.decides != "tv"
    for few in (1, 100):
        said = sentences("limits", "worlds", asked, 10.0, "en", WorldsChoice(few))
        assert "where the limit comes from" not in said
    assert "unless chance alone limits it more" in sentences("limits", "worlds", asked, 0.1, "en", WorldsChoice(1))
    assert "entsteht die Schranke" not in sentences("limits", "worlds", asked, 0.1, "de", WorldsChoice(1))


@for_each("problem", [problem() for problem in PROBLEMS], ids=lambda problem: problem.slug)
@for_each("loss", REGULAR)
def test_the_limit_is_never_below_what_holds_without_privacy(problem: BoundedMoment, loss: str) -> None:
    for n in (1, 2, 100, 10**6, 10**9):
        for level in (0.01, 1.0, 10.0, 50.0):
            drawn = sharp_lower_bound(problem, loss_of(loss), n, level).value
            assert drawn >= chance_lower_bound(problem, loss_of(loss), n).value
            assert drawn >= direct_lower_bound(problem, loss_of(loss), n)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("n", "stays"), [(1, True), (10_000, True), (10**9, False)])
def test_the_upper_line_is_said_to_stay_at_a_guess_where_it_does(n: int, stays: bool, language: str) -> None:
    """At α = 0.01 one bit promises about 200/√n of a mean on [-1, 1]."""
    said = sentences("limits", "people", Limits(BoundedMoment(), n), 1.0, language, ("level", 0.1))
    assert (1 / math.tanh(0.005) / math.sqrt(n) > 1) == stays
    assert (("stays at the error of a blind guess" in said) or ("bleibt die obere Linie" in said)) == stays


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("eta", [0.05, 0.5, 0.95])
def test_how_far_apart_the_worst_worlds_are_is_said_and_follows_from_eta(eta: float, language: str) -> None:
    """Two coins whose ends are (1-η)/√(2n(e^α-1)²) apart, and all people at once where that is more than 1."""
    for n, level in ((100, 1.0), (1, 0.01), (10**6, 10.0)):
        apart = min((1 - eta) / math.sqrt(2 * n * (math.exp(level) - 1) ** 2), 1.0)
        said = sentences("limits", "worlds", Limits(BoundedMoment(), 100), level, language, WorldsChoice(n, eta))
        told = catalogue_of(language).write(Number(apart)).replace("\u202f", " ")
        place = {"en": f"distributions are {told} apart", "de": f"Totalvariationsabstand {told}."}[language]
        assert place in said, (place, said)


def test_drawn_worlds_say_how_far_apart_they_are() -> None:
    drawn = WorldsChoice(100, drawn=((3.0, 1.0), (1.0, 3.0)))
    assert "distributions are 0.5 apart" in sentences("limits", "worlds", Limits(), 1.0, "en", drawn)


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_parameters_of_a_problem_mean_is_said(language: str) -> None:
    labels = page_text("limits", language)["labels"]
    for name in ("kappa", "beta", "bound"):
        assert len(labels[f"{name}_help"].split()) > 10


def test_a_single_person_has_a_german_case() -> None:
    said = sentences("limits", "people", Limits(n=1), 1.0, "de", USUAL)
    assert "bei Ihrer einen Person" in said and "Ihren einer" not in said
    for level in (0.01, 1.0):
        assert "Person, die" not in sentences("limits", "vectors", Limits(n=1), level, "de", 10)


# --- along the level -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "asked"),
    crossed([problem() for problem in PROBLEMS], [*itertools.product(("people", "level"), LANGUAGES)], 3),
    ids=lambda value: getattr(value, "slug", None) or "-".join(value),
)
def test_nobody_is_asked_along_either_axis_where_a_guess_is_near_enough(
    problem: BoundedMoment, asked: tuple[str, str]
) -> None:
    """A blind guess errs by at most the root of `guess`, as the sketch of every problem has it."""
    axis, language = asked
    nobody = {"en": "nobody needs to be asked", "de": "muss niemand gefragt werden"}[language]
    reaching = {"en": r"people reach ±|person reaches ±", "de": r"erreicht Ihre|erreichen Ihre"}[language]
    for n, part in ((1, 1.0), (1, 2.0), (10**4, 1.001), (10**4, 0.999), (1, 0.5)):
        width = float(part * math.sqrt(problem.guess))
        said = sentences("limits", "people", Limits(problem, n), 10.0, language, (axis, width))
        assert (nobody in said) == (part >= 1), (part, said)
        assert part < 1 or not re.search(reaching, said), said
