"""Formulas and signed numbers inside sentences that are read from right to left: isolated, so that none turns around.

Unicode's rules put a minus, a root or a fraction that stands between Persian words on the wrong side of its number.
Numbers that are filled in bring their own isolates (`Conventions.number`); here are those that stand in the texts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LEFT_TO_RIGHT, AS_IT_IS, END = "\u2066", "\u2068", "\u2069"  # isolates: invisible, keep the order of what is inside
RIGHT_TO_LEFT = "\u2067\u200f"  # with a mark: Chromium tears a number apart that follows an isolate in a drawing
_KEPT = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+\$|`[^`]*`|\]\([^)\s]*\)|https?://\S+|<[^<>]*>|%\{[^}]*\}"
    r"|;\s*(?:=\d+(?:\.\d+)?|[a-z0-9][\w.-]*)\s*:",  # the key of a case
    re.DOTALL,
)
_MARK, _NAME = 0xE000, 0xF0000  # a slot or a number, and a name, while the text around it is looked at
_OPENING = frozenset((LEFT_TO_RIGHT, "\u2067", AS_IT_IS))
_MARKS = re.compile("([\u2066-\u2069])")
_NESTED = re.compile("[\u2066-\u2068][^\u2066-\u2069]*\u2069")
_OPERAND = r"[\ue000-\uf8ffA-Za-z\u0370-\u03ff\d\u2070-\u209c\u00b2\u00b3\u00b9\u221e#]"
_SIGN = r"[√±−+×·/=^≤≥<>≈~|!(),.:\u066b\u066c\u066a\[\]∫∑-]"
_RUN = re.compile(rf"(?:(?:{_OPERAND}|{_SIGN})[ \u00a0\u202f]?)*(?:{_OPERAND}|[)|!\]\u066a])")
_NEEDED = re.compile(r"[√±−+×/=^≤≥<>≈|()]")  # without one of these, the rules of Unicode do well
_BETWEEN = "=×/^"  # at an end of a run these stand between a word and a number, in the order of the sentence
_ENDS = " \u00a0\u202f,.:·-~"


@lru_cache(maxsize=8192)
def isolated(template: str) -> str:
    """A template whose formulas keep their order; a slot with cases in words ends a formula, others belong to it."""
    if LEFT_TO_RIGHT in template:
        return template  # as it already is
    slots: list[str] = []
    marked = _marked(template, slots)
    parts, position = [], 0
    for kept in _KEPT.finditer(marked):
        parts += [_isolated(marked[position : kept.start()]), kept[0]]
        position = kept.end()
    whole = "".join((*parts, _isolated(marked[position:])))
    return re.sub("[\ue000-\uf8ff]", lambda mark: slots[ord(mark[0]) - _MARK], whole)


def _marked(template: str, slots: list[str]) -> str:
    """A template with one sign in place of each slot that holds no word from right to left."""
    made, position = "", 0
    while (start := template.find("@{", position)) >= 0:
        end, depth = start + 2, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(template[end], 0)
            end += 1
        slot = template[start:end]
        if _has_words(slot):  # its cases are looked at alone
            made += template[position : start + 2] + _marked(slot[2:], slots)
        else:
            made += template[position:start] + chr(_MARK + len(slots))
            slots.append(slot)
        position = end
    return made + template[position:]


def _isolated(text: str) -> str:
    return _RUN.sub(lambda run: _alone(run[0]), text)


def _alone(run: str) -> str:
    """A run of signs as an isolate, where it is one; a parenthesis that encloses words is part of none."""
    stray = _unmatched(run)
    if stray is not None:
        return _alone(run[:stray]) + run[stray] + _alone(run[stray + 1 :])
    inside = run.strip(_ENDS + _BETWEEN)
    if not _NEEDED.search(inside) or not re.search(_OPERAND, inside):
        return run
    start = run.index(inside)
    return run[:start] + LEFT_TO_RIGHT + inside + END + run[start + len(inside) :]


def _unmatched(run: str) -> int | None:
    """The place of the first parenthesis that is not closed, or not opened."""
    opened = list[int]()
    for place, letter in enumerate(run):
        if letter == "(":
            opened.append(place)
        elif letter == ")" and not opened:
            return place
        elif letter == ")":
            opened.pop()
    return opened[0] if opened else None


def settled(filled: str) -> str:
    """A filled text whose formulas hold no words: where a slot was filled with some, what is left of each is isolated.

    No template says whether a slot is a number: ± @{width} may become so many points of per cent, whose words follow.
    """
    if LEFT_TO_RIGHT not in filled:
        return filled
    around, opened = [""], list[str]()
    for piece in _MARKS.split(filled):
        if piece in _OPENING:
            around.append("")
            opened.append(piece)
        elif piece == END and opened:
            inside, mark = around.pop(), opened.pop()
            around[-1] += _without_words(inside) if mark == LEFT_TO_RIGHT and _spoken(inside) else mark + inside + END
        else:
            around[-1] += piece
    return filled if opened else around[0]


def _spoken(inside: str) -> bool:
    """Whether an isolate's own text has words, beside the isolates in it."""
    return _has_words(_NESTED.sub("", inside))


def _without_words(inside: str) -> str:
    """The text of an isolate with each formula in it isolated; names in it are part of none."""
    held: list[str] = []

    def kept(nested: re.Match[str]) -> str:
        held.append(nested[0])
        return chr((_MARK if nested[0][0] == LEFT_TO_RIGHT else _NAME) + len(held) - 1)

    made = _isolated(_NESTED.sub(kept, inside))
    return re.sub("[\ue000-\uf8ff\U000f0000-\U000f18ff]", lambda mark: held[ord(mark[0]) & 0x1FFF], made)


def turned(text: str) -> str:
    """A text that keeps its own direction wherever it stands: in a figure, which is drawn from left to right."""
    return RIGHT_TO_LEFT + text + END if _has_words(text) else text


def _has_words(text: str) -> bool:
    """Whether a text has a letter that is read from right to left."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
