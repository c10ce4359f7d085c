"""The law of all plans: what a plan says is enough keeps its confidence, for every number of people, whoever they are.

A question that is told a width and a confidence is a plan: all of them are found in `ldpcore`, and each has its judge
here, who asks it, takes what it recommends, and goes through all surveys with their exact probabilities where reports
are counted; elsewhere surveys of the worst crowds are drawn. A recommendation whose question knows no confidence speaks
of a typical error, and its type says so. A drawn case fails where so many misses have a probability below 1e-12 at the
stated confidence; with some thousand cases the whole file gives a false alarm less often than 1e-8, at night too.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from scipy import stats

import ldpcore
from ldpcore.accounting.shuffling import largest_local
from ldpcore.estimating.adviser import comparable, tuned_anew
from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.errorlaws import PiecewiseErrorLaw
from ldpcore.estimating.reportlaws import error_law
from ldpcore.experiments import frequencies, means, response, trust, vectors
from ldpcore.experiments.averaging.running import AveragingPlan
from ldpcore.experiments.counting.releases import CountPlan
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.people.populations import Population
from ldpcore.people.scales import UNIT, ScaledNumbers
from ldpcore.questions import Question, Result
from tests.rationing import ALL, shared
from tests.test_coverage import crowds, drawn, too_many

PEOPLE = (1, 2, 3, 5, 8, 13, 17, 20, 25, 30, 50, 64, 100)
SIZES = tuple(range(1, 101)) if ALL else PEOPLE
CONFIDENCES = (0.5, 0.95, 0.999)  # both ends of the control, and its middle
LEVELS = (0.01, 1.0, 4.0, 10.0)  # of the handle, for which a number of people is recommended
MOST = 10_000 if ALL else 300  # people of a survey that is drawn; beyond, what is planned is as the normal law says
ROUNDS = 100_000 if ALL else 10_000
FEW = 250_000  # reports that are drawn one by one: their mean is then not what a formula makes of it
PARTS = 12 if ALL else 1  # into which the many cases of a night are divided
EDGE = 1 + 1e-9  # of a width: what doubles leave
EXACT = 1e-9  # of a probability that is summed up


# --- every plan is found ---------------------------------------------------------------------------------------------


def classes() -> Iterator[type]:
    """All classes of ldpcore, each where it is written."""
    for module in pkgutil.walk_packages(ldpcore.__path__, "ldpcore."):
        for member in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(member) and member.__module__ == module.name:
                yield member


def asked(kind: type) -> set[str]:
    """What a question is told, itself and by the questions that it may hold."""
    hints = get_type_hints(kind) if is_dataclass(kind) else {}
    named = {each.name for each in fields(kind)} if is_dataclass(kind) else set()
    held = [each for name in named for each in (hints[name], *get_args(hints[name])) if inspect.isclass(each)]
    return named.union(*(asked(each) for each in held if issubclass(each, Question)))


def plans() -> set[type]:
    """The questions that are told a width and a confidence."""
    return {each for each in classes() if issubclass(each, Question) and {"width", "confidence"} <= asked(each)}


def recommenders() -> dict[type, type]:
    """The results that recommend something, with the questions that they answer."""
    results = [each for each in classes() if issubclass(each, Result) and "recommended" in vars(each)]
    return {each: get_type_hints(each)["experiment"] for each in results if "experiment" in get_type_hints(each)}


# --- surveys ---------------------------------------------------------------------------------------------------------


def bit_chance(z0: float, people: Population, width: float) -> float:
    """How often a mean of bits ±z₀ is within a width of the truth, from the law of unequal coins."""
    law = np.ones(1)
    for value, count in zip(people.values, people.counts, strict=True):
        law = np.convolve(law, stats.binom.pmf(np.arange(count + 1), count, (1 + value / z0) / 2))
    n = len(law) - 1
    truth = float(people.values @ people.counts) / n
    off = np.abs(z0 * (2 * np.arange(n + 1) / n - 1) - truth)
    return float(law[off <= width * EDGE].sum())


@lru_cache(maxsize=256)
def mean_kept(mechanism: Any, n: int, width: float, confidence: float) -> bool:
    """Whether the mean of n reports on [-1, 1] keeps a width, whoever the people are; of bits for certain."""
    law = error_law(mechanism)
    if n <= 100 and isinstance(law, PiecewiseErrorLaw) and law.step:
        alike = [Population(np.array([value]), np.array([n])) for value in np.linspace(-1, 1, 21)]
        return all(bit_chance(law.z0, each, width) >= confidence - EXACT for each in (*alike, *crowds(n)))
    for people in islice(crowds(n), n % 3, None, 3):
        off = np.abs(means_of(mechanism, people) - mechanism.truth(people))
        if too_many(int((off > width * EDGE).sum()), confidence, ROUNDS):
            return False
    return True


def means_of(mechanism: Any, people: Population) -> Any:
    """What so many surveys of these people estimate."""
    if people.n * ROUNDS > FEW:
        return drawn(mechanism, people, people.n, ROUNDS)
    values = np.tile(np.repeat(people.values, people.counts), ROUNDS)
    reports = mechanism.privatize(values, np.random.default_rng(people.n))
    return np.asarray(mechanism.decoded(reports)).reshape(ROUNDS, people.n).mean(axis=1)


def share_chance(p: float, q: float, n: int, share: float, width: float, sampled: bool, nearest: bool = False) -> float:
    """How often the share of supporting reports, decoded, is within a width: of n people drawn, or of those given.

    With `nearest` the estimate is moved to the nearest share that there is.
    """
    if sampled:
        law, truth = stats.binom.pmf(np.arange(n + 1), n, q + (p - q) * share), share
    else:
        held = round(share * n)
        parts = [stats.binom.pmf(np.arange(many + 1), many, chance) for many, chance in ((held, p), (n - held, q))]
        law, truth = np.convolve(*parts), held / n
    estimates = (np.arange(n + 1) / n - q) / (p - q)
    off = np.abs((np.clip(estimates, 0, 1) if nearest else estimates) - truth)
    return float(law[off <= width * EDGE].sum())


def share_kept(mechanism: Any, n: int, share: float, wish: Any) -> bool:
    """Whether an estimated share keeps a wish; noise that is summed up is drawn."""
    if isinstance(mechanism, FrequencyOracle):
        chance = share_chance(mechanism.p, mechanism.q, n, share, wish.width, wish.sampled)
        return chance >= wish.confidence - EXACT
    held = np.random.default_rng(n).binomial(n, share, ROUNDS) if wish.sampled else np.full(ROUNDS, round(share * n))
    nobody = drawn(mechanism, Population.of_categories(np.array([n, *[0] * (mechanism.k - 1)])), n, ROUNDS)[-1]
    off = np.abs(nobody + held / n - (share if wish.sampled else round(share * n) / n))
    return not too_many(int((off > wish.width * EDGE).sum()), wish.confidence, ROUNDS)


def laplace_kept(scale: float, width: float, confidence: float) -> bool:
    """Whether one release keeps a width."""
    return 1 - 2 * stats.laplace.sf(width * EDGE, scale=scale) >= confidence - EXACT


# --- their judges ----------------------------------------------------------------------------------------------------


def of_mean(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """Each mechanism at the level for n people, and with the people for a level."""
    for slug in shared(means.slugs(), 4, place):
        question = means.MeanPlan(LEVELS[place % 4], n, 2 * width, confidence, UNIT, (slug,))
        for taken in settings(question):
            level, people = taken.get("epsilon", question.epsilon), taken.get("n", n)
            if people <= MOST:
                member = means.nearest(slug, level)
                yield f"{slug} {level} {people}", mean_kept(member, people, 2 * width, confidence)


def of_vector(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """All means at once, with the method and the level or the people that are recommended."""
    d = (1, 2, 5)[place % 3]
    question = vectors.VectorPlan(LEVELS[place % 4], d, n, width, confidence)
    for taken in settings(question):
        people, level = taken.get("n", n), taken.get("epsilon", question.epsilon)
        if people <= 1000:
            mechanism, rounds = vectors.method(taken["method"], level, d), ROUNDS // 5
            rows = np.stack([np.ones(d), -np.ones(d)]) if people > 1 else np.ones((1, d))
            crowd = Population(rows, np.array([people - people // 2, people // 2][: len(rows)]))
            errors = np.abs(drawn(mechanism, crowd, n, rounds) - mechanism.truth(crowd)[:, None])
            missed = int((errors > 2 * width * EDGE).any(axis=0).sum())
            yield f"{taken} d={d}", not too_many(missed, confidence, rounds)


def of_trust(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """The level that is said of each model."""
    question = trust.TrustPlan(ScaledNumbers.synthetic("skewed", n, -1, 1), width, confidence, (1e-6, 0.1)[place % 2])
    for recommended in question.run().recommended:
        level, model = dict(recommended.settings)["epsilon"], recommended.purpose
        yield f"{model} {level} {n}", model_kept(question.at(float(level)), model, n)


def of_crowd(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """The people whom each model needs at a level."""
    people = ScaledNumbers.synthetic("skewed", n, -1, 1)
    question = trust.PeopleByModel(LEVELS[place % 4], people, width, confidence, (1e-6, 0.1)[place % 2])
    for model, needed in question.run().here.items():
        if needed <= MOST:
            yield f"{model} {question.epsilon} {needed}", model_kept(question, model, int(needed))


def model_kept(question: trust.PeopleByModel, model: str, n: int) -> bool:
    """Whether n people keep a wish on [-1, 1], with a curator, shuffled or alone."""
    width = 2 * question.width
    if model == "curator":
        return laplace_kept(2 / n / question.epsilon, width, question.confidence)
    level = largest_local(question.epsilon, n, question.delta) if model == "shuffled" else question.epsilon
    return mean_kept(HybridMechanism(level), n, width, question.confidence)


def of_share(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """Each mechanism for shares at the level for n people, and with the people for a level."""
    share, sampled = (0.0, 0.1, 0.5)[place % 3], bool(place % 2)
    for member in shared(comparable(LEVELS[place % 4], 4), 3, place):
        question = frequencies.FrequencyPlan(member, n, share, width, confidence, sampled)
        for taken in settings(question):
            tuned = tuned_anew(member, taken["epsilon"]) if "epsilon" in taken else member
            if tuned is not None and (people := taken.get("n", n)) <= MOST:
                yield f"{member.slug} {taken} {share}", share_kept(tuned, people, share, question)


def of_best(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """The mechanism of the smallest level."""
    share = (0.0, 0.1, 0.5)[place % 3]
    question = frequencies.BestMechanism(4, n, share, width, confidence, bool(place % 2))
    for taken in settings(question):
        mechanism = by_slug(taken["mechanism"])(taken["epsilon"], 4)  # type: ignore[call-arg]
        yield f"{taken} {share}", share_kept(mechanism, n, share, question)


def of_rivals(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """The levels of several mechanisms."""
    question = frequencies.RivalPlans(("grr", "oue", "ss"), 4, n, (0.0, 0.1, 0.5)[place % 3], width, confidence)
    for slug, level in question.run().needed.items():
        if level is not None:
            mechanism = by_slug(slug)(level, 4)  # type: ignore[call-arg]
            yield f"{slug} {level}", share_kept(mechanism, n, question.share, question)


def of_survey(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """A yes or no, whatever the true share is."""
    design = RandomizedResponse(LEVELS[place % 4])
    question = response.SurveyPlan(design, n, width, confidence, sampled=bool(place % 2))
    for taken in settings(question):
        chosen, people = RandomizedResponse(taken.get("epsilon", design.epsilon)), taken.get("n", n)
        if people <= MOST:
            for share in np.linspace(0, 1, 51).tolist():
                chance = share_chance(chosen.p, chosen.q, people, share, width, question.sampled, nearest=True)
                yield f"{taken} {n} {share}", chance >= confidence - EXACT


def of_kit(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """What becomes of such a survey with coins, dice or a spinner, and the people whom it takes with them."""
    kind = ("coins", "dice", "spinner")[place % 3]
    wish = response.SurveyPlan(RandomizedResponse(LEVELS[1 + place % 3]), n, width, confidence, bool(place % 2))
    kit = response.SurveyKit(kind, wish.design.epsilon, wish).run()
    a, b = response.chances(kit.device.design())
    for people, reach in ((n, kit.reach), (kit.people or MOST + 1, width)):
        if people <= MOST and math.isfinite(reach):
            for share in np.linspace(0, 1, 51).tolist():
                chance = share_chance(a, b, people, share, reach, wish.sampled, nearest=True)
                yield f"{kind} {people} {share} {reach}", chance >= confidence - EXACT


def of_count(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """A curator's count: the level, and the people among whom the present noise is as small."""
    question = CountPlan(LaplaceMechanism(LEVELS[place % 4], (1.0, 2.0)[place % 2]), n, 100 * width, confidence)
    for taken in settings(question):
        scale = question.mechanism.sensitivity / taken["epsilon"]
        yield f"{taken}", laplace_kept(scale, question.width, confidence)
    people = question.run().people
    yield f"{people} people", laplace_kept(question.mechanism.scale, question.width / n * people, confidence)


def of_average(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """So many releases, or one at a larger level; an average is drawn from two gamma sums."""
    question = AveragingPlan(LaplaceMechanism(LEVELS[place % 4]), 100 * width, confidence)
    for taken in settings(question):
        repeats, level = int(taken["repeats"]), taken.get("epsilon", question.mechanism.epsilon)
        up, down = np.random.default_rng(n).gamma(repeats, 1 / level / repeats, (2, ROUNDS))
        missed = int((np.abs(up - down) > question.width * EDGE).sum())
        yield f"{taken}", not too_many(missed, confidence, ROUNDS)


def of_table(n: int, width: float, confidence: float, place: int) -> Iterator[tuple[str, bool]]:
    """All cells of some tables at once, by each noise's own law.

    Of whole noise p(z) falls by e^{-level/Δ} a step; normal noise is made for the length of what one person moves.
    """
    tables = ((n,), (n, n, n), (n,) * 12, (n,) * 40)[: 1 + place % 4]
    members = LaplaceMechanism, DiscreteLaplaceMechanism, GaussianMechanism
    mechanism = members[place // 2 % 3].calibrated(1.0, 1.0, ("add-remove", "replace-one")[place % 2])
    question = TablePlan(mechanism, tables, 100 * width, confidence)
    for taken in settings(question):
        here = replace(question, mechanism=mechanism.at_level(taken["epsilon"])).run()
        law: Any = stats.norm(scale=math.sqrt((1 + place % 2) * len(tables)) * here.experiment.mechanism.scale)
        chance = 1.0
        for at, table in enumerate(tables):
            if mechanism.norm == 1:
                pull = float(here.levels[at]) / (1 + place % 2)
                law = stats.dlaplace(pull) if mechanism.whole else stats.laplace(scale=1 / pull)
            edge = question.width * EDGE
            chance *= (1 - 2 * law.sf(math.floor(edge) if mechanism.whole else edge)) ** len(table)
        yield f"{taken} {tables}", chance >= confidence - EXACT


def settings(question: Any) -> list[dict[str, Any]]:
    """All that a plan recommends."""
    return [dict(each.settings) for each in question.run().recommended]


Judge = Callable[[int, float, float, int], Iterator[tuple[str, bool]]]
JUDGES: dict[type, Judge] = {
    AveragingPlan: of_average,
    CountPlan: of_count,
    TablePlan: of_table,
    frequencies.BestMechanism: of_best,
    frequencies.FrequencyPlan: of_share,
    frequencies.RivalPlans: of_rivals,
    means.MeanPlan: of_mean,
    response.SurveyKit: of_kit,
    response.SurveyPlan: of_survey,
    trust.PeopleByModel: of_crowd,
    trust.TrustPlan: of_trust,
    vectors.VectorPlan: of_vector,
}


DRAWN = (means.MeanPlan, trust.PeopleByModel, trust.TrustPlan, vectors.VectorPlan)  # dear: at night a wish in seven
DEAR = (*DRAWN, frequencies.BestMechanism)  # by day


# --- the law ---------------------------------------------------------------------------------------------------------


def broken(judge: Judge, cases: Any) -> list[Any]:
    """What a plan recommends and does not keep, of cases (place, (n, width, confidence))."""
    return [(case, name) for place, case in cases for name, kept in judge(*case, place) if not kept]


WISHES = tuple(enumerate(itertools.product(SIZES, (0.02, 0.1, 0.25, 0.5), CONFIDENCES)))


def test_every_plan_has_a_judge() -> None:
    assert plans() == set(JUDGES)


def test_what_is_recommended_without_a_confidence_is_a_typical_error_by_its_type() -> None:
    for result, question in recommenders().items():
        promises = "confidence" in asked(question)
        assert promises == (question in plans()), (result, question)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", JUDGES, ids=[kind.__name__ for kind in JUDGES])
def test_a_plan_keeps_its_confidence_for_every_number_of_people(kind: type, part: int) -> None:
    """By day a wish in thirteen: every width with every confidence, of one person, of a hundred and between.

    Of dear plans half of these, where every width and every confidence is still met.
    """
    cases = (WISHES[::7] if ALL and kind in DRAWN else shared(WISHES, 25 if kind in DEAR else 13, 5))[part::PARTS]
    assert not (found := broken(JUDGES[kind], cases)), (len(found), found[:5])


def test_what_the_normal_law_says_of_few_answers_is_caught() -> None:
    """Of 25 answers at level 10 some 93 % are within 20 points where half are a true yes, and not 95 %."""
    design, wish = RandomizedResponse(10.0), frequencies.RivalPlans((), 2, 25, 0.48, 0.2, 0.95)
    assert quantile(0.95) * math.sqrt(0.25 / 25) <= wish.width
    assert not share_kept(design, 25, 0.48, wish)
    assert share_kept(design, 25, 0.48, replace(wish, confidence=0.93))


def test_a_survey_at_the_level_that_trust_once_planned_is_caught() -> None:
    """100 people at level 11.79 are within 1 % of the scale in 98.9 % of all surveys, where 99.9 % were promised."""
    assert not mean_kept(HybridMechanism(11.79), 100, 0.02, 0.999)
    assert mean_kept(HybridMechanism(22.22), 100, 0.02, 0.999)
