"""Short names for crowded places, made from what the registry says.

May import the core.
"""

from __future__ import annotations

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer, Mechanism

_ACRONYM = 4  # letters: longer slugs are words, and the title is no longer than they


def short(member: type[Mechanism]) -> str:
    """The acronym of a mechanism where its slug is one, else its title: OUE, Subset selection."""
    return member.slug.upper() if len(member.slug) <= _ACRONYM else member.title


def category_slugs() -> tuple[str, ...]:
    """The family in which the mechanisms for categories have their colors, markers and dashes."""
    return tuple(member.slug for member in of_kind(CategoryRandomizer))  # type: ignore[type-abstract]
