"""One bit from each: what exercises about a function φ tell, by channels, enumeration, quadrature and programs."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ldpcore.experiments.distinguish import WorldPair, members
from ldpcore.experiments.exercises.bit import (
    FOUR,
    LEFT_LEVELS,
    LEVELS,
    PRESETS,
    BitAboutSpread,
    BitAboutTwo,
    BitEstimate,
    LeftByChannel,
    ReportModulus,
    best_function,
    bit_size,
    preset_values,
    read_phi,
    report_modulus,
)
from ldpcore.laws.contraction import pushed
from ldpcore.laws.divergences import squared_hellinger, total_variation
from ldpcore.limits.moduli import bounded_hellinger
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.parameters import ParameterError
from ldpcore.refusals import Refusal
from tests.cases import for_each
from tests.rationing import crossed, shared

ENDS = (0.01, 1.0, 10.0)
RNG = np.random.default_rng(7)
PAIRS = [FOUR, WorldPair.bells(1.0, 8), WorldPair.people(2), WorldPair.coins(0.3, 0.3)] + [
    WorldPair.weights(*RNG.exponential(size=(2, k)).tolist()) for k in (2, 3, 5, 12)
]
TYPED = [tuple(each) for each in RNG.uniform(-1, 1, (20, 4)).tolist()]


def channel(phi: tuple[float, ...], epsilon: float) -> np.ndarray:
    """The two columns of a report about φ, straight from the definition."""
    size = max(map(abs, phi)) * (math.exp(epsilon) + 1) / math.expm1(epsilon)
    plus = (1 + np.asarray(phi) / size) / 2
    return np.column_stack([plus, 1 - plus])


# A function of one's own


@for_each("epsilon", ENDS)
@for_each("phi", [*(preset_values(name, 4) for name in PRESETS), *TYPED])
def test_two_laws_after_one_bit_are_as_far_apart_as_their_means_of_any_function(
    phi: tuple[float, ...], epsilon: float
) -> None:
    result = BitAboutTwo(epsilon, FOUR, phi).run()
    reports = [pushed(np.asarray(law), channel(phi, epsilon)) for law in (FOUR.first, FOUR.second)]
    assert result.left == pytest.approx(total_variation(*reports), abs=1e-12)
    assert result.left == pytest.approx(
        abs(result.means[0] - result.means[1]) / (2 * bit_size(phi, epsilon)), abs=1e-12
    )
    assert result.left <= result.bound + 1e-12


@for_each("epsilon", ENDS)
@for_each("phi", TYPED)
def test_a_bit_about_any_function_keeps_the_level_and_attains_it_where_both_ends_are_reached(
    phi: tuple[float, ...], epsilon: float
) -> None:
    for values in (phi, (max(map(abs, phi)), *phi, -max(map(abs, phi)))):
        ratios = [math.log(a / b) for column in channel(values, epsilon).T for a in column for b in column]
        assert max(ratios) <= epsilon * (1 + 1e-9) + 1e-12
    assert max(ratios) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("times", [0.5, 0.01])
def test_a_multiple_of_a_function_is_asked_by_the_same_channel(times: float) -> None:
    for phi in TYPED:
        less = tuple(times * each for each in phi)
        assert channel(less, 1.0) == pytest.approx(channel(phi, 1.0), rel=1e-12)
        assert BitAboutTwo(1.0, FOUR, less).run().left == pytest.approx(BitAboutTwo(1.0, FOUR, phi).run().left)
        one, other = BitEstimate(1.0, FOUR.first, phi, 50).run(), BitEstimate(1.0, FOUR.first, less, 50).run()
        assert other.spread == pytest.approx(times * one.spread)
        assert other.plus == pytest.approx(one.plus)


@pytest.mark.parametrize("pair", PAIRS)
def test_the_program_finds_the_best_function_and_its_dual_proves_that_there_is_no_better(pair: WorldPair) -> None:
    found = best_function(pair.first, pair.second)
    gap = np.subtract(pair.first, pair.second)
    by_signs = max(float(np.array(signs) @ gap) / 2 for signs in product((-1, 1), repeat=pair.k))
    assert found.attained == pytest.approx(found.bound, abs=1e-12)
    assert found.attained == pytest.approx(by_signs, abs=1e-12)
    assert found.bound == pytest.approx(total_variation(pair.first, pair.second), abs=1e-12)
    assert set(found.values) <= {-1.0, 1.0}
    for phi in np.random.default_rng(1).uniform(-1, 1, (200, pair.k)):
        assert float(phi @ gap) / 2 <= found.bound + 1e-12


@pytest.mark.parametrize("epsilon", ENDS)
def test_no_channel_of_the_level_leaves_more_than_a_bit_about_the_best_function(epsilon: float) -> None:
    """A thousand channels with four reports, each ¼(1 ± tanh(ε/2)) or mixed of such: none leaves more, for certain."""
    rng, most = np.random.default_rng(2), BitAboutTwo(epsilon, FOUR, preset_values("even", 4)).run().most
    patterns = np.array([signs for signs in product((-1, 1), repeat=4) if sum(signs) == 0])
    largest = 0.0
    for mixed in (1, 3):
        for _ in range(500):
            weights = rng.dirichlet(np.ones(mixed), 4)
            signs = np.einsum("am,amz->az", weights, patterns[rng.integers(0, len(patterns), (4, mixed))])
            rows = (1 + math.tanh(epsilon / 2) * signs) / 4
            assert (rows.max(axis=0) / rows.min(axis=0)).max() <= math.exp(epsilon) * (1 + 1e-9)
            left = total_variation(*(pushed(np.asarray(law), rows) for law in (FOUR.first, FOUR.second)))
            assert left <= most + 1e-12
            largest = max(largest, left)
    assert largest > 0.9 * most


def test_the_numbers_of_four_answers_are_those_of_the_text() -> None:
    left = {name: BitAboutTwo(1.0, FOUR, preset_values(name, 4)).run() for name in PRESETS}
    assert left["even"].left == pytest.approx(0.8 / 3 * math.tanh(0.5))
    assert left["last"].left == pytest.approx(0.3 * math.tanh(0.5))
    assert left["middle"].left == 0
    assert left["middle"].most == pytest.approx(0.4 * math.tanh(0.5))
    assert left["even"].curve(best=True) == pytest.approx(0.4 * np.tanh(LEVELS / 2))
    assert left["even"].apart == pytest.approx(0.4)


@pytest.mark.parametrize("k", range(2, 13))
def test_every_preset_has_a_value_for_every_answer_and_is_a_function_that_can_be_asked(k: int) -> None:
    for name in PRESETS:
        phi = preset_values(name, k)
        assert len(phi) == k and max(map(abs, phi)) == 1
        assert BitAboutTwo(1.0, WorldPair.bells(1.0, k), phi).run().left <= math.tanh(0.5)
    assert preset_values("even", k)[::-1] == pytest.approx([-each for each in preset_values("even", k)])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("-1 0 0,5 1", (-1, 0, 0.5, 1)),
        ("−1;0.25|0 1", (-1, 0.25, 0, 1)),
        ("  1, -1, 1, -1 ", (1, -1, 1, -1)),
        ("1e-3 0 0 -0", (0.001, 0, 0, 0)),
    ],
)
def test_typed_values_are_read_with_a_point_or_a_comma(text: str, values: tuple[float, ...]) -> None:
    assert read_phi(text, 4) == values


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "phi_count"),
        ("1 1 1", "phi_count"),
        ("1 " * 900, "phi_count"),
        ("0 0 0 0", "phi_zero"),
        ("2 0 0 0", "phi_outside"),
        ("nan 0 0 1", "phi_outside"),
        ("inf 0 0 1", "phi_outside"),
        ("a 0 0 1", "phi_text"),
        ("1.000.000 0 0 1", "phi_text"),
    ],
)
def test_values_that_cannot_be_asked_are_refused_by_the_rule_that_they_break(text: str, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_phi(text, 4)
    assert refused.value.key == key
    assert str(refused.value)


def test_a_question_refuses_a_function_of_another_number_of_answers() -> None:
    with pytest.raises(ParameterError):
        BitAboutTwo(1.0, FOUR, (1.0, -1.0))
    with pytest.raises(ParameterError):
        BitEstimate(1.0, FOUR.first, (1.0, -1.0), 10)


# Estimates


@for_each("n", [1, 7, 1000, 10_000])
@for_each("epsilon", ENDS)
@for_each("phi", [preset_values("even", 4), (1.0, 1.0, 1.0, 1.0), (0.5, 0.0, 0.0, -0.25)])
def test_an_estimate_is_unbiased_and_errs_by_its_standard_deviation(
    phi: tuple[float, ...], epsilon: float, n: int
) -> None:
    """Both moments of all numbers of pluses, weighted by the exact binomial law."""
    result = BitEstimate(epsilon, FOUR.first, phi, n).run()
    counts, size = np.arange(n + 1), bit_size(phi, epsilon)
    law = stats.binom.pmf(counts, n, float(np.asarray(FOUR.first) @ channel(phi, epsilon)[:, 0]))
    says = size * (2 * counts - n) / n
    assert math.fsum(law * says) == pytest.approx(result.mean, abs=1e-9 * size)
    assert math.fsum(law * (says - result.mean) ** 2) == pytest.approx(result.spread**2, rel=1e-6)
    values, chances = result.law()
    assert len(values) <= 402
    assert chances == pytest.approx(np.interp(values, says, law), rel=1e-6, abs=1e-12)
    low, high = result.mean - result.spread, result.mean + result.spread
    below, above = result.beyond(low, high)
    edge = 1e-9 * size  # a value on the edge itself belongs to either side
    assert math.fsum(law[says < low - edge]) - 1e-9 <= below <= math.fsum(law[says < low + edge]) + 1e-9
    assert math.fsum(law[says > high + edge]) - 1e-9 <= above <= math.fsum(law[says > high - edge]) + 1e-9


def test_reports_that_are_drawn_have_the_mean_and_the_error_that_are_told() -> None:
    """200 000 people by the mechanism's own channel, 200 crowds of 1 000; each within 6 standard errors: below 1e-8."""
    rng, phi = np.random.default_rng(4), np.asarray(preset_values("even", 4))
    held = rng.choice(phi, size=(200, 1000), p=FOUR.first)
    mechanism = OneBit(1.0)
    reports = mechanism.decoded(mechanism.privatize(held.ravel(), rng)).reshape(held.shape)
    estimates, result = reports.mean(axis=1), BitEstimate(1.0, FOUR.first, tuple(phi.tolist()), 1000).run()
    assert estimates.mean() == pytest.approx(result.mean, abs=6 * result.spread / math.sqrt(200))
    assert estimates.std() == pytest.approx(result.spread, rel=6 / math.sqrt(2 * 200))


# Spreads


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("deviation", [0.05, 0.5, 1.0])
def test_a_bit_about_the_square_shows_how_different_people_are_and_one_about_the_number_does_not(
    deviation: float, epsilon: float
) -> None:
    result, bit = BitAboutSpread(epsilon, deviation).run(), OneBit(epsilon)
    held = np.array([-deviation, deviation])
    assert result.plus == pytest.approx(float(np.mean(bit.chances(2 * held**2 - 1))), rel=1e-12)
    assert result.alike == pytest.approx(float(bit.chances(-1.0)), rel=1e-11)
    assert result.about_number == pytest.approx(float(np.mean(bit.chances(held))), rel=1e-12)
    assert result.plus > result.alike


@pytest.mark.parametrize(("epsilon", "deviation"), [(1.0, 0.5), (1.0, 1.0), (10.0, 0.5), (10.0, 1.0), (3.0, 0.2)])
def test_nine_guesses_of_ten_are_right_from_the_number_of_bits_that_is_told(epsilon: float, deviation: float) -> None:
    result = BitAboutSpread(epsilon, deviation).run()

    def right(n: int) -> float:
        counts = np.arange(n + 1)
        laws = [stats.binom.pmf(counts, n, chance) for chance in (result.plus, result.alike)]
        return float(np.maximum(*laws).sum()) / 2

    assert right(result.needed) >= 0.9
    assert result.needed == 1 or right(result.needed - 1) < 0.9


@pytest.mark.parametrize(("epsilon", "deviation"), [(0.01, 0.05), (1e-6, 0.1)])
def test_of_a_crowd_that_hardly_differs_a_giant_one_is_needed(epsilon: float, deviation: float) -> None:
    result = BitAboutSpread(epsilon, deviation).run()
    gap = result.plus - result.alike
    normal = (2 * stats.norm.ppf(0.9) * 0.5 / gap) ** 2
    assert result.needed == pytest.approx(normal, rel=1e-4)


def test_no_function_has_the_variance_as_its_mean() -> None:
    """Half at -1 and half at 1 have variance 1, and each of both crowds none: no mean of φ does that."""
    for phi in (np.square, np.abs, lambda x: 2 * x**2 - 1):
        ends = [float(np.mean(phi(np.array([end])))) for end in (-1.0, 1.0)]
        both = float(np.mean(phi(np.array([-1.0, 1.0]))))
        assert both == pytest.approx(sum(ends) / 2)
    assert np.var([-1, 1]) == 1 and np.var([-1]) == np.var([1]) == 0


# Moduli of reports


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("n", [1, 4, 100, 10**6])
def test_the_modulus_of_reports_is_that_of_all_pairs_of_means(n: int, epsilon: float) -> None:
    """All pairs of a grid: none within the distance differs by more, and the pair about 0 attains it."""
    result, near = ReportModulus(epsilon, n).run(), n**-0.5
    plus = (1 + np.linspace(-1, 1, 401) * math.tanh(epsilon / 2)) / 2
    apart = (np.sqrt(plus[:, None]) - np.sqrt(plus)) ** 2 + (np.sqrt(1 - plus[:, None]) - np.sqrt(1 - plus)) ** 2
    differ = np.abs(np.subtract.outer(np.linspace(-1, 1, 401), np.linspace(-1, 1, 401)))
    assert differ[apart <= near**2].max() <= result.private + 1e-9
    both = [(1 + side * result.private / 2 * math.tanh(epsilon / 2)) / 2 for side in (-1, 1)]
    distance = math.sqrt(squared_hellinger(*([chance, 1 - chance] for chance in both)))
    assert distance <= near + 1e-9
    assert result.everything or distance == pytest.approx(near, rel=1e-6)


def test_a_channel_that_tells_everything_has_the_modulus_of_the_numbers() -> None:
    distance = np.linspace(0, math.sqrt(2), 50)
    assert report_modulus(distance, 50.0) == pytest.approx(bounded_hellinger(2.0, distance), abs=1e-12)
    assert ReportModulus(1.0, 100).run().private / ReportModulus(1.0, 100).run().direct == pytest.approx(
        1 / math.tanh(0.5)
    )


# Mechanisms


@pytest.mark.parametrize(("pair", "epsilon"), crossed(PAIRS, ENDS, 3))
def test_no_mechanism_leaves_more_of_the_distance_than_its_level_allows(pair: WorldPair, epsilon: float) -> None:
    for member in shared(members(pair.k), 2 if pair.k < 5 else 4, PAIRS.index(pair)):
        result = LeftByChannel(member.slug, epsilon, pair).run()
        assert result.left <= result.bound * (1 + 1e-9) + 1e-12
        assert (result.curve <= result.apart * np.tanh(LEFT_LEVELS / 2) + 1e-12).all()
        assert (np.diff(result.curve) >= -1e-9).all() or member.slug in ("subset", "olh")  # sets jump with the level
        place = int(np.abs(np.log(LEFT_LEVELS / epsilon)).argmin())
        assert result.curve[place] == pytest.approx(result.left, abs=1e-9)


@pytest.mark.parametrize("epsilon", ENDS)
def test_randomized_response_leaves_what_its_two_chances_say_and_all_of_two_answers(epsilon: float) -> None:
    for pair in PAIRS:
        result = LeftByChannel("grr", epsilon, pair).run()
        kept = math.expm1(epsilon) / (math.exp(epsilon) + pair.k - 1)
        assert result.left == pytest.approx(kept * total_variation(pair.first, pair.second), abs=1e-12)
    two = LeftByChannel("grr", epsilon, WorldPair.coins(0.3, 0.6)).run()
    assert two.left == pytest.approx(two.bound)
