"""One run, and the view of one of its people."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.protocols.examples import Example, check_people
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, ParameterError, Seed, Users
from ldpcore.protocols import Run, largest_share, smallest_share
from ldpcore.protocols.crowd import yes
from ldpcore.questions import Progress, Question, Result, no_progress

BEGINNING = 10  # people who are shown while others predict how it ends
VALUES = 401  # numbers that a person might hold


@dataclass(frozen=True)
class _Asked(Question[Result], Declared):
    """An example with its people."""

    epsilon: Epsilon
    example: Example = field(default_factory=Example)
    n: Users = 1000
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_people(self.n)

    def cost(self) -> Cost:
        return Cost(4 * MEGABYTE, 0.005 + 2e-6 * self.n)


@dataclass(frozen=True)
class OneRun(_Asked):
    """The questions, reports and beliefs of one run."""

    def run(self, progress: Progress = no_progress) -> OneRunResult:
        return OneRunResult(self, self.example.drawn(self.epsilon, self.n, self.seed))


@dataclass(frozen=True, eq=False)
class OneRunResult(Result):
    """A run, person after person."""

    experiment: OneRun
    path: Run

    @property
    def estimate(self) -> float:
        """The belief at the end."""
        return float(self.path.belief[-1])

    @property
    def error(self) -> float:
        """The distance of the last belief from the middle of the crowd."""
        return abs(self.estimate - self.experiment.example.crowd.center)

    def masked(self) -> OneRunResult:
        """The beginning of the run alone: ten people, or where it is told at an even pace, the first twentieth."""
        people = BEGINNING if self.experiment.example.slug == "steps" else max(BEGINNING, self.path.n // 20)
        return replace(self, path=self.path.first(people))


@dataclass(frozen=True)
class NextQuestion(_Asked):
    """The question to one person, after this history, and the answer that each number would give."""

    person: Users = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.person > self.n:
            raise ParameterError("person_outside", n=self.n, got=self.person)

    def run(self, progress: Progress = no_progress) -> NextQuestionResult:
        path = self.example.drawn(self.epsilon, self.n, self.seed).first(self.person)
        last, reach = self.person - 1, self.example.crowd.reach
        window = float(path.asked_low[last]), float(path.asked_high[last])
        edges = [float(np.nextafter(window[0], reach)), *window]
        values = np.unique(np.clip([*np.linspace(-reach, reach, VALUES), *edges], -reach, reach))
        value = float(path.values[last])
        silent = yes((1 + values / reach) / 2, self.epsilon)
        return NextQuestionResult(
            self,
            window,
            values,
            path.chance(last, values),
            silent,
            path.loss(last, values),
            value,
            float(path.chance(last, value)),
        )


@dataclass(frozen=True, eq=False)
class NextQuestionResult(Result):
    """A person's question, and the chance of a yes for every number they might hold; without listening beside it."""

    experiment: NextQuestion
    window: tuple[float, float]
    values: Reals
    chances: Reals
    silent: Reals
    loss: float  # the largest of this person's answer, over all numbers and both answers, after this history
    value: float
    chance: float

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the most that a yes may be likely."""
        return smallest_share(self.experiment.epsilon), largest_share(self.experiment.epsilon)

    def masked(self) -> NextQuestionResult:
        """The result without this person's number and question, which say how the run went on."""
        nothing = np.full(len(self.values), math.nan)
        return replace(self, window=(math.nan, math.nan), chances=nothing, value=math.nan, chance=math.nan)
