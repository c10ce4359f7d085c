"""What a result is masked for is gone from it: a figure that forgets to look away has nothing to see."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from explorer.facts import Facts, Truth
from ldpcore.fingerprints import fingerprint
from ldpcore.questions import Public, Result
from tests import scenes
from tests.rationing import ALL


def opened(result: Any) -> Any:
    """What was found, without the names that it came with."""
    return getattr(result, "result", result) if type(result).__name__ == "NamedResult" else result


def asked(setting: scenes.Setting) -> set[tuple[str, str, type]]:
    """The types of the questions that a view asks as it is set here."""
    asks = setting.view.question(setting.asked, setting.stops[-1], setting.own)
    kinds = {type(each) for each in (asks if isinstance(asks, tuple) else (asks,))}
    return {(setting.page.slug, setting.view.slug, kind) for kind in kinds}


@cache
def masked_results() -> tuple[tuple[scenes.Setting, Any], ...]:
    """The first result of any page with something to hide, else the first, of each class that masks itself.

    By day a view is asked no more what it has asked before, where all that it found had something to hide.
    """
    first: dict[type, tuple[scenes.Setting, Any]] = {}
    known = set[tuple[str, str, type]]()
    for setting in scenes.settings():
        if not ALL and asked(setting) <= known:
            continue
        hiding = True
        for result in scenes.Scenes(setting).results(setting.stops[-1]):
            if not isinstance(opened(result), Public):
                cls = type(opened(result))
                if cls not in first or (not hides(*first[cls]) and hides(setting, result)):
                    first[cls] = setting, result
                hiding &= hides(*first[cls])
        known |= asked(setting) if hiding else set()
    return tuple(first.values())


def hides(setting: scenes.Setting, result: Any) -> bool:
    """Whether the mask of a result changes it."""
    return fingerprint(result.masked()) != fingerprint(result)


def truths(facts: Facts) -> dict[str, Any]:
    """The facts that must vanish, by their names."""
    return {name: fact.quantity for name, fact in facts.items() if isinstance(fact, Truth)}


def told_by(setting: scenes.Setting, result: Any) -> dict[str, Any]:
    """What of the truth the facts of a page can still tell from a result; nothing where they cannot be made."""
    try:
        return truths(setting.page.facts(result))
    except (ValueError, ArithmeticError, AssertionError, KeyError, TypeError, IndexError, RuntimeWarning):
        return {}


def kept(setting: scenes.Setting, result: Any) -> Iterator[str]:
    """The truths that a masked result still tells."""
    before, after = truths(setting.page.facts(result)), told_by(setting, result.masked())
    for name, quantity in before.items():
        value = getattr(quantity, "value", None)
        telling = not isinstance(value, float) or math.isfinite(value)
        if telling and name in after and after[name] == quantity:
            yield name


def mask_takes_the_truth_out(setting: scenes.Setting, result: Any) -> None:
    """A truth that the facts told of the result cannot be told of the masked one, or is told from zero."""
    before = truths(setting.page.facts(result))
    if before and len(list(kept(setting, result))) == len(before):
        assert fingerprint(result.masked()) != fingerprint(result), (setting.name, type(opened(result)).__name__)


@pytest.mark.parametrize("place", range(8))
def test_a_masked_result_has_lost_its_truth(place: int) -> None:
    found = masked_results()
    assert len(found) >= 15
    for setting, result in found[place::8]:
        mask_takes_the_truth_out(setting, result)


def test_many_masks_hide_a_truth() -> None:
    assert sum(bool(truths(setting.page.facts(result))) for setting, result in masked_results()) >= 10


def test_a_result_that_does_not_say_how_it_is_masked_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match=r"must say how it is masked, by masked\(\), or be Public"):
        type("Silent", (Result,), {})
    with pytest.raises(TypeError, match=r"must say how it is masked, by masked\(\), or be Public"):
        type("Remembering", (Result,), {"recommended": ()})
    assert type("Open", (Public,), {})().masked() is not None
