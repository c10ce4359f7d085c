"""A room's question: frozen with its level, so that the phone's toss is fixed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal

from explorer.facts import Count
from explorer.poll.denials import DenialError, Reason
from ldpcore.people.scales import PublicScale
from ldpcore.protocols.tossing import MOST_ANSWERS, Toss, among, best_toss, of_shape

AnswerKind = Literal["yesno", "choice", "number"]
LONGEST_QUESTION, LONGEST_ANSWER = 300, 60  # letters
STEPS = 100  # from the lower bound to the upper one, unless the presenter says otherwise


@dataclass(frozen=True)
class PollQuestion:
    """A question as the presenter typed it, its kind of answer, its level, and whether phones repeat a first report.

    `answers` are the words to choose from; none with a yes or no, for which each phone has words of its own. `low`,
    `high` and `steps` are the public bounds of a number and its grid. `shape` holds the toss's whole numbers.
    """

    kind: AnswerKind
    text: str
    answers: tuple[str, ...]
    epsilon: float
    kept: bool
    low: float
    high: float
    steps: int
    shape: tuple[tuple[str, str | int], ...]

    @cached_property
    def toss(self) -> Toss:
        """The toss of a phone for this question."""
        return of_shape(dict(self.shape))

    @property
    def scale(self) -> PublicScale:
        """The public bounds of a number; those of a share where answers are chosen."""
        return PublicScale(self.low, self.high)

    def written(self) -> str:
        """The question in writing, as it is kept."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> PollQuestion:
        """A question from its writing."""
        fields = json.loads(text)
        shape = tuple((name, value) for name, value in fields.pop("shape"))
        return cls(**fields | {"answers": tuple(fields["answers"]), "shape": shape})


def _line(text: str) -> str:
    """Typed text on one line, without signs that cannot be seen."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _question(text: str) -> str:
    line = _line(text)
    if not line:
        raise DenialError(Reason.QUESTION_EMPTY)
    if len(line) > LONGEST_QUESTION:
        raise DenialError(Reason.QUESTION_LONG, most=Count(LONGEST_QUESTION))
    return line


def _answers(answers: Sequence[str]) -> tuple[str, ...]:
    lines = tuple(filter(None, map(_line, answers)))
    if len(lines) < 2:
        raise DenialError(Reason.ANSWERS_FEW)
    if len(lines) > MOST_ANSWERS:
        raise DenialError(Reason.ANSWERS_MANY, most=Count(MOST_ANSWERS))
    if max(map(len, lines)) > LONGEST_ANSWER:
        raise DenialError(Reason.ANSWER_LONG, most=Count(LONGEST_ANSWER))
    if len({line.casefold() for line in lines}) < len(lines):
        raise DenialError(Reason.ANSWERS_ALIKE)
    return lines


def _frozen(toss: Toss) -> tuple[tuple[str, str | int], ...]:
    return tuple(toss.shape().items())


def yes_or_no(text: str, epsilon: float, kept: bool = True) -> PollQuestion:
    """A question that is answered with yes (answer 0) or no (answer 1) at a level; a `kept` report repeats itself."""
    return PollQuestion("yesno", _question(text), (), epsilon, kept, 0.0, 1.0, 1, _frozen(among(epsilon, 2)))


def choice(text: str, answers: Sequence[str], epsilon: float, kept: bool = True) -> PollQuestion:
    """A question with two to twelve answers; everybody has one of them."""
    lines = _answers(answers)
    return PollQuestion(
        "choice", _question(text), lines, epsilon, kept, 0.0, 1.0, 1, _frozen(among(epsilon, len(lines)))
    )


def number(text: str, low: float, high: float, epsilon: float, kept: bool = True, steps: int = STEPS) -> PollQuestion:
    """A question for a number between public bounds, on a grid of `steps` steps between them."""
    scale = PublicScale(low, high)
    shape = _frozen(best_toss(epsilon, steps))
    return PollQuestion("number", _question(text), (), epsilon, kept, float(scale.low), float(scale.high), steps, shape)
