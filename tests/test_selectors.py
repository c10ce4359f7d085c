"""A curator's choice among candidates: the noise behind it by quadrature, simulation, and which of two is better."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from ldpcore.mechanisms.exponential import ExponentialMechanism
from ldpcore.mechanisms.noisymax import ReportNoisyMax

SCORES = np.array([0.0, 3.0, 2.5, -4.0])


def by_quadrature(scores: np.ndarray, law: stats.rv_continuous) -> np.ndarray:
    """P(the noisy score of r is largest) = ∫ f(z - q_r) Π F(z - q_j) dz."""
    found = []
    for place, own in enumerate(scores):
        others = np.delete(scores, place)

        def density(z: float, own: float = own, others: np.ndarray = others) -> float:
            return float(law.pdf(z - own) * np.prod(law.cdf(z - others)))

        edges = sorted({scores.min() - 30, *scores, scores.max() + 5, scores.max() + 60})
        found.append(sum(integrate.quad(density, *ends, limit=200)[0] for ends in itertools.pairwise(edges)))
    return np.array(found)


def test_the_exponential_mechanism_is_gumbel_noise_on_every_score() -> None:
    exact = by_quadrature(SCORES, stats.gumbel_r(scale=2.0))
    assert ExponentialMechanism(1.0, 4).probabilities(SCORES) == pytest.approx(exact, abs=1e-7)
    assert ExponentialMechanism(2.0, 4, 2.0).probabilities(SCORES) == pytest.approx(exact, abs=1e-7)


def test_report_noisy_max_is_exponential_noise_on_every_score() -> None:
    exact = by_quadrature(SCORES, stats.expon(scale=2.0))
    assert ReportNoisyMax(1.0, 4).probabilities(SCORES) == pytest.approx(exact, abs=1e-7)


def test_report_noisy_max_is_permute_and_flip() -> None:
    """In random order, each candidate is taken with probability p_j; whoever is best is taken for certain."""
    flips = np.exp((SCORES - SCORES.max()) / 2)
    exact = np.zeros(4)
    for order in itertools.permutations(range(4)):
        left = 1 / math.factorial(4)
        for place in order:
            exact[place] += left * flips[place]
            left *= 1 - flips[place]
    assert ReportNoisyMax(1.0, 4).probabilities(SCORES) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("selector", [ExponentialMechanism(1.0, 5), ReportNoisyMax(1.0, 5)], ids=lambda one: one.slug)
def test_the_chance_of_the_right_category_is_that_of_many_choices(selector: ExponentialMechanism) -> None:
    scores = np.array([12, 9, 9, 3, 0])
    hits = int((selector.select(scores, np.random.default_rng(3), 200_000) == 0).sum())
    law = stats.binom(200_000, selector.probabilities(scores)[0])
    assert min(law.cdf(hits), law.sf(hits - 1)) >= 5e-10  # two-sided, rate 1e-9


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
def test_report_noisy_max_is_never_worse_than_the_exponential_mechanism(epsilon: float) -> None:
    rng = np.random.default_rng(2)
    for k in (2, 3, 10, 100):
        for spread in (0.1, 3.0, 100.0):
            scores = spread * rng.standard_normal(k)
            noisy, exponential = ReportNoisyMax(epsilon, k), ExponentialMechanism(epsilon, k)
            far, near = exponential.probabilities(scores), noisy.probabilities(scores)
            lost, best = scores.max() - scores, scores.argmax()
            assert near @ lost <= far @ lost * (1 + 1e-9) + 1e-12 and near[best] >= far[best] - 1e-12


def test_scores_of_a_million_do_not_overflow_and_equal_ones_are_chosen_evenly() -> None:
    for kind in (ExponentialMechanism, ReportNoisyMax):
        assert kind(10.0, 3).probabilities([1e6, -1e6, 0.0]) == pytest.approx([1, 0, 0])
        assert kind(10.0, 3).probabilities([1e6, 1e6, 1e6]) == pytest.approx([1 / 3] * 3)
        assert kind(1e-9, 3).probabilities([1e6, 0, 0]) == pytest.approx([1 / 3] * 3, rel=1e-3)


def test_the_chosen_score_is_as_near_to_the_best_as_the_theorem_says() -> None:
    """With probability 1 - β within (2Δ/ε) ln(k/β) of it. Dwork, Roth (2014), corollary 3.12."""
    for kind in (ExponentialMechanism, ReportNoisyMax):
        scores = np.linspace(0, 60, 20)
        for beta in (0.5, 0.1, 0.01):
            far = scores.max() - scores > 2 * math.log(20 / beta)
            assert kind(1.0, 20).probabilities(scores)[far].sum() <= beta
