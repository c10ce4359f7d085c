"""A survey at the door: the device in hand, its level, the evidence of an answer, and the precision of all answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from ldpcore.experiments.recommending import only
from ldpcore.experiments.response.needed import people_factor
from ldpcore.experiments.response.plan import SurveyPlan
from ldpcore.mechanisms.devices import Device, DeviceKind, device_at, keeps
from ldpcore.parameters import Choice, Declared, Epsilon
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

DEVICES = ("coins", "dice", "spinner")  # the plainest first
SurveyedCrowd = Annotated[
    str, Choice(r"\text{crowd}", ("people", "class", "staff", "members", "patients"))
]  # who is asked
ALIKE = 1.01  # widths closer than this are told as one


@dataclass(frozen=True)
class SurveyKit(Question["SurveyKitResult"], Declared):
    """The coins, dice or spinner that keep a level, and their effect on a plan made for the level itself."""

    kind: DeviceKind
    epsilon: Epsilon
    plan: SurveyPlan | None = None
    crowd: SurveyedCrowd = "people"

    def run(self, progress: Progress = no_progress) -> SurveyKitResult:
        device = device_at(self.kind, self.epsilon)
        return SurveyKitResult(self, device, keeps(device, self.epsilon))


@dataclass(frozen=True)
class SurveyKitResult(Public):
    """The device, and whether it promises no less than the level asked for."""

    experiment: SurveyKit
    device: Device
    kept: bool

    @property
    def level(self) -> float:
        """The level that the device really gives."""
        return self.device.level

    @property
    def reach(self) -> float:
        """The reach of the plan's answer with this device; undefined without a plan."""
        plan = self.experiment.plan
        return math.nan if plan is None else plan.reach(self.device.design())

    @property
    def people(self) -> int | None:
        """The number of people the plan takes with this device; None where it is no plan or no number does."""
        plan = self.experiment.plan
        return None if plan is None else plan.asking(plan.people(self.device.design()))

    @property
    def wider(self) -> bool:
        """Whether the plan is less precise with this device than at the level that was asked for."""
        plan = self.experiment.plan
        return plan is not None and self.reach > ALIKE * plan.reach(plan.design)

    @property
    def nearer(self) -> tuple[str, ...]:
        """The kinds of device that keep the level as well and are more precise, the plainest first."""
        others = (device_at(kind, self.experiment.epsilon) for kind in DEVICES)
        plan = self.experiment.plan
        return tuple(
            other.kind
            for other in others
            if plan is not None
            and self.wider
            and keeps(other, self.experiment.epsilon)
            and self.reach > ALIKE * plan.reach(other.design())
        )

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The devices that are more precise, where this one is less so than was planned."""
        return only(*(Recommendation.of("instead", device=kind) for kind in self.nearer))

    @property
    def sure(self) -> float:
        """The chance of the best guess about one person, from even odds before: e^α/(1+e^α)."""
        return 1 - self.device.f

    def after(self, prior: float, yes: bool) -> float:
        """The probability of a true yes after an answer, from the prior."""
        own, other = (1 - self.device.f, self.device.f) if yes else (self.device.f, 1 - self.device.f)
        return prior * own / (prior * own + (1 - prior) * other)

    @property
    def factor(self) -> float:
        """The ratio of the people it takes to those of honest answers, where half are a true yes."""
        return people_factor(self.device.design(), 0.5)
