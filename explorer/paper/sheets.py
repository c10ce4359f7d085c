"""The sheet: one scene as it can be handed on, with what its level means, what it costs and where it ends.

A sheet for the public is made from facts of which every truth is masked, and from a figure of masked results: a text
that asks for a truth is left out whole, and so is an answer one of whose forms asks for one, for which of them is said
would tell. Lines are looked for from the particular (page, view, case) to the general, each first as it may be told in
the room alone (`open`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from explorer.facts import (
    All,
    Day,
    Facts,
    Hidden,
    Level,
    Name,
    Number,
    Odds,
    Quantity,
    Share,
    Term,
    Times,
    masked,
    plain,
)
from explorer.figures.theme import Look, unescape
from explorer.paper.printing import svg
from explorer.paper.scales import Numerals
from explorer.scenes import Answer, Asked, Declaration, Scene, View, beside, run, scene, told_of
from explorer.text import templates
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.escaping import hypertext
from explorer.text.numerals import power_of_ten
from explorer.text.writing import Digits
from ldpcore.tables.queries import Sum

CENTRAL, LOCAL = (
    ("counting", "averaging", "budget"),
    (
        "ask",
        "response",
        "frequencies",
        "means",
        "regression",
        "shapes",
        "vectors",
    ),
)
MOST = 12  # sheets that one reader collects
NOBODYS = ("verify",)  # pages whose truths are about mechanisms and not about people
TABLES = ("categories", "cells")  # views of Counting in which a person may be in one cell or in another
ONE_MORE = "add-remove"
LINES = ("level", "risk", "error", "people")
# What a view would be told of another view's question: these lines are left out there.
SILENT = frozenset(
    {
        "error/response/deny",
        "error/response/again",
        "people/response/deny",
        "error/frequencies/report",
        "error/frequencies/top",
        "error/frequencies/decoding",
        "people/frequencies/report",
        "people/frequencies/decoding",
        "error/means/report",
        "error/means/spread",
        "people/means/real",
        "people/means/report",
        "people/means/spread",
        "people/means/groups",
        "error/vectors/rule",
        "error/vectors/leak",
        "error/shapes/report",
        "error/shapes/rival",
        "error/regression/report",
        "error/regression/classes",
        "error/counting/bet",
        "people/counting/bet",
        "error/averaging/attacker",
        "error/averaging/ledger",
        "risk/averaging/ledger",
        "risk/budget/ledger",
        "people/trust/found",
        "people/trust/many",
        "people/trust/choose",
        "people/counting/categories",
        "people/counting/cells",
    }
)


@dataclass(frozen=True)
class Origin:
    """Where a sheet comes from: the day, version and seed, mechanisms, its link and the code of it."""

    day: date
    version: str  # with the seed
    bare: str  # without: with the seed of somebody's own table the noise could be taken off again
    mechanisms: tuple[str, ...]
    link: str
    qr: Any  # (link) -> SVG


@dataclass(frozen=True)
class Data:
    """Whose data a scene is about: nobody's (""), the reader's own table, what was typed, or reports that came in."""

    kind: str = ""
    table: Quantity = field(default_factory=Hidden)


@dataclass(frozen=True)
class Sheet:
    """All that stands on one sheet, in one language: texts as HTML, escaped; the picture as SVG or HTML."""

    heading: str  # plain: what was typed, or the question
    question: str  # plain
    view: str  # plain
    answer: str
    caption: str
    picture: str
    note: str
    lines: tuple[tuple[str, str], ...]  # (term, HTML)
    public: bool
    origin: str
    link: str
    code: str  # the link as SVG
    about: str = ""  # whose data: nobody's, the reader's "own" table, what was "typed" or "brought"


@dataclass(frozen=True)
class Collected:
    """A sheet that waits to be printed with others, as the public may read it and as the room may."""

    name: str
    public: Sheet
    room: Sheet | None  # none where the truth was hidden when it was taken
    about: str

    def of(self, public: bool) -> Sheet:
        """The sheet for an audience."""
        return self.public if public or self.room is None else self.room

    def named(self, heading: str) -> Collected:
        """The same under another heading; an empty one is the question."""
        heading = heading or self.public.question
        room = self.room and replace(self.room, heading=heading)
        return replace(self, public=replace(self.public, heading=heading), room=room)


def sheet(
    page: Declaration,
    view: View,
    asked: Asked,
    level: float,
    origin: Origin,
    *,
    language: str = "en",
    public: bool = True,
    own: Any = None,
    answer: Answer = run,
    heading: str = "",
    data: Data | None = None,
) -> Sheet:
    """The sheet about one view at one level."""
    catalogue, data = catalogue_of(language), data or Data("brought" if view.brought else "")
    look = Look(truth=not public, separators=catalogue.separators)
    present = scene(page, view, asked, level, look, language, answer, own)
    facts = _facts(catalogue, page, _level(view, present.facts, level), present.facts, data)
    facts |= {"about": _about(view, asked)}
    lines = dict(_lines(catalogue, page, view, asked, own, facts, public, data))
    question = catalogue.text(page.slug, "question")
    link = public_link(origin.link, page.slug) if public else origin.link
    return Sheet(
        heading=heading or question,
        question=question,
        view=catalogue.text(page.slug, f"view {view.slug}"),
        answer=_public_answer(catalogue, page, view, present, lines.get("error", "")) if public else present.answer,
        caption=_caption(present),
        picture=_picture(catalogue, present),
        note=_note(catalogue, page, present),
        lines=tuple((catalogue.label(f"terms.{part}", "sheet"), text) for part, text in lines.items()),
        public=public,
        origin=_origin(catalogue, origin, public and bool(data.kind)),
        link=link,
        code=origin.qr(link),
        about=data.kind,
    )


def public_link(link: str, page: str) -> str:
    """The link without any number but the level, which hides the truth where it leads: typed numbers may be true."""
    parts = urlsplit(link)
    kept = [
        (key, text)
        for key, text in parse_qsl(parts.query)
        if key in ("epsilon", "lang", f"{page}_tab") or (re.fullmatch("[a-z-]+", text) and not key.startswith("ask"))
    ]
    return urlunsplit(parts._replace(query=urlencode([*kept, ("hide", "true")])))


def _level(view: View, known: Facts, level: float) -> float:
    """The level that is told: of data that came in, the one with which they were collected; else the page's."""
    brought = getattr(known.get("level"), "value", None) if view.brought else None
    return float(brought) if isinstance(brought, (int, float)) else level


def _facts(catalogue: Catalogue, page: Declaration, level: float, known: Facts, data: Data) -> dict[str, Quantity]:
    """What the lines may say: the scene's facts, and what its level means."""
    symbol = Name(catalogue.label("level_symbol", page.slug))
    meant = {"level": Level(level), "odds": Odds(level), "sure": _surely(level), "data": data.table}
    meant |= {"odds_twice": Odds(2 * level), "sure_twice": _surely(2 * level), "about": Term("guesses.person")}
    facts: dict[str, Quantity] = {"delta": Number(0.0), "symbol": symbol, **known, **meant}
    claim, total = (getattr(known.get(name), "value", None) for name in ("claim", "total"))
    if isinstance(claim, (int, float)) and 0 <= claim < math.inf:
        facts |= {"times": Times(claim), "promised": _surely(claim)}
    if isinstance(total, (int, float)):
        facts["sure_total"] = _surely(total)
    return facts


def _about(view: View, asked: Asked) -> Term:
    """What a guess is about of which the level itself speaks: anything about a person, or whether they took part.

    Where a person more or less makes two tables neighbors, one who is replaced is two steps away, and so is one who
    leaves a cell for another, or whose value goes from one end of a sum's bounds to the other side of nothing: e^{2ε}.
    """
    question = getattr(asked, "question", None)
    query = getattr(question, "query", None) if getattr(question, "mean", None) is None else None  # else two releases
    twice = view.slug in TABLES or (isinstance(query, Sum) and query.low < 0 < query.high)
    return Term("guesses.part" if twice and getattr(asked, "neighbors", "") == ONE_MORE else "guesses.person")


def _surely(level: float) -> Share:
    """How often the best bet on two equally likely cases is right: at most e^level / (1 + e^level)."""
    return Share(1 / (1 + math.exp(-level)), 3)


def _origin(catalogue: Catalogue, origin: Origin, bare: bool) -> str:
    """The day, version and seed, and the mechanisms."""
    made: Facts = {"day": Day(origin.day), "version": Name(origin.bare if bare else origin.version)}
    return hypertext(" · ".join((catalogue.label("made", "sheet", made), *origin.mechanisms)))


def _tellable(text: str, facts: Facts) -> bool:
    """Whether a text asks only for facts that are there and may be told."""
    return all(name in facts and not isinstance(facts[name], Hidden) for name in templates.asked(text))


def _public_answer(catalogue: Catalogue, page: Declaration, view: View, present: Scene, error: str) -> str:
    """The answer where none of its forms asks for a truth; else how far off it is, and that it stands elsewhere."""
    said, asides = present.said[0], present.facts["asides"]
    family = f"answer {view.slug}" if said.startswith(f"answer {view.slug}") else "answer"
    texts = catalogue.page(page.slug)
    forms = [texts[key] for key in texts if _form_of(key, family, page)]
    if said and all(_tellable(text, present.facts) for text in forms):
        answer = catalogue.html(page.slug, said, present.facts)
    else:
        answer = (f"<p><strong>{error}</strong></p>" if error else "") + catalogue.lent("sheet", "hidden", page.slug)
    assert isinstance(asides, All)
    return answer + beside(catalogue, asides)


def _form_of(key: str, family: str, page: Declaration) -> bool:
    """Whether a text is one form of an answer: of a view's own, or of the page's where the view has none."""
    if family == "answer":
        return key == family or (key.startswith("answer ") and key.split()[1] not in page.views)
    return key == family or key.startswith(f"{family} ")


def _note(catalogue: Catalogue, page: Declaration, present: Scene) -> str:
    """The paragraph below the figure, where it can be told."""
    key = present.said[1]
    return present.note if key and _tellable(catalogue.page(page.slug)[key], present.facts) else ""


def _caption(present: Scene) -> str:
    """The figure's title, which states the finding; a drawing has none."""
    return unescape(present.figure.layout.get("title", {}).get("text", "")) if present.figure is not None else ""


def numerals_of(catalogue: Catalogue) -> Numerals:
    """How the axes of a printed figure are written in a language."""
    return Numerals(
        lambda value: catalogue.write(Number(value, 6)), lambda power: catalogue.write(Digits(power_of_ten(power)))
    )


def _picture(catalogue: Catalogue, present: Scene) -> str:
    if present.figure is None:
        return present.drawing or ""
    return svg(present.figure, numerals_of(catalogue), present.alt)


def _lines(
    catalogue: Catalogue, page: Declaration, view: View, asked: Asked, own: Any, facts: Facts, public: bool, data: Data
) -> Iterator[tuple[str, str]]:
    """The lines below the figure, each by its part."""
    if settings := told_of(page, view, asked, own):
        yield "asked", catalogue.html(page.slug, settings[0], masked(settings[1]) if public else plain(settings[1]))
    keys = [f"data {data.kind}"] if data.kind else [f"data {page.slug} {view.slug}", f"data {page.slug}", "data"]
    yield "data", _first(catalogue, page, keys, facts)
    moves = view.follows(asked, own) or view.brought is not None
    verb = getattr(getattr(asked, "question", None), "verb", "")  # what is asked of a table: a count, a sum, a mean
    for part in LINES:
        keys = _keys(page.slug, view.slug, verb, part, moves or part in ("error", "people"))
        if line := _first(catalogue, page, keys, facts):
            yield part, line
    yield "limits", "".join(_limits(catalogue, page, public, data))


def _keys(page: str, view: str, verb: str, part: str, general: bool) -> list[str]:
    """Where a line is looked for, the most particular text first; what no level moves has no general one.

    Never by a case of the answer: which of them holds may depend on what is true.
    """
    if f"{part}/{page}/{view}" in SILENT:
        return []
    names = [f"{part} {page} {view}", *([f"{part} {page} {verb}"] if verb else [])]
    names += [f"{part} {page}", part] if general else []
    return [key for name in names for key in (f"{name} open", name)]


def _first(catalogue: Catalogue, page: Declaration, keys: Sequence[str], facts: Facts) -> str:
    """The first of some texts that exists and can be told."""
    texts = catalogue.page("sheet")
    for key in keys:
        if key in texts and _tellable(texts[key], facts):
            return catalogue.lent("sheet", key, page.slug, facts)
    return ""


def _limits(catalogue: Catalogue, page: Declaration, public: bool, data: Data) -> Iterator[str]:
    """What the level does not promise, in plain words."""
    yield catalogue.lent("sheet", "limits", page.slug)
    for kind, pages in (("curator", CENTRAL), ("local", LOCAL), ("verify", ("verify",))):
        if page.slug in pages:
            yield catalogue.lent("sheet", f"limits {kind}", page.slug)
    if public and data.kind == "own":
        yield catalogue.lent("sheet", "limits own", page.slug)
