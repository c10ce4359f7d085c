"""What follows the unbiased estimate: which rules coincide, what each promises, and what each costs in bias."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

from ldpcore.estimating.adviser import candidates, comparable
from ldpcore.estimating.estimators import (
    POSTPROCESSORS,
    BaseCut,
    Clip,
    ClipRenormalize,
    ErrorSplit,
    MaximumLikelihood,
    Norm,
    NormMul,
    NormSub,
    PostProcessor,
    Raw,
    SimplexProjection,
)
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.rationing import shared
from tests.statistics import accept_normal

SLUGS = [rule.slug for rule in POSTPROCESSORS]
every_rule = pytest.mark.parametrize("rule", POSTPROCESSORS, ids=SLUGS)


def raw_estimates(randomizer: CategoryRandomizer, population: Population, repeats: int, seed: int = 1) -> np.ndarray:
    return randomizer.estimate(randomizer.sample_tally(population, np.random.default_rng(seed), repeats))


def test_every_rule_is_named_once_and_says_its_formula_and_source() -> None:
    assert len(set(SLUGS)) == len(SLUGS) >= 9
    assert len({fingerprint(rule) for rule in POSTPROCESSORS}) == len(SLUGS)
    for rule in POSTPROCESSORS:
        assert rule.title and "f'" in rule.formula and len(rule.reference) > 20 and "=" in (type(rule).__doc__ or "")


def enumerated(oracle: FrequencyOracle, values: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Every tally that these people's reports can give, as raw estimates (k, ways), and the chance of each way."""
    channel = oracle.channel()
    assert channel.supports is not None
    ways, chances = np.zeros((oracle.k, 1)), np.ones(1)
    for value in values:
        ways = (ways[:, :, None] + channel.supports.T[:, None, :]).reshape(oracle.k, -1)
        chances = (chances[:, None] * channel.matrix[value]).ravel()
    return (ways / len(values) - oracle.q) / oracle.gap, chances


@every_rule
def test_a_rule_is_unbiased_exactly_where_it_says_so(rule: PostProcessor) -> None:
    """By enumeration of every report of three people; what is unbiased is never worse than the raw estimate."""
    biased = 0.0
    for oracle in (SymmetricUnaryEncoding(1.0, 3), OptimizedUnaryEncoding(0.7, 3), SubsetSelection(1.0, 4)):
        values = [0, 0, 2]
        truth = np.bincount(values, minlength=oracle.k) / 3
        raw, chances = enumerated(oracle, values)
        assert np.allclose(raw @ chances, truth, atol=1e-12)
        processed = rule.apply(raw, oracle, 3)
        bias = float(np.abs(processed @ chances - truth).max())
        biased = max(biased, bias)
        if rule.unbiased:
            assert bias < 1e-12, (rule, oracle)
            errors = [((each - truth[:, None]) ** 2).sum(axis=0) @ chances for each in (processed, raw)]
            assert errors[0] <= errors[1] + 1e-12
    assert rule.unbiased == (biased < 1e-12), (rule, biased)


def test_the_additive_rule_saves_the_kth_part_of_the_error_where_values_are_supported_independently() -> None:
    for oracle, values in ((SymmetricUnaryEncoding(1.0, 3), [0, 0, 2]), (OptimizedUnaryEncoding(2.0, 4), [1, 3, 3])):
        truth = np.bincount(values, minlength=oracle.k) / 3
        raw, chances = enumerated(oracle, values)
        errors = [((each - truth[:, None]) ** 2).sum(axis=0) @ chances for each in (Norm().apply(raw, oracle, 3), raw)]
        assert math.isclose(errors[0], (1 - 1 / oracle.k) * errors[1], rel_tol=1e-9)


@every_rule
def test_a_rule_treats_every_repetition_alone_and_leaves_its_input_untouched(rule: PostProcessor) -> None:
    for randomizer in candidates(1.0, 12):
        if not rule.fits(randomizer):
            continue
        population = Population.zipf(12, 3000)
        raw = raw_estimates(randomizer, population, 7)
        before = raw.copy()
        together = rule.apply(raw, randomizer, population.n)
        assert np.array_equal(raw, before) and together.shape == raw.shape
        alone = np.stack([rule.apply(column, randomizer, population.n) for column in raw.T], axis=1)
        assert np.allclose(together, alone, rtol=0, atol=1e-10)


@every_rule
def test_mean_squared_error_is_bias_squared_plus_variance(rule: PostProcessor) -> None:
    for randomizer in candidates(1.0, 20):
        if rule.fits(randomizer):
            population = Population.zipf(20, 5000)
            processed = rule.apply(raw_estimates(randomizer, population, 200), randomizer, population.n)
            split = ErrorSplit.of(processed, population.shares)
            assert np.allclose(split.bias**2 + split.variance, split.mean_squared_error, rtol=1e-9, atol=1e-18)


def test_only_the_raw_estimate_is_unbiased() -> None:
    # 4 000 repetitions, normal bound of a mean of 4 000 nearly normal estimates, rate 1e-10 for each of the 20 values.
    oracle, population = GeneralizedRandomizedResponse(1.0, 20), Population.zipf(20, 5000)
    raw = raw_estimates(oracle, population, 4000)
    split = ErrorSplit.of(Raw().apply(raw, oracle, population.n), population.shares)
    exact = np.sqrt(oracle.variance(population) / 4000)
    assert all(accept_normal(bias, 0.0, error) for bias, error in zip(split.bias, exact, strict=True))
    for rule in (Clip(), ClipRenormalize(), NormSub(), BaseCut(), MaximumLikelihood()):
        split = ErrorSplit.of(rule.apply(raw, oracle, population.n), population.shares)
        assert (np.abs(split.bias) > 8 * split.bias_error).any(), rule.slug


@pytest.mark.parametrize(("exponent", "shrinkage"), shared([(1.0, 0.1285), (1.1, 0.1560), (1.2, 0.1858)], 2))
def test_clip_and_renormalize_shrinks_the_most_frequent_value(exponent: float, shrinkage: float) -> None:
    # 20 000 repetitions: the standard error is 0.00017, so that three decimals are certain (6 of them are 0.001).
    oracle, population = GeneralizedRandomizedResponse(1.0, 100), Population.zipf(100, 10_000, exponent)
    processed = ClipRenormalize().apply(raw_estimates(oracle, population, 20_000), oracle, population.n)
    split = ErrorSplit.of(processed, population.shares)
    assert abs(-split.bias[0] - shrinkage) < 0.001 + 6 * split.bias_error[0]


def test_norm_sub_is_the_projection_on_the_simplex() -> None:
    rng = np.random.default_rng(3)
    oracle = GeneralizedRandomizedResponse(1.0, 30)
    for scale in (0.01, 0.3, 5.0):
        raw = rng.normal(1 / 30, scale, (30, 300))
        one, other = NormSub().apply(raw, oracle, 1), SimplexProjection().apply(raw, oracle, 1)
        assert np.allclose(one, other, rtol=0, atol=1e-12)
        assert np.allclose(one.sum(axis=0), 1) and (one >= 0).all()
        # The variational inequality of a projection onto a convex set, at every corner of the simplex.
        inner = ((raw - one) * one).sum(axis=0)
        assert ((raw - one).max(axis=0) <= inner + 1e-9).all()


def test_norm_mul_is_clip_and_renormalize() -> None:
    raw = np.random.default_rng(4).normal(0.1, 0.3, (10, 200))
    oracle = GeneralizedRandomizedResponse(1.0, 10)
    assert np.array_equal(NormMul().apply(raw, oracle, 1), ClipRenormalize().apply(raw, oracle, 1))


def test_projection_never_loses_squared_error() -> None:
    for randomizer in candidates(0.5, 16):
        population = Population.zipf(16, 1000)
        raw = raw_estimates(randomizer, population, 500)
        truth = population.shares[:, None]
        projected = SimplexProjection().apply(raw, randomizer, population.n)
        assert (((projected - truth) ** 2).sum(axis=0) <= ((raw - truth) ** 2).sum(axis=0) + 1e-12).all()


def test_norm_sums_to_one_and_clip_is_never_negative() -> None:
    raw = np.random.default_rng(5).normal(0.1, 0.3, (10, 200))
    oracle = GeneralizedRandomizedResponse(1.0, 10)
    assert np.allclose(Norm().apply(raw, oracle, 1).sum(axis=0), 1)
    assert (Clip().apply(raw, oracle, 1) >= 0).all()


def test_nothing_positive_becomes_uniform() -> None:
    oracle = GeneralizedRandomizedResponse(1.0, 4)
    for rule in (ClipRenormalize(), NormSub(), SimplexProjection()):
        assert np.allclose(rule.apply(np.full(4, -0.3), oracle, 10), 0.25), rule.slug


def test_base_cut_keeps_no_value_that_nobody_holds_more_often_than_it_says() -> None:
    # All hold value 0 of 50; over 2 000 repetitions any of the 49 others survives in at most 5 % of them, up to six
    # standard errors and the skewness of the counts.
    oracle, population = GeneralizedRandomizedResponse(1.0, 50), Population.two_point(50, 100_000, 0.0)
    kept = BaseCut(0.95).apply(raw_estimates(oracle, population, 2000), oracle, population.n)
    assert (kept[1:] > 0).any(axis=0).mean() <= 0.05 + 6 * math.sqrt(0.05 * 0.95 / 2000) + 0.01
    assert (kept[0] > 0.9).all()


def iterative_bayesian_update(reports: np.ndarray, channel: np.ndarray, steps: int) -> np.ndarray:
    """EM itself: f_v ← Σ_y (reports of y) f_v Q(y|v)/Σ_u f_u Q(y|u), over n."""
    shares = np.full(len(channel), 1 / len(channel))
    for _ in range(steps):
        shares = shares * (channel @ (reports / (shares @ channel))) / reports.sum()
    return shares


def test_maximum_likelihood_is_the_limit_of_em_where_reports_name_one_value() -> None:
    for oracle, counts in (
        (GeneralizedRandomizedResponse(1.0, 6), [300, 200, 100, 40, 0, 0]),
        (GeneralizedRandomizedResponse(2.5, 4), [500, 1, 0, 0]),
        (RandomizedResponse(1.0), [80, 5]),
    ):
        population = Population.of_categories(counts)
        for seed in shared(range(5), 5, oracle.k):
            tally = oracle.sample_tally(population, np.random.default_rng(seed))
            direct = MaximumLikelihood().apply(oracle.estimate(tally), oracle, population.n)
            by_em = iterative_bayesian_update(tally.counts, oracle.channel().matrix, 50_000)
            assert MaximumLikelihood.is_exact(oracle)
            assert np.allclose(direct, by_em, rtol=0, atol=3e-4), (oracle, seed)
            assert math.isclose(direct.sum(), 1, rel_tol=1e-12) and (direct >= 0).all()


def test_maximum_likelihood_maximizes_the_product_of_margins_elsewhere() -> None:
    others = [
        oracle
        for oracle in candidates(1.0, 5)
        if isinstance(oracle, FrequencyOracle) and not MaximumLikelihood.is_exact(oracle)
    ]
    assert others
    for oracle in others:
        tally = oracle.sample_tally(Population.of_categories([400, 200, 20, 0, 0]), np.random.default_rng(2))
        c = tally.counts / tally.n

        def loss(f: np.ndarray, c: np.ndarray = c, oracle: FrequencyOracle = oracle) -> float:
            x = oracle.q + oracle.gap * f
            return -float((c * np.log(x) + (1 - c) * np.log1p(-x)).sum())

        direct = MaximumLikelihood().apply(oracle.estimate(tally), oracle, tally.n)
        found = optimize.minimize(
            loss,
            np.full(5, 0.2),
            bounds=[(0, 1)] * 5,
            constraints={"type": "eq", "fun": lambda f: f.sum() - 1},
            options={"ftol": 1e-14},
        )
        assert loss(direct) <= found.fun + 1e-9, oracle
        assert math.isclose(direct.sum(), 1, rel_tol=1e-9) and (direct >= 0).all()


def test_maximum_likelihood_is_refused_for_reports_that_support_nothing() -> None:
    for randomizer in candidates(1.0, 5):
        if not isinstance(randomizer, FrequencyOracle):
            assert not MaximumLikelihood().fits(randomizer)
            with pytest.raises(ParameterError, match="support values"):
                MaximumLikelihood().apply(np.full(5, 0.2), randomizer, 10)


@every_rule
def test_a_rule_survives_extremes(rule: PostProcessor) -> None:
    for epsilon in (1e-6, 50.0):
        for k in (2, 1000):
            for place, randomizer in enumerate(comparable(epsilon, k)):
                for n in shared((1, 10**9), 2, place + (epsilon > 1) + (k > 2)):
                    if rule.fits(randomizer):
                        raw = raw_estimates(randomizer, Population.zipf(k, n), 2)
                        assert np.isfinite(rule.apply(raw, randomizer, n)).all(), (randomizer, n)
