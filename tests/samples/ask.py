"""Telling tallies of a room, and what its views are told there: the tally, which says what its rounds have cost."""

from __future__ import annotations

from explorer.poll.collected import CollectedAnswers
from explorer.poll.questions import PollQuestion, choice, number, yes_or_no
from ldpcore.protocols.tossing import SetToss


def samples() -> tuple[CollectedAnswers, ...]:
    """Telling tallies: few and many, each kind and mechanism, with and without hands, and one that says nothing."""
    copied = "Have you ever copied in an <b>exam</b>?"
    wards = choice("Which ward?", ("Cardiology", "<b>Surgery</b>", "$x$"), 1.1)
    many = choice("Which month?", tuple("ABCDEFGHIJKL"), 1.0, kept=False)
    age, income = number("How old are you?", 0, 120, 1.0, kept=False), number("Income?", 0, 9000.5, 4.0)
    return (
        CollectedAnswers(yes_or_no(copied, 1.1), (34, 16), 50),
        CollectedAnswers(yes_or_no(copied, 0.01, kept=False), (0, 1), 1, 3),
        CollectedAnswers(yes_or_no(copied, 4.0), (900, 300), 1200, 2, (880, 320)),
        CollectedAnswers(wards, (20, 13, 7), 40, hands=(21, 12, 7)),
        CollectedAnswers(many, tuple(60 + 5 * place for place in range(12)), _sets(many, 1050), 2),
        CollectedAnswers(age, (30, 50), 80, 2, (43.5,)),
        CollectedAnswers(income, _pieces(income), 60),
    )


def _sets(asked: PollQuestion, support: int) -> int:
    """How many reports support so many answers in all."""
    assert isinstance(asked.toss, SetToss)
    return support // asked.toss.size


def _pieces(asked: PollQuestion) -> tuple[int, ...]:
    """The sums of sixty reports whose numbers rise evenly."""
    totals = [0] * asked.toss.places
    for place in range(60):
        draw = int((place * 0.618034 % 1) * asked.toss.total)
        for where, more in asked.toss.increments(asked.toss.report(place + 20, draw)):
            totals[where] += more
    return tuple(totals)


VIEWS = ("tally", "rounds")
TOLD: dict[tuple[int, str], object] = {
    (place, view): collected for place, collected in enumerate(samples()) for view in VIEWS
}
