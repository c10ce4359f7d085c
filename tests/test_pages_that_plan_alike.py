"""The law of plans that ask the same: where two pages plan alike, both are asked and say the same.

Every plan of `ldpcore` stands in a pair at least, of which each question is put in the words of both; the questions are
found as the law of confidence finds them (`test_plans_keep_their_confidence.py`), so that a new plan is red by itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import ldpcore
from explorer.facts.recommendations import planned
from explorer.pages.means.facts import facts as means_facts
from explorer.pages.means.settings import Means
from explorer.pages.trust.facts import facts as trust_facts
from explorer.pages.trust.settings import Trust
from explorer.settings.numbers import PeopleSource
from ldpcore.estimating.adviser import candidates
from ldpcore.experiments import frequencies, means, response, trust, vectors
from ldpcore.experiments.averaging.running import AveragingPlan
from ldpcore.experiments.counting.releases import CountPlan
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.people.scales import PublicScale, ScaledNumbers
from tests.rationing import shared
from tests.test_plans_keep_their_confidence import plans

WISHES = tuple(itertools.product((1, 3, 20, 100, 4321), (0.01, 0.1, 0.4), (0.5, 0.95, 0.999)))
LEVELS = (0.1, 1.0, 6.0)
Answers = tuple[Any, Any]


@dataclass(frozen=True)
class Pair:
    """Questions that ask the same on two pages, and what both say: pairs of levels, or of numbers of people."""

    name: str
    kinds: frozenset[type]
    said: Callable[[int, float, float, float], Iterator[Answers]]


def curator_and_count(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """A mean of a public number of people is a number that one of them moves by (U - L)/n."""
    wish = trust.TrustPlan(ScaledNumbers.synthetic("bell", n, 0, 100), width, confidence)
    count = CountPlan(LaplaceMechanism(level, 100 / n), n, 100 * width, confidence).run()
    yield wish.run().levels["curator"], count.epsilon if count.possible else None
    yield wish.at(level).run().here["curator"], math.ceil(n * count.width / (100 * width) * (1 - 1e-12))


def local_and_means(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """Nobody is trusted, and the hybrid mechanism reports."""
    wish = trust.TrustPlan(ScaledNumbers.synthetic("constant", n, 0, 100), width, confidence)
    question = means.MeanPlan(level, n, 100 * width, confidence, PublicScale(0, 100), ("hm", "pm"))
    need = question.run().need("hm")
    yield wish.run().levels["local"], need.epsilon
    people = wish.at(level).run().here["local"]
    yield people if math.isfinite(people) else None, need.people if (need.people or 10**13) <= 10**12 else None


def as_the_pages_say(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """What stands on the screen of both."""
    source = PeopleSource.of_shape("constant", n)
    one, other = Trust(source, confidence=confidence), Means(source, "hm", confidence=confidence)
    said = {k: v for each in one.plan(level, width) for k, v in trust_facts(each.run()).items()}
    result = other.plan(level, 2 * source.numbers.scale.half * width).run()
    needed = means_facts(result)
    if means_facts(result)["needed"] != planned(None):
        yield said["level_local"], needed["needed"]
    yield said["people_local"], needed["people"]


def means_and_vectors(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """One question alone: the method that asks each person one of them, and its mechanism."""
    one = means.MeanPlan(level, n, 2 * width, confidence).run().need("hm")
    needs = vectors.VectorPlan(level, 1, n, width, confidence).run().needs
    other = next(need for need in needs if need.slug == "sampled")
    yield one.epsilon, other.epsilon
    yield one.people, other.people


def library_and_means(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """The library, in the unit of the bounds."""
    one = means.MeanPlan(level, n, 50 * width, confidence, PublicScale(0, 50), ("pm",)).run().needs[0]
    other = ldpcore.plan("pm", level, ldpcore.Numbers(0, 50), n=n, width=50 * width, confidence=confidence)
    yield one.epsilon, other.level
    yield one.people, other.people


def count_average_and_table(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """One release of a count, alone, in place of several, and as the only cell of a table."""
    for noise in (LaplaceMechanism(level), GaussianMechanism.usual(level, 1e-4, calibration="classical")):
        once = CountPlan(noise, n, 10 * width, confidence).run().epsilon
        yield once, AveragingPlan(noise, 10 * width, confidence).run().once
        table = TablePlan(noise, ((n,),), 10 * width, confidence).run()
        yield once, table.needed
        yield once, table.alone


def yes_and_bits(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """Whoever says yes or no reports one bit of a number that is 0 or 1, in a random sample of a population."""
    one = response.SurveyPlan(RandomizedResponse(level), n, width, confidence).run()
    scale = PublicScale(0.0, 1.0)
    (other,) = means.MeanPlan(level, n, width, confidence, scale, ("onebit",), sampled=True).run().needs
    if width < 0.4:  # so wide an interval ends at 0 or at 1 first
        yield one.epsilon, other.epsilon
        yield one.people, other.people


def survey_and_spinner(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """A spinner that has just the level that was planned for."""
    wish = response.SurveyPlan(RandomizedResponse(level), n, width, confidence)
    kit = response.SurveyKit("spinner", level, wish).run()
    exact = response.SurveyPlan(RandomizedResponse(kit.level), n, width, confidence).run()
    yield exact.width, kit.reach
    yield exact.people, kit.people


def shares_and_rivals(n: int, width: float, confidence: float, level: float) -> Iterator[Answers]:
    """One mechanism by itself, among its rivals, and as the best one."""
    wish = 8, n, 0.2, width, confidence
    needed = frequencies.RivalPlans(("grr", "oue"), *wish).run().needed
    for slug, found in needed.items():
        (member,) = candidates(1.0, 8, (slug,))
        yield found, frequencies.FrequencyPlan(member, *wish[1:]).run().epsilon
    best = frequencies.BestMechanism(*wish).run()
    if best.slug is not None:
        (member,) = candidates(1.0, 8, (best.slug,))
        yield best.epsilon, frequencies.FrequencyPlan(member, *wish[1:]).run().epsilon


PAIRS = (
    Pair("curator_and_count", frozenset({trust.TrustPlan, trust.PeopleByModel, CountPlan}), curator_and_count),
    Pair("local_and_means", frozenset({trust.TrustPlan, trust.PeopleByModel, means.MeanPlan}), local_and_means),
    Pair("as_the_pages_say", frozenset({trust.TrustPlan, means.MeanPlan}), as_the_pages_say),
    Pair("means_and_vectors", frozenset({means.MeanPlan, vectors.VectorPlan}), means_and_vectors),
    Pair("library_and_means", frozenset({means.MeanPlan}), library_and_means),
    Pair("count_average_and_table", frozenset({CountPlan, AveragingPlan, TablePlan}), count_average_and_table),
    Pair("yes_and_bits", frozenset({response.SurveyPlan, means.MeanPlan}), yes_and_bits),
    Pair("survey_and_spinner", frozenset({response.SurveyPlan, response.SurveyKit}), survey_and_spinner),
    Pair(
        "shares_and_rivals",
        frozenset({frequencies.FrequencyPlan, frequencies.RivalPlans, frequencies.BestMechanism}),
        shares_and_rivals,
    ),
)


def alike(one: Any, other: Any) -> bool:
    """Equal, or equal numbers but for what a solver leaves; large crowds to a hundredth of a per cent each."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=2e-4 if one > 10**4 else 1e-6)
    return bool(one == other)


def differences(pair: Pair) -> list[Any]:
    """Where two pages do not say the same."""
    cases = [(*wish, LEVELS[place % 3]) for place, wish in enumerate(WISHES)]
    return [(case, said) for case in shared(cases, 16) for said in pair.said(*case) if not alike(*said)]


def test_every_plan_is_asked_beside_another_one() -> None:
    assert set().union(*(pair.kinds for pair in PAIRS)) == plans()


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pages_that_plan_alike_say_the_same(pair: Pair) -> None:
    assert not (found := differences(pair)), (len(found), found[:5])
