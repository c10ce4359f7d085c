"""The page about protocols that listen: its questions against independent routes, and what its pictures say."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from explorer.facts import plain
from explorer.facts.protocols import better, facts, kept, searched, verdict
from explorer.figures import protocols as figures
from explorer.figures.theme import Look
from explorer.settings.protocols import Protocols
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments import protocols as p
from ldpcore.parameters import ParameterError
from ldpcore.protocols import Crowd, Protocol

LEVELS = (0.01, 0.5, 1.0, 3.0, 10.0)


def test_every_example_and_its_rival_have_equal_level_and_people() -> None:
    for slug, epsilon, n in itertools.product(p.SLUGS, LEVELS, (64, 1000)):
        example = p.Example(slug)
        rival, listener = example.silent(epsilon, n), example.listening(epsilon, n)
        assert rival.epsilon == listener.epsilon == epsilon
        assert rival.n == n == getattr(listener, "n", n)
        assert rival.crowd == listener.crowd == example.crowd
        assert example.drawn(epsilon, n, 1).n == n


def test_a_run_has_the_same_people_at_every_level_and_ends_where_it_says() -> None:
    for slug in p.SLUGS:
        runs = [p.OneRun(epsilon, p.Example(slug), 200).run() for epsilon in LEVELS]
        assert all((run.path.values == runs[0].path.values).all() for run in runs)
        assert runs[0].estimate == runs[0].path.belief[-1]
        assert runs[0].masked().path.n == 10


def test_one_person_sees_the_question_of_the_run_and_keeps_the_level() -> None:
    for slug, epsilon in itertools.product(p.SLUGS, LEVELS):
        run = p.OneRun(epsilon, p.Example(slug), 300).run().path
        for person in (1, 2, 150, 300):
            seen = p.OnePerson(epsilon, p.Example(slug), 300, 1, person).run()
            assert seen.window == (run.asked_low[person - 1], run.asked_high[person - 1])
            assert seen.value == run.values[person - 1]
            assert seen.loss <= epsilon * (1 + 1e-9)
            low, high = seen.limits
            assert (seen.chances >= low - 1e-12).all() and (seen.chances <= high + 1e-12).all()
    assert p.OnePerson(1.0, p.Example("search"), 300, 1, 7).run().loss == pytest.approx(1.0)


def test_listening_helps_and_hurts_where_the_page_says_so() -> None:
    """Two stages, exactly: at α = 1 a narrow crowd of 1 000 gains, a wide one and one of 64 lose."""
    narrow, wide = p.Example("stages"), p.Example("stages", Crowd(0.0, 0.9))
    assert p.AgainstSilence(1.0, narrow, 1000).run().verdict == "helps"
    assert p.AgainstSilence(1.0, narrow, 64).run().verdict == "hurts"
    assert p.AgainstSilence(1.0, wide, 1000).run().verdict == "hurts"
    result = p.AgainstSilence(1.0, wide, 1000).run()
    assert result.here == pytest.approx(result.here_rival * math.sqrt(2), rel=0.01)
    assert verdict(p.AgainstSilence(1.0, p.Example("steps"), 1000).run()) == "helps about"


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


def test_rounds_add_up_and_their_error_is_that_of_averaged_bits() -> None:
    for epsilon, k in itertools.product((0.1, 1.0, 10.0), (1, 3, 8)):
        result = p.MoreRounds(epsilon, k).run()
        assert result.spent == pytest.approx(k * epsilon)
        stretch = [(math.exp(level) + 1) / math.expm1(level) for level in (epsilon, epsilon / k)]
        assert result.ratio == pytest.approx(stretch[1] / stretch[0] / math.sqrt(k))
    assert better(p.MoreRounds(0.1, 4).run()) == "worse"
    assert better(p.MoreRounds(10.0, 4).run()) == "better"
    assert better(p.MoreRounds(1.0, 1).run()) == "once"


def test_bad_input_is_refused() -> None:
    wrong = (
        lambda: p.OneRun(1.0, n=0),
        lambda: p.OneRun(1.0, n=10**6),
        lambda: p.OnePerson(1.0, n=100, person=101),
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
    assert Protocols(n=64).person(1.0).person == 64
