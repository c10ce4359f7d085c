"""A reader who has learned from other scenes what a hidden number looks like: the nearest scene names it.

`features` is all that can be read in a hidden scene but the marks that its question is about: every text with its
numbers, every place, count and color, ends of axes, the order of names. Where two scenes cannot be told apart they are
equally near, so that a reader who sees nothing names the middle of all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np

from explorer.facts import Facts, Hidden, Truth
from explorer.figures.theme import Look
from explorer.predicting import Prediction
from explorer.scenes import Scene, facts_at, results_of, scene
from explorer.text.catalogue import Words, catalogue_of
from ldpcore.fingerprints import fingerprint
from tests import leaks
from tests.scenes import Setting, answered, axes, numeric

Features = Mapping[str, float]
_NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def features(seen: Scene, mask: Prediction, words: Words) -> dict[str, float]:
    """What can be read in a scene, each by its place; all of a picture whose question is about nothing in it."""
    read = dict(_of_texts(seen, mask))
    exempt = bool(mask.whole and mask.stays)
    if seen.figure is not None:
        for place, trace in enumerate(seen.figure.data):
            if not (mask.stays and mask.keeps(trace, words)):
                public = ("x",) if mask.stands(trace, words) else ()
                told = {part: value for part, value in trace.items() if part not in public}
                read |= _of_values(f"trace {place}", told)
        read |= _of_layout(seen.figure)
    if seen.drawing is not None and not exempt:
        read |= _of_text("drawing", seen.drawing)
    return read


def _of_texts(seen: Scene, mask: Prediction) -> Iterator[tuple[str, float]]:
    """The sentences around the picture, what is recommended, and which facts are open."""
    for place, text in (("answer", seen.answer), ("note", seen.note), ("alt", seen.alt), ("case", seen.case)):
        yield from _of_text(place, text).items()
    yield from _of_text("recommended", repr(seen.recommended)).items()
    for name, fact in seen.facts.items():
        if name not in {"epsilon", *mask.tells} and not isinstance(fact, Hidden):
            yield from _of_text(f"fact {name}", repr(fact)).items()


def _of_text(place: str, text: str) -> dict[str, float]:
    """The numbers of a text in their order, and its words as one number that two texts share by being equal."""
    numbers = [float(each.replace("−", "-")) for each in _NUMBER.findall(text)]
    words = _NUMBER.sub("#", text)
    return {
        f"{place} says": float(crc32(words.encode()) % 997),
        **{f"{place} {at}": each for at, each in enumerate(numbers)},
    }


def _of_values(place: str, value: Any) -> dict[str, float]:
    """What stands in a description of the figure: numbers, columns of them by their ends and their middle, names."""
    if isinstance(value, Mapping):
        return {key: each for name, part in value.items() for key, each in _of_values(f"{place} {name}", part).items()}
    if isinstance(value, str):
        return _of_text(place, value)
    if value is None or isinstance(value, bool):
        return {place: float(bool(value))}
    column = numeric(value)
    if not column.size:
        parts = list(value) if isinstance(value, (list, tuple)) else [repr(value)]
        return {key: each for at, part in enumerate(parts) for key, each in _of_values(f"{place} {at}", part).items()}
    finite = column[np.isfinite(column)]
    told = {f"{place} count": float(column.size), f"{place} seen": float(finite.size)}
    if finite.size:
        named = {"first": finite[0], "last": finite[-1], "least": finite.min(), "most": finite.max()}
        told |= {f"{place} {name}": float(each) for name, each in named.items()}
        told |= {f"{place} mean": float(finite.mean()), f"{place} tip": float(np.nanargmax(column))}
    return told


def _of_layout(figure: Any) -> dict[str, float]:
    """Title, ends of axes, what is written and drawn beside the data, and where each name stands in its order."""
    layout = {name: part for name, part in figure.layout.items() if name not in ("template", "meta")}
    read = _of_values("layout", layout)
    for name, axis in axes(figure).items():
        read |= {f"{name} has {text}": float(at) for at, text in enumerate(axis.get("ticktext", ()))}
    return read


# Scenes of one setting at several stops of the level and with several seeds, and what is hidden in each.


def hidden(setting: Setting, level: float) -> tuple[Scene, Facts, Words]:
    """A scene while people predict, what was found, and the view's words."""
    page, view = setting.page, setting.view
    seen = scene(page, view, setting.asked, level, HIDING, "en", answered, setting.own)
    known, _ = facts_at(page, setting.asked, level, answered, view)
    for result in results_of(seen.question, answered):
        known = {**known, **page.facts(result)}
    words = catalogue_of("en").words(page.slug, view.slug, view.predicts.mask(known), "hidden")
    return seen, known, words


HIDING = Look(truth=False, lecture=True)


def seeded(setting: Setting, seeds: int) -> Iterator[Setting]:
    """A setting with its people, its noise or its exhibits drawn several times; once where nothing is drawn."""
    yield setting
    asked = setting.asked
    first = fingerprint(setting.view.question(asked, 1.0, setting.own))
    for seed in range(1, seeds if hasattr(asked, "seed") or hasattr(asked, "gallery") else 1):
        if hasattr(asked, "gallery"):
            anew = replace(asked, gallery=replace(asked.gallery, seed=asked.gallery.seed + seed))
        else:
            anew = replace(asked, seed=100 + seed)
        if fingerprint(setting.view.question(anew, 1.0, setting.own)) != first:
            yield replace(setting, asked=anew)


def errors(read: Sequence[Features], numbers: Sequence[float]) -> tuple[float, float]:
    """How many places in their order the nearest scene's number is off, and how many one that sees nothing."""
    order = np.searchsorted(np.unique(numbers), numbers).astype(float)
    names = sorted({name for each in read for name in each})
    table = np.array([[each.get(name, -1e9) for name in names] for each in read])
    table = np.searchsorted(np.unique(table), table).astype(float)  # by rank: no unit is louder than another
    spread = np.ptp(table, axis=0)
    table = table[:, spread > 0] / spread[spread > 0]
    by_reader, by_nobody = [], []
    for place, row in enumerate(table):
        others = np.arange(len(order)) != place
        far = np.abs(table - row).mean(axis=1) if table.shape[1] else np.zeros(len(order))
        near = others & (far <= far[others].min() + 1e-12)
        by_reader.append(abs(float(np.median(order[near])) - order[place]))
        by_nobody.append(abs(float(np.median(order[others])) - order[place]))
    return float(np.mean(by_reader)), float(np.mean(by_nobody))


def found(seen: Scene, known: Facts, setting: Setting) -> Iterable[tuple[str, str]]:
    """Where a predicted number itself stands in a scene, in what its question is about too."""
    mask = setting.view.predicts
    marked = {name: Truth(fact) if name in mask.numbers and not _open(fact) else fact for name, fact in known.items()}
    secret = leaks.secrets(marked, setting.page.slug)
    return leaks.found_in(seen, {name: each for name, each in secret.items() if name.split()[0] in mask.numbers})


def _open(fact: Any) -> bool:
    """Whether a fact marks what is true in it already."""
    return any(isinstance(part, Truth) for part in leaks.quantities(fact))
