"""Planted mistakes, one or two of each class of defect: each breaks one place, and a named test must turn red for it.

They prove that the laws bite; `pytest --collect-only -q tests/test_planted*.py` lists the classes. `python -m
tools.mutants` makes mistakes everywhere else, at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from explorer import facts
from explorer.figures import marks
from explorer.predicting import Prediction
from explorer.text import catalogue, numerals
from explorer.ui import cache
from ldpcore import fingerprints
from ldpcore.accounting import privacylosses as losses
from ldpcore.estimating.waves import WaveInBins
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.means import drawing as means_drawing
from ldpcore.laws import channels
from ldpcore.mechanisms import geometric, grr, piecewise, plateaus
from ldpcore.mechanisms import locallaplace as shifts
from ldpcore.mechanisms.agreements import Cap, fair
from ldpcore.mechanisms.base import CentralRelease, FrequencyOracle, ReportTally
from ldpcore.mechanisms.grr import DirectAnswer, GeneralizedRandomizedResponse
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.tables import conditions
from tests import (
    conformance,
    test_cache,
    test_catalogue,
    test_composition,
    test_counting,
    test_means_experiments,
    test_predicting,
    test_queries,
    test_waves,
)
from tests.screens import test_counting_page

Check = Callable[[], Any]


@dataclass(frozen=True)
class Mistake:
    """A class of defect and one of it; what is replaced (of whom, which name, by what); the check that must fail."""

    name: str
    planted: tuple[Any, str, Any]
    check: Check

    def __str__(self) -> str:
        return self.name

    def is_caught(self, monkeypatch: pytest.MonkeyPatch, *refusals: type[Exception]) -> None:
        """The check is green without the mistake, and fails, or is refused, with it."""
        self.check()
        monkeypatch.setattr(*self.planted)
        cache.forget_scenes()
        try:
            self.check()
        except (AssertionError, pytest.fail.Exception, *refusals):
            return
        pytest.fail(f"nothing notices {self.name}: its check is green although {self.planted[1]} is wrong")


def law(function: Callable[[Any], None], member: type) -> Check:
    """A law applied to a member, as a check without arguments."""
    return lambda: function(member)


def renormalized(self: FrequencyOracle, tally: ReportTally) -> np.ndarray:
    raw = (tally.counts / tally.n - self.q) / self.gap
    return raw / raw.sum()


def independent(
    self: DirectAnswer, population: Any, rng: np.random.Generator, repeats: int | None = None
) -> ReportTally:
    counts = population.counts[:, None]
    size = (self.k, 1 if repeats is None else repeats)
    drawn = rng.binomial(counts, self.p, size) + rng.binomial(population.n - counts, self.q, size)
    return ReportTally(drawn[:, 0] if repeats is None else drawn, population.n)


def never_lies_into_the_truth(self: DirectAnswer, values: Any, rng: np.random.Generator) -> np.ndarray:
    true = self.categories(values)
    lies = rng.random(len(true)) >= self.gap
    return np.where(lies, (true + 1) % self.k, true)


def unseeded(self: DirectAnswer, values: Any, rng: np.random.Generator) -> np.ndarray:
    return PRIVATIZE(self, values, np.random.default_rng())


def unchecked(self: DirectAnswer, values: Any) -> np.ndarray:
    return np.clip(np.asarray(values).astype(np.int64), 0, self.k - 1)


def one_sided(self: channels.LaplaceShift, epsilon: float) -> float:
    return max(1 - math.exp(epsilon - self.loss()), 0.0)


def classless(value: Any) -> str:
    return FINGERPRINT(getattr(value, "__dict__", value))


PRIVATIZE, FINGERPRINT = DirectAnswer.privatize, fingerprints.fingerprint
GRR, LAPLACE = GeneralizedRandomizedResponse, LaplaceMechanism

CORE = (
    Mistake(
        "a law that is none: a wrong denominator in p",
        (DirectAnswer, "p", property(lambda self: 1 / (1 + self.k * math.exp(-self.epsilon)))),
        law(conformance.rows_are_distributions, GRR),
    ),
    Mistake(
        "less noise than the level asks for: a sensitivity forgotten",
        (LAPLACE, "scale", property(lambda self: 1 / self.epsilon)),
        law(conformance.loss_never_exceeds_the_level, LAPLACE),
    ),
    Mistake(
        "an estimate that is believed, not computed: renormalizing inside the estimate",
        (FrequencyOracle, "estimate", renormalized),
        law(conformance.estimate_is_unbiased, GRR),
    ),
    Mistake(
        "a shortcut with another law: independent binomials for the joint draw",
        (DirectAnswer, "sample_tally", independent),
        law(conformance.sampled_tally_has_the_joint_law, GRR),
    ),
    Mistake(
        "a sampler with another law: a lie that never hits the truth",
        (DirectAnswer, "privatize", never_lies_into_the_truth),
        law(conformance.privatize_follows_the_channel, GRR),
    ),
    Mistake(
        "chance of its own: a generator of its own",
        (DirectAnswer, "privatize", unseeded),
        law(conformance.reports_keep_to_their_generator, GRR),
    ),
    Mistake(
        "values that are not checked: values outside the domain accepted",
        (DirectAnswer, "categories", unchecked),
        law(conformance.reports_keep_to_their_generator, GRR),
    ),
    Mistake(
        "a variance: the sampling variance left out",
        (
            DirectAnswer,
            "variance_of_shares",
            lambda self, shares, n: np.full(self.k, self.q * (1 - self.q) / (n * self.gap**2)),
        ),
        law(conformance.variance_is_exact, GRR),
    ),
    Mistake(
        "a guess: a guess that ignores k",
        (DirectAnswer, "best_guess", lambda self: self.p / self.k),
        law(conformance.best_guess_is_the_channels, GRR),
    ),
    Mistake(
        "an error: the standard deviation as mean error",
        (LAPLACE, "mean_absolute_error", lambda self: math.sqrt(2) * self.scale),
        law(conformance.density_is_a_distribution_with_these_moments, LAPLACE),
    ),
    Mistake(
        "a divergence: a wrong hockey stick",
        (channels.LaplaceShift, "delta", one_sided),
        law(conformance.hockey_stick_by_quadrature, LAPLACE),
    ),
    Mistake(
        "a level that is echoed: a level echoed from its field",
        (CentralRelease, "claim", lambda self: type(self.guarantee())(self.epsilon / 2)),
        law(conformance.loss_never_exceeds_the_level, LAPLACE),
    ),
    Mistake(
        "an error: an error that grows with the crowd",
        (
            counting.AgainstUsersResult,
            "error_share",
            property(lambda self: self.experiment.mechanism.scale / math.sqrt(self.experiment.n)),
        ),
        test_counting.test_five_people_are_drowned_by_200_percent,
    ),
    Mistake(
        "a question to a table: at most instead of less than",
        (
            conditions.Compare,
            "rows",
            lambda self, table: (
                table.numbers(self.column) * (1 if self.relation == "<" else -1)
                <= self.value * (1 if self.relation == "<" else -1)
            ),
        ),
        test_queries.test_the_inequalities_of_the_notebook_are_strict,
    ),
)


def one_sided_geometric(self: geometric.LocalGeometric, values: Any, rng: np.random.Generator) -> np.ndarray:
    low, chance = self.place(values)
    noise = rng.geometric(-math.expm1(-self.noise.rate), low.shape) - 1
    return low + (rng.random(low.shape) < chance) + noise * np.where(rng.random(low.shape) < 0.5, -1, 1)


PIECEWISE, GEOMETRIC = piecewise.PiecewiseMechanism, geometric.LocalGeometric

NUMBERS = (
    Mistake(
        "a pair that is worse than the worst: numbers that nobody clips",
        (shifts, "nearest", float),
        law(conformance.no_pair_of_values_exceeds_the_worst, shifts.LocalLaplace),
    ),
    Mistake(
        "a law that is none: a piece as wide as C",
        (PIECEWISE, "width", property(lambda self: 1 / math.tanh(self.epsilon / 4))),
        law(conformance.reports_have_mass_one_and_the_stated_moments, PIECEWISE),
    ),
    Mistake(
        "an account of many releases: a lattice that rounds losses down",
        (
            losses.Lattice,
            "of_outcomes",
            classmethod(
                lambda cls, p, x, step, certain=0.0: LATTICE(np.asarray(p), np.asarray(x) - step / 2, step, certain)
            ),
        ),
        lambda: test_composition.test_the_convolution_of_a_finite_channel_is_its_enumeration(2),
    ),
    Mistake(
        "a sampler with another law: geometric noise that is zero twice as often",
        (GEOMETRIC, "privatize", one_sided_geometric),
        law(conformance.privatize_follows_the_law, GEOMETRIC),
    ),
    Mistake(
        "a variance: one uniform number for everybody",
        (plateaus, "uniform_sums", lambda many, rng: many * rng.random(many.shape)),
        law(conformance.estimates_have_the_stated_mean_and_variance, PIECEWISE),
    ),
    Mistake(
        "an approximation: a bound on an approximation that bounds nothing",
        (means_drawing, "BERRY_ESSEEN", 1e-9),
        lambda: test_means_experiments.test_the_bound_on_the_normal_approximation_holds_at_a_million_people(1.0),
    ),
)


def hidden_answer() -> None:
    """What a total of many questions costs, as a reader of other scenes would name it while people predict."""
    test_predicting.pool.cache_clear()
    try:
        test_predicting.test_a_reader_of_other_scenes_names_a_predicted_number_no_better_than_one_who_sees_nothing(
            "budget.totals"
        )
    finally:
        test_predicting.pool.cache_clear()


SCREEN = (
    Mistake(
        "a sentence: per cent times a hundred",
        (numerals, "percentage", lambda share, digits=2: PERCENT(100 * share, digits)),
        test_counting_page.test_the_answer_states_the_exact_error_and_both_shares,
    ),
    Mistake(
        "a picture: axes swapped",
        (marks, "line", lambda x, y, name, color=marks.THEORY, **more: LINE(y, x, name, color, **more)),
        test_counting_page.test_the_bells_stand_one_person_apart_around_the_true_answer,
    ),
    Mistake(
        "a cache: a cache key that forgets the class",
        (cache, "fingerprint", classless),
        test_cache.test_two_questions_with_equal_fields_do_not_share_an_answer,
    ),
    Mistake(
        "what is escaped: data not escaped",
        (catalogue, "_ESCAPES", dict.fromkeys(catalogue._ESCAPES, str)),
        test_catalogue.test_data_show_as_written_wherever_they_land,
    ),
    Mistake(
        "what is masked: facts that are not masked",
        (Prediction, "mask", lambda self, known: facts.plain(known)),
        hidden_answer,
    ),
)

VECTORS = (
    Mistake(
        "a shortcut with another law: corners that agree by a fair coin",
        (Cap, "agreements", lambda self: fair(self.d)),
        law(conformance.user_by_user_agrees_with_the_aggregate, HypercubeSampling),
    ),
    Mistake(
        "a fast way that is not the plain one: a wave that reaches one cell too far",
        (WaveInBins, "flat", property(lambda self: len(self.band) - 1)),
        lambda: test_waves.test_the_matrix_that_is_never_made_is_the_explicit_one(1.0, 16),
    ),
)

LATTICE = losses.Lattice.of_outcomes
PERCENT, LINE = numerals.percentage, marks.line
assert grr  # the module is patched through its classes


@pytest.mark.parametrize("mistake", CORE + NUMBERS + VECTORS + SCREEN, ids=str)
def test_a_planted_mistake_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch, TypeError)  # a truth refuses to be written at all
