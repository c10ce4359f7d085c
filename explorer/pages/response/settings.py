"""The reader's settings on the page about randomized response, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from explorer.facts import Count, Facts, PercentagePoints, Said, Share, Term
from explorer.settings.recipes import CallRecipe, Made
from ldpcore.experiments import response
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.response.classes import ClassMember, CoinStep, CuratorSurvey, SurveyHistogram, still_reach
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.questions import Questions

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

STAGES = ("question", "first", "second", "report", "everybody")
DRAWN = 800  # more people than this cannot be told apart, and nobody is followed


@dataclass(frozen=True)
class Stage:
    """The stage of the coins, and their person; everybody's in the end."""

    step: str = "everybody"
    person: int = 1


@dataclass(frozen=True)
class TypedClass(Made):
    """The counts of a real class, its coins, and the place in a table where they were counted."""

    yes: int = 83
    n: int = 200
    design: str = "coins"
    sampled: bool = False
    silent: int = 0
    counted: CallRecipe | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_column(
        cls, table: Table, column: str, yes: str, design: str = "coins", sampled: bool = False, silent: int = 0
    ) -> TypedClass:
        """The number of rows of a column with `yes`, of those with any answer."""
        said = int(table.column(column).count())
        typed = cls(table.counts(column, (yes,))[0], said, design, sampled, silent)
        return replace(typed, counted=CallRecipe(TypedClass.of_column, (table, column, yes)))

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the answers are counted again."""
        asked = (("design", self.design), ("sampled", self.sampled), ("silent", self.silent))
        return None if self.counted is None else replace(self.counted, named=asked)

    def moves(self) -> bool:
        """Whether the level matters: coins and dice in people's hands have their own."""
        return self.design not in response.DESIGNS


@dataclass(frozen=True)
class HeldDevice:
    """A neighbor's belief before an answer, and the device in people's hands; any two coins by their tosses."""

    prior: float = 0.1
    design: str = "level"
    first: float = 0.5
    second: float = 0.8

    def moves(self) -> bool:
        """Whether the level matters: coins and dice in people's hands have their own."""
        return self.design == "level"

    def at(self, level: float) -> response.ResponseDesign:
        """The coins or dice."""
        if self.design == "own":
            return TwoCoins.of_flips(self.first, self.second)
        return response.designed(self.design, level)


@dataclass(frozen=True)
class SurveyWish:
    """The wished precision of a share, its population, the number of the silent, and the device at the door."""

    width: float = 0.05
    sampled: bool = True
    device: str = "coins"
    unanswered: float = 0.0
    crowd: str = "people"


def leveled(asked: ResponseSettings, own: TypedClass | HeldDevice) -> bool:
    """Whether the handle moves what the view tells."""
    return own.moves()


def wished(asked: ResponseSettings, own: SurveyWish) -> Facts:
    """The plan, in a line."""
    return {
        "crowd": Said.of(f"crowd.{own.crowd}", n=Count(asked.n)),
        "fewer": Term(f"cases.{'some' if own.unanswered else 'none'}"),
        "unanswered": Share(own.unanswered, 3),
        "width": PercentagePoints(own.width, 3),
        "device": Term(f"device_options.{own.device}"),
    }


def brought(asked: ResponseSettings, own: TypedClass) -> Facts:
    """The kind of the reader's own answers."""
    return {"yes": Count(own.yes), "n": Count(own.n), "design": Term(f"design_options.{own.design}")}


@dataclass(frozen=True)
class ResponseSettings:
    """A class, its true share of yes, the confidence, the number of repetitions, whether a curator stands beside."""

    n: int = 100
    share: float = 0.3
    confidence: float = 0.95
    repeats: int = 1000
    curator: bool = False
    seed: int = 1

    def small(self) -> bool:
        """Whether people can be drawn one by one."""
        return self.n <= DRAWN

    def noise(self, level: float) -> LaplaceMechanism:
        """A curator's noise: another answer moves the count by one, and the number of people is public."""
        return LaplaceMechanism(level, 1.0, "replace-one")

    def survey(self, level: float) -> response.ClassSurvey:
        """The class, asked once with the best coins of a level."""
        best = RandomizedResponse(level)
        return response.ClassSurvey.of_share(best, self.n, self.share, self.confidence, self.seed)

    def beside(self, level: float, yes: int, n: int) -> CuratorSurvey:
        """The release of a trusted curator at this level."""
        return CuratorSurvey(self.noise(level), yes, n, self.confidence, self.seed)

    def everybody(self, level: float, stage: Stage) -> Questions:
        """The class, with a curator beside it where one is wanted, or one person whose coins fall."""
        survey = self.survey(level)
        if stage.step != "everybody":
            return ClassMember(survey, min(stage.person, self.n), cast("CoinStep", stage.step))
        if not self.curator:
            return survey
        return survey, self.beside(level, survey.yes, self.n)

    def real(self, level: float, typed: TypedClass) -> Questions:
        """The findings of real answers, with the curator at their level."""
        design = response.designed(typed.design, level)
        answers = response.RealAnswers(design, typed.yes, typed.n, self.confidence, typed.silent)
        around = Enclosing(sampled=typed.sampled, confidence=self.confidence)
        if not self.curator:
            return answers, around
        guess = round(min(max(float(response.estimate_of(design, typed.yes, typed.n)), 0.0), 1.0) * typed.n)
        return answers, around, self.beside(design.guarantee().epsilon, guess, typed.n)

    def deny(self, level: float, held: HeldDevice) -> Questions:
        """The proof in one answer; coins and dice in people's hands stand against the best ones of their level."""
        proof = response.Deniability(held.at(level), held.prior)
        return proof if held.moves() else (proof, response.CoinDesign(held.at(level), self.n, self.share))

    def again(self, level: float) -> Questions:
        """One class, asked again and again, with a curator beside it where one is wanted."""
        yes, best = self.survey(level).yes, RandomizedResponse(level)
        surveys = response.RepeatedSurveys(best, self.n, yes, self.repeats, seed=self.seed)
        histogram = SurveyHistogram(surveys, still_reach(self.n))
        return (histogram, self.beside(level, yes, self.n)) if self.curator else histogram

    def needed(self, level: float) -> response.RandomizationFactor:
        """The number of people per truthful one, where half are a true yes."""
        return response.RandomizationFactor(RandomizedResponse(level), 0.5, self.n)

    def plan(self, level: float, wish: SurveyWish) -> tuple[response.SurveyPlan, response.SurveyKit]:
        """The level, or the people, that reach a precision whatever the true share is; and the device."""
        best, confidence = RandomizedResponse(level), self.confidence
        plan = response.SurveyPlan(best, self.n, wish.width, confidence, wish.sampled, wish.unanswered)
        return plan, response.SurveyKit(wish.device, level, plan, wish.crowd)

    def tasks(self, level: float) -> tuple[response.Deniability, response.RandomizationFactor]:
        """The questions behind the tasks: a neighbor's yes, and the people who are needed at a small level."""
        return response.Deniability(RandomizedResponse(level), 0.1), self.needed(0.1)
