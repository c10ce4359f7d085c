"""What mechanisms are called, by their slugs; and what the answers of a crowd are called."""

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
    """Its acronym, or a title that is no longer than one line."""
    return Term(f"mechanisms.{slug}.short")


def about_of(slug: str) -> Term:
    """What it does and what it is good for; of a famous mistake, how it came about."""
    return Term(f"mechanisms.{slug}.about")


def option_of(name: str, option: str) -> Term:
    """What an option of a parameter is called."""
    return Term(f"{name}_options.{option}")


def category_slugs() -> tuple[str, ...]:
    """The family in which the mechanisms for categories have their colors, markers and dashes."""
    return tuple(member.slug for member in of_kind(CategoryRandomizer))  # type: ignore[type-abstract]


def opened(answer: PerhapsNamed[Answered]) -> tuple[Answered, tuple[str, ...]]:
    """What was found, and the names of the answers; none where the crowd is made up."""
    return (answer.result, answer.names) if isinstance(answer, NamedResult) else (answer, ())


def called(place: int, k: int, names: tuple[str, ...] = ()) -> Quantity:
    """What an answer is called: its own name, a fruit where a made-up crowd has few answers, else its number."""
    if names:
        return Name(names[place])
    return Term(f"fruits.{FRUITS[place]}") if k <= len(FRUITS) else Count(int(place) + 1)
