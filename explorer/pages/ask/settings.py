"""What a presenter asks a room, what has been collected of it, and what each view of that asks the core."""

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
    """A question as it stands in the boxes; nothing is judged yet."""

    kind: AnswerKind
    text: str
    answers: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 100.0
    kept: bool = True

    def asked(self, level: float) -> PollQuestion:
        """The question as a room is asked; what cannot be asked is refused."""
        match self.kind:
            case "yesno":
                return yes_or_no(self.text, level, self.kept)
            case "choice":
                return choice(self.text, self.answers, level, self.kept)
            case "number":
                return number(self.text, self.low, self.high, level, self.kept)


def reach(toss: Toss) -> RoomReach:
    """To what a question will be known, by how many answer."""
    return RoomReach(toss)


def kind(collected: CollectedAnswers) -> str:
    """What is asked of the room: yes or no, one of several, or a number."""
    return collected.question.kind


def brought(asked: CollectedAnswers, own: object) -> Facts:
    """Which answers came in."""
    return {"question": Name(asked.question.text), "n": Count(asked.n)}
