"""Whether numbers that stand in one sentence are told in the order in which they lie, however each is rounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from explorer.facts import Count, Exact, Facts, Level, Number, Quantity, Share
from explorer.text import page_text, templates
from explorer.text.catalogue import MissingFactError, catalogue_of
from explorer.text.numerals import read
from explorer.text.templates import TemplateParts
from explorer.text.writing import neutral
from tests.scenes import Scenes

SHARES, NUMBERS = (Share,), (Count, Number, Exact, Level)
_END = re.compile(r"[.!?](?:\s|$)")


@cache
def texts(slug: str) -> dict[str, TemplateParts]:
    """The parsed texts of a page by their keys."""
    return {key: tuple(templates.parsed(text)) for key, text in page_text(slug, "en").items() if key != "labels"}


def _tokens(pieces: TemplateParts, facts: Facts) -> Iterator[str | tuple[str]]:
    """What is said of a text: words, and the names of the facts between them, in the case that fits."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif not piece.cases:
            yield (piece.name,)
        elif piece.name in facts:
            try:
                yield from _tokens(catalogue_of("en")._case(piece, facts[piece.name]), facts)
            except MissingFactError:  # a text of a case that does not hold here
                return


def sentences(pieces: TemplateParts, facts: Facts) -> Iterator[tuple[str, ...]]:
    """The names of the facts in each sentence of a text."""
    names: list[str] = []
    for token in (*_tokens(pieces, facts), ". "):
        if isinstance(token, tuple):
            names += token
        elif _END.search(token):
            yield tuple(dict.fromkeys(names))
            names = []


def _told(quantity: Quantity) -> tuple[float, float]:
    """A number, and what a reader takes it for."""
    form = neutral(quantity)
    assert form is not None and isinstance(quantity, (*NUMBERS, *SHARES))
    try:
        return quantity.value, read(form.removeprefix("> "))
    except ValueError:  # no number, as an infinite one or none
        return quantity.value, quantity.value


def reversed_in(pieces: TemplateParts, facts: Facts) -> list[tuple[str, str]]:
    """Pairs of facts of one sentence of which the larger is told as the smaller."""
    found = []
    for names in sentences(pieces, facts):
        for kinds in (NUMBERS, SHARES):
            told = [(name, *_told(facts[name])) for name in names if isinstance(facts.get(name), kinds)]
            found += [
                (one, other)
                for (one, x, seen), (other, y, also) in combinations(told, 2)
                if (x - y) * (seen - also) < 0
            ]
    return found


def numbers_keep_their_order(tested: Scenes) -> None:
    """Two numbers of one sentence are told in the order in which they lie: no rounding turns them around."""
    slug = tested.setting.page.slug
    for place, scene in tested.every(truths=(True,), tongues=("en",)):
        for key, pieces in texts(slug).items():
            if key in scene.said or key.split()[0] in ("why", "task", "settings"):
                assert not (turned := reversed_in(pieces, scene.facts)), (place, key, turned)
