"""The source of numbers and pictures, in one line: version and seed, question and data, mechanism."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from explorer.facts import Facts, Level, Name
from explorer.facts.naming import title_of
from explorer.scenes import Scene
from explorer.text.catalogue import Catalogue
from explorer.ui.shown import Shown
from ldpcore import __version__
from ldpcore.mechanisms.base import Mechanism

MOST_NAMED = 3  # mechanisms; a comparison of more says so in its picture


def version(shown: Shown, seeded: bool = True) -> str:
    """The version, and the seed where one is set."""
    return version_of(shown.catalogue, shown.seed if seeded else None)


def version_of(catalogue: Catalogue, seed: int | None = None) -> str:
    """The version and a seed, in a language."""
    facts = {"version": Name(__version__)} | ({} if seed is None else {"seed": Name(str(seed))})
    return str(catalogue.text(None, f"frame.version{'' if seed is None else '_seed'}", facts))


def line(shown: Shown, settings: tuple[str, Facts] | None, scene: Scene, own: bool = False) -> str:
    """Everything but the level, which moves, and the day; first, for an `own` table, that it is for the room."""
    parts = [shown.label("room_alone")] if own else []
    parts.append(version(shown))
    if settings is not None:
        parts.append(shown.catalogue.text(shown.slug, settings[0], shown.facts(settings[1])))
    parts += [title for title in mechanisms(shown, scene.question) if title not in " ".join(parts)]
    return " · ".join(parts)


def mechanisms(shown: Shown, question: Any) -> list[str]:
    """The names of a question's mechanisms, the first of many."""
    slugs = dict.fromkeys(mechanism.slug for mechanism in _mechanisms(question))
    return [shown.catalogue.write(title_of(slug)) for slug in list(slugs)[:MOST_NAMED]]


def level(shown: Shown, value: float, symbol: str) -> str:
    """The level in the line, with the symbol of its label: ε = 0.1."""
    return f"{shown.label(symbol)} = {shown.catalogue.write(Level(value))}"


def _mechanisms(question: Any, depth: int = 3) -> Iterator[Mechanism]:
    """The mechanisms that a question names."""
    if isinstance(question, Mechanism):
        yield question
    elif isinstance(question, tuple) and depth:
        for part in question[: MOST_NAMED + 1]:
            yield from _mechanisms(part, depth - 1)
    elif dataclasses.is_dataclass(question) and depth:
        for field in dataclasses.fields(question):
            yield from _mechanisms(getattr(question, field.name), depth - 1)
