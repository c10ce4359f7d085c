"""A survey at the door: what people hold in their hands, which level it gives, and what an answer then proves."""

from __future__ import annotations

from dataclasses import dataclass

from ldpcore.experiments.response.needed import people_factor
from ldpcore.mechanisms.devices import Device, Kind, device_at, keeps
from ldpcore.parameters import Declared, Epsilon
from ldpcore.questions import Progress, Public, Question


@dataclass(frozen=True)
class SurveyKit(Question["SurveyKitResult"], Declared):
    """Which coins, dice or spinner keep a level?"""

    kind: Kind
    epsilon: Epsilon

    def run(self, progress: Progress | None = None) -> SurveyKitResult:
        device = device_at(self.kind, self.epsilon)
        return SurveyKitResult(self, device, keeps(device, self.epsilon))


@dataclass(frozen=True)
class SurveyKitResult(Public):
    """The device, and whether it promises no less than what was asked for."""

    experiment: SurveyKit
    device: Device
    kept: bool

    @property
    def level(self) -> float:
        """The level that the device really gives."""
        return self.device.level

    @property
    def sure(self) -> float:
        """How often a guess about one person is right at best, which was as likely as not before: e^α/(1+e^α)."""
        return 1 - self.device.f

    def after(self, prior: float, yes: bool) -> float:
        """How sure one may be of a true yes after an answer, from what was known before."""
        own, other = (1 - self.device.f, self.device.f) if yes else (self.device.f, 1 - self.device.f)
        return prior * own / (prior * own + (1 - prior) * other)

    @property
    def factor(self) -> float:
        """How many times as many people it takes as if all simply told the truth, where half are a true yes."""
        return people_factor(self.device.design(), 0.5)
