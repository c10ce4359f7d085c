"""The names of mechanisms, by their slugs; and those of a crowd's answers."""

from __future__ import annotations

from explorer.facts import Count, Name, Quantity, Term
from ldpcore.experiments.named import Answered, NamedResult, PerhapsNamed
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer

FRUITS = (
    "apple",
    "banana",
    "cherry",
    "grape",
    "kiwi",
    "lemon",
    "mango",
    "orange",
    "peach",
    "pear",
    "plum",
    "melon",
)


def title_of(slug: str) -> Term:
    """The title of a mechanism, in the reader's language."""
    return Term(f"mechanisms.{slug}.title")


def short_of(slug: str) -> Term:
    """The acronym of a mechanism, or a title that fits in one line."""
    return Term(f"mechanisms.{slug}.short")


def about_of(slug: str) -> Term:
    """The description of a mechanism and its use; of a famous mistake, its history."""
    return Term(f"mechanisms.{slug}.about")


def option_of(name: str, option: str) -> Term:
    """The name of a parameter's option."""
    return Term(f"{name}_options.{option}")


def category_slugs() -> tuple[str, ...]:
    """The family in which the mechanisms for categories have their colors, markers and dashes."""
    return tuple(member.slug for member in of_kind(CategoryRandomizer))  # type: ignore[type-abstract]


def opened(answer: PerhapsNamed[Answered]) -> tuple[Answered, tuple[str, ...]]:
    """The findings, and the names of the answers; no names where the crowd is made up."""
    return (answer.result, answer.names) if isinstance(answer, NamedResult) else (answer, ())


def called(place: int, k: int, names: tuple[str, ...] = ()) -> Quantity:
    """The name of an answer: its own, a fruit where a made-up crowd has few answers, else its number."""
    if names:
        return Name(names[place])
    return Term(f"fruits.{FRUITS[place]}") if k <= len(FRUITS) else Count(int(place) + 1)
