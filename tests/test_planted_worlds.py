"""Planted mistakes about two worlds: divergences, contraction, tests, crowds, games, masks and what pictures say.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from explorer.pages.distinguish import settings
from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import distances, errors, games
from ldpcore.laws import besttests as testing
from ldpcore.laws import contraction, densities, divergences, guessing, products
from tests import (
    test_densities,
    test_distinguish,
    test_distinguish_views,
    test_distinguishing,
    test_divergences,
)
from tests.test_planted import Mistake
from tests.test_planted_families import mask_of


def finite_where_it_is_not(p: Any, q: Any) -> float:
    first, second = np.asarray(p), np.asarray(q)
    both = (first > 0) & (second > 0)
    return float((first[both] * np.log(first[both] / second[both])).sum())


def kept_prices(multipliers: Any) -> Any:
    """The mixture of the best test forgotten: every law alike."""
    return np.full(len(multipliers), 1 / len(multipliers))


def halved(self: Any, what: Any) -> float:
    return INTEGRAL(self, what) / 2


def unsquared(self: Any, slug: str, measure: Any, before: float, order: float) -> float:
    return MOST(self, "tv" if slug != "tv" else slug, measure, before, order) / 2


def careless(loss: Any, d: int, delta: float) -> None:
    return None


INTEGRAL, MOST = densities.Densities._integral, distances.Bounds.most
VIEWS, TESTS = test_distinguish_views, test_distinguishing

WORLDS = (
    Mistake(
        "Pinsker as it is misprinted",
        divergences,
        "pinsker",
        lambda divergence: divergence / math.sqrt(2),
        test_divergences.test_pinsker_is_the_right_one_and_the_printed_one_fails_for_a_nearly_fair_coin,
    ),
    Mistake(
        "a divergence that forgets what is excluded",
        divergences,
        "kullback_leibler",
        finite_where_it_is_not,
        test_divergences.test_infinity_comes_back_exactly_where_the_second_law_excludes_what_the_first_allows,
    ),
    Mistake(
        "half of an integral",
        densities.Densities,
        "_integral",
        halved,
        lambda: test_densities.test_normal_noise_has_its_closed_forms(1.0),
    ),
    Mistake(
        "tails that always end",
        densities,
        "FALLING",
        1e9,
        test_densities.test_infinity_comes_back_where_a_tail_is_too_heavy_or_a_support_too_small,
    ),
    Mistake(
        "tanh of the whole level",
        contraction,
        "largest_contraction",
        math.tanh,
        lambda: TESTS.test_randomized_response_contracts_as_much_as_its_level_allows(1.0),
    ),
    Mistake(
        "the constant not switched at ln 2",
        contraction,
        "information_constant",
        lambda epsilon: math.exp(2 * epsilon) * math.expm1(epsilon) ** 2,
        lambda: TESTS.test_the_printed_numbers_of_the_information_inequality(1.0, 0.924234, 11.80997),
    ),
    Mistake(
        "a mixture that is not the hardest",
        testing,
        "_mixture",
        kept_prices,
        TESTS.test_both_sides_of_the_minimax_identity_agree_and_no_mixture_does_better,
    ),
    Mistake(
        "a distance that grows with the number of people",
        products,
        "_binomial_distance",
        lambda p, q, n: min(n * abs(p - q), 1.0),
        lambda: TESTS.test_the_printed_distances_of_two_uniform_laws(10, 0.6513),
    ),
    Mistake(
        "a bound of half the level",
        distances.Bounds,
        "most",
        unsquared,
        lambda: VIEWS.test_randomized_response_of_two_people_touches_every_mark(2.0, 1.0),
    ),
    Mistake(
        "a misprint without its root",
        distances,
        "inequalities",
        lambda laws: (distinguish.Inequality("pinsker", 1.0, 0.5),),
        VIEWS.test_the_misprint_is_crossed_where_worlds_are_near_and_the_root_is_not,
    ),
    Mistake(
        "Assouad's condition never checked",
        games,
        "separation",
        careless,
        VIEWS.test_assouad_is_attained_where_it_holds_and_false_where_its_condition_is_broken,
    ),
    Mistake(
        "Fano's packing never checked",
        games,
        "unpacked",
        careless,
        VIEWS.test_assouad_is_attained_where_it_holds_and_false_where_its_condition_is_broken,
    ),
    Mistake(
        "information of one group for all of them",
        games,
        "fano",
        lambda information, m: guessing.fano(information / 3, m),
        VIEWS.test_fano_of_all_corners_uses_the_information_of_all_groups,
    ),
    Mistake(
        "a best guess that knows half of the groups",
        games,
        "least_loss",
        lambda loss, distance, groups: LEAST(loss, distance, groups) / 2,
        lambda: VIEWS.test_the_best_guess_loses_what_going_through_all_guesses_says("each", 2, 1.0),
    ),
    Mistake(
        "a promise that never fails",
        errors,
        "power_bound",
        lambda size, epsilon, delta=0.0: POWER(size, epsilon),
        lambda: VIEWS.test_the_region_of_a_level_that_may_fail_is_attained_by_its_extreme_channel(1.0, 0.3),
    ),
    Mistake(
        "the second world's rows for the first",
        settings,
        "parted",
        lambda table, by, value: PARTED(table, by, value)[::-1],
        VIEWS.test_groups_of_a_table_are_counted_by_hand,
    ),
    Mistake(
        "a bell without its tails",
        distinguish,
        "bell",
        lambda shift, k: tuple(np.full(k, 0.9 / k)),
        test_distinguish.test_a_bell_sums_to_one_and_keeps_its_digits_in_the_tails,
    ),
)
LEAST, POWER, PARTED = games.least_loss, errors.power_bound, settings.parted

MASKS = tuple(
    Mistake(f"a mask that hides nothing of {cls.__name__}", cls, "masked", lambda self: self, mask_of(cls.__name__))
    for cls in (
        distinguish.TellApartResult,
        distinguish.BeforeAfterResult,
        distinguish.InequalitiesResult,
        distinguish.ManyPeopleResult,
        distinguish.MinimaxResult,
        distinguish.InformationResult,
    )
)


@pytest.mark.parametrize("mistake", [*WORLDS, *MASKS], ids=lambda mistake: mistake.name)
def test_a_planted_mistake_about_two_worlds_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch, TypeError)
