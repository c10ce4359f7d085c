"""Planted mistakes about protocols that listen: kernels, steps, stages, searches, and the page's questions.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments.protocols import pairs, rivals, rounds, runs, searches
from ldpcore.protocols import (
    FixedThresholds,
    Grid,
    NoisySteps,
    Protocol,
    Run,
    SearchAlone,
    SearchByGroups,
    TwoStages,
    UniformCrowd,
    stages,
    steps,
    transcripts,
)
from ldpcore.protocols import crowd as crowds
from tests import test_protocols as core
from tests import test_protocols_experiments as page
from tests.test_planted import Check, Mistake

TURNS, LEVEL, JOINT, RULE = Protocol.turns, Protocol.level, Protocol.joint, Protocol.chain_rule
LAW, BOUND, CUT, AFFINITIES = SearchByGroups.law, SearchAlone.bound, SearchAlone.cut, SearchAlone.affinities
SHARE, LOSS = crowds.yes, Run.loss


def one_example(test: Any, *given: Any) -> Check:
    """A test over many random examples, at one of them."""
    return lambda: test.hypothesis.inner_test(*given)


def first_history_alone(self: Protocol) -> Any:
    return tuple(turn for turn in TURNS(self) if not any(turn.history))


def forgets_history(self: Protocol, values: Any) -> np.ndarray:
    first = (kernel.channel((0,) * turn) for turn, kernel in enumerate(self.kernels))
    return JOINT(Protocol(tuple(map(transcripts.Fixed, first)), self.people), values)


def one_sided(self: Protocol, values: Any, others: Any) -> Any:
    rule = RULE(self, values, others)
    return transcripts.ChainRule(rule.whole, (rule.parts[0], *RULE(self, others, values).parts[1:]))


def steady_steps(self: NoisySteps, users: Any, repeats: int, rng: np.random.Generator) -> np.ndarray:
    guess, estimates, mean = np.zeros(repeats), [], np.zeros(repeats)
    for i in range(1, users[-1] + 1):
        up = rng.random(repeats) < SHARE(self.crowd.above(guess), self.epsilon)
        guess = np.clip(guess + np.where(up, 1, -1) / i, -1, 1)
        mean += (guess - mean) / i
        estimates += [mean.copy()] if i in users else []
    return np.array(estimates)


CORE = (
    Mistake(
        "losses of one history alone",
        Protocol,
        "turns",
        first_history_alone,
        core.test_a_kernel_that_breaks_its_level_after_one_rare_history_is_caught,
    ),
    Mistake(
        "levels of several people added up",
        Protocol,
        "guarantee",
        lambda self: sum(LEVEL(self, person) for person in set(self.people)),
        core.test_who_ignores_the_history_is_the_non_interactive_case,
    ),
    Mistake(
        "one level for all rounds",
        Protocol,
        "level",
        lambda self, person: max(t.loss for t in TURNS(self)),
        core.test_several_rounds_compose_and_are_no_sequential_protocol,
    ),
    Mistake(
        "a joint law that forgets",
        Protocol,
        "joint",
        forgets_history,
        one_example(core.test_the_joint_law_is_the_product_along_every_path_and_sums_to_one, 3),
    ),
    Mistake(
        "a chain rule with averages over the second law",
        Protocol,
        "chain_rule",
        one_sided,
        one_example(core.test_the_chain_rule_is_exact, 3),
    ),
    Mistake(
        "nobody listens",
        Protocol,
        "ignores_history",
        lambda self: True,
        core.test_who_ignores_the_history_is_the_non_interactive_case,
    ),
    Mistake(
        "half of a stretch",
        stages,
        "z0",
        lambda epsilon: 1 / math.tanh(epsilon),
        core.test_one_stage_errs_as_its_enumeration,
    ),
    Mistake(
        "a yes for certain above",
        crowds,
        "smallest_share",
        lambda epsilon: 0.0,
        lambda: core.test_a_private_yes_is_randomized_response(1.0),
    ),
    Mistake(
        "shares below in place of above",
        UniformCrowd,
        "above",
        lambda self, t: np.clip((np.asarray(t) - self.low) / (2 * self.half_width), 0, 1),
        one_example(core.test_shares_and_cut_off_means_agree_with_quadrature, 0.1, 0.2, -0.2, 0.3),
    ),
    Mistake(
        "numbers that are not cut off",
        UniformCrowd,
        "held",
        lambda self, low, high: np.zeros_like(low) + self.center,
        one_example(core.test_shares_and_cut_off_means_agree_with_quadrature, 0.1, 0.2, -0.2, 0.3),
    ),
)

EXAMPLES = (
    Mistake(
        "steps that fade too soon, without weights",
        NoisySteps,
        "sample",
        steady_steps,
        lambda: core.test_noisy_steps_follow_the_tree_in_runs_and_in_samples(core.NARROW),
    ),
    Mistake(
        "offsets of a whole step",
        steps,
        "OFFSETS",
        np.arange(8) / 8,
        lambda: core.test_fixed_thresholds_err_as_their_enumeration(3, 9),
    ),
    Mistake(
        "groups that lose those left over",
        steps,
        "group_sizes",
        lambda n, groups: np.full(groups, n // groups),
        lambda: core.test_fixed_thresholds_err_as_their_enumeration(3, 10),
    ),
    Mistake(
        "the spread of thresholds left out",
        FixedThresholds,
        "squared_error",
        lambda self: 0.0,
        lambda: core.test_fixed_thresholds_err_as_their_enumeration(3, 9),
    ),
    Mistake(
        "a window that leaves the range",
        TwoStages,
        "center",
        lambda self, yeses: crowds.z0(self.epsilon) * (2 * np.asarray(yeses) / self.halves[0] - 1),
        lambda: core.test_two_stages_err_as_their_enumeration(5, core.NARROW),
    ),
    Mistake(
        "a window of the whole range",
        TwoStages,
        "radius",
        property(lambda self: self.crowd.reach),
        page.test_listening_helps_and_hurts_where_the_page_says_so,
    ),
    Mistake(
        "all people in both halves",
        TwoStages,
        "halves",
        property(lambda self: (self.n, self.n)),
        page.test_listening_helps_and_hurts_where_the_page_says_so,
    ),
    Mistake(
        "steps counted in doubles",
        Grid,
        "cells",
        property(lambda self: next(n for n in range(1, 9999) if n * self.delta > 2 * self.reach)),
        core.test_the_number_of_steps_is_counted_exactly,
    ),
    Mistake(
        "one test too few",
        Grid,
        "tests",
        property(lambda self: max(self.cells - 3, 0)),
        core.test_the_search_makes_all_its_tests_and_ends_on_its_grid,
    ),
    Mistake(
        "a middle that is half a step too low",
        Grid,
        "middle",
        lambda self, test, place: np.asarray(self.low(place) + (self.cells - test) * self.delta / 2),
        core.test_the_law_of_the_search_is_its_enumeration,
    ),
    Mistake(
        "a search that goes the other way",
        SearchByGroups,
        "law",
        lambda self: LAW(self)[::-1],
        core.test_the_law_of_the_search_is_its_enumeration,
    ),
    Mistake(
        "a cut that is one too high",
        SearchAlone,
        "cut",
        lambda self, test, places: (*CUT(self, test, places)[:2], CUT(self, test, places)[2] + 1),
        lambda: core.test_the_lonely_search_makes_the_likelier_choice_in_each_test(2.0),
    ),
    Mistake(
        "the bound of the smallest distance left out",
        SearchAlone,
        "bound",
        lambda self: np.append(BOUND(self)[1:], 0.0) / 50,
        lambda: core.test_the_tail_of_the_lonely_search_never_exceeds_its_bound(1.0, 2000),
    ),
    Mistake(
        "affinities at the easiest place",
        SearchAlone,
        "affinities",
        lambda self: AFFINITIES(self) / 2,
        lambda: core.test_the_affinities_are_those_of_the_worst_pair_and_below_hellingers(1000),
    ),
)

QUESTIONS = (
    Mistake(
        "a broken promise at its own level",
        pairs.TwoPeopleResult,
        "kept",
        property(lambda self: True),
        page.test_two_people_are_enumerated_and_the_broken_promise_is_seen,
    ),
    Mistake(
        "everybody is asked about the upper half",
        pairs,
        "at_least",
        lambda quarter, epsilon: tuple((0.5, 0.5) for _ in range(4)),
        page.test_two_people_are_enumerated_and_the_broken_promise_is_seen,
    ),
    Mistake(
        "rounds that cost nothing",
        rounds.MoreRounds,
        "_level",
        lambda self, each: each,
        page.test_rounds_add_up_and_their_error_is_that_of_all_counts_in_this_crowd,
    ),
    Mistake(
        "a level split by its root",
        rounds,
        "z0",
        lambda epsilon: 1 / math.sqrt(epsilon),
        page.test_rounds_add_up_and_their_error_is_that_of_all_counts_in_this_crowd,
    ),
    Mistake(
        "errors that are not squared",
        rivals,
        "root",
        lambda squares: np.asarray(squares, dtype=np.float64),
        lambda: page.test_listening_helps_and_hurts_where_the_page_says_so(),
    ),
    Mistake(
        "a loss that counts twice",
        Run,
        "loss",
        lambda self, person, values: 2 * LOSS(self, person, values),
        page.test_one_person_sees_the_question_of_the_run_and_keeps_the_level,
    ),
    Mistake(
        "a run that never ends hidden",
        runs,
        "BEGINNING",
        200,
        page.test_a_run_has_the_same_people_at_every_level_and_ends_where_it_says,
    ),
    Mistake(
        "a search that stands still",
        searches.SearchPathResult,
        "ends",
        property(lambda self: (np.zeros(len(self.places)), np.ones(len(self.places)))),
        page.test_the_search_walks_its_grid_and_its_tail_lies_between_runs_and_bound,
    ),
    Mistake(
        "a tail that never falls",
        SearchAlone,
        "tail",
        lambda self: np.ones(self.grid.cells - 1),
        page.test_the_search_walks_its_grid_and_its_tail_lies_between_runs_and_bound,
    ),
)
FAMILIES = {"core": CORE, "examples": EXAMPLES, "questions": QUESTIONS}
ALL = tuple(mistake for family in FAMILIES.values() for mistake in family)


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_a_planted_mistake_about_protocols_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)


def test_every_family_of_protocols_has_mistakes_of_its_own() -> None:
    assert len(ALL) >= 30 and all(FAMILIES.values())
    assert len({mistake.name for mistake in ALL}) == len(ALL)
