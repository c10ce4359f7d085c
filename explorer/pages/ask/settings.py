"""The settings of a presenter: the question to a room, its collected answers, and each view's question to the core."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.facts import Count, Facts, Name
from explorer.poll.collected import CollectedAnswers
from explorer.poll.questions import AnswerKind, PollQuestion, choice, number, yes_or_no
from ldpcore.experiments.polls import RoomReach
from ldpcore.protocols.tossing import Toss

KINDS: tuple[AnswerKind, ...] = ("yesno", "choice", "number")


@dataclass(frozen=True)
class PollDraft:
    """A question as it stands in the boxes, before it is judged."""

    kind: AnswerKind
    text: str
    answers: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 100.0
    kept: bool = True

    def asked(self, level: float) -> PollQuestion:
        """The question as a room is asked; an impossible one is refused."""
        match self.kind:
            case "yesno":
                return yes_or_no(self.text, level, self.kept)
            case "choice":
                return choice(self.text, self.answers, level, self.kept)
            case "number":
                return number(self.text, self.low, self.high, level, self.kept)


def reach(toss: Toss) -> RoomReach:
    """The precision of a question, by the number of answers."""
    return RoomReach(toss)


def kind(collected: CollectedAnswers) -> str:
    """The kind of question to the room: yes or no, one of several, or a number."""
    return collected.question.kind


def brought(asked: CollectedAnswers, own: object) -> Facts:
    """The collected answers."""
    return {"question": Name(asked.question.text), "n": Count(asked.n)}
