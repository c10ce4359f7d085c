"""Famous mistakes in the lasting noise of RAPPOR; a report here holds the lasting bits themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.rappor import DecodedCandidates, Rappor
from ldpcore.parameters import Epsilon, Interval

LargeEpsilon = Annotated[
    float, Interval(r"\varepsilon", 0, 50, (0.01, 12), scale="log", open_low=True, small=(1.0, 10.0, 12.0))
]


@dataclass(frozen=True)
class LastingBits(Rappor):
    """RAPPOR with 8 bits, one hash and two cohorts that shows its lasting bits: q = 1, p = 0."""

    epsilon: Epsilon
    k: DecodedCandidates
    m: ClassVar[int] = 8  # type: ignore[misc]
    hashes: ClassVar[int] = 1  # type: ignore[misc]
    cohorts: ClassVar[int] = 2  # type: ignore[misc]
    p: ClassVar[float] = 0.0  # type: ignore[misc]
    q: ClassVar[float] = 1.0  # type: ignore[misc]

    reference: ClassVar[str] = (
        "Samuel-Maddock/pure-LDP, rappor_client.py: bits are set and never cleared, and f is rounded to two decimals; "
        "Erlingsson, Pihur, Korolova (2014) is right"
    )

    @classmethod
    def usual(cls, epsilon: float, k: int, **others: Any) -> LastingBits:
        """The client for a level and k; all else is fixed."""
        made: Any = cls
        design: LastingBits = made(epsilon, k)
        return design

    def forever(self) -> Rappor:
        return self


@dataclass(frozen=True)
class NeverReset(LastingBits):
    """A RAPPOR client that sets bits for noise but never resets a true one: P(1|1) = 1, P(1|0) = f/2.

    A reported 0 rules out every word that sets the bit, so no finite level holds.
    """

    slug: ClassVar[str] = "never-reset"
    title: ClassVar[str] = "RAPPOR that sets bits and never resets one"

    @property
    def lasting(self) -> BitNoise:
        return BitNoise(1.0, self.f / 2, 0.0, 1 - self.f / 2, 1 - self.f / 2)


@dataclass(frozen=True)
class RoundedFlips(LastingBits):
    """RAPPOR whose f, the double chance of a flip, is rounded to two decimals on its way into the configuration.

    With one hash the level is 2 ln((1-f/2)/(f/2)). Asked for level 10, f = .013386 becomes .01 and the real level
    10.5866; asked for 12, f = .004945 becomes 0: no noise and no finite level.
    """

    epsilon: LargeEpsilon

    slug: ClassVar[str] = "rounded-flips"
    title: ClassVar[str] = "RAPPOR with its f rounded to two decimals"

    @property
    def f(self) -> float:
        return round(super().f, 2)

    @property
    def lasting(self) -> BitNoise:
        flipped = self.f / 2
        return BitNoise(1 - flipped, flipped, flipped, 1 - flipped, 1 - self.f)
