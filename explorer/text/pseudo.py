"""The pseudo-language: English made strange, so that a text written into the code, or a place too small, shows at once.

Accented letters, 40 % longer, Persian digits; slots, formulas, links and codes stay as they are. It is made from the
English texts when it is asked for, so it is never stale, and it is not offered to readers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from explorer.text import PageTexts, TextEntry, Texts, page_text
from explorer.text import listing as english_listing
from explorer.text.templates import rewritten

_LONGER = 0.4
_ACCENTED = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž۰۱۲۳۴۵۶۷۸۹",
)
_KEPT = re.compile(
    r"\$\$.+?\$\$|(?<!\\)\$[^$\n]+?(?<!\\)\$"  # formulas
    r"|\]\([^)]*\)|https?://\S+|`[^`]*`"  # addresses and code
    r"|%\{[^}]*\}|</?[a-z][^>]*>|&[#\w]+;"  # codes of Plotly's, HTML
    r"|^\s*\d+\.(?=\s)",  # the numbers of a list
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z]+")
_NO_WORDS = frozenset({"page", "parameters", "group", "de", "fa"})  # slugs, and words of other languages


def _longer(word: str) -> str:
    """A word with every second or third letter said twice."""
    letters, owed = [], 0.5
    for letter in word:
        owed += _LONGER
        letters.append(letter * 2 if owed >= 1 else letter)
        owed -= owed >= 1
    return "".join(letters)


def _strange(text: str) -> str:
    return _WORD.sub(lambda match: _longer(match[0]), text).translate(_ACCENTED)


def _around(text: str) -> str:
    """Text without slots, made strange around the parts that are kept."""
    parts, position = [], 0
    for kept in _KEPT.finditer(text):
        parts += [_strange(text[position : kept.start()]), kept[0]]
        position = kept.end()
    return "".join([*parts, _strange(text[position:])])


def pseudo(template: str) -> str:
    """A template in the pseudo-language."""
    return rewritten(template, _around)


def _told(value: TextEntry, entry: bool = False) -> TextEntry:
    """Every text of a table in the pseudo-language; in an entry of a list, slugs stay."""
    if isinstance(value, str):
        return pseudo(value)
    if isinstance(value, Mapping):
        return _table(value, entry)
    return [_told(inner, entry=True) for inner in value] if isinstance(value, Sequence) else value


def _table(table: Mapping[str, TextEntry], entry: bool = False) -> dict[str, TextEntry]:
    return {key: inner if entry and key in _NO_WORDS else _told(inner) for key, inner in table.items()}


@lru_cache(maxsize=64)
def page(name: str) -> PageTexts:
    """The texts of a page."""
    texts = page_text(name)
    strange = {key: "" if key == "labels" else pseudo(texts.text(key)) for key in texts}
    return PageTexts(strange, lambda: Texts(_table(texts.labels)))


@lru_cache(maxsize=16)
def listing(name: str) -> Texts:
    """A table of short texts."""
    return Texts(_table(english_listing(name)))
