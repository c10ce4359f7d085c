"""The results of a room's question, and the page that shows this tally elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from explorer.facts import Count, Level, Said
from explorer.poll.questions import PollQuestion
from explorer.poll.rooms import Questioned
from explorer.settings.remarks import Remarked
from explorer.settings.typed import plain_number
from ldpcore.experiments.named import Named
from ldpcore.experiments.polls import RoomAnswers, RoomRounds, ShownHands, Spent
from ldpcore.parameters import Confidence, Declared
from ldpcore.protocols.tossing import SetToss, Toss
from ldpcore.questions import Questions

SURELY = 0.95
DIGITS = 9  # of a level: what whole weights have taken off it is told under "Why"
YES_PLACE = 0  # the place of a yes among the answers


@dataclass(frozen=True)
class CollectedAnswers(Declared, Remarked):
    """The results of a question's round: sums of `n` reports, and the hands that were shown beside them.

    `hands` holds the number of people for each answer, or one mean in the unit of the question; `rounds` is the number
    of rounds by now.
    """

    question: PollQuestion
    totals: tuple[int, ...]
    n: int
    rounds: int = 1
    hands: tuple[float, ...] = ()
    confidence: Confidence = SURELY

    @classmethod
    def of(cls, questioned: Questioned, place: int = -1, hands: tuple[float, ...] = ()) -> CollectedAnswers:
        """The results of a question's round in a room, by its place among the rounds."""
        one = questioned.rounds[place]
        return cls(questioned.asked, one.totals, one.answered, len(questioned.rounds), hands)

    @property
    def toss(self) -> Toss:
        """The toss of phones for this question."""
        return self.question.toss

    def answers(self, level: float) -> Questions:
        """The findings of the reports, with the words of the question; beside them the hands that were shown."""
        question = RoomAnswers(self.toss, self.totals, self.n, self.confidence, self.question.scale)
        return Named(question, (self.question.text, *self.question.answers)), self._shown()

    def _shown(self) -> ShownHands | None:
        """The hands as shares, or as a mean in the unit of the question."""
        if not self.hands:
            return None
        if self.question.kind == "number":
            return ShownHands(self.hands[:1], self.question.scale)
        return ShownHands(tuple(hand / max(sum(self.hands), 1) for hand in self.hands))

    def repeated(self, level: float) -> RoomRounds:
        """The rounds' cost for one person."""
        return RoomRounds(self.toss, self.rounds, self.question.kept)

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: rounds that add up."""
        spent = Spent(self.toss.level, self.rounds, self.question.kept)
        if self.rounds > 1:
            key = "asked_again.kept" if self.question.kept else "asked_again.fresh"
            yield Said.of(key, rounds=Count(self.rounds), level=Level(round(spent.total, DIGITS)))


def elsewhere(collected: CollectedAnswers) -> tuple[str, Mapping[str, str]] | None:
    """The page that shows this tally, and the link's parameters; none where nobody has answered."""
    question, toss, totals = collected.question, collected.toss, collected.totals
    level = {"epsilon": plain_number(question.epsilon)}
    if not collected.n:
        return None
    match question.kind:
        case "yesno":
            counts = {"response_answers": f"{totals[YES_PLACE]}/{collected.n}", "response_design": "level"}
            return "response", level | {"response_tab": "real"} | counts
        case "choice":
            assert isinstance(toss, SetToss)
            counts = {"frequencies_mechanism": "grr" if toss.size == 1 else "subset"}
            counts |= {"frequencies_counts": "-".join(map(str, totals))}
            counts |= {} if toss.size == 1 else {"frequencies_reports_n": str(collected.n)}
            return "frequencies", level | {"frequencies_tab": "real"} | counts
        case "number":
            return "means", level | {"means_tab": "real"} | _mean(collected)


def _mean(collected: CollectedAnswers) -> dict[str, str]:
    """The mean of the decoded reports, which is all their information, as a question to the page about means."""
    question, slug = collected.question, collected.toss.mechanism.slug
    raw = float(RoomAnswers(collected.toss, collected.totals, collected.n).run().estimates[0])
    numbers = {"mean": float(question.scale.outward(raw)), "low": question.low, "high": question.high}
    counts = {f"means_reports_{name}": plain_number(value) for name, value in numbers.items()}
    return {"means_mechanism": slug, "means_reports_n": str(collected.n), **counts}
