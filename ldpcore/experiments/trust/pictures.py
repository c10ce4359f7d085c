"""Two pictures of one survey: a curator who knows everything and adds noise once, and reports of all people."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ldpcore.experiments import generator
from ldpcore.experiments.means.survey import MeanSurvey, MeanSurveyResult
from ldpcore.experiments.trust.models import noise_error
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Declared, Epsilon, Seed
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Question, Result, no_progress

SHOWN = 5  # people who are drawn; all are counted


@dataclass(frozen=True)
class TwoPictures(Question["TwoPicturesResult"], Declared):
    """One release by a curator beside one report from each person, of equal people at an equal level."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> TwoPicturesResult:
        survey = MeanSurvey(HybridMechanism(self.epsilon), self.numbers, seed=self.seed, pictured=SHOWN).run(progress)
        noise = LaplaceMechanism(self.epsilon, 2 * self.numbers.scale.half / self.numbers.n, "replace-one")
        release = float(noise.release(survey.truth, generator(self.seed, "curator")))
        return TwoPicturesResult(self, survey, release)


@dataclass(frozen=True, eq=False)
class TwoPicturesResult(Result):
    """The curator's publication, and the collector's picture of the reports."""

    experiment: TwoPictures
    survey: MeanSurveyResult
    release: float

    def masked(self) -> TwoPicturesResult:
        """The publication and the reports, and nothing of the people."""
        question = replace(self.experiment, numbers=self.experiment.numbers.hidden())
        return replace(self, experiment=question, survey=self.survey.masked())

    def error(self, model: str) -> float:
        """The standard deviation of the noise with a curator or without one."""
        return noise_error(model, self.experiment.epsilon, self.experiment.numbers, self.experiment.numbers.n, 0.5)
