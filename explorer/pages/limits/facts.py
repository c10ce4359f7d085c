"""The findings of the page about limits: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import Count, Facts, Level, Names, Number, Quantity, Said, Share, Term, Truth, written_alike
from ldpcore.experiments import limits
from ldpcore.limits.bounds import effective_size
from ldpcore.limits.errorlosses import loss_of
from ldpcore.limits.problems import Problem

CROWD = 200  # people who are drawn of each of two worlds
EQUAL = 1e-12  # what two worlds differ by, that is nothing but rounding
FAR = 0.9  # of the distance of two worlds may be left: then a pair is no obstacle


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about limits must have its facts registered; got {type(result).__name__}")


def kind(problem: Problem) -> str:
    """The case of the texts about a problem: its slug, or that of its harder variant."""
    given = problem.parameters()
    if given.get("power", 1) > 1:
        return "power"
    return "derivative" if given.get("order", 0) else problem.slug


def setting(problem: Problem) -> Quantity:
    """A problem with its parameters, in a few words."""
    given = {name: Number(value) for name, value in problem.parameters().items()}
    return Said.of(f"settings_of.{kind(problem)}", **given)


def error(loss: str, cost: float) -> Number:
    """The error of a cost: the meaning of ±, whatever the loss."""
    return Number(loss_of(loss).error(cost), 3)


def slope(value: float) -> Number:
    """A slope on two log axes."""
    return Number(round(value, 2) + 0.0, 3)


def _alike(private: float, direct: float) -> str:
    """Whether a number is the same with privacy as without, as it is written."""
    return "alike" if written_alike(private, direct) else "unlike"


@facts.register
def _rate(result: limits.RateResult) -> Facts:
    question, here = result.experiment, result.here
    problem, loss, wording = question.problem, question.loss, kind(question.problem)
    effective = effective_size(question.n, question.epsilon)
    return {
        "alpha": Level(question.epsilon),
        "n": Count(question.n),
        "loss": Term(f"losses.{loss}"),
        "target": Term(f"targets.{wording}"),
        "feature": Term(f"features.{wording}"),
        "setting": setting(problem),
        "floor": error(loss, here.lower),
        "reach": error(loss, here.bound),
        "open": error(loss, here.direct),
        "price": Term(f"cases.{_alike(result.here.bound, here.direct)}"),
        "blind": error(loss, result.guess),
        "achieved": Truth(error(loss, here.achieved)),
        "world": Term(f"worlds_of.{here.world}"),
        "decides": Term(f"decides.{here.decides}"),
        "eta": Number(here.eta),
        "effective": Number(effective),
        "counting": Term(f"cases.{'fewer' if effective < question.n else 'more'}"),
        "estimator": Term(f"directs.{problem.direct_slug}"),
        "slope_lower": slope(result.slopes.lower),
        "slope_bound": slope(result.slopes.bound),
        "slope_open": slope(result.slopes.direct),
        "law_private": slope(result.theory.lower),
        "law_open": slope(result.theory.direct),
        "laws": Term(f"cases.{_alike(result.theory.lower, result.theory.direct)}"),
        "z0": Number(1 / math.tanh(question.epsilon / 2), 4),
    }


def useful(asked: object, result: limits.RateResult) -> str:
    """Whether one bit from each promises more than a guess without asking anybody."""
    return "blind" if result.here.bound >= result.guess else "useful"


@facts.register
def _worlds(result: limits.WorstWorldsResult) -> Facts:
    question = result.experiment
    worst = result.exact and result.difference >= result.modulus * (1 - 1e-9)
    return {
        "few": Count(question.n),
        "crowd": Count(CROWD),
        "difference": Number(0.0 if result.difference < EQUAL else result.difference),
        "half": Number(result.difference / 2),
        "distance": Number(result.tv),
        "guess": Truth(Share((1 + result.told_apart) / 2, 3)),
        "most_guess": Share((1 + result.allowed) / 2, 3),
        "telling": Term(f"cases.{_telling(result)}"),
        "known": Term(f"cases.{'exact' if worst else 'below'}"),
        "feature": Term(f"features.{kind(question.problem)}"),
    }


def _telling(result: limits.WorstWorldsResult) -> str:
    """Whether two worlds differ in the estimated quantity, and whether reports may tell them apart."""
    if result.difference < EQUAL:
        return "same"
    return "far" if result.allowed > FAR else "near"


@facts.register
def _levels(result: limits.AgainstLevelResult) -> Facts:
    return {
        "left": Term(f"cases.{'guess' if result.bound[0] < result.recipe[0] else 'bits'}"),
        "meets": Number(result.meets if result.meets is not None else math.nan, 2),
        "meeting": Term(f"cases.{'meeting' if result.meets is not None else 'apart'}"),
        "open_floor": error(result.experiment.loss, result.direct_lower),
    }


@facts.register
def _plateau(result: limits.FallingLevelsResult) -> Facts:
    loss, floor, direct = result.experiment.loss, float(result.lower[result.flat]), float(result.direct[-1])
    return {
        "flat_from": Count(int(result.users[result.flat])),
        "flat_floor": error(loss, floor),
        "last_open": error(loss, direct),
        "open": Term(f"cases.{'better' if direct < floor else 'unproved'}"),  # a promise beside a limit
        "last_level": Number(float(result.levels[-1])),
    }


@facts.register
def _constants(result: limits.ConstantsResult) -> Facts:
    return {
        "sharp_ratio": Number(result.achieved / result.sharp),
        "simple_ratio": Number(result.simple_ratio),
        "bits_ratio": Number(result.achieved / result.bits if result.bits else math.nan),
        "bits_known": Term(f"cases.{'bits' if result.bits else 'no_bits'}"),
        "c0": Number(result.constant.c0, 5),
        "upper_known": Term(f"cases.{'upper' if not result.obstacles else 'no_upper'}"),
        "obstacles": Names(tuple(Term(f"obstacles.{slug}") for slug in result.obstacles)),
    }


@facts.register
def _exponents(result: limits.ExponentTableResult) -> Facts:
    here = result.experiment.problem.exponents
    return {
        "private_exponent": Number(here.private),
        "open_exponent": Number(here.direct),
        "speeds": Term(f"cases.{_alike(here.private, here.direct)}"),
        "left": Share(10 ** (-here.private / 2)),
        "left_open": Share(10 ** (-here.direct / 2)),
    }


@facts.register
def _vectors(result: limits.VectorBoundsResult) -> Facts:
    here, question = result.here, result.experiment
    return {
        "d": Count(question.d),
        "cube_floor": Number(math.sqrt(here.lower)),
        "cube_best": Term(f"methods.{here.best}"),
        "cube_reach": Number(math.sqrt(here.errors[here.best])),
        "cube_ratio": Number(result.ratio),
        "beaten": Term(f"cases.{promising(result)}"),
    }


def promising(result: limits.VectorBoundsResult) -> str:
    """Whether some method promises more than a guess in the middle of the scale, which errs by at most 1."""
    return "methods" if result.here.errors[result.here.best] < 1 else "guess"


def people(count: int | None) -> Count:
    """A number of people, or more than can be."""
    return Count(math.inf if count is None else count)


@facts.register
def _plan(result: limits.LimitPlanResult) -> Facts:
    return {
        "width": Number(result.experiment.width),
        "least": people(result.least),
        "enough": people(result.enough),
        "least_open": people(result.direct),
        "wish": Term(f"cases.{reachable(result)}"),
        "level_enough": Number(result.level_enough or math.nan, 3),
        "level_least": Number(result.level_least or math.nan, 3),
        "plan_reach": Number(result.reach),
        "levels_known": Term(f"cases.{_levels_known(result)}"),
    }


def _levels_known(result: limits.LimitPlanResult) -> str:
    """Whether some level brings these people within the wish, or any is excluded; a guess asks nobody."""
    if result.trivial:
        return "guess"
    if result.level_enough is not None:
        return "some_level"
    if result.level_least is None:
        return "no_level"
    return "unknown_level" if result.level_least else "any_level"


def drawn(result: object, *_: object) -> str:
    """The horizontal axis of a picture of losses, which its words are about."""
    if isinstance(result, limits.FallingLevelsResult):
        return "falling"
    return "level" if isinstance(result, limits.AgainstLevelResult) else ""


def parted(result: object) -> str:
    """Whether powers of the number of people are told, or the constants before them."""
    return "constants" if isinstance(result, limits.ConstantsResult) else ""


def reachable(result: limits.LimitPlanResult) -> str:
    """Whether some crowd is enough, or nobody is needed."""
    if result.trivial:
        return "guess"
    return "reachable" if result.enough is not None else "never"
