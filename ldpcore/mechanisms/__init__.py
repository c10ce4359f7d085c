"""THE REGISTRY: every mechanism, once. Pages, figures, laws and the reference iterate over it and never list it again.

May import what `ldpcore` may; a mechanism is added by one file in this folder and one line below. Each is loaded when
it is first asked for, by its slug, by its kind, or with all (`REGISTRY`).
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ldpcore.mechanisms.base import Mechanism, Reporter

    REGISTRY: tuple[type[Reporter], ...]
    KINDS: tuple[type[Mechanism], ...]

MechanismType = TypeVar("MechanismType", bound="Mechanism")

# The family of each mechanism, its slug, its module and its class, in the order of pages and colors.
_LISTED = (
    ("CentralRelease", "laplace", "laplace", "LaplaceMechanism"),
    ("CentralRelease", "discretelaplace", "discretelaplace", "DiscreteLaplaceMechanism"),
    ("CentralRelease", "gauss", "centralgaussian", "GaussianMechanism"),
    ("CentralRelease", "staircase", "staircase", "StaircaseMechanism"),
    ("Selector", "exponential", "exponential", "ExponentialMechanism"),
    ("Selector", "noisymax", "noisymax", "ReportNoisyMax"),
    ("CategoryRandomizer", "rr", "grr", "RandomizedResponse"),
    ("CategoryRandomizer", "coins", "coins", "TwoCoins"),
    ("CategoryRandomizer", "grr", "grr", "GeneralizedRandomizedResponse"),
    ("CategoryRandomizer", "sue", "unary", "SymmetricUnaryEncoding"),
    ("CategoryRandomizer", "oue", "unary", "OptimizedUnaryEncoding"),
    ("CategoryRandomizer", "blh", "hashing", "BinaryLocalHashing"),
    ("CategoryRandomizer", "olh", "hashing", "OptimizedLocalHashing"),
    ("CategoryRandomizer", "she", "additive", "SummationHistogramEncoding"),
    ("CategoryRandomizer", "the", "thresholding", "ThresholdingHistogramEncoding"),
    ("CategoryRandomizer", "subset", "subset", "SubsetSelection"),
    ("CategoryRandomizer", "hadamard", "hadamard", "HadamardResponse"),
    ("CategoryRandomizer", "rappor", "rappor", "Rappor"),
    ("NumberRandomizer", "locallaplace", "locallaplace", "LocalLaplace"),
    ("NumberRandomizer", "onebit", "onebit", "OneBit"),
    ("NumberRandomizer", "abm", "binary", "AlphaBinary"),
    ("NumberRandomizer", "pm", "piecewise", "PiecewiseMechanism"),
    ("NumberRandomizer", "hm", "hybrid", "HybridMechanism"),
    ("NumberRandomizer", "gaussian", "localgaussian", "LocalGaussian"),
    ("NumberRandomizer", "geometric", "geometric", "LocalGeometric"),
    ("PairRandomizer", "cells", "partition", "PartitionReports"),
    ("PairRandomizer", "halves", "partitionhalves", "HalfAndHalf"),
    ("PairRandomizer", "responses", "partition", "ResponseReports"),
    ("NumberRandomizer", "sw", "squarewave", "SquareWave"),
    ("VectorRandomizer", "split", "splitting", "SplitLevel"),
    ("VectorRandomizer", "sampled", "splitting", "SampledCoordinates"),
    ("VectorRandomizer", "hypercube", "hypercube", "HypercubeSampling"),
    ("VectorRandomizer", "ball", "ball", "BallSampling"),
)
_FAMILIES = frozenset(family for family, *_ in _LISTED)
_KINDS = (
    ("base", "CentralRelease"),
    ("selector", "Selector"),
    ("base", "LocalRandomizer"),
    ("base", "CategoryRandomizer"),
    ("base", "FrequencyOracle"),
    ("base", "NumberRandomizer"),
    ("pairs", "PairRandomizer"),
    ("vectors", "VectorRandomizer"),
)


@cache
def _loaded(module: str, name: str) -> type[Reporter]:
    """A class of this folder, loaded now."""
    found: type[Reporter] = vars(importlib.import_module(f"{__name__}.{module}"))[name]
    return found


def __getattr__(name: str) -> tuple[type[Mechanism], ...]:
    """All mechanisms, or all kinds, for whoever iterates over them."""
    if name == "REGISTRY":
        return tuple(_loaded(module, member) for _, _, module, member in _LISTED)
    if name == "KINDS":
        return tuple(_loaded(module, kind) for module, kind in _KINDS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def of_kind(kind: type[MechanismType]) -> tuple[type[MechanismType], ...]:
    """The registered mechanisms of one kind, in the order of the registry; those of other families are not loaded."""
    families = _FAMILIES.intersection(base.__name__ for base in kind.__mro__) or _FAMILIES
    members = (_loaded(module, member) for family, _, module, member in _LISTED if family in families)
    return tuple(member for member in members if issubclass(member, kind))


def by_slug(slug: str) -> type[Mechanism]:
    """The registered mechanism of this name in links; a `KeyError` names the unknown one."""
    return _loaded(*{name: (module, member) for _, name, module, member in _LISTED}[slug])
