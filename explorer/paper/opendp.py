"""Python that makes a release with OpenDP, because the noise here is a simulation's.

OpenDP's noise is drawn exactly, its floating-point sums are accounted for, and it reports its level.
Written for the version below, whose documentation describes each call: `make_laplace` over whole numbers is
the discrete Laplace mechanism, `make_fix_delta` says the level at a δ, `binary_search_chain` finds the least noise of a
level, and `then_sum` counts what floating-point numbers add to a sensitivity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import MappingProxyType

from explorer.facts.lines import ReleaseFacts
from ldpcore.mechanisms import by_slug

VERSION = "0.16.0"  # the version whose calls are written here
FLOATS = "dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()"
SIZED = "dp.vector_domain(dp.atom_domain(T=float, nan=False), size=len(values)), dp.symmetric_distance()"
WHOLE = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"
CELLS = "dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)"
ARROW = "dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)"  # of cells whose normal noise is for its end
NEEDS = f"# pip install opendp=={VERSION}"
START = ("import opendp.prelude as dp", "", 'dp.enable_features("contrib")')
NOTE = (
    "# OpenDP's noise for a sum of rows that come and go, between bounds of both signs, is {:.6g} times as wide as here"
)
NORMAL = "# OpenDP sizes normal noise by way of concentrated privacy, a little wider than the smallest one"
ABSENT = "# OpenDP has no {}: Laplace noise of the same level stands in for it"
LAWS = MappingProxyType({"laplace": "laplace", "discretelaplace": "laplace", "gauss": "gaussian"})  # that OpenDP draws
Named = Callable[[str, str], str]  # (module, name): a name that is imported


def call(release: ReleaseFacts) -> str:
    """The calls of OpenDP that make the noise of a release, one for each part at its own level."""
    ways = {"cells": ("cells",), "sum": ("sum",), "mean": ("sum",), "ratio": ("sum", "count")}.get(release.asked)
    parts = zip(ways * len(release.levels) if ways == ("cells",) else ways or ("count",), release.levels, strict=True)
    return "; ".join(dict.fromkeys(noise_for(release, way, repr(level)) for way, level in parts))


def noise_for(release: ReleaseFacts, way: str, level: str, part: int = 0) -> str:
    """The call of OpenDP that finds the least noise at a level for one person's effect.

    Of a count its own sensitivity; OpenDP finds that of a sum from how many values come or go. Where somebody is
    replaced it is one value among as many, for everybody adds one: so it finds the widest difference of two people, as
    the page does. A row that comes and another that goes would be twice the larger bound.
    """
    law = LAWS.get(release.noises[part], "laplace")
    moved: float
    if way == "sum":
        assert release.bounds is not None
        (low, high), moved = (release.adds, 2) if release.by_person else (release.bounds, max(release.each, 1))
        clamped = f"({SIZED if release.by_person else FLOATS}) >> dp.t.then_clamp(({float(low)!r}, {float(high)!r}))"
        made = f"{clamped} >> dp.t.then_sum() >> dp.m.then_{law}(scale)"
        far = moved // 2 * (high - low) if release.by_person else moved * max(abs(low), abs(high), high - low)
    else:
        far = release.moves[-1]
        moved = math.ceil(far * 1e9) / 1e9 if far % 1 else int(far)  # a length, in digits that say no less
        cells = ARROW if release.delta else CELLS
        made = f"dp.m.make_{law}({cells if way == 'cells' else WHOLE}, scale)"
    if not release.delta:
        return f"dp.binary_search_chain(lambda scale: {made}, d_in={moved}, d_out={level})"
    failing = f"dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP({made}), delta={release.delta!r})"
    near = far * release.scales[part] / release.moves[part]  # further off, what normal noise costs is no finite number
    low_end, high_end = (float(f"{times * near:.6g}") for times in (0.5, 4))
    ends = f"bounds=({low_end!r}, {high_end!r})"
    return f"dp.binary_search_chain(lambda scale: {failing}, d_in={moved}, d_out=({level}, {release.delta!r}), {ends})"


def absent(release: ReleaseFacts) -> tuple[str, ...]:
    """The mechanisms of a release that OpenDP does not have, by their titles; Laplace noise stands in for them."""
    return tuple(by_slug(slug).title.lower() for slug in dict.fromkeys(release.noises) if slug not in LAWS)


def wider(release: ReleaseFacts) -> float:
    """The width of OpenDP's noise as a multiple of the page's: 1, but for a sum of rows that come and go between
    bounds of both signs, where OpenDP lets a row take the place of another.
    """
    if release.bounds is None or release.by_person:
        return 1.0
    low, high = release.bounds
    return max(1.0, (high - low) / max(abs(low), abs(high)))


def program(release: ReleaseFacts, named: Named) -> Iterator[str]:
    """The lines that release the `asked` answer about a `table`, in an `own` way where the view has asked one."""
    if release.delta:
        yield NORMAL
    yield from (ABSENT.format(title) for title in absent(release))
    made = {"sum": _sum, "mean": _sum, "ratio": _ratio, "cells": _cells}.get(release.asked, _count)
    yield from made(release, named)


def _count(release: ReleaseFacts, named: Named) -> Iterator[str]:
    """A count, a whole number."""
    yield f"noise = {noise_for(release, 'count', repr(release.levels[0]))}"
    yield "print(noise(int(asked.question.answer)))"


def _cells(release: ReleaseFacts, named: Named) -> Iterator[str]:
    """Every cell of each table, with the table's part of the level; of all tables at once with normal noise."""
    if release.delta:
        yield "names, counts = sum(own.names, ()), sum(own.counts, ())"
        yield f"noise = {noise_for(release, 'cells', repr(release.levels[0]))}"
        yield "print(*zip(names, noise(list(counts))), sep='\\n')"
        return
    levels = ", ".join(map(repr, release.levels))
    yield f"for names, counts, level in zip(own.names, own.counts, ({levels},)):"
    yield f"    noise = {noise_for(release, 'cells', 'level')}"
    yield "    print(*zip(names, noise(list(counts))), sep='\\n')"


def _values(release: ReleaseFacts, named: Named, added: str) -> Iterator[str]:
    """The values that a sum adds up, with the bounds' number nearest to zero where one is missing, and its noise."""
    assert release.bounds is not None
    low, high = release.bounds
    filled = named("numpy", "nan_to_num")
    yield f"values = {filled}({added}.values(asked.question.table), nan={min(max(0.0, low), high)!r})"
    if release.by_person and not _plain(release):
        yield "# what everybody adds, of whom nothing is asked a zero: how many people there are is public"
        yield f"selected = {added}.where.rows(asked.question.table)"
        yield f"rows = {named('numpy', 'zeros')}(len(selected))"
        yield f"rows[selected] = values.clip({float(low)!r}, {float(high)!r})"
        yield f"values = {_by_person(named) if release.each > 1 else 'rows'}"
    if wider(release) > 1:
        yield NOTE.format(wider(release))
    yield f"noise = {noise_for(release, 'sum', repr(release.levels[0]))}"


def _plain(release: ReleaseFacts) -> bool:
    """Whether every person has one row, and all are asked."""
    return release.everybody and release.each <= 1


def _by_person(named: Named) -> str:
    """The sum of each person's rows."""
    added, places = named("numpy", "bincount"), named("pandas", "factorize")
    return f"{added}({places}(asked.question.table.column(asked.question.table.unit.column))[0], rows)"


def _sum(release: ReleaseFacts, named: Named) -> Iterator[str]:
    """A sum of clamped values, or their mean where the number of people is public."""
    mean = release.asked == "mean"
    yield from _values(release, named, "asked.question.query" + (".parts()[0]" if mean else ""))
    yield f"print(noise(values.tolist()){' / len(values)' if mean else ''})"


def _ratio(release: ReleaseFacts, named: Named) -> Iterator[str]:
    """A mean over a private number of people: its sum and its count."""
    yield from _values(release, named, "asked.question.query")
    yield f"counted = {noise_for(release, 'count', repr(release.levels[1]), 1)}"
    people = "int(selected.sum())" if release.by_person else "len(values)"
    yield f"total, count = noise(values.tolist()), counted({people})"
    yield "print(asked.question.mean.ratio(total, count), total, count)"
