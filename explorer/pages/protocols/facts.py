"""The findings of the page about protocols that listen: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Noticeable,
    Number,
    Quantity,
    QuantityRange,
    Share,
    Term,
    Truth,
    likeness,
)
from ldpcore.experiments import protocols
from ldpcore.protocols import largest_share, smallest_share, z0

FINE = 5.0  # from this level on a yes is so sure that more digits are told
FAINT = 0.004  # below this level a yes is so near to a coin that more digits are told, too
DUST = 1e-12  # of an error that is nothing but rounding
RARE = 1e-6  # the smallest probability that is told and drawn


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about protocols must have its facts registered; got {type(result).__name__}")


def _level(epsilon: float) -> Facts:
    """The facts of the level alone, for every view; both shares with the digits that tell them from one half."""
    told = max(3, 2 - math.floor(math.log10(epsilon))) if epsilon < FAINT else 3
    return {
        "alpha": Level(epsilon),
        "times": Number(math.exp(min(epsilon, 700.0))),
        "least": Share(smallest_share(epsilon), told),
        "most": Share(largest_share(epsilon), told if epsilon < FINE else 6),
        "z0": Number(z0(epsilon)),
    }


def _crowd(example: protocols.Example, n: int) -> Facts:
    """The facts of the crowd in the settings."""
    crowd, grid = example.crowd, example.grid
    return {
        "example": Term(f"example_options.{example.slug}"),
        "n": Count(n),
        "low": Exact(round(crowd.low, 9)),
        "high": Exact(round(crowd.high, 9)),
        "reach": Exact(crowd.reach),
        "delta": Exact(grid.delta),
        "cells": Count(grid.cells),
        "tests": Count(grid.tests),
    }


@facts.register
def _one(result: protocols.OneRunResult) -> Facts:
    question = result.experiment
    return {
        **_level(question.epsilon),
        **_crowd(question.example, question.n),
        "estimate": Truth(Number(result.estimate)),
        "error": Truth(Number(result.error)),
    }


@facts.register
def _against(result: protocols.AgainstSilenceResult) -> Facts:
    question = result.experiment
    known: Facts = {
        "listening": Truth(Number(result.here)),
        "silent": Number(result.here_rival),
        "closeness": Truth(likeness(result.here, result.here_rival)),
        "factor": Truth(Number(max(result.here_rival / result.here, result.here / result.here_rival))),
        "runs": Count(question.repeats),
        "thresholds": Count(result.thresholds),
    }
    return {**_level(question.epsilon), **_crowd(question.example, question.n), **known}


def verdict(result: protocols.AgainstSilenceResult) -> str:
    """Whether listening helps here, and whether that is exact or about so in runs."""
    return result.verdict if result.exact else f"{result.verdict} about"


@facts.register
def _pair(result: protocols.TwoPeopleResult) -> Facts:
    question, joint = result.experiment, result.joint
    first, after_no, after_yes = (turn.loss for turn in result.turns)
    chances: dict[str, Quantity] = {f"p{one}": Truth(Share(float(joint[one].sum()), 3)) for one in (0, 1)}
    chances |= {f"p{one}{two}": Truth(Share(float(joint[one, two]), 3)) for one in (0, 1) for two in (0, 1)}
    return {
        **_level(question.epsilon),
        **chances,
        "branch": Truth(Share(result.branch, 3)),
        "path": Truth(Share(result.path, 3)),
        "x1": Count(question.first),
        "x2": Count(question.second),
        "history": Term(f"history_options.{('no', 'yes')[question.history]}"),
        "asked": Count(question.asked[question.history]),
        "loss": Number(result.loss),
        "loss_first": Number(first),
        "loss_no": Number(after_no),
        "loss_yes": Number(after_yes),
        "whole": Number(result.level),
        "divergence": Truth(Number(result.rule.whole)),
        "part1": Truth(Number(result.rule.parts[0])),
        "part2": Truth(Number(result.rule.parts[1])),
    }


def kept(result: protocols.TwoPeopleResult) -> str:
    """Whether every question keeps the level after every history."""
    return "kept" if result.kept else "broken"


@facts.register
def _path(result: protocols.SearchPathResult) -> Facts:
    question = result.experiment
    return {
        **_level(question.epsilon),
        **_crowd(question.example, question.n),
        "found": Truth(Number(result.estimate)),
        "off": Truth(Number(0.0 if result.error < DUST else result.error)),
        "group": QuantityRange(Count(int(question.groups().groups.min())), Count(int(question.groups().groups.max()))),
    }


def _seldom(share: float, possible: bool = True) -> Quantity:
    """The frequency of an event; of one that the picture no longer shows no digits are told.

    A product of many small chances may be too small for a computer: what is `possible` is told as rare, not as never.
    """
    return Noticeable(max(share, math.ulp(0.0)), RARE) if possible and share < RARE else Share(share, 3)


@facts.register
def _tail(result: protocols.SearchTailResult) -> Facts:
    question, place = result.experiment, result.place
    bound, both = float(result.bound[place]), max(float(result.alone[place]), float(result.groups[place]))
    return {
        **_level(question.epsilon),
        **_crowd(question.example, question.n),
        "runs": Count(question.repeats),
        "limit": Exact(round(float(result.limits[place]), 9)),
        "bound": _seldom(bound, question.grid.tests > 0),
        "known": Term(f"bounds.{'rare' if bound < RARE else 'told'}"),
        "alone": Truth(_seldom(float(result.alone[place]), result.reachable)),
        "groups": Truth(_seldom(float(result.groups[place]), result.reachable)),
        "either": Truth(Term(f"bounds.{'rare' if both < RARE else 'told'}")),
    }


def searched(result: protocols.SearchPathResult | protocols.SearchTailResult) -> str:
    """Whether the path is told, or the tail, and whether its bound says anything at two steps."""
    if isinstance(result, protocols.SearchPathResult):
        return "path"
    return "tail" if result.bound[result.place] < 1 else "tail silent"


@facts.register
def _person(result: protocols.NextQuestionResult) -> Facts:
    question = result.experiment
    return {
        **_level(question.epsilon),
        **_crowd(question.example, question.n),
        "person": Count(question.person),
        "from": Truth(Number(result.window[0])),
        "to": Truth(Number(result.window[1])),
        "value": Truth(Number(result.value)),
        "chance": Truth(Share(result.chance, 3)),
    }


@facts.register
def _rounds(result: protocols.MoreRoundsResult) -> Facts:
    question = result.experiment
    return {
        **_level(question.epsilon),
        "low": Exact(round(question.crowd.low, 9)),
        "high": Exact(round(question.crowd.high, 9)),
        "k": Count(question.k),
        "part": Number(question.epsilon / question.k),
        "spent": Number(result.spent),
        "ratio": Truth(Number(result.ratio)),
        "again": Truth(Term(f"again.{better(result)}")),
    }


def better(result: protocols.MoreRoundsResult) -> str:
    """Whether more rounds with parts of the level are better than one."""
    if result.experiment.k == 1:
        return "once"
    if float(f"{result.ratio:.3g}") == 1:
        return "even"
    return "better" if result.ratio < 1 else "worse"


def compared(result: protocols.AgainstSilenceResult | protocols.MoreRoundsResult) -> str:
    """The verdict of a comparison, with those who do not listen or with those who are asked again."""
    return "rounds" if isinstance(result, protocols.MoreRoundsResult) else verdict(result)
