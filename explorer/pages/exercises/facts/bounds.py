"""The findings of exercises about lower bounds."""

from __future__ import annotations

from explorer.facts import Count, Facts, Level, Number, Share, Term, Truth
from explorer.pages.exercises.facts.registry import facts
from ldpcore.experiments.exercises import bounds


@facts.register
def _modulus(result: bounds.ModulusOfMeanResult) -> Facts:
    asked = result.experiment
    return {
        "model": Term(f"model_options.{asked.model}"),
        "metric": Term(f"metric_options.{asked.metric}"),
        "distance": Number(asked.distance),
        "twice_distance": Number(2 * asked.distance),
        "modulus": Truth(Number(result.here)),
        "at_twice": Truth(Number(result.twice)),
        "growth": Number(result.twice / result.here),
        "per_distance": Number(result.rate),
        "one_in": Count(asked.one_in),
    }


def modulus_case(result: bounds.ModulusOfMeanResult) -> str:
    """The distance, or the model whose modulus jumps."""
    return "jump" if result.experiment.model == "jump" else result.experiment.metric


@facts.register
def _gap(result: bounds.UnseenGapResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "crowd": Count(asked.n),
        "eta": Number(asked.eta),
        "gap": Truth(Number(result.gap)),
        "half": Truth(Number(result.gap / 2)),
        "often": Share(asked.eta / 2, 3),
        "nearest": Truth(Number(result.nearest)),
        "unseen": Number(result.unseen),
    }


def gap_case(result: bounds.UnseenGapResult) -> str:
    """Whether any two shares are told apart."""
    return "all" if result.gap == 1 else "some"


@facts.register
def _eta(result: bounds.ChoiceOfEtaResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "crowd": Count(asked.n),
        "eta": Number(asked.eta),
        "cost": Term(f"cost_options.{asked.cost_of_error}"),
        "bound": Truth(Number(result.here)),
        "best_eta": Truth(Number(asked.best)),
        "best_bound": Truth(Number(result.top)),
    }


@facts.register
def _elbows(result: bounds.QuadraticElbowsResult) -> Facts:
    return {
        "smoothness": Number(result.experiment.s),
        "direct": Number(result.here("direct")),
        "listening": Truth(Number(result.here("listening"))),
        "silent": Truth(Number(result.here("silent"))),
    }


def elbows_case(result: bounds.QuadraticElbowsResult) -> str:
    """Whether every protocol, some or none has the usual speed at this smoothness."""
    if result.here("silent") == 0.5:
        return "all"
    return "none" if result.here("direct") < 0.5 else "some"


@facts.register
def _losses(result: bounds.LossGrowthResult) -> Facts:
    asked = result.experiment
    finite = {} if asked.loss == "exponential" else {"top": Truth(Number(asked.top))}
    return {
        "loss": Term(f"loss_options.{asked.loss}"),
        "factor": Number(asked.factor),
        "corner": Number(asked.corner),
        "at_one": Truth(Number(float(asked.ratio(1.0)))),
        **finite,
    }


def losses_case(result: bounds.LossGrowthResult) -> str:
    """The loss that needs a sentence of its own."""
    return result.experiment.loss if result.experiment.loss in ("huber", "exponential") else "power"


@facts.register
def _smooth(result: bounds.SmoothnessBandResult) -> Facts:
    asked = result.experiment
    return {
        "beta": Number(asked.beta),
        "steep": Number(asked.bound),
        "derivatives": Count(asked.derivatives),
        "off": Number(float(asked.off(0.5))),
        "private_speed": Truth(Number(result.private)),
        "open_speed": Truth(Number(result.direct)),
    }


def smooth_case(result: bounds.SmoothnessBandResult) -> str:
    """Whether heights, slopes or bends are what may not differ much."""
    return ("height", "slope", "bend", "further")[min(result.experiment.derivatives, 3)]
