"""The problems of private estimation that the laws about limits are tried on."""

from __future__ import annotations

from ldpcore.limits.errorlosses import Squared
from ldpcore.limits.problems import EventShare, HeavyMean, Problem, SmoothDensity, UniformEndpoint

SQUARED = Squared()
POWERS: tuple[Problem, ...] = (  # whose errors fall like a power of the number of people that a fit can show
    HeavyMean(2.0),
    HeavyMean(4.0),
    UniformEndpoint(),
    SmoothDensity(1.0),
    SmoothDensity(2.0),
    SmoothDensity(2.0, 1),
    EventShare(),
)


def named(value: object) -> str:
    """How a red line names a problem."""
    return str(value).replace(" ", "")
