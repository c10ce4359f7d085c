"""Vectors against enumeration of every report, whole-number arithmetic, quadrature and the printed numbers."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from ldpcore import broken
from ldpcore.laws.channels import LaplaceShift, Pair, together
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.hypercube import THRESHOLD_RULES, HypercubeSampling
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.splitting import SampledCoordinates, SplitLevel
from ldpcore.numerics.tosses import subset_tallies
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.rationing import ALL, crossed, shared
from tests.statistics import accept_counts, accept_normal, accept_sample

EPSILONS = (0.1, 1.0, 4.0)


def corners(d: int) -> np.ndarray:
    return np.array(list(itertools.product((-1, 1), repeat=d)))


def weight(rule: str, epsilon: float, d: int, inner: int, cap: int) -> float:
    """The weight of a corner by its inner product with v, straight from the rule's own words."""
    above = {"lower": inner > 0, "upper": inner >= 0, "split": inner > 0, "tuned": inner > cap}[rule]
    if rule == "split" and inner == 0:
        return (math.exp(epsilon) + 1) / 2
    return math.exp(epsilon) if above else 1.0


def enumerated(rule: str, epsilon: float, d: int, cap: int = 0) -> tuple[np.ndarray, float, float]:
    """All corners, the level and 1/B, summed over every report of every corner in the most pedestrian way."""
    z = corners(d)
    law = np.array([weight(rule, epsilon, d, int(row.sum()), cap) for row in z])  # given v = (1, …, 1)
    law /= law.sum()
    return z, float(np.log(law.max()) - np.log(law.min())), float(law @ z[:, 0])


@pytest.mark.parametrize(
    ("d", "rule"), [(d, rule) for d in range(1, 11) for rule in shared(THRESHOLD_RULES, 2, d // 2)]
)
def test_level_and_scale_of_every_rule_by_enumeration(rule: str, d: int) -> None:
    for epsilon in EPSILONS:
        mechanism = HypercubeSampling(epsilon, d, rule)
        caps = range(-d, d) if rule == "tuned" else (0,)
        pulls = [enumerated(rule, epsilon, d, cap)[2] for cap in caps]
        assert mechanism.bound == pytest.approx(1 / max(pulls), rel=1e-12)
        level = enumerated(rule, epsilon, d, caps[int(np.argmax(pulls))])[1]
        assert mechanism.guarantee().epsilon == pytest.approx(level, rel=1e-12) == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize(("rule", "d"), crossed(THRESHOLD_RULES, [1, 2, 3, 5, 8 if ALL else 6]))
def test_reports_are_unbiased_and_as_spread_as_stated_for_people_between_the_corners(rule: str, d: int) -> None:
    x, y, z = np.linspace(-0.9, 0.8, d), np.linspace(0.5, -1, d), corners(d)
    for epsilon in EPSILONS:
        mechanism = HypercubeSampling(epsilon, d, rule)
        law, other = (np.exp([mechanism.log_density(row, held) for row in z]) for held in (x, y))
        assert law.sum() == pytest.approx(1, rel=1e-12)
        assert mechanism.bound * law @ z == pytest.approx(x, abs=1e-11)
        spread, laws = law @ (mechanism.bound * z - x) ** 2, mechanism.compare(x, y)
        assert spread == pytest.approx(mechanism.variance_at(x[None])[0], rel=1e-10)
        for level in (0.0, 0.3 * epsilon, 0.9 * epsilon):
            excess = max(float(np.maximum(p - math.exp(level) * q, 0).sum()) for p, q in ((law, other), (other, law)))
            assert laws.delta(level) == pytest.approx(excess, abs=1e-12)


def test_printed_scales() -> None:
    for d, split in ((2, 4.327907), (4, 5.770542), (6, 6.924651)):
        assert HypercubeSampling(1.0, d, "split").bound == pytest.approx(split, abs=5e-7)
        assert HypercubeSampling(1.0, d, "lower").bound == pytest.approx(split - 1, abs=5e-7)
    assert HypercubeSampling(1.0, 2, "upper").bound == pytest.approx(5.327907, abs=5e-7)
    assert [round(HypercubeSampling(1.0, d).bound ** 2, 2) for d in (3, 5, 7)] == [18.73, 33.30, 47.95]
    assert [SplitLevel(1.0, d).worst_variance() for d in (3, 5, 7)] == pytest.approx([72, 200, 392], rel=1e-12)
    for epsilon, d, lower, tuned in ((2, 3, 2.6261, 2.2521), (1, 7, 6.9247, 6.8995), (4, 4, 1.7662, 1.2985)):
        assert HypercubeSampling(epsilon, d, "lower").bound == pytest.approx(lower, abs=5e-5)
        assert HypercubeSampling(epsilon, d, "tuned").bound == pytest.approx(tuned, abs=5e-5)
    assert HypercubeSampling(2.0, 3, "tuned").least == 3 and HypercubeSampling(1.0, 7, "tuned").least == 5
    assert BallSampling(1.0, 3).bound == pytest.approx(4.327907, abs=5e-7)
    assert BallSampling(1.0, 1).bound == pytest.approx(1 / math.tanh(0.5), rel=1e-14)


def test_one_question_is_one_bit() -> None:
    x = np.array([[-1.0], [0.3], [0.9]])
    bit = OneBit(1.3)
    for mechanism in (
        *(HypercubeSampling(1.3, 1, rule) for rule in THRESHOLD_RULES),
        BallSampling(1.3, 1),
        SampledCoordinates(1.3, 1, "onebit"),
        SplitLevel(1.3, 1, "onebit"),
    ):
        assert mechanism.variance_at(x)[:, 0] == pytest.approx(bit.variance_at(x[:, 0]), rel=1e-12)
        assert mechanism.compare((0.3,), (-1,)).delta(0.4) == pytest.approx(bit.compare(0.3, -1.0).delta(0.4), rel=1e-9)


@pytest.mark.parametrize("rule", THRESHOLD_RULES)
def test_a_hundred_questions_against_whole_numbers(rule: str) -> None:
    """e^ε as a fraction: 1/B = Σ C(d,A)(2A-d)w(A) / (d Σ C(d,A)w(A)), without any rounding until the end."""
    d = 100
    getcontext().prec = 60
    for epsilon in (1e-6, 1.0, 10.0, 50.0):
        mechanism, e = HypercubeSampling(epsilon, d, rule), Fraction(Decimal(epsilon).exp())
        weights = [e if agree >= mechanism.least else Fraction(1) for agree in range(d + 1)]
        if rule == "split":
            weights[d // 2] = (e + 1) / 2
        ways = [math.comb(d, agree) * each for agree, each in enumerate(weights)]
        pull = sum(way * (2 * agree - d) for agree, way in enumerate(ways))
        assert mechanism.bound == pytest.approx(float(d * sum(ways) / pull), rel=1e-13)
        assert mechanism.guarantee().epsilon == pytest.approx(epsilon, rel=1e-9)


def test_the_balls_constant_against_products_of_fractions() -> None:
    """√π Γ((d+1)/2)/Γ(d/2): for odd d a product of fractions, for even d such a product times π/2."""
    for d in range(1, 101):
        product = Fraction(1)
        for step in range(d, 1, -2):
            product *= Fraction(step - 1, step - 2) if step > 2 else 1
        exact = float(product) * (math.pi / 2 if d % 2 == 0 else 1.0)
        assert BallSampling(1.0, d).constant == pytest.approx(exact, rel=1e-12), d


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_balls_law_by_quadrature_over_the_angle(d: int) -> None:
    """Mass, mean and second moments of a report along the own direction: sin^{d-2}θ is the density of the angle."""
    mechanism = BallSampling(1.4, d, 2.0)
    x = np.zeros(d)
    x[0] = 1.2
    area = integrate.quad(lambda angle: math.sin(angle) ** (d - 2), 0, math.pi)[0]
    sphere = 2 * math.pi ** (d / 2) / math.gamma(d / 2)

    def density(angle: float) -> float:
        report = np.zeros(d)
        report[:2] = math.cos(angle), math.sin(angle)
        return math.exp(mechanism.log_density(report, x)) * sphere * math.sin(angle) ** (d - 2) / area

    def moment(power: int) -> float:
        both = [
            integrate.quad(lambda a: density(a) * math.cos(a) ** power, *ends)[0]
            for ends in ((0, math.pi / 2), (math.pi / 2, math.pi))
        ]
        return sum(both)

    assert moment(0) == pytest.approx(1, rel=1e-9)
    assert mechanism.bound * moment(1) == pytest.approx(1.2, rel=1e-9)
    assert mechanism.bound**2 * moment(2) - 1.44 == pytest.approx(mechanism.variance_at(x[None])[0, 0], rel=1e-9)


def test_directions_of_reports_follow_the_ball() -> None:
    """60 000 reports: unit length; the size of the own part follows its beta law; the side its coin (1e-9 each)."""
    d = 4
    mechanism, x = BallSampling(1.0, d), np.array([0.3, -0.4, 0.2, 0.1])
    reports = mechanism.privatize(np.tile(x, (60_000, 1)), np.random.default_rng(5))
    assert np.linalg.norm(reports, axis=1) == pytest.approx(np.ones(60_000), rel=1e-12)
    own = reports @ x / np.linalg.norm(x)
    # The square of one coordinate of the uniform direction follows Beta(1/2, (d-1)/2).
    squares = np.sort(own**2)
    assert accept_sample(squares, stats.beta(0.5, (d - 1) / 2).cdf(squares))
    side = (1 + float(np.linalg.norm(x)) * math.tanh(0.5)) / 2
    assert accept_counts(np.array([(own > 0).sum(), (own < 0).sum()]), np.array([side, 1 - side]))
    across = reports @ np.array([0.4, 0.3, 0, 0]) / 0.5  # any direction at right angles is even on both sides
    assert accept_counts(np.array([(across > 0).sum(), (across < 0).sum()]), np.array([0.5, 0.5]))


def test_corners_are_drawn_as_often_as_the_definition_says() -> None:
    for seed, (rule, d) in enumerate(itertools.product(THRESHOLD_RULES, (2, 3, 4))):
        mechanism, x = HypercubeSampling(1.2, d, rule), np.linspace(-0.9, 0.7, d)
        reports = mechanism.privatize(np.tile(x, (60_000, 1)), np.random.default_rng(seed))
        places = (reports > 0) @ (1 << np.arange(d)[::-1])
        law = np.exp([mechanism.log_density(z, x) for z in corners(d)])
        assert accept_counts(np.bincount(places, minlength=2**d), law), (rule, d)


def test_subset_tallies_have_the_joint_law_of_subsets() -> None:
    """Two subsets of two places of four, and one of three: every joint tally by enumeration (rate 1e-9)."""
    law: dict[tuple[int, ...], float] = {}
    pairs, triples = (list(itertools.combinations(range(4), size)) for size in (2, 3))
    for chosen in itertools.product(pairs, pairs, triples):
        tally = tuple(sum(place in one for one in chosen) for place in range(4))
        law[tally] = law.get(tally, 0) + 1 / (6 * 6 * 4)
    picks = np.zeros((4, 40_000), dtype=np.int64)
    picks[2], picks[3] = 2, 1
    drawn = subset_tallies(picks, 4, np.random.default_rng(3))
    places = {tally: at for at, tally in enumerate(law)}
    observed = np.bincount([places[tuple(column)] for column in drawn.T.tolist()], minlength=len(law))
    assert accept_counts(observed, np.array(list(law.values())))


@pytest.mark.parametrize("member", [HypercubeSampling, SampledCoordinates], ids=lambda member: member.slug)
def test_the_tally_drawn_at_once_has_the_covariances_of_the_users_route(member: type) -> None:
    """Two coordinates' sums over 40 people: the variance of their sum and of their difference, both routes (1e-9)."""
    mechanism, people = member(1.0, 3), Population(np.array([[1.0, 1.0, -1.0], [0.2, -0.6, 1.0]]), np.array([25, 15]))
    at_once = mechanism.sample_tally(people, np.random.default_rng(1), 20_000).counts
    one_by_one = np.stack([mechanism.user_by_user(people, np.random.default_rng(seed)).counts for seed in range(1000)])
    for way in (np.array([1, 1, 0]), np.array([1, -1, 0]), np.array([1, 1, 1])):
        spreads = [np.var(way @ at_once, ddof=1), np.var(one_by_one @ way, ddof=1)]
        error = spreads[0] * math.sqrt(2 / 1000 + 2 / 20_000) * 1.1
        assert accept_normal(spreads[1], spreads[0], error), (way, spreads)


def test_laplace_side_by_side_against_quadrature() -> None:
    """Two coordinates at ε/2 each: E_γ over the plane; the sixty-four events of each lose less than 1 in 1 000."""
    laws = SplitLevel(1.0, 2).compare((1, 1), (-1, -1))
    scale, grid = 4.0, np.linspace(-60, 60, 2401)
    one, other = (np.exp(-np.abs(grid - x) / scale) / (2 * scale) for x in (1, -1))
    step = (grid[1] - grid[0]) ** 2
    for level in (0.0, 0.4, 0.8):
        excess = np.maximum(np.outer(one, one) - math.exp(level) * np.outer(other, other), 0).sum() * step
        assert laws.delta(level) == pytest.approx(float(excess), rel=5e-3)
    assert laws.loss() == pytest.approx(1, rel=1e-12)


def test_equal_losses_are_one_class_and_many_classes_keep_their_ends() -> None:
    bit = OneBit(0.1).compare(1, -1)
    ten = bit
    for _ in range(9):
        ten = together(ten, bit)
    assert len(ten.first) == 11 and ten.loss() == pytest.approx(1, rel=1e-12)
    assert ten.first == pytest.approx(stats.binom.pmf(np.arange(11), 10, 1 / (1 + math.exp(-0.1))), rel=1e-9)
    many = LaplaceShift(1.0, 1.0).cut()
    wide = together(together(many, many, 100), LaplaceShift(1.0, 0.37).cut(), 100)
    assert len(wide.first) == 100 and wide.loss() == pytest.approx(2.37, rel=1e-12)
    assert isinstance(wide, Pair) and wide.first.sum() == pytest.approx(1, rel=1e-12)


def test_how_many_coordinates_are_asked_for() -> None:
    assert [SampledCoordinates(epsilon, 10).m for epsilon in (0.1, 2.5, 4.99, 5.0, 7.5, 50.0)] == [1, 1, 1, 2, 3, 10]
    assert SampledCoordinates(50.0, 3).m == 3
    for m, epsilon in ((1, 1.0), (2, 6.0)):
        mechanism = SampledCoordinates(epsilon, 4, "onebit")
        reports = mechanism.privatize(np.zeros((100, 4)), np.random.default_rng(1))
        assert ((~np.isnan(reports)).sum(axis=1) == m).all()


def test_the_printed_rule_for_even_dimensions_leaks_and_the_odd_one_does_not() -> None:
    assert broken.TiesInBothHalves(1.0, 2).guarantee().epsilon == pytest.approx(1.3133, abs=5e-5)
    for d in (2, 4, 6, 10, 100):
        for epsilon in (0.1, 1.0, 5.0):
            level = broken.TiesInBothHalves(epsilon, d).guarantee().epsilon
            assert level == pytest.approx(math.log(math.exp(epsilon) + 1), rel=1e-9)
    for d in (2, 4, 6):
        z = corners(d)
        inner = z.sum(axis=1)
        halves = [(inner >= 0) / (inner >= 0).sum(), (inner <= 0) / (inner <= 0).sum()]
        law = (math.e * halves[0] + halves[1]) / (math.e + 1)
        mechanism = broken.TiesInBothHalves(1.0, d)
        assert np.exp([mechanism.log_density(row, (1,) * d) for row in z]) == pytest.approx(law, rel=1e-12)
        assert mechanism.bound * law @ z[:, 0] == pytest.approx(1, rel=1e-12)
    assert broken.TiesInBothHalves(1.0, 3).guarantee().epsilon == pytest.approx(1, rel=1e-12)


def test_the_constant_upside_down_shrinks_every_mean() -> None:
    people = Population(np.ones((1, 3)), np.array([10**9]))
    for d, shrinks in ((3, 4.0), (5, 64 / 9)):
        people = Population(np.ones((1, d)), np.array([10**9]))
        tally = broken.InvertedConstant(1.0, d).sample_tally(people, np.random.default_rng(1))
        assert broken.InvertedConstant(1.0, d).estimate(tally) * shrinks == pytest.approx(np.ones(d), abs=1e-3)


@pytest.mark.parametrize("member", [SplitLevel, SampledCoordinates, HypercubeSampling, BallSampling])
def test_no_questions_or_too_many_are_refused(member: type) -> None:
    for d in (0, -1, 101, 2.5, None):
        with pytest.raises(ParameterError, match="d must be a whole number"):
            member(1.0, d)


def test_two_vectors_that_differ_in_every_way_are_refused_and_told_why() -> None:
    mechanism = HypercubeSampling(1.0, 20)
    with pytest.raises(ParameterError, match="kinds of reports"):
        mechanism.compare(np.linspace(-1, 1, 20), np.linspace(1, -0.5, 20))
