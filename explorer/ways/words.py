"""What is said on a way, in a language: on its card, on the page of one who goes alone, and in the speaker's notes."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.text import Texts
from explorer.text.catalogue import Catalogue
from explorer.ways import Way, WayStep

NOTES = ("ask", "predict", "shown", "say")  # in the order of telling; never on the projector


@dataclass(frozen=True)
class Told:
    """The texts of one step; empty where it has none."""

    title: str
    do: str = ""
    seen: str = ""
    ask: str = ""
    predict: str = ""
    shown_then: str = ""
    say: str = ""

    def alone(self, hidden: bool) -> str:
        """What one who goes alone reads: what to do, and once what was predicted is shown, what is seen."""
        return self.do if hidden or not self.seen else self.seen

    def notes(self) -> tuple[tuple[str, str], ...]:
        """What the speaker alone reads, each with its kind."""
        texts = (self.ask, self.predict, self.shown_then, self.say)
        return tuple((kind, text) for kind, text in zip(NOTES, texts, strict=True) if text)


def table(catalogue: Catalogue, name: str) -> Texts:
    """The texts of a way, or of all decisions."""
    return catalogue.listing("ways").table(name)


def told_at(step: WayStep, way: Way, catalogue: Catalogue) -> Told:
    """What is said at a step of a way."""
    texts = table(catalogue, way.slug).strings("steps", step.name)
    return Told(*(texts.get(kind, "") for kind in ("title", "do", "seen", *NOTES)))
