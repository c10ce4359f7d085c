"""The findings of exercises about several numbers and several people."""

from __future__ import annotations

import math

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Number,
    PercentagePoints,
    Quantity,
    Term,
    Times,
    Truth,
    likeness,
    reached,
    written_alike,
)
from explorer.pages.exercises.facts.registry import facts
from ldpcore.experiments.exercises.deployments import LevelsInUseResult
from ldpcore.experiments.exercises.notions import NotionOfPrivacyResult
from ldpcore.experiments.exercises.people import OwnLevelsResult
from ldpcore.experiments.exercises.schedules import MILLION, ConsistencyScheduleResult
from ldpcore.experiments.trust.statistics import ManyStatisticsResult
from ldpcore.mechanisms.gaussiannoise import CLASSICAL_LEVEL


@facts.register
def _several(result: ManyStatisticsResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "k": Count(asked.k),
        "delta": Number(asked.delta),
        "by_laplace": Number(asked.error("laplace", asked.k)),
        "by_normal": Truth(Number(asked.error("analytic", asked.k))),
        "crossing": Truth(Count(result.crossing)),
        **({"by_classical": Number(asked.error("classical", asked.k))} if asked.epsilon <= CLASSICAL_LEVEL else {}),
    }


def several_case(result: ManyStatisticsResult) -> str:
    """The noise that errs less, and whether the classical size is proved at this level."""
    return result.better + (" classical" if result.experiment.epsilon <= CLASSICAL_LEVEL else "")


@facts.register
def _levels(result: OwnLevelsResult) -> Facts:
    asked = result.experiment
    return {
        "first": Level(asked.epsilon),
        "second": Level(asked.second),
        "reads": Count(asked.reads),
        "whole": Truth(reached(result.whole)),
        "sum": _apart(result.together, result.whole),
        "anew": Truth(reached(result.anew)),
    }


def _apart(total: float, part: float) -> Quantity:
    """A sum with the digits that tell it from one of its parts, down to a millionth."""
    if total == part or not written_alike(total, part, 4):
        return reached(total)
    return Number(total, min(1 + math.floor(math.log10(total)) - math.floor(math.log10(total - part)), 8))


def levels_case(result: OwnLevelsResult) -> str:
    """Whether the second person hears the first report."""
    return "listens" if result.experiment.listens == "listens" else ""


@facts.register
def _notions(result: NotionOfPrivacyResult) -> Facts:
    asked = result.experiment
    found: dict[str, Quantity] = {}
    if math.isfinite(asked.parameter):
        found = {"parameter": Truth(Number(asked.parameter)), "implied": Truth(Number(asked.implied))}
        found |= {"times": Truth(Times(asked.parameter))} if asked.notion == "pure" else {}
    return {
        "level": Level(asked.epsilon),
        "noise": Term(f"noise_options.{asked.noise}"),
        "order": Exact(asked.order),
        "failing": Exact(asked.delta),
        "own": Truth(Number(own := asked.level_at(asked.delta))),
        "keeps": Truth(Term(f"cases.{'known' if math.isfinite(own) else 'unknown'}")),
        "even": Number(asked.laws.even),
        **found,
    }


def notions_case(result: NotionOfPrivacyResult) -> str:
    """The notion, and whether no number of it is large enough."""
    asked = result.experiment
    return asked.notion + ("" if math.isfinite(asked.parameter) else " none")


@facts.register
def _deployments(result: LevelsInUseResult) -> Facts:
    asked = result.experiment
    reported, curated = asked.reported(asked.epsilon), asked.curated(asked.epsilon)
    return {
        "level": Level(asked.epsilon),
        "crowd": Count(asked.n),
        "worth": Truth(Count(round(result.worth))),
        "off": Truth(PercentagePoints(reported, 3)),
        "off_curated": PercentagePoints(curated, 3),
        "models": Truth(likeness(reported, curated)),
        "off_honest": PercentagePoints(asked.honest, 3),
    }


def deployments_case(result: LevelsInUseResult) -> str:
    """Whether all reports together are worth a single honest answer."""
    return "" if round(result.worth) else "little"


@facts.register
def _consistency(result: ConsistencyScheduleResult) -> Facts:
    asked, settled = result.experiment, result.settled
    return {
        "level": Level(asked.epsilon),
        "a": Exact(asked.a),
        "b": Exact(asked.b),
        "d": Count(asked.dimensions),
        "power": Truth(Number(asked.schedule.power)),
        "most": Truth(Count(result.most_dimensions)),
        "most_honest": Truth(Count(result.most_in_honesty)),
        "at_million": Truth(Number(result.here)),
        "side_million": Number(MILLION**-asked.a),
        "cells_million": Count(round(MILLION ** (asked.a * asked.dimensions))),
        **({} if settled is None else {"tens": Truth(Number(settled))}),
    }


def consistency_case(result: ConsistencyScheduleResult) -> str:
    """Whether the conditions are met with privacy, from the first person on or later, or in honesty alone."""
    asked, settled = result.experiment, result.settled
    if settled is None:
        return "price" if asked.met_in_honesty else "neither"
    return "met" if settled else "met always"
