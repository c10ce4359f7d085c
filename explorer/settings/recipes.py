"""Recipes of values made of a table: Python that reads the reader's own file, or the value of another table.

Recipe(Source.of_column, (table, "pay", 0.0, 100.0))  # the call and its arguments
A value that holds numbers or words of a table is `Made` and gives its recipe: so nobody ever writes the numbers out,
and nobody has to know which class keeps them. A value that holds the table itself needs none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from typing import Any, TypeVar, cast

from ldpcore.fingerprints import Fingerprinted, fingerprint
from ldpcore.tables.table import Table

Given = TypeVar("Given")


@dataclass(frozen=True)
class CallRecipe(Fingerprinted):
    """A call that makes a value: the function, its arguments, and its keywords."""

    make: Callable[..., object]
    of: tuple[object, ...]
    named: tuple[tuple[str, object], ...] = ()

    def made(self) -> object:
        """The value."""
        return self.make(*self.of, **dict(self.named))

    def __fingerprint__(self) -> str:
        """A digest of the call."""
        return fingerprint((self.make.__module__, self.make.__qualname__, self.of, self.named))


class Made(ABC):
    """A value that may have been made of a table."""

    @abstractmethod
    def recipe(self) -> CallRecipe | None:
        """The recipe of the value; None where no table went into it."""


def recipe_of(value: object) -> CallRecipe | None:
    """The recipe of a value that was made of a table; None of any other."""
    return value.recipe() if isinstance(value, Made) else None


def parts(value: object) -> Iterator[Any]:
    """The parts of a value: of one with a recipe its ingredients, else the fields or the members."""
    recipe = recipe_of(value)
    if recipe is not None:
        yield from (*recipe.of, *(each for _, each in recipe.named))
    elif isinstance(value, (tuple, list)):
        yield from value
    elif is_dataclass(value) and not isinstance(value, (type, Table)):
        yield from (getattr(value, field.name) for field in fields(value) if field.init)


def tables(value: object) -> Iterator[Table]:
    """The tables that went into a value."""
    if isinstance(value, Table):
        yield value
    else:
        for part in parts(value):
            yield from tables(part)


def own_table(value: object) -> Table | None:
    """The reader's own table that went into a value, if one did."""
    return next((table for table in tables(value) if table.own), None)


def about(value: Given, other: Table) -> Given:
    """The value if `other` were the reader's own table; itself where no such table went into it."""
    return cast("Given", _about(value, other))


def _about(value: object, other: Table) -> object:
    if isinstance(value, Table):
        return other if value.own else value
    if own_table(value) is None:
        return value
    recipe = recipe_of(value)
    if recipe is not None:
        of = tuple(about(each, other) for each in recipe.of)
        named = tuple((name, about(each, other)) for name, each in recipe.named)
        return CallRecipe(recipe.make, of, named).made()
    if isinstance(value, tuple):
        return tuple(about(each, other) for each in value)
    assert is_dataclass(value)  # for a table went into it
    assert not isinstance(value, type)
    changed = {field.name: about(getattr(value, field.name), other) for field in fields(value) if field.init}
    return replace(value, **changed)


def reseeded(asked: Given, seed: int) -> Given:
    """Settings under another seed; themselves where they have none."""
    if not is_dataclass(asked) or isinstance(asked, type):
        return asked
    return replace(asked, seed=seed) if any(part.name == "seed" for part in fields(asked)) else asked


def seed_of(asked: object) -> int:
    """The seed of settings; 0 where they have none."""
    if not is_dataclass(asked) or isinstance(asked, type):
        return 0
    return next((int(vars(asked)["seed"]) for part in fields(asked) if part.name == "seed"), 0)


def named_in(value: object) -> frozenset[str | float | date]:
    """The labels, numbers and days that a value names, whatever table went into it; a text also as the number it is."""
    return frozenset(_named(value))


def _named(value: object) -> Iterator[str | float | date]:
    """The labels, numbers and days of a value, one by one."""
    if isinstance(value, (str, int, float, date)) and not isinstance(value, bool):
        yield value
        with suppress(ValueError, TypeError):
            yield float(str(value))
    elif not isinstance(value, Table):
        for part in parts(value):
            yield from _named(part)
