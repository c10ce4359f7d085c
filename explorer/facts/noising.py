"""The source of an answer's noise in words: a curator's noise and its size, or everybody's reports."""

from __future__ import annotations

from explorer.facts import Count, Facts, Level, Number, Quantity, Term, Truth
from explorer.facts.naming import title_of
from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.gaussiannoise import CLASSICAL_LEVEL
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.noisyanswers import NoisyAnswers


def noise_facts(noise: AdditiveNoise) -> Facts:
    """The quantities that describe a noise beside its size."""
    return {
        "mechanism": Term(f"noise.{noise.slug}"),
        "delta": Number(noise.failure),
        **(_sized(noise) if isinstance(noise, GaussianMechanism) else {}),
    }


def reports_facts(estimate: EstimatedAnswer) -> Facts:
    """The quantities of an answer estimated without a curator; its error follows from the truth."""
    return {
        "mechanism": Term("noise.local"),
        "by": title_of(estimate.randomizer.slug),
        "epsilon": Level(estimate.epsilon),
        "delta": Number(estimate.failure),
        "n": Count(estimate.n),
        "error": follows(estimate, Count(estimate.mean_absolute_error())),
        "single": follows(estimate, Number(estimate.mean_absolute_error())),
        "deviation": follows(estimate, Number(estimate.deviation)),
        "trusted_error": Number(estimate.trusted.mean_absolute_error()),
        "nearer": follows(estimate, Number(estimate.mean_absolute_error() / estimate.average_error_of(10))),
    }


def follows(noise: NoisyAnswers, quantity: Quantity) -> Quantity:
    """A quantity of a noise: a truth where it follows from people's values."""
    return Truth(quantity) if isinstance(noise, EstimatedAnswer) and noise.telling else quantity


def case_of(noise: NoisyAnswers) -> str:
    """The case of texts about a noise: empty for Laplace noise, the usual one."""
    if isinstance(noise, EstimatedAnswer):
        return "local" if isinstance(noise, EstimatedCount) else "local number"
    assert isinstance(noise, AdditiveNoise)
    return "" if isinstance(noise, LaplaceMechanism) else noise.slug


def _sized(noise: GaussianMechanism) -> Facts:
    """The rule that gives σ, and the other rule's σ; the classical one is proved up to ε = 1."""
    proved = noise.epsilon <= CLASSICAL_LEVEL
    other = "classical" if noise.calibration == "analytic" else "analytic"
    sized = other if proved else "analytic"
    asked = noise.epsilon, noise.sensitivity, noise.neighbors
    beside = noise.calibrated(*asked, delta=noise.delta, calibration=sized)
    return {
        "calibration": Term(f"calibrations.{noise.calibration if proved else 'alone'}"),
        "beside": Number(beside.scale),
        "beside_error": Number(beside.mean_absolute_error()),
    }
