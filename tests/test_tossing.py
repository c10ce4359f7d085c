"""The toss of a phone: whole weights with an exact law, a level that never exceeds the promise, and right estimates."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.experiments.polls import RoomAnswers, RoomRounds, Spent, spent_in_all, told_apart_after
from ldpcore.laws.channels import Finite
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.parameters import ParameterError
from ldpcore.protocols.tossing import (
    TOSS_BARS,
    UNIT,
    BitToss,
    PieceToss,
    Report,
    SetToss,
    Toss,
    among,
    best_toss,
    logarithm,
    of_shape,
    power,
)
from ldpcore.refusals import Refusal
from tests.cases import for_each
from tests.rationing import shared

LEVELS = np.geomspace(0.01, 10, 200).tolist()
SETS = [(2, 1), (5, 1), (12, 1), (5, 2), (12, 3), (12, 6)]


def tosses(epsilon: float) -> list[Toss]:
    """Every kind of toss at a level."""
    sets: list[Toss] = [SetToss.at(epsilon, k, size) for k, size in SETS]
    return [
        *sets,
        BitToss.at(epsilon, 1),
        BitToss.at(epsilon, 100),
        PieceToss.at(epsilon, 24),
        PieceToss.at(epsilon, 100),
    ]


SMALL: list[Toss] = [
    SetToss(2, 1, 3, 1),
    SetToss(5, 1, 7, 2),
    SetToss(5, 2, 7, 2),
    SetToss(6, 3, 5, 3),
    BitToss(4, 3, 2),
    PieceToss(4, 3, 5, 7, 2),
    PieceToss(1, 1, 1, 3, 1),
]


@for_each("epsilon", LEVELS)
def test_rounding_never_exceeds_the_promised_level_and_hardly_falls_short_of_it(epsilon: float) -> None:
    for toss in tosses(epsilon):
        assert toss.keeps(epsilon) and toss.level <= epsilon, toss
        assert toss.level == pytest.approx(epsilon, rel=1e-6, abs=0), toss
        assert toss.total <= UNIT


@for_each("epsilon", LEVELS[::10])
def test_a_weight_rounded_the_other_way_would_break_the_promise(epsilon: float) -> None:
    for k, size in SETS:
        toss = SetToss.at(epsilon, k, size)
        assert not SetToss(k, size, toss.near + 1, toss.far).keeps(epsilon) if toss.total + 924 < UNIT else True
    bit, piece = BitToss.at(epsilon, 100), PieceToss.at(epsilon, 100)
    assert not Fraction(bit.least + bit.steps * (bit.step + 1), bit.least) <= power(epsilon)
    assert not Fraction(piece.near + 1, piece.far) <= power(epsilon)


def test_levels_without_end_stay_finite() -> None:
    for epsilon in (1e-6, 36.0, 50.0):
        for toss in tosses(epsilon):
            assert toss.keeps(epsilon) and 0 < toss.level <= epsilon


@pytest.mark.parametrize("toss", SMALL, ids=str)
def test_laid_side_by_side_the_weights_give_exactly_the_law(toss: Toss) -> None:
    for answer in range(toss.answers):
        drawn = Counter(toss.report(answer, draw) for draw in range(toss.total))
        law = dict(toss.law(answer))
        assert sum(law.values()) == 1
        assert {report: Fraction(times, toss.total) for report, times in drawn.items()} == law
        assert all(toss.admits(report) for report in law)


@pytest.mark.parametrize("toss", [*SMALL, SetToss.at(1.1, 12, 3), BitToss.at(0.3, 100)], ids=str)
def test_the_level_is_the_largest_ratio_of_any_report_under_any_two_answers(toss: Toss) -> None:
    laws = [dict(toss.law(answer)) for answer in range(toss.answers)]
    largest = max(one[report] / other[report] for one, other in product(laws, laws) for report in one)
    assert largest == toss.ratio
    assert toss.level == pytest.approx(math.log(largest), rel=1e-14)


@pytest.mark.parametrize(("k", "size"), SETS[:5])
@pytest.mark.parametrize("epsilon", [0.1, 1.1, 4.0])
def test_sets_have_the_channel_of_the_registered_mechanism(epsilon: float, k: int, size: int) -> None:
    toss = SetToss.at(epsilon, k, size)
    mechanism = toss.mechanism
    assert isinstance(mechanism, SubsetSelection if size > 1 else DirectAnswer)
    channel: Finite = mechanism.channel()
    for answer in range(k):
        law = dict(toss.law(answer))
        theirs = {
            report if isinstance(report, tuple) else (report,): chance
            for report, chance in zip(channel.reports, channel.matrix[answer], strict=True)
        }
        assert theirs.keys() == law.keys()
        assert all(theirs[report] == pytest.approx(float(law[report]), rel=1e-12) for report in law)


@pytest.mark.parametrize("epsilon", [0.1, 1.1, 4.0])
def test_a_bit_has_the_channel_of_the_registered_mechanism(epsilon: float) -> None:
    toss = BitToss.at(epsilon, 100)
    for answer in (0, 1, 37, 50, 100):
        chance = float(toss.mechanism.chances(2 * answer / 100 - 1))
        assert float(dict(toss.law(answer))[1]) == pytest.approx(chance, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.1, 2.0, 5.0])
def test_a_piece_has_the_law_of_the_registered_mechanism_but_for_its_grid(epsilon: float) -> None:
    toss = PieceToss.at(epsilon, 10)
    mechanism = PiecewiseMechanism(toss.level)
    for answer in (0, 3, 10):
        x, start = 2 * answer / 10 - 1, toss.stride * answer
        for cell in range(0, toss.cells, toss.cells // 50):
            inside = min(max(cell - start, 0), toss.width)
            below = Fraction(inside * toss.near + (cell - inside) * toss.far, toss.total)
            edge = (2 * cell / toss.cells - 1) * mechanism.reach
            assert float(below) == pytest.approx(float(mechanism.cdf(edge, x)), abs=1e-4)


@pytest.mark.parametrize("toss", [*SMALL, *[SetToss.at(1.1, k, size) for k, size in SETS], BitToss.at(1.0, 7)], ids=str)
def test_the_estimate_from_one_report_is_right_on_average(toss: Toss) -> None:
    for answer in range(toss.answers):
        mean = 0.0
        for report, chance in toss.law(answer):
            totals = [0] * toss.places
            for place, by in toss.increments(report):
                totals[place] += by
            mean = mean + float(chance) * np.asarray(toss.mechanism.estimate(toss.tally(totals, 1)))
        truth = np.arange(toss.answers) == answer if isinstance(toss, SetToss) else 2 * answer / toss.steps - 1  # type: ignore[attr-defined]
        assert np.asarray(mean) == pytest.approx(np.asarray(truth, dtype=float), abs=1e-10)


@pytest.mark.parametrize(
    "toss",
    [
        *(PieceToss.at(level, 20) for level in (0.5, 1.5, 3.0, 8.0)),
        best_toss(27.0, 1),
        *(best_toss(50.0, s) for s in (3, 1000)),
    ],
    ids=lambda toss: f"{toss.level:.3g}-{toss.steps}",
)
def test_a_piece_is_right_on_average_and_varies_as_its_mechanism_does(toss: PieceToss) -> None:
    """Moments of the cells by sums of consecutive numbers, which is another way than the one of `line`."""

    def powers(first: int, last: int) -> tuple[int, int]:  # Σ z and Σ z² of first … last - 1
        sums = [(m * (m - 1) // 2, (m - 1) * m * (2 * m - 1) // 6) for m in (first, last)]
        return sums[1][0] - sums[0][0], sums[1][1] - sums[0][1]

    for answer in (0, toss.steps // 3, toss.steps):
        start = toss.stride * answer
        everywhere, within = powers(0, toss.cells), powers(start, start + toss.width)
        mean, square = (
            Fraction(toss.far * all_ + (toss.near - toss.far) * own, toss.total)
            for all_, own in zip(everywhere, within, strict=True)
        )
        x = Fraction(2 * answer, toss.steps) - 1
        assert toss.decoded(mean) == x
        slope = toss.decoded(1) - toss.decoded(0)
        variance = float((square - mean**2) * slope**2)
        assert variance == pytest.approx(float(PiecewiseMechanism(toss.level).variance_at(float(x))), rel=2e-3)


def mean_error(toss: SetToss) -> float:
    """k n times the variance, averaged over all answers where they are equally frequent, from p and q alone."""
    own = float(toss.own)
    other = (toss.size - own) / (toss.k - 1)
    return (own * (1 - own) + (toss.k - 1) * other * (1 - other)) / (own - other) ** 2


def test_what_errs_less_is_chosen() -> None:
    assert [among(1.1, k).mechanism.slug for k in (2, 5, 12)] == ["rr", "grr", "subset"]
    assert [best_toss(epsilon, 100).mechanism.slug for epsilon in (0.1, 1.28, 1.30, 5.0)] == ["onebit"] * 2 + ["pm"] * 2
    for epsilon, k in product((0.1, 1.0, 3.0), (2, 5, 12)):
        chosen = among(epsilon, k)
        best = min(mean_error(SetToss.at(epsilon, k, size)) for size in range(1, k))
        assert mean_error(chosen) <= min(best * 1.03, mean_error(SetToss.at(epsilon, k)) * (1 + 1e-9))


@pytest.mark.parametrize("toss", [*SMALL, SetToss.at(1.1, 12, 3), PieceToss.at(2, 100)], ids=str)
def test_a_shape_carries_the_whole_toss_and_every_number_of_it_is_exact_in_a_browser(toss: Toss) -> None:
    shape = json.loads(json.dumps(toss.shape()))
    assert of_shape(shape) == toss
    assert all(float(value) == value for value in shape.values() if isinstance(value, int))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("01", max_size=5),
    lambda inner: st.tuples(inner, inner) | st.lists(inner, max_size=4) | st.tuples(inner),
    max_leaves=8,
)


@given(JUNK)
def test_what_no_toss_makes_is_not_admitted(report: object) -> None:
    for toss in SMALL:
        assert toss.admits(report) == any(
            type(report) is type(one) and report == one and _whole(report) for one in possible(toss)
        )


@cache
def possible(toss: Toss) -> tuple[Report, ...]:
    """The reports that a toss can make."""
    return tuple(report for report, _ in toss.law(0))


def _whole(report: object) -> bool:
    return type(report) is int or (isinstance(report, tuple) and all(type(value) is int for value in report))


@pytest.mark.parametrize("toss", [*SMALL, PieceToss.at(2, 100)], ids=str)
def test_places_rise_and_sums_of_a_full_room_fit_into_a_database(toss: Toss) -> None:
    reports = possible(toss)
    for report in {*shared(reports, 1 if len(reports) < 100 else 101), reports[-1]}:
        grown = list(toss.increments(report))
        assert [place for place, _ in grown] == sorted({place for place, _ in grown})
        assert all(0 <= place < toss.places and 0 <= by * 5000 < 2**63 for place, by in grown)
    if isinstance(toss, PieceToss):
        assert 0 == toss.bar(0) <= toss.bar(toss.cells - 1) < TOSS_BARS


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SetToss(3, 3, 2, 1),
        lambda: SetToss(13, 1, 2, 1),
        lambda: SetToss(2, 1, UNIT, 1),
        lambda: SetToss(2, 1, 0, 1),
        lambda: BitToss(0, 1, 1),
        lambda: among(1.0, 1),
        lambda: best_toss(1.0, 0),
        lambda: among(0.0, 2),
        lambda: SetToss(2, 1, 3, 1).report(0, 4),
        lambda: RoomAnswers(SetToss(2, 1, 3, 1), (1,), 1),
        lambda: RoomAnswers(SetToss(2, 1, 3, 1), (0, 0), 0),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(wrong: object) -> None:
    with pytest.raises(ParameterError) as caught:
        wrong()  # type: ignore[operator]
    assert isinstance(caught.value, Refusal) and str(caught.value)


def test_logarithms_keep_their_order_to_the_last_digit() -> None:
    for epsilon in LEVELS:
        assert logarithm(power(epsilon)) <= epsilon
        assert logarithm(power(epsilon) * Fraction(10**30 + 1, 10**30)) >= np.nextafter(epsilon, 0)


# What a room concludes


def likelihoods(toss: Toss) -> list[tuple[Fraction, Fraction]]:
    """The chances of each report under the two most different answers; of a piece, of all cells that are alike."""
    if isinstance(toss, PieceToss):
        near, far = (Fraction(toss.width * weight, toss.total) for weight in (toss.near, toss.far))
        return [(near, far), (far, near), (1 - near - far, 1 - near - far)]
    one, other = dict(toss.law(0)), dict(toss.law(toss.answers - 1))
    return [(one[report], other[report]) for report in one]


EXAMPLES = [SetToss(2, 1, 3, 1), SetToss(3, 1, 3, 1), SetToss(4, 2, 3, 1), BitToss(4, 3, 2), PieceToss.at(2.0, 10)]


@for_each("toss", EXAMPLES, ids=str)
@for_each("rounds", [1, 2, 3, 4])
def test_telling_two_answers_apart_is_the_distance_of_all_rounds_by_enumeration(toss: Toss, rounds: int) -> None:
    """½ Σ max(P, Q) over all sequences of reports; the piece's width is rounded to its grid of a million cells."""
    right = Fraction(0)
    for sequence in product(Counter(likelihoods(toss)).items(), repeat=rounds):
        times = math.prod(count for _, count in sequence)
        both = [math.prod((pair[side] for pair, _ in sequence), start=Fraction(1)) for side in (0, 1)]
        right += times * max(both) / 2
    assert told_apart_after(toss.mechanism, rounds)[-1] == pytest.approx(float(right), rel=1e-5)


def test_fresh_rounds_add_up_and_kept_reports_do_not() -> None:
    toss = among(1.1, 2)
    fresh, kept = RoomRounds(toss, 5, False).run(), RoomRounds(toss, 5, True).run()
    assert fresh.level == 5 * toss.level and kept.level == toss.level
    assert fresh.right == pytest.approx(
        sum(comb(5, m) * 0.7502601**m * 0.2497399 ** (5 - m) for m in (3, 4, 5)), rel=1e-6
    )
    assert kept.right == pytest.approx(0.7502601, rel=1e-6)
    assert list(fresh.told_apart) == sorted(fresh.told_apart)
    assert RoomRounds(toss, 0, True).run().level == 0 and RoomRounds(toss, 0, False).run().right == 0.5


def test_all_reports_that_speak_for_one_answer_attain_the_level_of_all_rounds() -> None:
    toss = SetToss(3, 1, 3, 1)
    one, other = dict(toss.law(0)), dict(toss.law(1))
    assert math.log((one[(0,)] / other[(0,)]) ** 4) == pytest.approx(RoomRounds(toss, 4, False).run().level)


def test_different_questions_add_up() -> None:
    assert spent_in_all((Spent(1.0, 3, True), Spent(0.5, 3, False), Spent(2.0, 0, True))) == 2.5


def test_the_room_s_estimate_is_that_of_the_mechanism_at_the_level_of_the_weights() -> None:
    toss = among(1.1, 4)
    result = RoomAnswers(toss, (50, 20, 20, 10), 100).run()
    p, q = float(toss.own), float((1 - toss.own) / 3)
    assert result.estimates == pytest.approx([(count / 100 - q) / (p - q) for count in (50, 20, 20, 10)])
    assert all(
        low <= min(max(share, 0), 1) <= high
        for share, (low, high) in zip(result.estimates, result.intervals, strict=True)
    )


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_room_s_mean_encloses_what_everybody_holds(epsilon: float) -> None:
    """4 000 people at a quarter of the range; the interval of 1 - 10⁻⁹ misses with at most that chance."""
    toss, rng = best_toss(epsilon, 100), np.random.default_rng(7)
    totals, n = [0] * toss.places, 4000
    for draw in rng.integers(toss.total, size=n):
        for place, by in toss.increments(toss.report(25, int(draw))):
            totals[place] += by
    result = RoomAnswers(toss, tuple(totals), n, 1 - 1e-9).run()
    (ends,) = result.intervals
    assert ends[0] <= -0.5 <= ends[1] and ends[1] - ends[0] < 1.3
