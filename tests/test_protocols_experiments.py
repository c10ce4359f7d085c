"""The page about protocols that listen: its questions against independent routes, and what its pictures say."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy

from explorer.facts import Truth, plain
from explorer.figures.theme import Look
from explorer.pages.protocols import figures
from explorer.pages.protocols.facts import better, facts, kept, searched, verdict
from explorer.pages.protocols.settings import FIRST_RIVAL, PARTS, USUAL, Protocols
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments import protocols as p
from ldpcore.experiments.protocols.rivals import TOGETHER
from ldpcore.parameters import ParameterError
from ldpcore.protocols import FixedThresholds, NoisySteps, Protocol, UniformCrowd, sampled_runs
from tests.samples.protocols import samples
from tests.scenes import STOPS

CROWDS = (UniformCrowd(0.0, 1.0), UniformCrowd(0.63, 0.1), UniformCrowd(0.95, 0.05), UniformCrowd(-0.4, 0.6))
LEVELS = (0.01, 0.5, 1.0, 3.0, 10.0)


def test_every_example_and_its_rival_have_equal_level_and_people() -> None:
    for slug, epsilon, n in itertools.product(p.PROTOCOL_SLUGS, LEVELS, (64, 1000)):
        example = p.Example(slug)
        rival, listener = example.silent(epsilon, n), example.listening(epsilon, n)
        assert rival.epsilon == listener.epsilon == epsilon
        assert rival.n == n == getattr(listener, "n", n)
        assert rival.crowd == listener.crowd == example.crowd
        assert example.drawn(epsilon, n, 1).n == n


def test_a_run_has_the_same_people_at_every_level_and_ends_where_it_says() -> None:
    for slug in p.PROTOCOL_SLUGS:
        runs = [p.OneRun(epsilon, p.Example(slug), 200).run() for epsilon in LEVELS]
        assert all((run.path.values == runs[0].path.values).all() for run in runs)
        assert runs[0].estimate == runs[0].path.belief[-1]
        assert runs[0].masked().path.n == 10


def test_one_person_sees_the_question_of_the_run_and_keeps_the_level() -> None:
    for slug, epsilon in itertools.product(p.PROTOCOL_SLUGS, LEVELS):
        run = p.OneRun(epsilon, p.Example(slug), 300).run().path
        for person in (1, 2, 150, 300):
            seen = p.NextQuestion(epsilon, p.Example(slug), 300, 1, person).run()
            assert seen.window == (run.asked_low[person - 1], run.asked_high[person - 1])
            assert seen.value == run.values[person - 1]
            assert seen.loss <= epsilon * (1 + 1e-9)
            low, high = seen.limits
            assert (seen.chances >= low - 1e-12).all() and (seen.chances <= high + 1e-12).all()
    assert p.NextQuestion(1.0, p.Example("search"), 300, 1, 7).run().loss == pytest.approx(1.0)


def test_listening_helps_and_hurts_where_the_page_says_so() -> None:
    """Two stages, exactly: at α = 1 a narrow crowd of 1 000 gains, a wide one and one of 64 lose."""
    narrow, wide = p.Example("stages"), p.Example("stages", UniformCrowd(0.0, 0.9))
    assert p.AgainstSilence(1.0, narrow, 1000).run().verdict == "helps"
    assert p.AgainstSilence(1.0, narrow, 64).run().verdict == "hurts"
    assert p.AgainstSilence(1.0, wide, 1000).run().verdict == "hurts"
    result = p.AgainstSilence(1.0, wide, 1000).run()
    assert result.here == pytest.approx(result.here_rival * math.sqrt(2), rel=0.01)
    steps = p.AgainstSilence(1.0, p.Example("steps"), 1000).run()
    assert verdict(steps) == "helps about"
    rival = FixedThresholds(1.0, steps.experiment.example.crowd, 1000, steps.thresholds)
    assert steps.here_rival == pytest.approx(math.sqrt(rival.squared_error()))


@pytest.mark.parametrize("slug", ["stages", "search"])
def test_simulated_errors_stand_beside_the_exact_ones(slug: str) -> None:
    result = p.AgainstSilence(1.0, p.Example(slug), 1000, repeats=4000).run()
    apart = np.abs(result.simulated**2 - result.theory**2)
    ends = (result.high**2 - result.low**2) / (2 * 1.96)
    assert (apart <= 6.47 * ends + 1e-15).all()  # nearly normal means of 4 000 squares: rate 1e-10 each


def test_two_people_are_enumerated_and_the_broken_promise_is_seen() -> None:
    for design, first, second, epsilon in itertools.product(p.DESIGNS, (1, 4), (2, 3), (0.5, 2.0)):
        result = p.TwoPeople(epsilon, design, first, second).run()
        low, high = 1 / (1 + math.exp(epsilon)), math.exp(epsilon) / (1 + math.exp(epsilon))
        yes = high if first >= 3 else low
        assert result.joint.sum() == pytest.approx(1, abs=1e-12)
        assert result.branch == pytest.approx(yes)
        assert sum(result.rule.parts) == pytest.approx(result.rule.whole, abs=1e-12)
        assert result.level == pytest.approx(2 * epsilon if design == "breaks" else epsilon)
        assert kept(result) == ("broken" if design == "breaks" else "kept")
        losses = {turn.history: turn.loss for turn in result.turns}
        assert losses[(0,)] == pytest.approx(epsilon)
        assert losses[(1,)] == pytest.approx(result.level)
    assert p.TwoPeople(1.0, "ignores").protocol().ignores_history()
    assert not p.TwoPeople(1.0, "listens").protocol().ignores_history()
    assert isinstance(p.TwoPeople(1.0).protocol(), Protocol)


def test_the_branches_of_the_tree_are_as_wide_as_their_chances() -> None:
    result = p.TwoPeople(1.0).run()
    words = catalogue_of("en").words("protocols", "pair", plain(facts(result)), "steps", "kept")
    figure = figures.pair(result, Look(), words)
    widths = [trace["y"][2] - trace["y"][1] for trace in figure.data if trace.get("fill") == "toself"]
    chances = [result.joint[0].sum(), *result.joint[0], result.joint[1].sum(), *result.joint[1]]
    assert sorted(widths) == pytest.approx(sorted(map(float, chances)))


def test_the_search_walks_its_grid_and_its_tail_lies_between_runs_and_bound() -> None:
    path = p.SearchPath(1.0, p.Example("search", delta=0.25)).run()
    assert len(path.places) == 8 and path.experiment.grid.tests == 7
    assert set(np.diff(path.places)) <= {0, 1}
    low, high = path.ends
    assert np.diff(high - low) == pytest.approx(-0.25)
    assert path.estimate in path.experiment.grid.estimates()
    tail = p.SearchTail(1.0, p.Example("search", delta=0.25), 1000).run()
    assert (tail.alone <= tail.bound + 1e-12).all()
    # Clopper and Pearson at 95 %: fixed seed, looked at once; the exact tail lies inside widened ends at rate 1e-10.
    spread = 6.47 * np.sqrt(tail.alone * (1 - tail.alone) / 1000) + 25 / 1000
    assert (np.abs(tail.simulated - tail.alone) <= spread).all()
    assert searched(p.SearchTail(0.01).run()) == "tail silent"


def squared_error_of_rounds(crowd: UniformCrowd, epsilon: float, k: int) -> float:
    """The law of the mean of one person's k bits around the crowd's middle: every number, every count of yeses."""
    least = 1 / (1 + math.exp(epsilon))
    numbers = crowd.low + 2 * crowd.half_width * (np.arange(2000) + 0.5) / 2000
    chances = least + (1 - 2 * least) * (1 + numbers) / 2
    counts = np.arange(k + 1)[:, None]
    weights = scipy.stats.binom.pmf(counts, k, chances).mean(axis=1)
    estimates = (2 * counts[:, 0] / k - 1) / (1 - 2 * least)
    assert weights @ estimates == pytest.approx(crowd.center, abs=1e-9)
    return float(weights @ (estimates - crowd.center) ** 2)


def test_rounds_add_up_and_their_error_is_that_of_all_counts_in_this_crowd() -> None:
    for crowd, epsilon in itertools.product(CROWDS, (0.1, 1.0, 5.0, 10.0)):
        result = p.MoreRounds(epsilon, 3, crowd).run()
        assert result.spent == pytest.approx(3 * epsilon) and result.ratio == result.split[2]
        once = squared_error_of_rounds(crowd, epsilon, 1)
        for k in (1, 3, 10):
            split = squared_error_of_rounds(crowd, epsilon / k, k)
            anew = squared_error_of_rounds(crowd, epsilon, k)
            assert result.split[k - 1] == pytest.approx(math.sqrt(split / once), rel=1e-5)
            assert result.anew[k - 1] == pytest.approx(math.sqrt(anew / once), rel=1e-5)
        assert result.split.max() < 4  # the picture ends there
    for k in (1, 8):
        assert p.MoreRounds(1.0, k).run().spent == pytest.approx(k)


def test_asking_again_helps_in_the_middle_of_the_range_where_it_hurts_near_its_end() -> None:
    assert better(p.MoreRounds(0.1, 4).run()) == "worse"
    assert better(p.MoreRounds(10.0, 4).run()) == "better"
    assert better(p.MoreRounds(1.0, 1).run()) == "once"
    middle, usual, end = (p.MoreRounds(5.0, 4, crowd).run() for crowd in (UniformCrowd(0.0, 0.02), *CROWDS[1:3]))
    assert [better(result) for result in (middle, usual, end)] == ["better", "worse", "worse"]
    assert middle.ratio == pytest.approx(0.889, abs=1e-3) and usual.ratio == pytest.approx(1.066, abs=1e-3)
    assert p.MoreRounds(5.0, 4, Protocols(p.Example(crowd=CROWDS[2])).example.crowd).run().ratio == end.ratio


def test_the_farther_from_the_middle_the_larger_the_level_from_which_more_rounds_help() -> None:
    first = []
    for crowd in (UniformCrowd(0.0, 0.02), UniformCrowd(0.3, 0.1), UniformCrowd(0.63, 0.1), UniformCrowd(0.9, 0.02)):
        helps = np.array([p.MoreRounds(level, 2, crowd).run().split[1:] < 1 for level in np.linspace(0.5, 50, 100)])
        assert (np.diff(helps.astype(int), axis=0) >= 0).all() and helps[-1, 0]  # once they help, they help on
        first.append(np.where(helps.any(axis=0), helps.argmax(axis=0), 100))
    assert (np.diff(first, axis=0) >= 0).all() and (first[0] < first[-1]).all()


def test_whatever_a_result_hides_is_a_truth_in_its_facts() -> None:
    hidden = set()
    for settings, level in itertools.product(samples(), (0.1, 3.0)):
        pairs = [settings.pair(level, pair) for pair in (USUAL, ("breaks", 1, 2, 0))]
        searches = [settings.search(level, part) for part in PARTS]
        rivals = [settings.against(level, rival) for rival in (FIRST_RIVAL, ("rounds", 4))]
        for question in (*settings.one(level, settings.first_person()), *rivals, *pairs, *searches):
            result = question.run()
            whole, less = facts(result), facts(result.masked())
            moved = {name for name, quantity in whole.items() if repr(less[name]) != repr(quantity)}
            assert all(isinstance(whole[name], Truth) for name in moved), moved
            hidden |= moved
    assert {"p0", "p1", "branch", "p11", "ratio", "estimate", "listening", "alone", "chance"} <= hidden


def test_bad_input_is_refused() -> None:
    wrong = (
        lambda: p.OneRun(1.0, n=0),
        lambda: p.OneRun(1.0, n=10**6),
        lambda: p.NextQuestion(1.0, n=100, person=101),
        lambda: p.Example("median"),
        lambda: p.SearchPath(1.0, p.Example("steps")),
        lambda: p.TwoPeople(1.0, "listens", 5),
        lambda: p.MoreRounds(1.0, 11),
        lambda: p.AgainstSilence(1.0, p.Example("search"), 5).run(),
    )
    for ask in wrong:
        with pytest.raises(ParameterError) as refused:
            ask()
        assert len(str(refused.value).splitlines()) == 1
    small = Protocols(n=64)
    assert small.first_person() == small.one(1.0, 500)[1].person == 64


def test_levels_that_are_drawn_together_err_as_each_does_alone() -> None:
    """All stops of the handle, with the same coins and to the last digit; a level beside them is drawn by itself."""
    assert TOGETHER == STOPS
    crowd, users = UniformCrowd(0.2, 0.4), [1, 3, 40]
    both = sampled_runs(TOGETHER, crowd, users, 7, np.random.default_rng(4))
    for place in (0, 9, len(TOGETHER) - 1):
        alone = NoisySteps(TOGETHER[place], crowd).sample(users, 7, np.random.default_rng(4))
        assert (both[place] == alone).all()
