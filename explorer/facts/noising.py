"""Which noise a curator adds, as texts say it: its mechanism, its δ, and of normal noise by which rule it is sized."""

from __future__ import annotations

from explorer.facts import Facts, Number, Term
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.gaussiannoise import CLASSICAL_LEVEL
from ldpcore.mechanisms.laplace import LaplaceMechanism


def noise_facts(noise: AdditiveNoise) -> Facts:
    """The quantities that describe a noise beside its size."""
    return {
        "mechanism": Term(f"noise.{noise.slug}"),
        "delta": Number(noise.failure),
        **(_sized(noise) if isinstance(noise, GaussianMechanism) else {}),
    }


def case_of(noise: AdditiveNoise) -> str:
    """The case of texts that speak of a noise: none of Laplace noise, which they speak of first."""
    return "" if isinstance(noise, LaplaceMechanism) else noise.slug


def _sized(noise: GaussianMechanism) -> Facts:
    """By which of two rules σ is found, and what the other would give; the classical one is proved up to ε = 1."""
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
