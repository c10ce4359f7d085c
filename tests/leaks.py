"""Whether a scene betrays a truth while people predict: as a number, as a text, as a place in the picture.

A truth can only be looked for where it is telling. It is not, at a level, where it is a whole number below ten, one
half or 100, which every picture holds; where a fact that may be said has the same value, or is written alike; where the
page's own texts say the number anyway, truth or not ("95 of 100"). What equals a truth at a few stops of the level
alone is an accident of the noise: a leak is there at more than a third of the stops at which the truth is telling.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from explorer.facts import Facts, Quantity, QuantityRange, Share, Truth
from explorer.figures.theme import unescape
from explorer.scenes import Scene
from explorer.text import numerals, page_text, templates
from explorer.text.writing import neutral as neutral_form
from tests.scenes import LANGUAGES, Scenes, axes, axis_of, neutral, numeric, rows, texts

_TOKEN = re.compile(r"[−-]?\d[\d\u202f]*(?:[.,]\d+)*(?:\u202f×\u202f10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?(?:\s?%)?")
_EXACT, _PLACE, _EYE = 1e-9, 1e-6, 0.01  # equal, at the same place, as near as an eye can tell on an axis


@dataclass(frozen=True)
class Secret:
    """One truth: its value, and how it may be written."""

    value: float
    forms: frozenset[str]
    public: tuple[float, ...] = ()  # what may be said at the same level


def quantities(quantity: Any) -> Iterator[Quantity]:
    """A quantity and those inside."""
    if isinstance(quantity, Quantity):
        yield quantity
        for field in fields(quantity):
            yield from quantities(getattr(quantity, field.name))
    elif isinstance(quantity, tuple):
        for part in quantity:
            yield from quantities(part)


def value_of(quantity: Quantity) -> float | None:
    """The number that a quantity is."""
    value = getattr(quantity, "value", None)
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None


def truths_in(fact: Quantity) -> list[float]:
    """The numbers inside a fact that are marked as true."""
    marked = [part.quantity for part in quantities(fact) if isinstance(part, Truth)]
    numbers = [value_of(part) for truth in marked for part in quantities(truth)]
    return [number for number in numbers if number is not None]


def _compact(token: str) -> str:
    return re.sub(r"[\s,\u202f]", "", token)


def forms(quantity: Quantity, value: float) -> frozenset[str]:
    """The ways in which a number can be written: in full, rounded, as a percentage; without its groups."""
    written = {neutral_form(quantity) or "", numerals.exact(value), numerals.number(value), repr(value), f"{value:g}"}
    parts = ((value, ""), (100 * value, " %"), (100 * value, "")) if _is_share(quantity, value) else ((value, ""),)
    for number, sign in parts:
        written |= {numerals.significant(number, digits) + sign for digits in (3, 4, 5, 6)}
        written |= {f"{number:.{digits}f}{sign}" for digits in (1, 2, 3)} if abs(number) >= 1 else set()
    return frozenset(_compact(form) for form in written if form)


def plain_forms(quantity: Quantity, value: float) -> set[str]:
    """The ways in which a number that may be said is written."""
    written = {neutral_form(quantity) or "", numerals.exact(value), numerals.significant(value)}
    return {_compact(form) for form in written}


def _is_share(quantity: Quantity, value: float) -> bool:
    return isinstance(quantity, Share) or 0 < abs(value) < 1


@cache
def said_anyway(slug: str) -> frozenset[str]:
    """The numbers that stand in a page's texts whatever is found."""
    tokens: set[str] = set()
    for language in (each for each in LANGUAGES if each != "qps"):
        for text in _all(page_text(slug, language)):
            bare = " ".join(part for part in parts(templates.parsed(text)))
            tokens |= {_compact(token) for token in _TOKEN.findall(neutral(bare, language))}
    return frozenset(tokens)


def _all(table: Any) -> Iterator[str]:
    for value in table.values() if isinstance(table, Mapping) else table:
        yield from (value,) if isinstance(value, str) else _all(value) if hasattr(value, "__iter__") else ()


def parts(pieces: templates.TemplateParts) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            for key, inner in piece.cases:
                yield key.removeprefix("=") if key.startswith("=") else ""
                yield from parts(inner)


def secrets(facts: Facts, slug: str) -> dict[str, Secret]:
    """The telling truths among the facts, by name."""
    candidates, public, anyway = {}, [], set(said_anyway(slug))
    for name, fact in facts.items():
        truths = [inner for part in quantities(fact) if isinstance(part, Truth) for inner in quantities(part.quantity)]
        if not truths:
            parts = [part for part in quantities(fact) if value_of(part) is not None]
            public += [float(value_of(part) or 0) for part in parts]
            anyway |= {form for part in parts for form in plain_forms(part, value_of(part) or 0.0)}
        for place, truth in enumerate(part for part in truths if value_of(part) is not None):
            value = value_of(truth) or 0.0
            candidates[f"{name} {place}" if isinstance(fact, QuantityRange) else name] = Secret(
                value, forms(truth, value)
            )
    taken = [0.5, 100.0, *public]
    return {
        name: Secret(secret.value, secret.forms - anyway, tuple(public))
        for name, secret in candidates.items()
        if not (secret.value == round(secret.value) and abs(secret.value) < 10)
        and not any(_same(secret.value, other) for other in taken)
        and not _written_like(secret, anyway)
    }


def _written_like(secret: Secret, anyway: set[str]) -> bool:
    """Whether a number that may be said is written exactly like this one."""
    return _compact(numerals.exact(secret.value)) in anyway or _compact(numerals.significant(secret.value)) in anyway


def _same(one: float, other: float, close: float = _EXACT) -> bool:
    return math.isclose(one, other, rel_tol=close, abs_tol=0.0)


def leaks(scenes: Scenes, language: str) -> list[str]:
    """Where the truths of a setting show through although they are hidden."""
    seen: Counter[str] = Counter()
    telling: Counter[str] = Counter()
    drawn = DISTANCES - set(scenes.setting.view.predicts.numbers)  # as the dot of a release, counted from an answer
    for level in scenes.setting.stops_in(language):
        truths = scenes.secrets(level, secrets)
        telling.update(truths.keys())
        scene = scenes.scene(level, False, language)
        hits = {(name, place) for name, place in found_in(scene, truths, language) if not _dot(name in drawn, place)}
        seen.update(f"{name}: {place}" for name, place in hits)
    return sorted(hit for hit, times in seen.items() if 3 * times > telling[hit.split(":")[0]])


def _dot(may: bool, place: str) -> bool:
    """Whether a distance that may be drawn is drawn, and not written."""
    return may and bool(re.fullmatch(r"trace \d+ x|table .*", place))


def found_in(scene: Scene, truths: Mapping[str, Secret], language: str = "en") -> Iterator[tuple[str, str]]:
    """The truths that a scene betrays, each with the place where it does."""
    if not truths:
        return
    yield from _in_texts(scene, truths, language)
    if language != "en":
        return  # numbers and places are the same in every language; only words differ
    if scene.figure is not None:
        yield from _in_table(scene, truths)
        yield from _in_numbers(scene, truths)
        yield from _in_axes(scene, truths)
        yield from _in_places(scene, truths)
    if scene.drawing is not None:
        marks = Counter(re.findall(r"<(\w+ (?:[^>]*?)(?:fill|class)=\"[^\"]*\")", scene.drawing))
        alike = Counter(re.sub(r"\b(?!fill|class)[\w-]+=\"[^\"]*\"", "", mark) for mark in marks.elements())
        yield from _counted(truths, {f"marks {mark}": times for mark, times in alike.items()})


def _in_texts(scene: Scene, truths: Mapping[str, Secret], language: str) -> Iterator[tuple[str, str]]:
    """Written out in a sentence, a title, a legend, a hover text, a drawing."""
    cells = (cell for row in rows(scene, language) for cell in row if isinstance(cell, str))
    for place, text in {**texts(scene), "table": " ; ".join(dict.fromkeys(cells))}.items():
        tokens = {_compact(token) for token in _TOKEN.findall(neutral(text, language))}
        tokens |= {token.replace("−", "-") for token in tokens}
        yield from ((name, place) for name, secret in truths.items() if tokens & secret.forms)


def _in_table(scene: Scene, truths: Mapping[str, Secret]) -> Iterator[tuple[str, str]]:
    """As a cell of the table, unless it belongs to a column of evenly placed numbers."""
    header, *body = rows(scene)
    traces = scene.figure.data if scene.figure else []
    curves = {unescape(trace.get("name") or "") for trace in traces if _curve(trace)}
    by_series: dict[tuple[Any, str], list[Any]] = {}
    for row in body:
        for title, cell in zip(header[1:], row[1:], strict=True):
            by_series.setdefault((row[0], title), []).append(cell)
    for (series, title), cells in by_series.items():
        if series in curves:
            continue
        yield from _exactly(truths, cells, f"table {series}, {title}")


def _in_numbers(scene: Scene, truths: Mapping[str, Secret]) -> Iterator[tuple[str, str]]:
    """As a number of the figure's description, wherever data stand there."""
    figure: Any = scene.figure
    for place, trace in enumerate(figure.data):
        curve = _curve(trace)
        for key in ("x", "y", "z", "base", "customdata", "text", "width")[2 * curve :]:
            yield from _exactly(truths, trace.get(key), f"trace {place} {key}")
        for key in ("error_x", "error_y"):
            for end in ("array", "arrayminus", "value"):
                yield from _exactly(truths, trace.get(key, {}).get(end), f"trace {place} {key}")
    for name, axis in axes(figure).items():
        yield from _exactly(truths, axis.get("tickvals"), f"{name} ticks")
        yield from _exactly(truths, axis.get("range"), f"{name} range")
    for kind in ("annotations", "shapes"):
        for mark in figure.layout.get(kind, ()):
            yield from _exactly(truths, [mark.get(end) for end in ("x", "y", "x0", "x1", "y0", "y1")], kind)


def _exactly(truths: Mapping[str, Secret], values: Any, place: str) -> Iterator[tuple[str, str]]:
    """A number equal to a truth, as itself or in hundredths; not in evenly placed numbers, which nobody chose."""
    cells = () if values is None else np.ravel(np.asarray(values, dtype=object))
    numbers = numeric([cell for cell in cells if isinstance(cell, (int, float, np.number))])
    if not len(numbers) or _evenly(numbers):
        return
    for name, secret in truths.items():
        if any(np.isclose(numbers, scaled, rtol=_EXACT, atol=0).any() for scaled in _scaled(secret)):
            yield name, place


def _scaled(secret: Secret) -> tuple[float, ...]:
    """A truth as axes may have it: as it is, a share also in hundredths."""
    hundreds = 100 * secret.value
    small = hundreds == round(hundreds) and abs(hundreds) < 10
    return (secret.value, hundreds) if 0 < abs(secret.value) < 1 and not small else (secret.value,)


def _curve(trace: Mapping[str, Any]) -> bool:
    """Whether a trace is a line over evenly placed numbers, or a dense one: only its tips betray a place."""
    along = [numeric(trace.get(key)) for key in ("x", "y")]
    return trace.get("mode") == "lines" and any(len(numbers) >= 100 or _evenly(numbers) for numbers in along)


def _evenly(numbers: np.ndarray) -> bool:
    """Whether numbers stand at equal distances, on a plain or a logarithmic scale, as those of a grid do."""
    distinct = np.unique(numbers[np.isfinite(numbers)])
    if len(distinct) < 5:
        return False
    steps = [np.diff(distinct)] + ([np.diff(np.log(distinct))] if (distinct > 0).all() else [])
    whole = bool((distinct == np.rint(distinct)).all())  # a log grid of whole people, rounded
    return whole or any(np.allclose(step, step[0], rtol=1e-6) for step in steps)


def _in_axes(scene: Scene, truths: Mapping[str, Secret]) -> Iterator[tuple[str, str]]:
    """As the middle of an axis, or of what is drawn along it."""
    figure: Any = scene.figure
    for name, axis in axes(figure).items():
        if "range" in axis:
            middle = sum(axis["range"]) / 2
            if not _from_nothing(axis):
                yield from _near(truths, 10**middle if axis.get("type") == "log" else middle, f"middle of {name}")
    for place, trace in enumerate(figure.data):
        for key in ("x", "y"):
            numbers = numeric(trace.get(key))
            numbers = numbers[np.isfinite(numbers)]
            if len(numbers) > 1:
                yield from _near(truths, (numbers.min() + numbers.max()) / 2, f"middle of trace {place} {key}")


def _from_nothing(axis: Mapping[str, Any]) -> bool:
    """Whether an axis goes from 0 to a round number, of which one half may happen to be true."""
    low, high = axis["range"]
    return axis.get("type") != "log" and low == 0 and high == float(f"{high:.1g}")


def _near(truths: Mapping[str, Secret], value: float, place: str) -> Iterator[tuple[str, str]]:
    for name, secret in truths.items():
        if any(_same(value, scaled, _PLACE) for scaled in _scaled(secret)):
            yield name, place


def _in_places(scene: Scene, truths: Mapping[str, Secret]) -> Iterator[tuple[str, str]]:
    """As the place where a curve is highest or lowest, or as a number of like marks."""
    figure: Any = scene.figure
    for place, trace in enumerate(figure.data):
        x, y = numeric(trace.get("x")), numeric(trace.get("y"))
        if len(x) == len(y) > 4 and "markers" != trace.get("mode"):
            for tip, letter in ((_tip(x, y), "x"), (_tip(x, -y), "x"), (_tip(y, x), "y"), (_tip(y, -x), "y")):
                if tip is not None:
                    seen = _EYE * _width(axis_of(figure, trace, letter))
                    yield from ((name, f"tip of trace {place}") for name in _at(truths, tip[0], min(tip[1], seen)))
        yield from _counted(truths, {f"points of trace {place}": max(len(x), len(y))})


def _width(axis: Mapping[str, Any]) -> float:
    """How far an axis reaches, where it counts plainly."""
    low, high = axis.get("range", (-math.inf, math.inf))
    return math.inf if axis.get("type") == "log" else abs(high - low)


def _tip(x: np.ndarray, y: np.ndarray) -> tuple[float, float] | None:
    """Where y has its one maximum inside, and how far the neighbors are."""
    if not np.isfinite(x).all() or not np.isfinite(y).all():
        return None
    top = int(y.argmax())
    if top in (0, len(y) - 1) or (y == y[top]).sum() > 1 or not (np.diff(x) > 0).all():
        return None
    return float(x[top]), float((x[top + 1] - x[top - 1]) / 4)


def _at(truths: Mapping[str, Secret], value: float, near: float) -> Iterator[str]:
    for name, secret in truths.items():
        anyway = min(abs(value - other) for other in (0.0, 1.0, *secret.public))
        if any(abs(value - scaled) <= min(near, 0.999 * anyway) for scaled in _scaled(secret)):
            yield name


def _counted(truths: Mapping[str, Secret], counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """As so many marks of one kind."""
    for place, count in counts.items():
        yield from ((name, place) for name, secret in truths.items() if count >= 5 and secret.value == count)


# A distance from an answer that nobody is told says nothing alone: a mask keeps it, for the axes count from there.
DISTANCES = frozenset({"off"})


def kept_by(result: Any, masked: Any, page: Any) -> Iterator[tuple[str, str]]:
    """The truths that a masked result still holds, each with the field that does."""
    telling = {name: secret for name, secret in secrets(page.facts(result), page.slug).items() if name not in DISTANCES}
    for place, value in _fields(masked):
        yield from ((name, place) for name, secret in telling.items() if _same(value, secret.value))


def _fields(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a result, each with its place; what curves hold belongs to `_in_numbers`."""
    if isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_)):
        yield place, float(value)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.size < 5:
        yield from ((place, float(number)) for number in value.ravel())
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _fields(getattr(value, field.name), f"{place}.{field.name}")
    elif isinstance(value, (tuple, list)):
        for part in value[:60]:
            yield from _fields(part, place)
