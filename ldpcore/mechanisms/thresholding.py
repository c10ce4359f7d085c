"""Thresholding with histogram encoding: send only which noisy counters exceed a threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.unary import UnaryEncoding
from ldpcore.parameters import DomainSize, Epsilon, Interval, declaration

Threshold = Annotated[float, Interval(r"\theta", 0.5, 1, (0.5, 1), small=(0.5, 0.625, 1.0))]
BEST = float("nan")  # only as the default: it stands for the best threshold at the ε given


def best_threshold(epsilon: float) -> float:
    """The θ of smallest variance for a rare value: x = e^{-εθ/2} solves x² - 2(1+c)x + 3c = 0 with c = e^{-ε/2}.

    From ½ at ε = 0 it grows towards 1.
    """
    # With A = 1 - x and B = 1 - c/x, q(1-q)/(p-q)² is (1 - A²)/(A + B)², stationary in x where A - B = 2AB.
    # θ = 1 - (2/ε) ln(3/(1 + c + √(1 - c + c²))), written in d = 1 - c, which is exact at small ε.
    d = -math.expm1(-epsilon / 2)
    root = math.sqrt(1 - d + d * d)
    return 1 + 2 / epsilon * math.log1p(-(d + (d - d * d) / (1 + root)) / 3)


@dataclass(frozen=True)
class ThresholdingHistogramEncoding(UnaryEncoding):
    """Add Lap(2/ε) to the k numbers of the one-hot vector and send which exceed θ: k bits in place of k numbers.

    p = 1 - ½e^{-ε(1-θ)/2}, q = ½e^{-εθ/2}; left out, θ is the best one for rare values. The cut hides more than the
    noise was asked to, so that the level of the report, ln p(1-q)/(q(1-p)), lies below ε.
    """

    epsilon: Epsilon
    k: DomainSize
    theta: Threshold = BEST

    slug: ClassVar[str] = "the"
    title: ClassVar[str] = "Thresholding with histogram encoding"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li, Jha (2017), Locally differentially private protocols for frequency estimation"
    )

    def __post_init__(self) -> None:
        if self.theta is BEST:
            declaration(Epsilon).check("epsilon", self.epsilon)
            object.__setattr__(self, "theta", best_threshold(self.epsilon))
        super().__post_init__()

    @property
    def log_odds(self) -> tuple[float, float]:
        # 1 - p = ½e^-w and q = ½e^-u, so p/(1-p) = (2 - e^-w) e^w and q/(1-q) = e^-u/(2 - e^-u).
        u, w = self.epsilon * self.theta / 2, self.epsilon * (1 - self.theta) / 2
        return w + math.log1p(-math.expm1(-w)), -u - math.log1p(-math.expm1(-u))

    def claim(self) -> Guarantee:
        """ε/2 + ln(2 - e^{-ε(1-θ)/2}) + ln(2 - e^{-εθ/2}): the rest of the noise's own ε after the cut."""
        lost, foreign = (math.exp(-self.epsilon * share / 2) for share in (1 - self.theta, self.theta))
        return Guarantee(self.epsilon / 2 + math.log((2 - lost) * (2 - foreign)))
