"""Templates: text with slots for facts, parsed once and made ready for the place where the text is to stand.

`@{name}` is the fact, written. `@{name; =0: nobody; one: # person; other: # people}` chooses a case by the number as it
is written (`#`), `@{name; add-remove: one more or less; other: one replaced}` by the last part of a term. A case may
hold slots of its own and anything else but a semicolon or a brace without its partner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from explorer.text import escaping, hypertext

Sink = Literal["plain", "markdown", "html", "hover"]
_OPENING = re.compile(r"@\{\s*([a-z][a-z0-9_]*)\s*([;}])")
_CASE = re.compile(r"\s*(=\d+(?:\.\d+)?|[a-z0-9][\w.-]*)\s*:")
_MARK = 0xE000  # a slot while the text around it is looked at: one character of Unicode's private area
_MARKED = re.compile("([\ue000-\uf8ff])")


@dataclass(frozen=True)
class Slot:
    """A place for a fact: inside a formula or not, with cases to choose from or without."""

    name: str
    cases: tuple[tuple[str, TemplateParts], ...] = ()
    formula: bool = False


TemplateParts = tuple["str | Slot", ...]


def _end_of(template: str, start: int, ends: str) -> int:
    """The end of the text that begins here: at one of these signs outside all braces."""
    depth = 0
    for position in range(start, len(template)):
        sign = template[position]
        if not depth and sign in ends:
            return position
        depth += {"{": 1, "}": -1}.get(sign, 0)
    raise ValueError(f"a slot must be closed; got {template[start:]!r} in {template!r}")


def _opening(template: str, start: int) -> re.Match[str]:
    """The beginning of a slot, up to its name's end."""
    opening = _OPENING.match(template, start)
    if opening is None:
        raise ValueError(f"a slot must be written `@{{name}}` or `@{{name; case: text}}`; got {template!r}")
    return opening


def _case(template: str, start: int) -> tuple[re.Match[str], int]:
    """The key of a case, and the end of its text."""
    key = _CASE.match(template, start)
    if key is None:
        raise ValueError(f"a case must be written `key: text`; got {template[start:]!r} in {template!r}")
    return key, _end_of(template, key.end(), ";}")


def _cases(template: str, start: int, name: str) -> tuple[tuple[tuple[str, TemplateParts], ...], int]:
    """The cases of a slot, and the position after it."""
    cases: list[tuple[str, TemplateParts]] = []
    while True:
        key, end = _case(template, start)
        cases.append((key[1], tuple(_parsed(template[key.end() : end].strip(), name))))
        start = end + 1
        if template[end] == "}":
            return tuple(cases), start


def _parsed(template: str, owner: str | None = None) -> Iterator[str | Slot]:
    """Text and slots in their order; inside a case, `#` is the slot of the fact that it depends on."""
    position = 0
    while (start := template.find("@{", position)) >= 0:
        yield from _text(template[position:start], owner)
        opening = _opening(template, start)
        cases, position = _cases(template, opening.end(), opening[1]) if opening[2] == ";" else ((), opening.end())
        yield Slot(opening[1], cases)
    yield from _text(template[position:], owner)


def _text(text: str, owner: str | None) -> Iterator[str | Slot]:
    """Plain text; inside a case its number signs are slots."""
    first, *rest = text.split("#") if owner else [text]
    yield first
    for part in rest:
        yield Slot(str(owner))
        yield part


@lru_cache(maxsize=8192)
def parsed(template: str) -> TemplateParts:
    """The text and the slots of a template, in their order."""
    return tuple(piece for piece in _parsed(template) if piece != "")


def _made_ready(pieces: TemplateParts, sink: Sink, inside: bool, formula: bool) -> TemplateParts:
    """Pieces for a place: their text converted, their slots told whether they stand in a formula."""
    slots = [piece for piece in pieces if isinstance(piece, Slot)]
    marks = iter(range(_MARK, _MARK + len(slots)))
    skeleton = "".join(piece if isinstance(piece, str) else chr(next(marks)) for piece in pieces)
    formulas = escaping.FORMULA.findall(skeleton) if sink == "markdown" else ()
    in_formulas = {mark for span in formulas for mark in _MARKED.findall(span)}
    if sink == "html":
        skeleton = hypertext.inline(skeleton) if inside else hypertext.blocks(skeleton)
    if sink == "hover":
        skeleton = escaping.hover(skeleton).replace("\n", "<br>")

    def slot(mark: str) -> Slot:
        marked = slots[ord(mark) - _MARK]
        deep = formula or mark in in_formulas
        cases = tuple((key, _made_ready(text, sink, True, deep)) for key, text in marked.cases)
        return Slot(marked.name, cases, deep)

    return tuple(slot(part) if _MARKED.fullmatch(part) else part for part in _MARKED.split(skeleton) if part)


@lru_cache(maxsize=8192)
def ready(template: str, sink: Sink) -> TemplateParts:
    """A template for the place where its text will stand."""
    return _made_ready(parsed(template), sink, inside=False, formula=False)


def _rewritten_slot(template: str, start: int, change: Callable[[str], str]) -> tuple[str, int]:
    """A slot with its cases rewritten, and the position after it."""
    opening = _opening(template, start)
    made, position = opening[0], opening.end()
    while made[-1] != "}":
        key, end = _case(template, position)
        made += key[0] + rewritten(template[key.end() : end], change) + template[end]
        position = end + 1
    return made, position


def rewritten(template: str, change: Callable[[str], str]) -> str:
    """A template whose text is changed, around its slots and inside their cases; the slots themselves stay."""
    slots: list[str] = []
    skeleton, position = "", 0
    while (start := template.find("@{", position)) >= 0:
        slot, end = _rewritten_slot(template, start, change)
        skeleton += template[position:start] + chr(_MARK + len(slots))
        slots.append(slot)
        position = end
    return _MARKED.sub(lambda mark: slots[ord(mark[0]) - _MARK], change(skeleton + template[position:]))


@lru_cache(maxsize=8192)
def asked(template: str) -> frozenset[str]:
    """The facts that a template may ask for."""
    return frozenset(names(parsed(template)))


def names(pieces: TemplateParts) -> Iterator[str]:
    """The facts that a template may ask for, in their order, cases included."""
    for piece in pieces:
        if isinstance(piece, Slot):
            yield piece.name
            for _, text in piece.cases:
                yield from names(text)
