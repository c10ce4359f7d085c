"""Protocols that listen and protocols that do not, each against enumeration, exact fractions or its own rival."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from ldpcore.laws.products import distance_of
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError
from ldpcore.protocols import (
    Fixed,
    FixedThresholds,
    Grid,
    Listening,
    NoisySteps,
    OneStage,
    Protocol,
    SearchAlone,
    SearchByGroups,
    TwoStages,
    UniformCrowd,
    z0,
)
from ldpcore.protocols.crowd import largest_share, smallest_share, yes
from tests.rationing import crossed
from tests.statistics import accept_counts, accept_normal

SEEDS = st.integers(0, 10_000)
LEVELS = (0.1, 0.5, 1.0, 3.0, 10.0)
NARROW, WIDE = UniformCrowd(0.63, 0.1), UniformCrowd(0.0, 0.9)


def response(epsilon: float) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, RandomizedResponse(epsilon).channel().matrix.tolist()))


def private(rng: np.random.Generator, epsilon: float, values: int = 3, reports: int = 2) -> tuple:
    """A random channel of a level: rows that lie between a law and e^α times it, made by mixing."""
    rows = rng.dirichlet(np.ones(reports), values)
    flat = np.full(reports, 1 / reports)
    for share in np.linspace(1, 0, 200):  # the liveliest mixture that keeps the level
        mixed = share * rows + (1 - share) * flat
        if np.log(mixed.max(axis=0) / mixed.min(axis=0)).max() <= epsilon:
            return tuple(map(tuple, mixed.tolist()))
    raise AssertionError


def random_protocol(rng: np.random.Generator, epsilon: float = 1.0, people: int = 3) -> Protocol:
    kernels = []
    for turn in range(people):
        after = tuple((h, private(rng, epsilon)) for h in itertools.product((0, 1), repeat=turn))
        kernels.append(Listening(private(rng, epsilon), after))
    return Protocol(tuple(kernels))


@given(SEEDS)
@settings(max_examples=20)
def test_the_joint_law_is_the_product_along_every_path_and_sums_to_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    protocol, values = random_protocol(rng), tuple(rng.integers(0, 3, 3).tolist())
    law = protocol.joint(values)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    for path in itertools.product((0, 1), repeat=3):
        chance = Fraction(1)
        for turn, report in enumerate(path):
            chance *= Fraction(protocol.kernels[turn].channel(path[:turn])[values[turn]][report])
        assert law[path] == pytest.approx(float(chance), rel=1e-12)


@given(SEEDS)
@settings(max_examples=20)
def test_kernels_that_keep_their_level_after_every_history_make_the_whole_private(seed: int) -> None:
    rng = np.random.default_rng(seed)
    protocol = random_protocol(rng)
    assert not protocol.breaches(1.0)
    laws = {values: protocol.joint(values) for values in itertools.product(range(3), repeat=3)}
    worst = 0.0
    for one, other in itertools.product(laws, repeat=2):
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1:
            worst = max(worst, float(np.abs(np.log(laws[one] / laws[other])).max()))
    assert worst == pytest.approx(protocol.guarantee(), rel=1e-9)
    assert worst == pytest.approx(max(turn.loss for turn in protocol.turns()), rel=1e-9)  # over all histories
    assert worst <= 1.0 + 1e-9


@given(SEEDS)
@settings(max_examples=20)
def test_the_chain_rule_is_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    protocol = random_protocol(rng)
    rule = protocol.chain_rule((0, 1, 2), (2, 2, 0))
    assert sum(rule.parts) == pytest.approx(rule.whole, rel=1e-10)
    assert all(part >= 0 for part in rule.parts)
    assert Protocol(protocol.kernels).chain_rule((1, 1, 1), (1, 1, 1)).whole == 0


def test_who_ignores_the_history_is_the_non_interactive_case() -> None:
    rng = np.random.default_rng(3)
    rows = [private(rng, level) for level in (0.5, 1.0, 2.0)]
    fixed = Protocol(tuple(map(Fixed, rows)))
    deaf = Protocol(tuple(Listening(each) for each in rows))
    assert fixed.ignores_history() and deaf.ignores_history() and not random_protocol(rng).ignores_history()
    for values in itertools.product(range(3), repeat=3):
        independent = np.einsum("i,j,k", *(np.array(each)[x] for each, x in zip(rows, values, strict=True)))
        assert fixed.joint(values) == pytest.approx(independent, rel=1e-14)
        assert (deaf.joint(values) == fixed.joint(values)).all()
    # Everybody has a level of their own, and the whole has the largest: not their sum.
    assert fixed.guarantee() == pytest.approx(max(fixed.level(person) for person in range(3)))
    assert fixed.level(0) < fixed.level(2)


def test_a_kernel_that_breaks_its_level_after_one_rare_history_is_caught() -> None:
    rare = (1,) * 6
    honest = Fixed(response(1.0))
    protocol = Protocol((*([honest] * 6), Listening(response(1.0), ((rare, response(1.5)),))))
    assert protocol.joint((0,) * 7)[rare].sum() < 0.001
    assert len(protocol.breaches(1.0)) == 1
    breach = protocol.breaches(1.0)[0]
    assert breach.history == rare and breach.person == 6
    assert breach.loss == pytest.approx(1.5)
    assert protocol.guarantee() == pytest.approx(1.5)
    assert not Protocol((honest,) * 7).breaches(1.0)


def test_several_rounds_compose_and_are_no_sequential_protocol() -> None:
    for k in (1, 2, 5):
        rounds = Protocol((Fixed(response(0.3)),) * k, (0,) * k)
        assert rounds.guarantee() == pytest.approx(0.3 * k)
        assert rounds.sequential == (k == 1)
    # A second question that looks at the first answer: along no history more than the sum, along some less.
    adaptive = Protocol((Fixed(response(1.0)), Listening(response(1.0), (((1,), response(0.2)),))), (0, 0))
    assert adaptive.guarantee() == pytest.approx(2.0)
    law = [adaptive.joint((x,)) for x in (0, 1)]
    assert np.abs(np.log(law[0] / law[1])).max() == pytest.approx(2.0)
    # An answer that one value excludes has no finite level.
    assert Protocol((Fixed(((1.0, 0.0), (0.5, 0.5))),)).guarantee() == math.inf


@pytest.mark.parametrize("epsilon", LEVELS)
def test_a_private_yes_is_randomized_response(epsilon: float) -> None:
    assert largest_share(epsilon) + smallest_share(epsilon) == pytest.approx(1, abs=1e-15)
    assert math.log(largest_share(epsilon) / smallest_share(epsilon)) == pytest.approx(epsilon)
    assert yes([0.0, 1.0], epsilon) == pytest.approx([smallest_share(epsilon), largest_share(epsilon)], rel=1e-12)
    assert z0(epsilon) == pytest.approx((math.exp(epsilon) + 1) / math.expm1(epsilon))


@given(st.floats(-0.8, 0.8), st.floats(0.05, 0.2), st.floats(-1, 1), st.floats(0, 1))
def test_shares_and_cut_off_means_agree_with_quadrature(center: float, width: float, low: float, more: float) -> None:
    crowd = UniformCrowd(center, width)
    high = low + more
    points = crowd.low + (np.arange(20_000) + 0.5) * (2 * width / 20_000)
    assert float(crowd.above(low)) == pytest.approx((points > low).mean(), abs=1e-4)
    assert float(crowd.held(low, high)) == pytest.approx(np.clip(points, low, high).mean(), abs=1e-6)


def paths(epsilon: float, crowd: UniformCrowd, n: int) -> dict[tuple[bool, ...], float]:
    """The chance of every row of answers to noisy steps, by walking the tree."""
    chances = {}
    for answers in itertools.product((False, True), repeat=n):
        guess, chance = 0.0, 1.0
        for i, answer in enumerate(answers, 1):
            share = min(max((crowd.high - guess) / (2 * crowd.half_width), 0), 1)
            up = share * math.exp(epsilon) / (1 + math.exp(epsilon)) + (1 - share) / (1 + math.exp(epsilon))
            chance *= up if answer else 1 - up
            guess = min(max(guess + (1 if answer else -1) * i ** (-2 / 3), -1), 1)
        chances[answers] = chance
    return chances


@pytest.mark.parametrize("crowd", [UniformCrowd(0.2, 0.7), NARROW])
def test_noisy_steps_follow_the_tree_in_runs_and_in_samples(crowd: UniformCrowd) -> None:
    chances = paths(1.0, crowd, 4)
    assert sum(chances.values()) == pytest.approx(1)
    means = {}
    for answers in chances:
        guess, weighted = 0.0, 0.0
        for i, answer in enumerate(answers, 1):
            guess = min(max(guess + (1 if answer else -1) * i ** (-2 / 3), -1), 1)
            weighted += i * guess
        means[answers] = weighted / 10
    steps, rng = NoisySteps(1.0, crowd), np.random.default_rng(5)
    runs = [steps.run(4, rng) for _ in range(10_000)]
    counted = [sum(tuple(run.sent.tolist()) == answers for run in runs) for answers in chances]
    assert accept_counts(np.array(counted), np.array(list(chances.values())))  # rate 1e-10
    for run in runs[:50]:
        assert run.belief[-1] == pytest.approx(means[tuple(run.sent.tolist())])
    # Samples: the law of the estimate, estimates that coincide taken together.
    law: dict[float, float] = {}
    for answers, chance in chances.items():
        law[round(means[answers], 9)] = law.get(round(means[answers], 9), 0.0) + chance
    drawn = np.round(steps.sample([2, 4], 40_000, np.random.default_rng(6))[1], 9)
    counted = [int(np.isclose(drawn, value, atol=1e-8).sum()) for value in law]
    assert accept_counts(np.array(counted), np.array(list(law.values())))  # rate 1e-10


def test_every_question_of_a_run_is_private_whatever_came_before() -> None:
    held = np.linspace(-1, 1, 401)
    rng = np.random.default_rng(1)
    for epsilon in LEVELS:
        runs = (
            NoisySteps(epsilon, NARROW).run(300, rng),
            TwoStages(epsilon, NARROW, 300).run(rng),
            SearchByGroups(epsilon, NARROW, 300, Grid(0.1)).run(rng),
        )
        for run in runs:
            for person in range(0, 300, 7):
                chances = run.chance(person, held)
                for law in (chances, 1 - chances):
                    assert math.log(law.max() / law.min()) <= epsilon * (1 + 1e-9)


def test_the_median_converges_at_its_rate() -> None:
    """At α = 0.5, 1, 3 and 10, n = 2^12, 2^13, 2^14, crowds of half-width 0.1 and 0.9: slope -1/2 and the limit law."""
    users = [2**12, 2**13, 2**14]
    for epsilon, crowd in crossed((0.5, 1.0, 3.0, 10.0), (NARROW, WIDE)):
        steps = NoisySteps(epsilon, crowd)
        estimates = steps.sample(users, 400, np.random.default_rng(2))
        errors = np.sqrt(((estimates - crowd.center) ** 2).mean(axis=1))
        for error, n in zip(errors[1:], users[1:], strict=True):
            # A mean of 400 squares leaves 0.78² to 1.24² of its expectation at a rate of 1e-10; a tenth is the limit's.
            assert 0.9 * 0.78 <= error / steps.deviation(n) <= 1.1 * 1.24, (epsilon, crowd, n)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [4, 9, 10])
def test_fixed_thresholds_err_as_their_enumeration(k: int, n: int) -> None:
    rival = FixedThresholds(1.0, UniformCrowd(0.3, 0.5), n, k)
    sizes = [n // k + (place < n % k) for place in range(k)]
    error = 0.0
    for counts, part in itertools.product(itertools.product(*(range(size + 1) for size in sizes)), range(1, 16, 2)):
        chance, ups = 1 / 8, 0
        for place, (count, size) in enumerate(zip(counts, sizes, strict=True)):
            p = float(yes(rival.crowd.above(-1 + 2 * (place + part / 16) / k), 1.0))
            chance *= math.comb(size, count) * p**count * (1 - p) ** (size - count)
            ups += 2 * count > size
        # The middle between the last threshold with a yes and the next one.
        error += chance * (-1 + 2 * (ups - 1 + part / 16) / k + 1 / k - 0.3) ** 2
    assert rival.squared_error() == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("n", [2, 5, 40])
@pytest.mark.parametrize("crowd", [NARROW, WIDE])
def test_two_stages_err_as_their_enumeration(n: int, crowd: UniformCrowd) -> None:
    epsilon = 2.0
    stages = TwoStages(epsilon, crowd, n)
    first, second = stages.halves
    points = crowd.low + (np.arange(4000) + 0.5) * (2 * crowd.half_width / 4000)
    error, reach = 0.0, math.exp(epsilon) / (1 + math.exp(epsilon))
    flip, stretch = 1 - reach, (math.exp(epsilon) + 1) / math.expm1(epsilon)
    share = (1 + points.mean()) / 2
    p = flip + (reach - flip) * share
    for early in range(first + 1):
        middle = float(np.clip(stretch * (2 * early / first - 1), stages.radius - 1, 1 - stages.radius))
        place = float(np.clip((points - middle) / stages.radius, -1, 1).mean())
        q = flip + (reach - flip) * (1 + place) / 2
        for late in range(second + 1):
            chance = math.comb(first, early) * p**early * (1 - p) ** (first - early)
            chance *= math.comb(second, late) * q**late * (1 - q) ** (second - late)
            error += chance * (middle + stages.radius * stretch * (2 * late / second - 1) - crowd.center) ** 2
    assert stages.squared_error() == pytest.approx(error, rel=1e-5)


def test_one_stage_errs_as_its_enumeration() -> None:
    one = OneStage(1.0, NARROW, 12)
    flip, stretch = 1 / (1 + math.e), (math.e + 1) / (math.e - 1)
    p = flip + (1 - 2 * flip) * (1 + 0.63) / 2
    error = sum(math.comb(12, s) * p**s * (1 - p) ** (12 - s) * (stretch * (s / 6 - 1) - 0.63) ** 2 for s in range(13))
    assert one.squared_error() == pytest.approx(error, rel=1e-9)


def test_two_stages_beat_one_where_the_window_is_narrow_and_not_where_it_is_the_range() -> None:
    """On the grid of these levels, crowds and numbers of people, outside the zone where theory is too coarse to say."""
    won = lost = 0
    for epsilon, n, center, width in itertools.product(
        (0.1, 0.5, 1.0, 2.0), (100, 1000, 10_000, 100_000), (0.0, 0.3, 0.63), (0.05, 0.2, 0.35)
    ):
        stages, one = (
            TwoStages(epsilon, UniformCrowd(center, width), n),
            OneStage(epsilon, UniformCrowd(center, width), n),
        )
        gain = stages.squared_error() / one.squared_error()
        if 2 * stages.radius**2 < 0.8:
            assert gain < 1, (epsilon, n, center, width)
            won += 1
        if 2 * stages.radius**2 > 1.2:
            assert gain > 1, (epsilon, n, center, width)
            lost += 1
        if stages.radius == 1:
            assert gain == pytest.approx(2, rel=1e-2)
    assert won >= 30 and lost >= 30


def test_the_number_of_steps_is_counted_exactly() -> None:
    steps = ("0.25", "0.1", "0.05", "0.3", "0.7", "2", "1", "0.0625")
    for text, reach in itertools.product(steps, ("1", "0.3", "1.5")):
        delta, half = Fraction(text), Fraction(reach)
        if delta <= 2 * half:
            cells = next(n for n in itertools.count(1) if n * delta > 2 * half)
            assert Grid(float(text), float(reach)).cells == cells
    assert (Grid(0.25).cells, Grid(0.25).tests) == (9, 7)
    assert Grid(0.1).cells == 21  # in doubles 20 · 0.1 exceeds 2
    assert Grid(2.0).tests == 0 and Grid(1.5).estimates().tolist() == [0.0]


def test_intervals_shrink_by_one_step_and_end_two_steps_wide_on_the_grid() -> None:
    grid = Grid(0.25)
    for test in range(1, grid.tests + 1):
        for place in range(1, test + 1):
            low, high = float(grid.low(place)), float(grid.high(test, place))
            assert (float(grid.low(place + 1)), float(grid.high(test + 1, place + 1))) == (low + 0.25, high)
            assert (float(grid.low(place)), float(grid.high(test + 1, place))) == (low, high - 0.25)
    ends = (grid.low(np.arange(1, 9)) + grid.high(8, np.arange(1, 9))) / 2
    assert ends == pytest.approx(grid.estimates())
    assert grid.high(8, 3) - grid.low(3) == pytest.approx(0.5)


def test_the_search_makes_all_its_tests_and_ends_on_its_grid() -> None:
    search, rng = SearchByGroups(1.0, NARROW, 107, Grid(0.25)), np.random.default_rng(4)
    assert len(search.groups) == 7 and search.groups.sum() == 107 and np.ptp(search.groups) == 1
    for _ in range(30):
        run = search.run(rng)
        assert len(set(run.asked_low.tolist())) <= 7
        assert min(abs(search.grid.estimates() - run.belief[-1])) < 1e-12
        assert run.possible_high[-1] - run.possible_low[-1] == pytest.approx(0.5)
        assert ((run.possible_low - 1e-12 <= run.belief) & (run.belief <= run.possible_high + 1e-12)).all()


def test_the_law_of_the_search_is_its_enumeration() -> None:
    search = SearchByGroups(1.5, UniformCrowd(0.1, 0.5), 11, Grid(0.5))
    law = dict.fromkeys(range(1, 5), 0.0)
    for counts in itertools.product(*(range(size + 1) for size in search.groups.tolist())):
        place, chance = 1, 1.0
        for test, (count, size) in enumerate(zip(counts, search.groups.tolist(), strict=True), 1):
            middle = -1 + (place - 1) * 0.5 + (5 - test + 1) * 0.25
            p = float(yes(search.crowd.above(middle), 1.5))
            chance *= math.comb(size, count) * p**count * (1 - p) ** (size - count)
            place += 2 * count > size
        law[place] += chance
    assert search.law() == pytest.approx(list(law.values()), rel=1e-10)
    drawn = search.sample(40_000, np.random.default_rng(7))
    counted = [int(np.isclose(drawn, estimate).sum()) for estimate in search.grid.estimates()]
    assert accept_counts(np.array(counted), search.law())  # rate 1e-10


def test_the_law_of_the_search_is_exact_where_it_hardly_ever_ends() -> None:
    # A hundred and five people at level 6 in fractions, p taken as the double that it is.
    search = SearchByGroups(6.0, UniformCrowd(0.63, 0.1), 105, Grid(0.25))
    law = [Fraction(1)]
    for test, size in enumerate(search.groups.tolist(), 1):
        after = [Fraction(0)] * (test + 1)
        for place, chance in enumerate(law, 1):
            middle = -1 + (place - 1) * 0.25 + (9 - test + 1) * 0.125
            p = Fraction(float(yes(search.crowd.above(middle), 6.0)))
            up = sum(math.comb(size, c) * p**c * (1 - p) ** (size - c) for c in range(size // 2 + 1, size + 1))
            after[place - 1] += chance * (1 - up)
            after[place] += chance * up
        law = after
    assert sum(law) == 1 and float(min(law)) < 1e-30
    assert search.law() == pytest.approx([float(chance) for chance in law], rel=1e-9, abs=0)


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 50.0])
def test_the_lonely_search_makes_the_likelier_choice_in_each_test(epsilon: float) -> None:
    search = SearchAlone(epsilon, UniformCrowd(0.1, 0.5), 23, Grid(0.4))
    ends = search.ends()
    flip = math.exp(-epsilon) / (1 + math.exp(-epsilon))
    for count in range(24):
        place = 1
        for test in range(1, search.grid.tests + 1):
            a = -1 + place * 0.4
            b = -1 + (place - 1 + search.grid.cells - test) * 0.4
            logs = []
            for theta in (a, b):
                p = flip + (1 - 2 * flip) * max(1 + theta, 0) / 2
                q = flip + (1 - 2 * flip) * max(1 - theta, 0) / 2
                logs.append(count * math.log(p) + (23 - count) * math.log(q))
            place += logs[1] > logs[0]
        assert ends[count] == place
    assert (np.diff(ends) >= 0).all()
    chances = scipy.stats.binom.pmf(np.arange(24), 23, float(search.chance(0.1)))
    assert search.squared_error() == pytest.approx(float(chances @ (search.grid.estimates()[ends - 1] - 0.1) ** 2))


@pytest.mark.parametrize("delta", [0.4, 0.1, 0.08])
def test_half_of_all_yeses_decide_nothing_between_ends_that_mirror_each_other(delta: float) -> None:
    """Both ends are then equally likely, at any level, and the highest step is cut off."""
    for epsilon in np.geomspace(1e-6, 50, 100).tolist():
        search = SearchAlone(epsilon, NARROW, 64, Grid(delta))
        for test in range(1, search.grid.tests + 1):
            place = round(1 / delta - (search.grid.cells - test - 1) / 2)
            if place >= 1 and abs(search.grid.middle(test, place)) < 1e-12:
                assert search.cut(test, np.array([place]))[2] == 32


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("n", [50, 2000])
def test_the_tail_of_the_lonely_search_never_exceeds_its_bound(epsilon: float, n: int) -> None:
    grid = Grid(0.2)
    told = 0
    for center in np.linspace(-0.98, 0.98, 29):
        search = SearchAlone(epsilon, UniformCrowd(float(center), 0.02), n, grid)
        tail, bound = search.tail(), search.bound()
        assert len(tail) == len(bound) == grid.cells - 1
        assert (tail <= bound + 1e-12).all()
        told += int(((bound < 1) & (tail > 0)).sum())
    silent = n * math.tanh(epsilon / 2) ** 2 < 50  # with so few people the bound says nothing where there are errors
    assert silent or told > 0


@pytest.mark.parametrize("n", [10, 1000])
def test_the_affinities_are_those_of_the_worst_pair_and_below_hellingers(n: int) -> None:
    search = SearchAlone(1.0, NARROW, n, Grid(0.25))
    exact = search.affinities()
    assert (np.diff(exact) <= 1e-12).all()
    for distance in range(1, search.grid.tests + 1):
        worst, bound = 0.0, 0.0
        for place in range(1, search.grid.cells - distance):
            p, q = (float(search.chance(-1 + step * 0.25)) for step in (place, place + distance))
            worst = max(worst, 1 - distance_of([1 - p, p], [1 - q, q], n).low)
            bound = max(bound, (math.sqrt(p * q) + math.sqrt((1 - p) * (1 - q))) ** n)
        assert exact[distance - 1] == pytest.approx(worst, abs=1e-9)
        assert exact[distance - 1] <= bound + 1e-12


def test_samples_of_both_searches_and_both_stages_follow_their_exact_errors() -> None:
    """Means of 40 000 squares within 6.47 standard errors, which are nearly normal: rate 1e-10 each."""
    for crowd in (NARROW, UniformCrowd(-0.2, 0.5)):
        stages = TwoStages(1.0, crowd, 900), OneStage(1.0, crowd, 900)
        searches = SearchByGroups(1.0, crowd, 900, Grid(0.1)), SearchAlone(1.0, crowd, 900, Grid(0.1))
        for protocol in (*stages, *searches):
            squares = (protocol.sample(40_000, np.random.default_rng(8)) - crowd.center) ** 2
            assert accept_normal(squares.mean(), protocol.squared_error(), squares.std() / 200), protocol


def test_bad_input_is_refused_in_one_sentence() -> None:
    rng = np.random.default_rng(0)
    wrong = (
        lambda: NoisySteps(1.0, NARROW).run(0, rng),
        lambda: NoisySteps(1.0, NARROW).sample([], 5, rng),
        lambda: NoisySteps(1.0, NARROW).sample([4, 2], 5, rng),
        lambda: TwoStages(1.0, NARROW, 1),
        lambda: OneStage(1.0, NARROW, 0),
        lambda: UniformCrowd(1.5, 0.1),
        lambda: UniformCrowd(0.95, 0.1),
        lambda: UniformCrowd(0.0, 0.0),
        lambda: Grid(0.0),
        lambda: Grid(2.5),
        lambda: Grid(1e-6),
        lambda: Grid(math.nan),
        lambda: Grid(0.1, math.inf),
        lambda: SearchByGroups(1.0, NARROW, 5, Grid(0.1)),
        lambda: FixedThresholds(1.0, NARROW, 3, 4),
        lambda: Protocol(()),
        lambda: Protocol((Fixed(response(1.0)),) * 13),
        lambda: Protocol((Fixed(response(1.0)),), (0, 1)),
    )
    for make in wrong:
        with pytest.raises(ParameterError) as refused:
            make()
        assert len(str(refused.value).splitlines()) == 1
    # One person is no error where one can be asked.
    assert NoisySteps(1.0, NARROW).run(1, rng).n == 1
    assert np.isfinite(OneStage(1.0, NARROW, 1).squared_error())
    assert TwoStages(1.0, NARROW, 2).run(rng).n == 2
    assert SearchByGroups(1.0, NARROW, 1, Grid(2.0)).squared_error() == pytest.approx(0.63**2)
