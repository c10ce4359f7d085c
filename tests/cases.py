"""Many small cases of one law in one test: one of its own for each costs more than what it looks at."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

LONGEST = 100  # letters of a case, as a red line names it
Law = Callable[..., None]


def for_each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] | Sequence[object] = repr
) -> Callable[[Law], Law]:
    """A law that one test holds for every case, as `pytest.mark.parametrize` would in a test for each.

    All cases are gone through. The first that breaks the law is raised as it is, with the names of all that do.
    For laws that ask for no fixture: what a fixture sets up, one case would leave to the next.
    """
    given = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    every = [*cases]
    assert every, f"a law must have cases; there is none of {given}"
    rows = [(case,) if isinstance(names, str) and len(given) == 1 else tuple(case) for case in every]
    assert callable(ids) or len(ids) == len(rows), f"each case must have its name; got {ids}"

    def named(place: int) -> str:
        told = [ids(part) for part in rows[place]] if callable(ids) else [ids[place]]
        return ", ".join(str(part)[:LONGEST] for part in told)

    def decorated(law: Law) -> Law:
        @functools.wraps(law)
        def held(*args: Any, **more: Any) -> None:
            if args or not more.keys().isdisjoint(given):  # of one case, which whoever calls it has chosen
                return law(*args, **more)
            broken: dict[str, BaseException] = {}
            for place, row in enumerate(rows):
                try:
                    law(**more, **dict(zip(given, row, strict=True)))
                except (Exception, pytest.fail.Exception) as problem:
                    broken[named(place)] = problem
            for first in broken.values():
                first.add_note(f"{len(broken)} of {len(rows)} cases of {', '.join(given)} break the law:")
                first.add_note("\n".join(broken))
                raise first
            return None

        asked = inspect.signature(law)
        left = [one for one in asked.parameters.values() if one.name not in given]
        held.__signature__ = asked.replace(parameters=left)  # type: ignore[attr-defined]
        return held

    return decorated
