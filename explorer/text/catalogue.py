"""The catalogue: the only place where quantities become words, in the reader's language.

    catalogue = catalogue_of("en")
    catalogue.html("counting", "answer", {"error": Count(10), "level": Level(0.1)})

A text names its facts (see `explorer.text.templates`); a fact that is missing is an error that says where. A truth is
never written: facts go through `facts.masked` or `facts.plain` first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache, partial

from explorer.facts import (
    All,
    Count,
    Day,
    Duration,
    Facts,
    Hidden,
    Name,
    Names,
    Noticeable,
    Number,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Said,
    Term,
    Truth,
)
from explorer.facts.headings import Heading
from explorer.text import PageTexts, TextEntry, Texts, escaping, listing, page_text, pseudo
from explorer.text.bidirectional import END, RIGHT_TO_LEFT, isolated, settled, turned
from explorer.text.conventions import PSEUDO, Conventions, conventions_of
from explorer.text.numerals import power_of_ten, written_value
from explorer.text.refusals import RefusalLike, reason
from explorer.text.templates import Sink, Slot, TemplateParts, asked, parsed, ready
from explorer.text.writing import Digits, neutral

_NOTHING: Facts = {}
_SECTIONS = ("parameters", "frame", "app")  # where a short label that no page has of its own is looked for
_UNITS = ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (0.0, "seconds"))
_ESCAPES: dict[Sink, Callable[[object], str]] = {
    "plain": str,
    "markdown": escaping.markdown,
    "html": escaping.hypertext,
    "hover": escaping.hover,
}


class MissingFactError(KeyError):
    """A text asks for a fact, or for a case of it, that is missing."""


@dataclass(frozen=True)
class _Place:
    """The place of a text, for the words of an error and for the terms of its page."""

    page: str | None
    key: str

    @classmethod
    def of_label(cls, name: str, page: str | None) -> _Place:
        """The place of a label that was asked for by its name."""
        return cls(page, name if page is None else f"labels.{name}")

    def __str__(self) -> str:
        return f"labels.toml, {self.key}" if self.page is None else f"{self.page}.md, ## {self.key}"


class Words(dict[str, str]):
    """A table of a page's labels with its facts put in, for figures, which format nothing themselves.

    A text that names a fact of its own for each bar or point is filled by `fill` or `hover`.
    """

    def __init__(self, catalogue: Catalogue, place: _Place, table: Mapping[str, str], facts: Facts) -> None:
        self.catalogue, self._place, self._table, self._facts = catalogue, place, table, facts
        for name, template in table.items():
            if asked(template) <= facts.keys():
                self[name] = self._filled(name, template)

    def __missing__(self, name: str) -> str:
        if name not in self._table:
            raise KeyError(f"{self._place} has no {name!r}")
        return self._filled(name, self._table[name])  # raises, and says which fact is missing

    def _filled(self, name: str, template: str, sink: Sink = "plain", facts: Facts | None = None) -> str:
        place = _Place(self._place.page, f"{self._place.key}.{name}")
        text = self.catalogue.filled(template, sink, self._facts if facts is None else facts, place)
        return turned(text) if self.catalogue.turns else text

    def write(self, quantity: Quantity) -> str:
        """A quantity as plain text; a term is the page's own first."""
        return self.catalogue.write(quantity, self._place.page)

    def fill(self, name: str, **facts: Quantity) -> str:
        """One text of the table with these facts beside those of the whole table."""
        return self._filled(name, self._table[name], "plain", {**self._facts, **facts})

    def reads_like(self, name: str, text: str) -> bool:
        """Whether a text is the table's text of this name, with any facts of its own filled in.

        A text of another case, of another picture of the view, is none of this table.
        """
        if name not in self._table:
            return False
        if name in self:
            return self[name] == text
        template = self.catalogue.laid(self._table[name])
        bare = (re.escape(part) if isinstance(part, str) else ".+" for part in parsed(template))
        return re.fullmatch("".join(bare), text.removeprefix(RIGHT_TO_LEFT).removesuffix(END)) is not None

    def hover(self, name: str, **facts: Quantity | str) -> str:
        """One text as Plotly's hover text at a point; `x="%{x:.3g}"` hands on a code of Plotly's own."""
        text = self._filled(name, self._table[name], "hover", {**self._facts, **facts})  # type: ignore[dict-item]
        return f"{text}<extra></extra>"


@dataclass(frozen=True)
class Catalogue:
    """All texts of a language, filled with facts, and all its ways of writing a quantity."""

    language: str
    conventions: Conventions
    page: Callable[[str], PageTexts]
    listing: Callable[[str], Texts]
    _known: dict[tuple[str, str | None], TextEntry] = field(default_factory=dict, init=False, repr=False, compare=False)
    _tables: dict[tuple[str, str | None], Words] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def direction(self) -> str:
        """The side on which the language begins a line: `ltr` or `rtl`."""
        return self.conventions.direction

    @property
    def separators(self) -> str:
        """The decimal sign and the sign between groups, as Plotly wants them."""
        return self.conventions.separators

    @property
    def typed_decimal(self) -> str:
        """The decimal sign of files for spreadsheets, which read a comma or a point."""
        return "," if self.conventions.decimal == "," else "."

    def has(self, page: str, key: str) -> bool:
        """Whether a page has a text of this key."""
        return key in self.page(page)

    def keys(self, page: str) -> tuple[str, ...]:
        """The keys of a page's texts, in their order."""
        return tuple(self.page(page))

    def write(self, quantity: Quantity, page: str | None = None) -> str:
        """A quantity as plain text; a page's own terms come first."""
        return self._written(quantity, "plain", False, page)

    def text(self, page: str | None, key: str, facts: Facts = _NOTHING) -> str:
        """A page's text as plain text: alternative texts, titles, files. Without a page, a label by its path."""
        return self._section(page, key, facts, "plain")

    def markdown(self, page: str | None, key: str, facts: Facts = _NOTHING) -> str:
        """A page's text as Markdown: data escaped, numbers in formulas written in LaTeX."""
        return self._section(page, key, facts, "markdown")

    def html(self, page: str | None, key: str, facts: Facts = _NOTHING) -> str:
        """A page's text as HTML: bold, italics, line breaks and paragraphs; everything else as written."""
        return self._section(page, key, facts, "html")

    def lent(self, source: str, key: str, page: str, facts: Facts = _NOTHING) -> str:
        """A text of one file as HTML, told of another page and with that page's own terms."""
        return self.filled(self.page(source).text(key), "html", facts, _Place(page, key))

    def label(self, name: str, page: str | None = None, facts: Facts = _NOTHING) -> str:
        """A short text by its name or path: the page's own, else the project's."""
        template, place = self._label(name, page), _Place.of_label(name, page)
        if not isinstance(template, str):
            raise TypeError(f"{self.language}/{place} must be a text")
        return self.filled(template, "plain", facts, place)

    def labels(self, table: str, page: str | None = None, facts: Facts = _NOTHING) -> Words:
        """A table of short texts: the page's own, else the project's; one without facts is filled once."""
        if not facts and (known := self._tables.get((table, page))) is not None:
            return known
        entry = self._label(table, page)
        if not isinstance(entry, Mapping):
            raise TypeError(f"{self.language}/{_Place.of_label(table, page)} must be a table")
        words = Words(self, _Place.of_label(table, page), Texts(entry).strings(), facts)
        if not facts:
            self._tables[table, page] = words
        return words

    def words(self, page: str, table: str, facts: Facts = _NOTHING, *cases: str) -> Words:
        """A table of a page's labels, every text filled; tables inside it named like a case override its texts."""
        texts = self.page(page).labels.table(table)
        own = texts.strings()
        for case in cases:
            own |= texts.strings(case)
        return Words(self, _Place.of_label(table, page), own, facts)

    def refusal(self, problem: RefusalLike) -> str:
        """The core's refusal in words for readers."""
        return self.write(reason(problem))

    def laid(self, template: str) -> str:
        """A template as it is laid out in the language's direction."""
        return isolated(template) if self.turns else template

    @property
    def turns(self) -> bool:
        """Whether sentences are read from right to left; those of the pseudo-language are English."""
        return self.direction == "rtl" and self.language != PSEUDO

    def filled(self, template: str, sink: Sink, facts: Facts, place: _Place) -> str:
        """A template with its facts put in."""
        try:
            made = self._joined(ready(self.laid(template), sink), sink, facts, place.page)
        except MissingFactError as missing:
            raise MissingFactError(f"{self.language}/{place}: {missing.args[0]}") from None
        return settled(made) if self.turns else made

    def _section(self, page: str | None, key: str, facts: Facts, sink: Sink) -> str:
        template = self._label(key, None) if page is None else self.page(page).get(key)
        if not isinstance(template, str):
            raise KeyError(f"{self.language}/{page}.md has no ## {key}")
        return self.filled(template, sink, facts, _Place(page, key)).lstrip(" ")  # where a first part says nothing

    def _label(self, name: str, page: str | None) -> TextEntry:
        """A label or a table of labels, as it stands in the files, which are read for good; looked for once."""
        if (known := self._known.get((name, page))) is None:
            known = self._known[name, page] = self._sought(name, page)
        return known

    def _sought(self, name: str, page: str | None) -> TextEntry:
        """The label or table from the first of its possible places that has it."""
        path = name.split(".")
        paths = [path, *([section, *path] for section in _SECTIONS)]
        tables = [self.listing("labels")] if page is None else [self.page(page).labels, self.listing("labels")]
        for table in tables:
            for path in paths:
                label = table.at(*path)
                if label is not None:
                    return label
        places = [f"explorer/text/{self.language}/labels.toml", *([f"{page}.md"] if page else [])]
        raise KeyError(
            f"{self.language}: no label {name!r}; it must stand in {' or among the labels of '.join(places)}"
        )

    def _joined(self, pieces: TemplateParts, sink: Sink, facts: Facts, page: str | None) -> str:
        """Text and facts put together."""
        if len(pieces) == 1 and isinstance(pieces[0], str):
            return pieces[0]
        parts = []
        for piece in pieces:
            if isinstance(piece, str):
                parts.append(piece)
                continue
            fact = facts.get(piece.name)
            if fact is None:
                raise MissingFactError(f"@{{{piece.name}}} is not among the facts {sorted(facts)}")
            if piece.cases:
                parts.append(self._joined(self._case(piece, fact), sink, facts, page))
            else:
                parts.append(self._written(fact, sink, piece.formula, page))
        return "".join(parts)

    def _case(self, slot: Slot, fact: Quantity | str) -> TemplateParts:
        """The case of a sentence that fits a fact: an exact number first, then its plural category, or its slug."""
        cases = dict(slot.cases)
        for key in _keys(fact, self.conventions.plural, cases):
            if key in cases:
                return cases[key]
        if isinstance(fact, Hidden):  # the chosen case must not depend on a hidden fact
            return slot.cases[-1][1]
        raise MissingFactError(f"@{{{slot.name}}} has no case for {fact}; it has {list(cases)}")

    def _written(self, fact: Quantity | str, sink: Sink, formula: bool, page: str | None) -> str:
        """A fact in writing, escaped for the place where it lands."""
        if isinstance(fact, str):  # a code of Plotly's own
            return fact
        digits = neutral(fact)
        if formula:
            if digits is not None:
                return escaping.formula(digits).replace(".", self.conventions.formula_decimal)
            return escaping.formula(self._said(fact, page))
        if digits is not None:
            return _ESCAPES[sink](self.conventions.number(digits))
        return _ESCAPES[sink](self._said(fact, page))

    def _said(self, fact: Quantity, page: str | None) -> str:
        """A quantity that needs words, as plain text."""
        match fact:
            case Truth():
                raise TypeError(f"a truth must be masked or opened before it is written; got {fact}")
            case Hidden():
                return self.label("hidden_number")
            case Name(text):
                return self.conventions.data(self.headed(text))
            case Names():
                return self._listed(fact, page)
            case Term(key):
                return self.label(key, page)
            case Said(key, facts):
                return self.label(key, page, dict(facts))
            case All(parts):
                return self.conventions.listed([self.write(part, page) for part in parts])
            case QuantityRange(low, high):
                ends = self.write(low, page), self.write(high, page)
                if ends[0] == ends[1]:
                    return ends[0]
                return self._phrase("interval", low=low, high=high)
            case Noticeable():
                return self._phrase("unnoticeable", least=Digits(power_of_ten(_exponent(fact.least))))
            case PercentagePoints(value, digits):
                return self._phrase("points", n=Number(100 * value, digits))
            case Day(value):
                return self.conventions.day(value)
            case Duration(seconds):
                return self._time(seconds)
        raise TypeError(f"the catalogue must know how to write a quantity; got {fact}")

    def _phrase(self, name: str, **facts: Quantity) -> str:
        """A quantity's own words, from the labels of all pages."""
        return self.label(f"quantities.{name}", facts=facts)

    def headed(self, name: str) -> str:
        """The name of a column: its own, or, of a table that comes with the project, one of the language."""
        known = self.listing("labels").at("headings", name) if isinstance(name, Heading) else None
        return known if isinstance(known, str) else name

    def _listed(self, fact: Names, page: str | None) -> str:
        """Names in the language's way, the last of too many as their number."""
        first = (Name(name) if isinstance(name, str) else name for name in fact.names[: fact.most])
        written = [self.write(name, page) for name in first]
        left = len(fact.names) - len(written)
        return self.conventions.listed(written + ([self._phrase("more", n=Count(left))] if left else []))

    def _time(self, seconds: float) -> str:
        """A time in the largest unit that it fills."""
        size, unit = next(pair for pair in _UNITS if seconds >= pair[0])
        return self._phrase(unit, n=Number(seconds / (size or 1), 2))


def _exponent(least: float) -> int:
    """The power of ten nearest to a threshold."""
    return round(Decimal(least).log10())


def _keys(fact: Quantity | str, plural: Callable[[Decimal], str], cases: Iterable[str]) -> Iterable[str]:
    """The cases that fit a fact, the most particular first."""
    match fact:
        case Term(key):
            yield key.rpartition(".")[2]
        case Name(text):
            yield text
        case Quantity():
            value = _counted(fact)
            if value is not None:
                if not _spans(fact):
                    yield from (key for key in cases if key.startswith("=") and Decimal(key[1:]) == value)
                yield plural(value)
    yield "other"


def _spans(fact: Quantity) -> bool:
    """Whether a quantity is an interval whose ends are written differently, so that no single number is meant."""
    return isinstance(fact, QuantityRange) and neutral(fact.low) != neutral(fact.high)


def _counted(fact: Quantity) -> Decimal | None:
    """The number that decides a plural: as it is written, of an interval its end, of a list its length."""
    if isinstance(fact, Names):
        return Decimal(len(fact.names))
    if isinstance(fact, QuantityRange):
        return _counted(fact.high)
    digits = neutral(fact)
    return None if digits is None else written_value(digits)


@lru_cache(maxsize=32)
def catalogue_of(language: str) -> Catalogue:
    """The catalogue of a language; the pseudo-language is made from English."""
    if language == PSEUDO:
        return Catalogue(PSEUDO, conventions_of(PSEUDO), pseudo.page, pseudo.listing)
    return Catalogue(
        language,
        conventions_of(language),
        partial(page_text, language=language),
        partial(listing, language=language),
    )
