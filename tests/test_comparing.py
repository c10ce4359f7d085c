"""Mechanisms side by side on Counting: exact errors by another route, simulations, crossings, and who takes part."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, stats

from explorer.pages.counting.figures.errors import family
from explorer.pages.counting.settings import of_table
from ldpcore.estimating.absoluteerrors import count_error
from ldpcore.experiments.counting.comparing import Compared, Entrant, ErrorsAlongLevels, ErrorsAtLevel, entrants
from ldpcore.experiments.counting.releases import level_grid
from ldpcore.experiments.means.family import slugs
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import CategoryRandomizer, CentralRelease, FrequencyOracle
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import declarations
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale
from tests.cases import for_each
from tests.rationing import shared
from tests.statistics import RATE, accept_normal

COUNT = Compared("count", Population.of_categories([1702, 882]), 1.0, "add-remove")
CLINIC = Compared("count", Population.of_categories([27, 13]), 1.0, "add-remove")
YEARS = Compared(
    "sum", Population(np.linspace(-1, 1, 21), np.arange(1, 22)), 20.0, "add-remove", PublicScale(0.0, 20.0)
)
MEAN = Compared("mean", YEARS.people, 20.0 / 231, "replace-one", PublicScale(0.0, 20.0))
ALL = COUNT, CLINIC, YEARS, MEAN
PAIRS = [(asked, entrant) for asked in ALL for entrant in asked.entrants]
NAMES = [f"{asked.verb}-{asked.people.n}-{entrant.key}" for asked, entrant in PAIRS]


def test_everybody_of_the_registry_who_can_answer_takes_part() -> None:
    central = {kind.slug for kind in of_kind(CentralRelease)}  # type: ignore[type-abstract]
    whole = {kind.slug for kind in of_kind(CentralRelease) if kind.whole}  # type: ignore[type-abstract]
    counted = {each.slug for each in entrants("count") if each.curated}
    assert counted == central
    for verb in ("sum", "mean"):
        assert {each.slug for each in entrants(verb) if each.curated} == central - whole
        assert tuple(each.slug for each in entrants(verb) if not each.curated) == slugs()
    assert [each.slug for each in entrants("count") if not each.curated] == ["rr"]
    assert len(family()) == len(set(family()))


def test_a_mechanism_that_is_registered_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from ldpcore.experiments.counting import comparing
    from ldpcore.mechanisms.laplace import LaplaceMechanism

    class AnotherNoise(LaplaceMechanism):
        slug = "another"

    def more(kind: type) -> tuple[type, ...]:
        return (*of_kind(kind), AnotherNoise) if kind is CentralRelease else of_kind(kind)

    monkeypatch.setattr(comparing, "of_kind", more)
    assert Entrant("another") in entrants("mean")


def test_no_report_of_yes_or_no_errs_less_than_randomized_response() -> None:
    for level, (held, n) in itertools.product((0.1, 1.0, 3.0), ((0, 7), (3, 7), (400, 1000))):
        least = count_error(RandomizedResponse(level), held, n)
        others = [
            kind.starting(epsilon=level, **({"k": 2} if "k" in declarations(kind) else {}))
            for kind in of_kind(CategoryRandomizer)  # type: ignore[type-abstract]
            if kind.serves(2) and "epsilon" in declarations(kind) and issubclass(kind, FrequencyOracle)
        ]
        assert len(others) > 4
        for other in others:
            assert count_error(other, held, n) >= least * (1 - 1e-9), other


@for_each("level", [0.05, 1.0, 6.0])
@for_each(("asked", "entrant"), PAIRS, ids=NAMES)
def test_a_curators_error_is_the_area_beside_its_law(asked: Compared, entrant: Entrant, level: float) -> None:
    """E|X| = 2 ∫ P(X < -t) dt, and E X² = 4 ∫ t P(X < -t) dt, of a symmetric noise."""
    if not entrant.curated or (member := asked.member(entrant, level)) is None:
        assert not entrant.curated or entrant.option == "classical"
        return
    assert isinstance(member, CentralRelease)
    reach = 60 * member.standard_deviation() + 60 * member.whole
    if member.whole:
        steps = np.arange(1, math.ceil(reach))
        tails = member.cdf(-steps.astype(float), 0.0)
        mean, square = 2 * float(tails.sum()), 2 * float(((2 * steps - 1) * tails).sum())
    else:
        points, weights = np.polynomial.legendre.leggauss(8)
        jumps = member.jumps(reach) if isinstance(member, AdditiveNoise) else ()
        edges = np.unique([*np.linspace(0, reach, 4001), *jumps])
        half = np.diff(edges)[:, None] / 2
        places = (edges[:-1, None] + half * (points + 1)).ravel()
        tails = (half * weights).ravel() * member.cdf(-places, 0.0)
        mean, square = 2 * float(tails.sum()), 4 * float((places * tails).sum())
    assert asked.error(entrant, level) == (pytest.approx(mean, rel=1e-6, abs=0), True)
    assert asked.deviation(entrant, level) == pytest.approx(math.sqrt(square), rel=1e-6)


@pytest.mark.parametrize(("asked", "entrant"), PAIRS, ids=NAMES)
def test_simulated_errors_are_those_that_are_told(asked: Compared, entrant: Entrant) -> None:
    """A mean of as many rounds as the page draws; false alarm below 1e-9 for each. By day at one level, in turn."""
    for level in shared((0.05, 0.9, 3.0), 3, PAIRS.index((asked, entrant))):
        (error,) = [each for each in ErrorsAtLevel(asked, level, seed=48).run().errors if each.entrant == entrant]
        if math.isnan(error.mean):
            continue
        assert accept_normal(error.simulated, error.mean, error.within, RATE), error
        assert error.exact and error.deviation >= error.mean


def test_the_published_error_of_gaussian_noise_stands_beside_the_smallest_one() -> None:
    """σ = √(2 ln(1.25/δ))/ε and σ√(2/π): 34.66 at ε = 0.1 and δ = 1e-4; the smallest σ of Balle and Wang is 24.5."""
    asked = Compared("count", COUNT.people, 1.0, "add-remove", delta=1e-4)
    errors = {each.entrant.option: each for each in ErrorsAtLevel(asked, 0.1).run().errors if each.entrant.option}
    classical, analytic = errors["classical"], errors["analytic"]
    assert round(classical.mean, 2) == 34.66
    assert classical.deviation == pytest.approx(math.sqrt(2 * math.log(12500)) / 0.1, rel=1e-12)

    def failing(sigma: float) -> float:
        inside, outside = 0.5 / sigma - 0.1 * sigma, -0.5 / sigma - 0.1 * sigma
        return float(stats.norm.cdf(inside) - math.exp(0.1) * stats.norm.cdf(outside)) - 1e-4

    assert analytic.deviation == pytest.approx(optimize.brentq(failing, 1, 100), rel=1e-9)
    assert analytic.mean == pytest.approx(analytic.deviation * math.sqrt(2 / math.pi), rel=1e-12)


def of_the_clinic(level: float) -> float:
    """The error of randomized response in the clinic, from SciPy's binomials."""
    rr, n, held = RandomizedResponse(level), 40, 13
    law = np.convolve(
        stats.binom.pmf(np.arange(held + 1), held, rr.p), stats.binom.pmf(np.arange(n - held + 1), n - held, rr.q)
    )
    return float(law @ np.abs((np.arange(n + 1) - n * rr.q) / rr.gap - held))


def test_crossings_are_where_an_independent_search_finds_them() -> None:
    result = ErrorsAlongLevels(CLINIC, level_grid(0.01, 50.0, 25)).run()
    laplace: Callable[[float], float] = lambda level: 1 / level - of_the_clinic(level)  # noqa: E731
    (crossing,) = [each for each in result.crossings if {each.below.slug, each.above.slug} == {"laplace", "rr"}]
    assert crossing.epsilon == pytest.approx(optimize.bisect(laplace, 2, 12), rel=1e-4)
    assert (crossing.below.slug, crossing.above.slug) == ("laplace", "rr")
    assert crossing.error == pytest.approx(1 / crossing.epsilon, rel=1e-4)


def test_the_search_for_a_crossing_asks_again_for_no_error_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ends are levels of the grid, and the root is the last level but a few that was looked at."""
    result, exact = ErrorsAlongLevels(CLINIC, level_grid(0.01, 50.0, 25)).run(), Compared.error
    met: list[tuple[Entrant, float]] = []

    def noted(asked: Compared, entrant: Entrant, level: float) -> tuple[float, bool]:
        met.append((entrant, level))
        return exact(asked, entrant, level)

    monkeypatch.setattr(Compared, "error", noted)
    assert tuple(result.crossed()) == result.crossings and result.crossings
    assert len(set(met)) == len(met) <= 14 * len(result.crossings)
    grid = np.array(result.experiment.epsilons)
    assert min(np.abs(np.log(grid / level)).min() for _, level in met) > 1e-9


@pytest.mark.parametrize("asked", [COUNT, YEARS], ids=["count", "sum"])
def test_no_crossing_is_missed_and_none_is_made_up(asked: Compared) -> None:
    """On a grid of other levels, the order of two changes exactly once between two that have a crossing between."""
    result = ErrorsAlongLevels(asked, level_grid(0.01, 50.0, 25)).run()
    levels = np.geomspace(0.0101, 49.5, 23)
    errors = {entrant: [asked.error(entrant, level)[0] for level in levels] for entrant in asked.entrants}
    for one, other in itertools.combinations(asked.entrants, 2):
        ahead = [before - after for before, after in zip(errors[one], errors[other], strict=True)]
        here = [each.epsilon for each in result.crossings if {each.below, each.above} == {one, other}]
        for place, (left, right) in enumerate(itertools.pairwise(levels)):
            before, after = ahead[place : place + 2]
            if math.isnan(before + after) or min(abs(before), abs(after)) < 1e-6 * errors[one][place + 1]:
                continue
            inside = sum(left < each < right for each in here)
            assert inside % 2 == (before * after < 0), (one, other, left, right, here)


def test_the_classical_noise_ends_where_its_proof_does() -> None:
    classical = next(each for each in entrants("count") if each.option == "classical")
    assert math.isfinite(COUNT.error(classical, 1.0)[0])
    assert math.isnan(COUNT.error(classical, 1.001)[0])


def test_the_best_is_named_and_the_first_of_two_alike() -> None:
    result = ErrorsAtLevel(YEARS, 0.1).run()
    for curated in (True, False):
        best = result.best(curated)
        assert best.entrant.curated == curated
        assert all(each.mean >= best.mean * (1 - 1e-6) for each in result.errors if each.entrant.curated == curated)
    assert result.best(False).entrant.slug == "onebit"  # the hybrid mechanism is one bit at this level


def test_hidden_errors_know_nothing_of_the_people() -> None:
    other = Compared("count", Population.of_categories([1000, 1584]), 1.0, "add-remove")
    first, second = (ErrorsAtLevel(asked, 0.3).run().masked() for asked in (COUNT, other))
    assert first.errors == second.errors


def test_the_page_asks_about_the_people_of_its_table() -> None:
    asked = of_table("income", "add-remove").errors(0.1, 1e-6)[0].compared
    assert asked.people.counts.tolist() == [1702, 882]
    mean = of_table("income", "replace-one", "mean", "everybody").errors(0.1, 1e-6)[0].compared
    assert (mean.verb, mean.people.n, mean.scale.low) == ("mean", 2584, 0.0)
    assert mean.sensitivity == pytest.approx(2 * mean.scale.half / 2584)
