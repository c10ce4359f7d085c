"""The texts of a way, in a language: on its card, on a lone reader's page, and in the speaker's notes."""

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
        """The text for a reader who goes alone: the task, and once the truth is shown, the finding."""
        return self.do if hidden or not self.seen else self.seen

    def notes(self) -> tuple[tuple[str, str], ...]:
        """The texts for the speaker alone, each with its kind."""
        texts = (self.ask, self.predict, self.shown_then, self.say)
        return tuple((kind, text) for kind, text in zip(NOTES, texts, strict=True) if text)


def table(catalogue: Catalogue, name: str) -> Texts:
    """The texts of a way, or of all decisions."""
    return catalogue.listing("ways").table(name)


def told_at(step: WayStep, way: Way, catalogue: Catalogue) -> Told:
    """The texts at a step of a way."""
    texts = table(catalogue, way.slug).strings("steps", step.name)
    return Told(*(texts.get(kind, "") for kind in ("title", "do", "seen", *NOTES)))
