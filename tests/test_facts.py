"""Quantities are numbers until the last moment, and a truth vanishes by one rule."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from explorer import facts
from explorer.facts import Count, Hidden, Level, Name, Names, Number, Quantity, QuantityRange, Share, Term, Truth

KINDS = [
    kind for _, kind in inspect.getmembers(facts, inspect.isclass) if issubclass(kind, Quantity) and kind != Quantity
]
EXAMPLES: dict[str, object] = {
    "low": Count(6),
    "high": Count(20),
    "text": "income",
    "names": ("a", "b"),
    "key": "neighbors.replace-one",
    "quantity": Count(882),
}


def example(kind: type[Quantity]) -> Quantity:
    """One quantity of a kind, its fields without a default filled with a number or with what they stand for."""
    needed = [name for name, field in inspect.signature(kind).parameters.items() if field.default is field.empty]
    return kind(**{name: EXAMPLES.get(name, 0.25) for name in needed})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_quantity_is_a_value(kind: type[Quantity]) -> None:
    one, other = example(kind), example(kind)
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    for field in fields(one):
        with pytest.raises(FrozenInstanceError):
            setattr(one, field.name, None)


def test_quantities_of_different_kinds_differ() -> None:
    assert len({example(kind) for kind in KINDS}) == len(KINDS) >= 17


def test_a_scalar_of_an_array_becomes_a_plain_number() -> None:
    assert type(Count(np.int64(3)).value) is int
    assert type(Share(np.float64(0.5), spread=np.float64(0.1)).spread) is float
    assert type(Number(np.float32(0.5)).value) is float
    assert type(Name(np.str_("income")).text) is str
    assert Names(["a", np.str_("b")]) == Names(("a", "b"))  # type: ignore[arg-type]


HOLDING = {
    "itself": Truth(Count(882)),
    "twice": Truth(Truth(Count(882))),
    "low end": QuantityRange(Truth(Count(882)), Count(900)),
    "high end": QuantityRange(Count(800), Truth(Count(882))),
    "whole interval": Truth(QuantityRange(Count(882), Count(882))),
    "name": Truth(Name("882")),
    "names": Truth(Names(("882",))),
    "term": Truth(Term("fruits.882")),
    "share": Truth(Share(0.882)),
}


@pytest.mark.parametrize("case", HOLDING)
def test_whatever_holds_a_truth_is_hidden_whole(case: str) -> None:
    given = {"truth": HOLDING[case], "n": Count(2584), "level": Level(0.1)}
    masked = facts.masked(given)
    assert masked == {"truth": Hidden(), "n": Count(2584), "level": Level(0.1)}
    assert "882" not in repr(masked)


@pytest.mark.parametrize("case", HOLDING)
def test_what_is_not_hidden_is_told_without_its_wrapping(case: str) -> None:
    plain = facts.plain({"truth": HOLDING[case], "n": Count(2584)})
    assert "Truth" not in repr(plain)
    assert "882" in repr(plain["truth"])
    assert facts.masked(plain) == plain
    assert plain["n"] == Count(2584)


def test_neither_rule_changes_what_it_is_given() -> None:
    given = dict(HOLDING)
    facts.masked(given)
    facts.plain(given)
    assert given == HOLDING
