"""Devices that a person at the door can hold: coins, dice or a spinner that decide between truth, a yes and a no.

Of the outcomes, a share f forces a yes, as many force a no, and the others ask for the truth. So a true yes says yes
with probability 1 - f, a true no with f, which is randomized response at α = ln((1-f)/f), whatever the device.
Coins and dice have few outcomes and reach few levels; a spinner reaches any.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.parameters import Choice

Verdict = Literal["yes", "no", "truth"]
DeviceKind = Annotated[str, Choice(r"\text{device}", ("coins", "dice", "spinner"))]
FACES = 6
_NEARLY = 1 + 1e-4  # a level is written with a few digits: 1.0986 is meant as ln 3


@dataclass(frozen=True)
class Device:
    """Coins or dice by their number, the rule that reads them, and where the forced outcomes end; a spinner by f.

    "alike": all heads say yes, all tails say no. "rare": all heads ask for the truth, else one coin more says which.
    "ends": of one die the lowest `forced` faces say yes, the highest as many no; of two dice sums up to `forced` and
    from 14 - `forced` on.
    """

    kind: str
    rule: str
    count: int = 0
    forced: int = 0
    share: float = 0.0

    @property
    def outcomes(self) -> int:
        """The number of equally likely outcomes; none of a spinner, which is not counted."""
        if self.kind == "coins":
            return int(2 ** (self.count + (self.rule == "rare")))
        return int(FACES**self.count) if self.kind == "dice" else 0

    def verdict(self, outcome: tuple[int, ...]) -> Verdict:
        """The order that an outcome gives: coins are read as 1 (heads) and 0, dice as their faces."""
        if self.rule == "alike":
            return "yes" if all(outcome) else "truth" if any(outcome) else "no"
        if self.rule == "rare":
            return "truth" if all(outcome[:-1]) else "yes" if outcome[-1] else "no"
        eyes = sum(outcome)
        if eyes <= self.forced:
            return "yes"
        return "no" if eyes >= (FACES + 1) * self.count - self.forced else "truth"

    @property
    def f(self) -> float:
        """The chance of a forced yes, and of a forced no."""
        return self.share if self.kind == "spinner" else float(self.part)

    @property
    def part(self) -> Fraction:
        """The chance of a forced yes as a fraction of the outcomes; coins and dice alone have one."""
        if self.rule == "alike":
            return Fraction(1, 2**self.count)
        if self.rule == "rare":
            return (1 - Fraction(1, 2**self.count)) / 2
        ways = self.forced if self.count == 1 else self.forced * (self.forced - 1) // 2  # sums of two dice up to s ≤ 7
        return Fraction(ways, self.outcomes)

    @property
    def level(self) -> float:
        """α = ln((1-f)/f)."""
        return math.log1p(-self.f) - math.log(self.f)

    def design(self) -> TwoCoins:
        """The two coins that do what the device does: how often a true yes and a true no say yes."""
        return TwoCoins(1 - self.f, self.f)


def spinner(epsilon: float) -> Device:
    """A disc on which a needle spins: f = 1/(1 + e^α) of it says yes, as much says no."""
    return Device("spinner", "disc", share=1 / (1 + math.exp(epsilon)))


COINS = tuple(Device("coins", "rare", count) for count in (5, 4, 3, 2)) + tuple(
    Device("coins", "alike", count) for count in (2, 3, 4, 5)
)
DICE = tuple(
    sorted(
        [Device("dice", "ends", 1, faces) for faces in (1, 2)]
        + [Device("dice", "ends", 2, most) for most in (2, 3, 5, 6)],
        key=lambda device: device.level,
    )
)


def device_at(kind: str, epsilon: float) -> Device:
    """The device of a kind whose own level is the largest that does not exceed α; where all do, the strictest one."""
    if kind == "spinner":
        return spinner(epsilon)
    known = COINS if kind == "coins" else DICE
    keeping = [device for device in known if device.level <= epsilon * _NEARLY]
    return max(keeping, key=lambda device: device.level) if keeping else known[0]


def keeps(device: Device, epsilon: float) -> bool:
    """Whether a device promises no less than a level, to the digits in which levels are written."""
    return device.level <= epsilon * _NEARLY
