"""The law of one decoded report of every mechanism for numbers and vectors, around the number that it is about."""

from __future__ import annotations

import math
from functools import lru_cache

from ldpcore.estimating.errorlaws import Bounded, ErrorLaw, NoiseErrorLaw, PiecewiseErrorLaw, RoundedNoise
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.base import LocalRandomizer, NumberRandomizer
from ldpcore.mechanisms.coordinates import CoordinateByCoordinate
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.localgaussian import LocalGaussian
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.mechanisms.plateaus import PlateauRandomizer
from ldpcore.parameters import ParameterError


@lru_cache(maxsize=512)
def error_law(randomizer: LocalRandomizer) -> ErrorLaw:
    """The law of one decoded report, of one coordinate where there are several, around the number that it is about."""
    if isinstance(randomizer, LocalLaplace):
        return NoiseErrorLaw(True, randomizer.noise.scale)
    if isinstance(randomizer, LocalGaussian):
        return NoiseErrorLaw(False, randomizer.sigma)
    if isinstance(randomizer, LocalGeometric):
        return RoundedNoise(randomizer.noise.rate, 2 / randomizer.steps)
    if isinstance(randomizer, CoordinateByCoordinate):
        return _of_coordinate(randomizer)
    if isinstance(randomizer, HypercubeSampling):
        return PiecewiseErrorLaw(randomizer.bound, 1.0)
    if isinstance(randomizer, BallSampling):
        return _of_ball(randomizer)
    if isinstance(randomizer, NumberRandomizer):
        return _of_number(randomizer)
    raise ParameterError("slug_not_numbers", got=randomizer.slug)


def _of_number(randomizer: NumberRandomizer, asked: float = 1.0) -> PiecewiseErrorLaw:
    """Bits, pieces, or both."""
    if isinstance(randomizer, BinaryMechanism):
        return PiecewiseErrorLaw(randomizer.z0, 1.0, asked=asked)
    if isinstance(randomizer, HybridMechanism):
        piecewise, bit = randomizer.parts
        if not randomizer.weight:
            return PiecewiseErrorLaw(bit.z0, 1.0, asked=asked)
        return _of_plateau(piecewise, bit.z0, randomizer.weight, math.exp(-randomizer.epsilon / 2), asked)
    if isinstance(randomizer, PlateauRandomizer):
        return _of_plateau(randomizer, 0.0, 1.0, 0.0, asked)
    raise ParameterError("slug_not_numbers", got=randomizer.slug)


def _of_plateau(member: PlateauRandomizer, z0: float, weight: float, bits: float, asked: float) -> PiecewiseErrorLaw:
    left, right = (float(member.decoded(end)) for end in member.piece(1.0))
    near, rest = weight * member.pull, weight * math.exp(member.log_rest)
    reach = float(member.decoded(member.reach))
    return PiecewiseErrorLaw(z0, bits, near, rest, (left + right) / 2, (right - left) / 2, reach, asked)


def _of_coordinate(randomizer: CoordinateByCoordinate) -> ErrorLaw:
    if randomizer.m == randomizer.d:
        return error_law(randomizer.inner)
    return _of_number(randomizer.inner, randomizer.m / randomizer.d)


def _of_ball(randomizer: BallSampling) -> ErrorLaw:
    if randomizer.d == 1:
        return PiecewiseErrorLaw(randomizer.bound, 1.0)
    # The even moments of a half sphere are those of the sphere: E u₁⁴ = 3/(d(d + 2)). The density of u₁, of height A
    # and variation 2A for d > 2, is multiplied by what moves one way from 1 - tanh(ε/2) to 1 + tanh(ε/2) at most.
    d, bound, pull = randomizer.d, randomizer.bound, randomizer.pull
    height = math.exp(math.lgamma(d / 2) - math.lgamma((d - 1) / 2)) / math.sqrt(math.pi) / bound
    most, power = randomizer.worst_variance(), 3 * bound**4 / (d * (d + 2))
    smooth = ((1 + pull) * height, (2 + 4 * pull) * height) if d > 2 else (None, None)
    return Bounded(most, max(most - 1, 0.0), bound, power, *smooth)
