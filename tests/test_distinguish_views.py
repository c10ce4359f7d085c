"""Distances before and after, and the games of guessing, by enumeration and at the cases where both sides are equal."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.pages.distinguish.settings import GroupsOfTable, grouped
from explorer.settings.drawnbars import bars
from ldpcore.estimating.audit import best_power
from ldpcore.experiments import distinguish as d
from ldpcore.experiments.distinguish.distances import Bounds
from ldpcore.experiments.distinguish.games import lost
from ldpcore.laws import divergences, guessing, products
from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError
from ldpcore.tables.table import built_in
from tests.cases import for_each

LEVELS = (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)
SEEDS = st.integers(0, 10_000)


def response(epsilon: float) -> np.ndarray:
    return RandomizedResponse(epsilon).channel().matrix


@for_each("epsilon", LEVELS)
@for_each("order", [0.5, 1.0, 2.0, 5.0])
def test_randomized_response_of_two_people_touches_every_mark(epsilon: float, order: float) -> None:
    """Randomized response hides least at a level: each bar touches both marks, and the formula where it is known."""
    result = d.BeforeAfter("grr", epsilon, d.WorldPair.people(2), 1.2, order).run()
    for each in result.passed:
        assert each.after == pytest.approx(each.channel, rel=1e-9, abs=1e-15)
        assert each.channel == pytest.approx(each.allowed, rel=1e-9, abs=1e-15)
    assert result.of("tv").after == pytest.approx(math.tanh(epsilon / 2), rel=1e-12)
    assert result.of("kl").after == pytest.approx(epsilon * math.tanh(epsilon / 2), rel=1e-9)
    assert result.of("chi2").after == pytest.approx(math.expm1(epsilon) ** 2 / math.exp(epsilon), rel=1e-9)
    hockey = max(math.exp(epsilon) - 1.2, 0) / (1 + math.exp(epsilon))
    assert result.of("hockey").after == pytest.approx(hockey, rel=1e-9, abs=1e-15)
    assert result.of("kl").before == result.of("chi2").before == math.inf
    assert result.of("kl").left == 0 and result.of("tv").left == pytest.approx(math.tanh(epsilon / 2))


@settings(max_examples=150)
@given(SEEDS, st.sampled_from([0.3, 0.5, 1.0, 1.5, 2.0, 4.0]), st.sampled_from([1.0, 1.3, 3.0]))
def test_no_distance_through_any_channel_crosses_the_bounds_of_the_channel_and_of_its_level(
    seed: int, order: float, gamma: float
) -> None:
    rng = np.random.default_rng(seed)
    inputs, reports = int(rng.integers(2, 5)), int(rng.integers(2, 6))
    channel = rng.dirichlet(np.full(reports, float(rng.choice([0.3, 1.0, 20.0]))), inputs)
    p, q = rng.dirichlet(np.full(inputs, 0.5), 2)
    if seed % 3 == 0:
        p, q = np.eye(inputs)[0], np.eye(inputs)[1]
    here, level = Bounds.of_channel(channel), Finite(channel).loss()
    for slug, measure in d.BeforeAfter("grr", 1.0, d.WorldPair.people(2), gamma, order).measures().items():
        before, after = measure(p, q), measure(sure(p @ channel), sure(q @ channel))
        assert after <= here.most(slug, measure, before, order) * (1 + 1e-8) + 1e-12, slug
        if level < 30:
            assert after <= Bounds.of_level(level).most(slug, measure, before, order) * (1 + 1e-8) + 1e-12, slug


@pytest.mark.parametrize("before", [0.5, 40.0, 600.0])
@pytest.mark.parametrize("order", [0.1, 0.5, 4.0])
def test_a_report_that_is_the_truth_in_doubles_leaves_no_more_than_there_was(before: float, order: float) -> None:
    assert Bounds.of_level(50.0).most("renyi", lambda *_: math.inf, before, order) == pytest.approx(before)


def sure(law: np.ndarray) -> np.ndarray:
    """What rounding left over is taken out."""
    return np.asarray(law / law.sum())


def test_near_coins_touch_the_square_and_no_bar_is_shorter_than_it_must() -> None:
    worlds = d.WorldPair.coins(0.5 - 1e-5, 0.5 + 1e-5)
    for each in d.BeforeAfter("grr", 1.0, worlds).run().passed:
        assert each.slug == "hockey" or each.after == pytest.approx(each.allowed, rel=1e-6), each


@pytest.mark.parametrize("epsilon", LEVELS)
def test_a_factor_that_the_level_covers_leaves_nothing(epsilon: float) -> None:
    for slug in ("grr", "oue", "hadamard"):
        result = d.BeforeAfter(slug, epsilon, d.WorldPair.people(3), min(math.exp(epsilon) * (1 + 1e-9), 1e6)).run()
        assert result.of("hockey").after <= 1e-9 and result.of("hockey").allowed <= 1e-9
        one = d.BeforeAfter(slug, epsilon, d.WorldPair.people(3), 1.0).run()
        assert one.of("hockey").after == pytest.approx(one.of("tv").after, rel=1e-9)


def test_every_inequality_is_attained_by_two_laws_that_come_as_near_as_one_likes() -> None:
    """Disjoint or nearly equal laws bring each of the seven to its limit."""
    near = Pair(np.array([0.5 + 1e-5, 0.5 - 1e-5]), np.array([0.5 - 1e-5, 0.5 + 1e-5]))
    apart = Pair(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    nested = Pair(np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    shares = {
        name: {each.slug: each.share for each in d.inequalities(laws)}
        for name, laws in (("near", near), ("apart", apart), ("nested", nested))
    }
    assert shares["near"]["pinsker"] == pytest.approx(1, abs=1e-4)
    assert shares["near"]["affinities"] == pytest.approx(1, abs=1e-4)
    assert shares["near"]["root"] == pytest.approx(1, abs=1e-4)
    assert shares["near"]["hellinger"] == pytest.approx(1, abs=1e-4)
    assert shares["apart"]["half_hellinger"] == pytest.approx(1, rel=1e-12)
    assert shares["nested"]["kl_chi2"] == pytest.approx(1, rel=1e-12)  # one ratio wherever the first law is
    assert max(each["hellinger_kl"] for each in shares.values()) > 0.7  # 1/√2 for near laws, 1 for none


def test_the_information_inequality_is_tight_at_small_levels_alone() -> None:
    share = {
        level: next(
            each.share
            for each in d.Inequalities("grr", level, d.WorldPair.people(2)).run().sides
            if each.slug == "information"
        )
        for level in (0.001, 0.1, 1.0)
    }
    assert share[0.001] == pytest.approx(1, abs=0.01)
    assert share[0.1] == pytest.approx(0.0099917 / 0.0135098, rel=1e-5)
    assert share[1.0] == pytest.approx(0.924234 / 11.80997, rel=1e-5)


def test_the_misprint_is_crossed_where_worlds_are_near_and_the_root_is_not() -> None:
    result = d.Inequalities("grr", 10.0, d.WorldPair.coins(0.5, 0.51)).run()
    assert result.misprint is not None
    assert result.misprint.share > 50
    assert result.misprint.smaller == pytest.approx(0.01, rel=1e-3)
    assert result.misprint.larger == pytest.approx(0.00014145, rel=1e-2)
    assert result.sides[0].slug == "pinsker" and 0.99 < result.sides[0].share <= 1


def risks(worlds: np.ndarray, loss: str, groups: int) -> float:
    """The least mean loss over all ways to guess all groups, one report each, by going through everything."""
    corners = guessing.corners(groups)
    laws = [
        np.array([math.prod(parts) for parts in itertools.product(*(worlds[(sign + 1) // 2] for sign in corner))])
        for corner in corners
    ]
    losses = np.array([[lost(loss, true, guess) for guess in corners] for true in corners])  # type: ignore[arg-type]
    return float((np.array(laws).T @ losses).min(axis=1).sum() / len(corners))


@for_each("loss", d.LOSSES)
@for_each("groups", [2, 3, 4])
@for_each("epsilon", [0.1, 1.0, 3.0])
def test_the_best_guess_loses_what_going_through_all_guesses_says(
    loss: d.CornerLoss, groups: int, epsilon: float
) -> None:
    result = d.Guessing("grr", epsilon, d.WorldPair.people(2), 1, groups, loss).run()
    assert result.here["best"] == pytest.approx(risks(response(epsilon), loss, groups), rel=1e-9)


@given(SEEDS, st.sampled_from(d.LOSSES), st.integers(2, 6), st.sampled_from([1, 3, 50]))
def test_a_game_whose_condition_holds_never_says_more_than_the_best_guess_loses(
    seed: int, loss: d.CornerLoss, groups: int, n: int
) -> None:
    rng = np.random.default_rng(seed)
    worlds = d.WorldPair.weights(rng.dirichlet(np.ones(3)).tolist(), rng.dirichlet(np.ones(3)).tolist())
    result = d.Guessing("grr", float(rng.choice(LEVELS)), worlds, n, groups, loss).run()
    for game in d.GAMES:
        if result.holds(game):
            assert result.here[game] <= result.here["best"] + 1e-12, game
    assert result.holds("le_cam") and result.holds("assouad") == (loss == "each")
    assert result.holds("fano") == (loss != "first")


def test_assouad_is_attained_where_it_holds_and_false_where_its_condition_is_broken() -> None:
    each, either, first = (d.Guessing("grr", 1.0, d.WorldPair.people(2), 3, 4, loss).run() for loss in d.LOSSES)
    assert each.here["assouad"] == pytest.approx(each.here["best"], rel=1e-12)
    assert either.here["assouad"] > either.here["best"]
    assert first.here["assouad"] == pytest.approx(4 * first.here["best"])
    breach = either.breaches["assouad"]
    assert breach is not None and (breach.loss, breach.needed) == (1.0, 2.0)
    assert first.breaches["fano"] is not None and first.breaches["fano"].loss == 0


def test_fano_of_all_corners_uses_the_information_of_all_groups() -> None:
    """The corners' own mutual information, by going through all reports, is the sum over groups."""
    worlds, groups = response(1.0), 3
    laws = [
        np.array([math.prod(parts) for parts in itertools.product(*(worlds[(sign + 1) // 2] for sign in corner))])
        for corner in guessing.corners(groups)
    ]
    whole = guessing.mutual_information(np.full(8, 1 / 8), laws)
    result = d.Guessing("grr", 1.0, d.WorldPair.people(2), 1, groups).run()
    assert whole == pytest.approx(groups * result.information, rel=1e-9)
    assert result.here["fano"] == pytest.approx(guessing.fano(whole, 8), rel=1e-9)


@given(SEEDS)
def test_hulls_of_products_are_no_nearer_than_products_of_hulls(seed: int) -> None:
    """Le Cam: the affinity of two mixtures of products is at most the product of the hulls' largest affinities."""
    rng = np.random.default_rng(seed)
    first, second = (rng.dirichlet(np.ones(3), (2, 2)) for _ in range(2))  # two factors, two laws each
    steps = np.linspace(0, 1, 41)
    between = np.column_stack([steps, 1 - steps])
    largest = [
        float((np.sqrt(between @ one) @ np.sqrt(between @ other).T).max())
        for one, other in zip(first, second, strict=True)
    ]
    for _ in range(10):
        mixed = [
            sum(
                weight * np.outer(laws[0][i], laws[1][j]).ravel()
                for weight, (i, j) in zip(rng.dirichlet(np.ones(4)), itertools.product(range(2), repeat=2), strict=True)
            )
            for laws in (first, second)
        ]
        assert divergences.hellinger_affinity(*mixed) <= math.prod(largest) + 2e-3  # the grid's own coarseness


@given(SEEDS)
def test_divergence_follows_the_chain_rule_over_two_steps_of_a_protocol(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.dirichlet(np.ones(3), 2)
    then = rng.dirichlet(np.ones(2), (2, 3))  # what the second sends, by what the first has sent
    joint = [(first[world][:, None] * then[world]).ravel() for world in range(2)]
    chained = divergences.kullback_leibler(*first) + sum(
        first[0][report] * divergences.kullback_leibler(then[0][report], then[1][report]) for report in range(3)
    )
    assert divergences.kullback_leibler(*joint) == pytest.approx(chained, rel=1e-9)


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_a_log_ratio_is_at_most_the_distance_over_the_smaller(a: float, b: float) -> None:
    assert abs(math.log(a / b)) <= abs(a - b) / min(a, b) * (1 + 1e-12) + 1e-15


@given(SEEDS, st.sampled_from(LEVELS))
def test_two_private_reports_exclude_nothing_of_each_other(seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    worlds = d.WorldPair.weights((1, 0, 0), rng.dirichlet(np.ones(3)).tolist())
    for slug in ("grr", "subset", "oue"):
        reports = d.TwoWorlds(slug, epsilon, worlds).reports()
        assert math.isfinite(divergences.kullback_leibler(reports.first, reports.second))
        assert math.isfinite(divergences.kullback_leibler(reports.second, reports.first))


@pytest.mark.parametrize("delta", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_region_of_a_level_that_may_fail_is_attained_by_its_extreme_channel(epsilon: float, delta: float) -> None:
    """With δ the value itself is sent, else randomized response: it has every power that the region leaves."""
    keep = 1 / (1 + math.exp(-epsilon))
    rest = 1 - delta
    laws = np.array([[delta, rest * keep, rest * (1 - keep), 0.0], [0.0, rest * (1 - keep), rest * keep, delta]])
    result = d.TellApart("grr", epsilon, d.WorldPair.people(2), 0.05, delta).run()

    attained = best_power(Pair(laws[1], laws[0]), result.sizes)
    assert attained == pytest.approx(result.bound, abs=1e-12)
    assert Pair(laws[0], laws[1]).level(delta) == pytest.approx(epsilon, abs=1e-9)
    assert result.level <= epsilon + 1e-9 and (delta or result.level == pytest.approx(epsilon))


@pytest.mark.parametrize("size", [0.0, 1.0])
def test_a_test_that_never_or_always_accuses_has_its_power(size: float) -> None:
    result = d.TellApart("oue", 1.0, d.WorldPair.people(3), size).run()
    assert result.reached == pytest.approx(size, abs=1e-12) and result.allowed == pytest.approx(size, abs=1e-12)


def test_groups_of_a_table_are_counted_by_hand() -> None:
    clinic = built_in("clinic")
    frame = clinic.frame
    groups = GroupsOfTable(clinic, "ward", "diabetes", "1").run()
    assert groups is not None
    some = frame[frame["diabetes"] >= 1]["ward"].value_counts()
    order = clinic.categories("ward", 12).labels
    assert groups.worlds.first == pytest.approx([some.get(label, 0) / some.sum() for label in order])
    assert sum(groups.sizes) == int(frame["ward"].count())
    income = GroupsOfTable(built_in("income"), "income", "schooling", "16", (0.0, 100_000.0)).run()
    assert income is not None and income.worlds.k == 8 and income.sizes[0] + income.sizes[1] == 2584


def test_groups_that_are_none_are_no_worlds() -> None:
    clinic = built_in("clinic")
    assert GroupsOfTable(clinic, "ward", "diabetes", "17").run() is None
    assert GroupsOfTable(clinic, "ward", "diabetes", "yes").run() is None
    assert grouped(clinic, "ward", "diabetes", "17") is not None


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        ((1, 2), (1, 2, 3), "laws_shapes"),
        ((0, 0), (1, 1), "weights"),
        ((-1, 2), (1, 1), "law_negative"),
        ((1,), (1,), "weights"),
        ((math.nan, 1), (1, 1), "weights"),
    ],
)
def test_worlds_that_are_none_are_refused_by_their_own_sentence(first: tuple, second: tuple, key: str) -> None:
    with pytest.raises(ParameterError) as refused:
        d.WorldPair.weights(first, second)
    assert refused.value.key == key and str(refused.value)


@pytest.mark.parametrize(
    ("call", "key"),
    [
        (lambda: divergences.laws([0.5, 0.4], [0.5, 0.5]), "law_sum"),
        (lambda: divergences.laws([0.5, 0.5], [1.0]), "laws_shapes"),
        (lambda: divergences.hockey_stick([0.5, 0.5], [0.5, 0.5], 0.0), "gamma_small"),
        (lambda: divergences.renyi([0.5, 0.5], [0.5, 0.5], 0.0), "order_small"),
        (lambda: products.distance_of([0.5, 0.5], [0.4, 0.6], 0), "whole_from"),
        (lambda: bars("1 2 x"), "weights"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_of_its_own(call: object, key: str) -> None:
    with pytest.raises(ParameterError) as refused:
        call()  # type: ignore[operator]
    assert refused.value.key == key and str(refused.value)


def test_a_column_that_is_zero_in_both_worlds_is_a_report_that_never_comes() -> None:
    p, q = [0.5, 0.5, 0.0], [0.2, 0.8, 0.0]
    for measure in (
        divergences.total_variation,
        divergences.kullback_leibler,
        divergences.chi_square,
        divergences.squared_hellinger,
    ):
        assert measure(p, q) == pytest.approx(measure(p[:2], q[:2]), rel=1e-12)
    assert products.distance_of(p, q, 5).low == products.distance_of(p[:2], q[:2], 5).low
    assert divergences.hockey_stick(p, q, 1.0) == pytest.approx(divergences.total_variation(p, q))
    worlds = d.WorldPair.weights((1, 1, 0), (1, 3, 0))
    assert d.TellApart("grr", 1.0, worlds).run().direct_distance == pytest.approx(0.25)
