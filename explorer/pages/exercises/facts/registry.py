"""The table of facts: each topic registers those of its results."""

from __future__ import annotations

from functools import singledispatch

from explorer.facts import Facts


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result of an exercise must have its facts registered; got {type(result).__name__}")
