"""The texts of a phone, in its reader's language: the card of its room, the toss, and all words of the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from explorer.facts import Count, Exact, Facts, Level, Name, Odds, Share, Term
from explorer.poll.denials import DenialError
from explorer.poll.questions import PollQuestion
from explorer.poll.rooms import Card
from explorer.text.catalogue import catalogue_of
from ldpcore.protocols.tossing import BitToss, PieceToss, SetToss

PAGE = "room"
HIDDEN_WELL = 3.0  # the highest level at which a report leaves more than one doubt in twenty-one


def sentence(problem: DenialError, language: str) -> str:
    """The sentence of a refusal."""
    return catalogue_of(language).label(f"denied.{problem.reason.key}", PAGE, problem.facts)


def facts(asked: PollQuestion) -> Facts:
    """The quantities of a question: its level, its odds and the chances of each report."""
    toss = asked.toss
    named = {"level": Level(asked.epsilon), "exact": Exact(toss.level), "odds": Odds(asked.epsilon)}
    named |= {"hidden": Term("hidden.well" if asked.epsilon <= HIDDEN_WELL else "hidden.little")}
    match toss:
        case SetToss():
            return named | {"own": Share(float(toss.own)), "size": Count(toss.size), "k": Count(toss.k)}
        case BitToss():
            ends = (float(next(chance for sent, chance in toss.law(end) if sent)) for end in (0, toss.steps))
            shares = dict(zip(("lowest", "highest"), map(Share, ends), strict=True))
            return named | shares | {"low": Exact(asked.low), "high": Exact(asked.high)}
        case PieceToss():
            return named | {"own": Share(float(toss.own))}
    raise TypeError(f"a toss must be one of the three kinds; got {toss.kind}")


def case(asked: PollQuestion) -> str:
    """The case of the sentence that says what will happen."""
    match asked.toss:
        case SetToss(size=1):
            return asked.kind
        case SetToss():
            return "several"
        case toss:
            return toss.kind


def _numbers(asked: PollQuestion) -> Mapping[str, object]:
    """The steps of a number, and the meaning of a report of a piece: a first number, and the addition of each step."""
    numbers: dict[str, object] = {"low": asked.low, "high": asked.high, "steps": asked.steps}
    if isinstance(toss := asked.toss, PieceToss):
        first, second = (float(asked.scale.outward(float(toss.decoded(cell)))) for cell in (0, 1))
        numbers["decoded"] = [first, second - first]
    return numbers


@lru_cache(maxsize=64)
def _words(language: str) -> Mapping[str, str]:
    return dict(catalogue_of(language).labels("words", PAGE))


@lru_cache(maxsize=256)
def _question(asked: PollQuestion, language: str) -> Mapping[str, object]:
    catalogue, named = catalogue_of(language), facts(asked)
    answers = asked.answers or tuple(_words(language)[name] for name in ("yes", "no"))
    return {
        "kind": asked.kind,
        "text": asked.text,
        "answers": [] if asked.kind == "number" else list(answers),
        "kept": asked.kept,
        "toss": asked.toss.shape(),
        "before": catalogue.text(PAGE, f"before {case(asked)}", named),
        "again": catalogue.text(PAGE, "again kept" if asked.kept else "again fresh", named),
        "why": catalogue.text(PAGE, "why", named),
        **(_numbers(asked) if asked.kind == "number" else {}),
    }


def message(card: Card, language: str) -> dict[str, object]:
    """The card as a phone reads it; a number of more than 53 bits is nowhere in it."""
    return {
        "code": card.code,
        "version": card.version,
        "stage": card.stage,
        "pin": card.pin,
        "serial": card.serial,
        "number": card.number,
        "round": card.round,
        "screen": card.screen,
        "question": None if card.asked is None else _question(card.asked, language),
    }


def words(language: str) -> dict[str, str]:
    """The words of the page that no question changes, and the sentence where a browser cannot toss."""
    return dict(_words(language)) | {"old": heading("old", language)}


def heading(name: str, language: str, code: str = "") -> str:
    """A text of the page itself, around the script's part."""
    return catalogue_of(language).label(f"page.{name}", PAGE, {"code": Name(code)})
