"""The sheet: one scene as it can be handed on, with its level's meaning, its cost and its limits.

`explorer.paper.leaving` has the rules for its readers. Where that is not all, a text that asks for what is
hidden is left out whole, and so is an answer one of whose forms asks for it, for which of them is said would tell.
Lines are looked for from the particular (page, view, case) to the general, each first with what is true (`open`), last
with what follows from the settings alone (`alone`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from html import escape

from explorer.declarations import PageDeclaration, PageSettings, View
from explorer.facts import (
    All,
    Count,
    Day,
    Exact,
    Facts,
    Hidden,
    Level,
    Name,
    Number,
    Odds,
    Quantity,
    Said,
    Share,
    Term,
    Times,
    masked,
    plain,
)
from explorer.facts.lines import Lines
from explorer.figures.theme import Look, unescape
from explorer.paper.leaving import Audience, Secrecy, Viewed, agreed, leaving, link_for
from explorer.paper.printing import svg
from explorer.paper.releases import about
from explorer.paper.scales import AxisWriter
from explorer.predicting import HIDDEN
from explorer.scenes import RunQuestion, Scene, beside, run, told_of
from explorer.settings.recipes import own_table
from explorer.text import templates
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.escaping import hypertext
from explorer.text.numerals import power_of_ten
from explorer.text.writing import Digits

MOST_SHEETS = 12  # sheets that one reader collects
LINES = ("level", "risk", "error", "people")
VALUED = (Exact, Number, Count)


@dataclass(frozen=True)
class Origin:
    """The origin of a sheet: the day, version and seed, mechanisms, its link and the code of it."""

    day: date
    version: str  # with the seed
    bare: str  # without: with the seed of somebody's own table the noise could be taken off again
    mechanisms: tuple[str, ...]
    link: str
    qr: Callable[[str], str]  # (link) -> SVG


@dataclass(frozen=True)
class Data:
    """The kind of a scene's data: nobody's (""), the reader's own table, a typed matrix, or reports that came in."""

    kind: str = ""
    table: Quantity = field(default_factory=Hidden)  # what is said of it in the room
    ledger: Lines | None = None  # what was released of it, this sheet's numbers among it


@dataclass(frozen=True)
class Sheet:
    """The content of one sheet, in one language: texts as HTML, escaped; the picture as SVG or HTML."""

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
    said: str = ""  # the note about its audience
    listed: str = ""  # released numbers, or the lines of a ledger, as a table in HTML
    leveled: bool = True  # whether a level is what it is about


@dataclass(frozen=True)
class CollectedSheet:
    """A sheet that waits to be printed with others, as the public may read it and as the room may."""

    name: str
    public: Sheet
    room: Sheet | None  # none where the truth was hidden when it was taken
    about: str

    def of(self, public: bool) -> Sheet:
        """The sheet for an audience."""
        return self.public if public or self.room is None else self.room

    def named(self, heading: str) -> CollectedSheet:
        """A sheet under another heading; an empty one is the question."""
        heading = heading or self.public.question
        room = self.room and replace(self.room, heading=heading)
        return replace(self, public=replace(self.public, heading=heading), room=room)


def sheet(
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    asked: PageSettings,
    level: float,
    origin: Origin,
    *,
    language: str = "en",
    public: bool = True,
    hidden: bool = False,
    own: object = None,
    answer: RunQuestion = run,
    heading: str = "",
    data: Data | None = None,
) -> Sheet:
    """The sheet of a view at one level."""
    catalogue, viewed = catalogue_of(language), Viewed(page, view, asked, own, level, language, answer)
    data, audience = _read(viewed, data, public, hidden)
    present = leaving(viewed, Look(separators=catalogue.separators), audience)
    lines = dict(_lines(catalogue, viewed, present, audience, data))
    question, link = catalogue.text(page.slug, "question"), link_for(audience, origin.link, page.slug)
    return Sheet(
        heading=heading or question,
        question=question,
        view=catalogue.text(page.slug, f"view {view.slug}"),
        answer=_answer(catalogue, viewed, present, audience, lines.get("error", "")),
        caption=caption_of(present, audience),
        picture=_picture(catalogue, viewed, present, audience),
        note=_note(catalogue, page, present, audience),
        lines=tuple((_term(catalogue, part, present.facts), text) for part, text in lines.items()),
        public=public,
        origin=_origin(catalogue, origin, public and bool(data.kind)),
        link=link,
        code=origin.qr(link),
        about=data.kind,
        said=catalogue.label(f"audiences.{_name_of(audience)}", "sheet"),
        listed=_listed(catalogue, viewed, audience, data.ledger),
        leveled=hidden or _moves(viewed) or "level" in lines,
    )


def worded(viewed: Viewed[PageSettings], present: Scene, audience: Audience) -> Scene:
    """A scene whose answer and paragraph say what the audience may have: on a sheet the same words stand."""
    catalogue = catalogue_of(viewed.language)
    answer, note = _answer(catalogue, viewed, present, audience, ""), _note(catalogue, viewed.page, present, audience)
    return replace(present, answer=answer, note=note)


def _read(viewed: Viewed[PageSettings], data: Data | None, public: bool, hidden: bool) -> tuple[Data, Audience]:
    """The owner of a view's data, and its audience."""
    data = data or Data("brought" if viewed.view.brought else "")
    return data, Audience(public, data.kind == "own" or viewed.personal, hidden)


def _known(
    catalogue: Catalogue, viewed: Viewed[PageSettings], present: Scene, audience: Audience, data: Data
) -> dict[str, Quantity]:
    """The facts for the lines of a sheet."""
    level = _level(viewed.view, present.facts, viewed.level)
    symbol = viewed.page.level_label("level_symbol", viewed.asked, viewed.view.slug)
    facts = _facts(catalogue, viewed.page, level, present.facts, data, symbol)
    facts["about"] = _about(viewed.page, viewed.view, viewed.asked)
    return facts | ({"data": Hidden()} if audience.guarded else {})


def _name_of(audience: Audience) -> str:
    """The name of the sentence about the audience of a sheet."""
    if audience.guarded:
        return "guarded"
    if audience.hidden:
        return "hidden"
    return "warned" if audience.warned else "public" if audience.public else "room"


def _level(view: View[PageSettings], known: Facts, level: float) -> float:
    """The told level: of collected data, the one of their collection; else the page's."""
    brought = known.get("level") if view.brought else None
    return brought.value if isinstance(brought, Exact) else level


def _facts(
    catalogue: Catalogue,
    page: PageDeclaration[PageSettings],
    level: float,
    known: Facts,
    data: Data,
    called: str = "level_symbol",
) -> dict[str, Quantity]:
    """The facts for the lines: the scene's, and the meaning of its level."""
    symbol = Name(catalogue.label(called, page.slug))
    meant = {"level": Level(level), "odds": Odds(level), "sure": _surely(level), "data": data.table}
    meant |= {"odds_twice": Odds(2 * level), "sure_twice": _surely(2 * level), "about": Term("guesses.person")}
    facts: dict[str, Quantity] = {"delta": Number(0.0), "symbol": symbol, **known, **meant}
    claim = known.get("claim")
    if isinstance(claim, VALUED) and 0 <= claim.value < math.inf:
        facts |= {"times": Times(claim.value), "promised": _surely(claim.value)}
    return facts


def _about(page: PageDeclaration[PageSettings], view: View[PageSettings], asked: PageSettings) -> Term:
    """The subject of the attacker's guess at the level itself: anything about a person, or whether they took part."""
    return Term(f"guesses.{page.about(asked, view.slug) if page.about else 'person'}")


def _surely(level: float) -> Share:
    """The chance that the best bet on two equally likely cases is right: at most e^level / (1 + e^level)."""
    return Share(1 / (1 + math.exp(-level)), 3)


def _origin(catalogue: Catalogue, origin: Origin, bare: bool) -> str:
    """The day, version and seed, and the mechanisms."""
    made: Facts = {"day": Day(origin.day), "version": Name(origin.bare if bare else origin.version)}
    return hypertext(" · ".join((catalogue.label("made", "sheet", made), *origin.mechanisms)))


def tellable(text: str, facts: Facts) -> bool:
    """Whether a text asks only for facts that are there and may be told."""
    return all(name in facts and not isinstance(facts[name], Hidden) for name in templates.asked(text))


def _answer(catalogue: Catalogue, viewed: Viewed[PageSettings], present: Scene, audience: Audience, error: str) -> str:
    """The answer where its readers may have all that any of its forms asks for; else its error, and the reason."""
    if audience.hears(Secrecy.TRUE):
        return present.answer
    page, view, asides = viewed.page, viewed.view, present.facts["asides"]
    said = present.said[0]
    family = f"answer {view.slug}" if said.startswith(f"answer {view.slug}") else "answer"
    texts = catalogue.page(page.slug)
    forms = [texts.text(key) for key in texts if _form_of(key, family, page)]
    if said and all(tellable(text, present.facts) for text in forms):
        answer = catalogue.html(page.slug, said, present.facts)
    else:
        key = "kept" if audience.guarded else "hidden"
        kept = _first(catalogue, page, [f"{key} {page.slug} {view.slug}", key], present.facts)
        answer = (f"<p><strong>{error}</strong></p>" if error else "") + kept
    assert isinstance(asides, All)
    return answer + beside(catalogue, asides)


def _form_of(key: str, family: str, page: PageDeclaration[PageSettings]) -> bool:
    """Whether a text is one form of an answer: of a view's own, or of the page's where the view has none."""
    if family == "answer":
        return key == family or (key.startswith("answer ") and key.split()[1] not in page.views)
    return key == family or key.startswith(f"{family} ")


def _note(catalogue: Catalogue, page: PageDeclaration[PageSettings], present: Scene, audience: Audience) -> str:
    """The paragraph below the figure, where it can be told and does not ask its readers to guess."""
    key = present.said[1]
    if not key:
        return ""
    told = tellable(catalogue.page(page.slug).text(key), present.facts) and not key.endswith(f" {HIDDEN}")
    return catalogue.html(page.slug, key, present.facts) if told or audience.hears(Secrecy.TRUE) else ""


def caption_of(present: Scene, audience: Audience) -> str:
    """The figure's title, which states the finding; a drawing has none, and one that asks is left out."""
    title = unescape(present.figure.layout.get("title", {}).get("text", "")) if present.figure is not None else ""
    return title if audience.hears(Secrecy.TRUE) or "?" not in title else ""


def numerals_of(catalogue: Catalogue) -> AxisWriter:
    """The writing along the axes of a printed figure in a language."""
    return AxisWriter(
        lambda value: catalogue.write(Number(value, 6)), lambda power: catalogue.write(Digits(power_of_ten(power)))
    )


def _picture(catalogue: Catalogue, viewed: Viewed[PageSettings], present: Scene, audience: Audience) -> str:
    """The figure or the drawing, where its readers may have it and it is not empty."""
    if present.figure is None:
        return present.drawing or ""
    if audience.guarded and present.figure.bare:
        return ""
    alt = present.alt or catalogue.text(viewed.page.slug, f"view {viewed.view.slug}")
    return svg(present.figure, numerals_of(catalogue), alt)


def _lines(
    catalogue: Catalogue, viewed: Viewed[PageSettings], present: Scene, audience: Audience, data: Data
) -> Iterator[tuple[str, str]]:
    """The lines below the figure, each by its part."""
    page, view, facts = viewed.page, viewed.view, _known(catalogue, viewed, present, audience, data)
    settings = _settings(viewed, audience)
    if settings and not any(isinstance(fact, Hidden) for fact in settings[1].values()):
        yield "asked", catalogue.html(page.slug, *settings)
    size = "sized" if page.sized(viewed.asked) else "public"
    kind = f"{data.kind} {size}" if audience.guarded else data.kind
    keys = [f"data {kind}"] if data.kind else [f"data {page.slug} {view.slug}", f"data {page.slug}", "data"]
    yield "data", _first(catalogue, page, keys, facts)
    mine = own_table(viewed.settings)
    if mine is not None and ("unit", view.slug) not in page.silences:
        said = "unit row" if mine.unit is None else "unit column"
        yield "unit", catalogue.lent("sheet", said, page.slug, {"each": Count(mine.each)})
    moves = _moves(viewed)
    verb = page.verb(viewed.asked) if page.verb else ""  # what is asked of a table: a count, a sum, a mean
    for part in () if audience.hidden else LINES:  # what the level means would name what the room predicts
        keys = _keys(page, view.slug, verb, part, moves or part in ("error", "people"))
        if line := _first(catalogue, page, keys, facts):
            yield part, line
    yield "limits", "".join(_limits(catalogue, viewed, audience, _unit(present.facts)))


def _unit(facts: Facts) -> str:
    """The unit that a level protects: a person, unless a view says otherwise."""
    unit = facts.get("protected")
    return unit.key.rpartition(".")[2] if isinstance(unit, Term) else "person"


def _term(catalogue: Catalogue, part: str, facts: Facts) -> str:
    """The term beside a line, which names the unit where that is no person."""
    unit = f"_{_unit(facts)}" if part == "risk" and _unit(facts) != "person" else ""
    return catalogue.label(f"terms.{part}{unit}", "sheet")


def _moves(viewed: Viewed[PageSettings]) -> bool:
    """Whether a level moves a view, or its data were collected at one."""
    return viewed.view.follows(viewed.asked, viewed.own) or viewed.view.brought is not None


def _listed(catalogue: Catalogue, viewed: Viewed[PageSettings], audience: Audience, ledger: Lines | None) -> str:
    """The list of a sheet: numbers released from the data themselves, for every audience; words of an own table
    give way to their places where the public reads, and while people predict there is nothing. Below stand the way to
    a real release of an own table, and its other releases."""
    listing = viewed.page.lists.get(viewed.view.slug)
    lines = (
        listing.lines(viewed.asked, viewed.level, viewed.own, viewed.answer)
        if listing and not audience.hidden
        else None
    )
    parts = [] if lines is None else [_table(catalogue, viewed, lines.numbered() if audience.guarded else lines)]
    if lines is not None and lines.release is not None and not lines.release.reported and viewed.personal:
        said = catalogue.lent("sheet", "release", viewed.page.slug, about(lines.release))
        parts.append(f"<p>{said}</p>")
    return "".join((*parts, _table(catalogue, viewed, ledger) if ledger is not None and not audience.hidden else ""))


def _table(catalogue: Catalogue, viewed: Viewed[PageSettings], lines: Lines) -> str:
    """Lines as a table in HTML."""
    heads = "".join(f"<th>{escape(catalogue.label(f'lists.{name}', 'sheet'))}</th>" for name in lines.head)
    page = viewed.page.slug
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(catalogue.write(cell, page))}</td>' for cell in row)}</tr>" for row in lines.rows
    )
    title = catalogue.label(f"listings.{lines.kind}", "sheet", lines.facts)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _settings(viewed: Viewed[PageSettings], audience: Audience) -> tuple[str, Facts] | None:
    """The key and the facts of the line that lists the settings, as its readers may have it."""
    line = told_of(viewed.page, viewed.view, viewed.asked, viewed.own)
    if line is None:
        return None
    key, facts = line
    if audience.guarded and viewed.personal:
        first, second = (told_of(one.page, one.view, one.asked, one.own) for one in viewed.stand_ins)
        assert first is not None
        assert second is not None
        facts = agreed(first[1], second[1])
        facts |= {"data": Said.of("own.untold")} if "data" in facts else {}
    return key, plain(facts) if audience.hears(Secrecy.TRUE) else masked(facts)


def _keys(page: PageDeclaration[PageSettings], view: str, verb: str, part: str, general: bool) -> list[str]:
    """The keys of a line, the most particular text first; where no level moves a view, without a general one.

    Never by a case of the answer: which of them holds may depend on what is true.
    """
    if (part, view) in page.silences:
        return []
    names = [f"{part} {page.slug} {view}", *([f"{part} {page.slug} {verb}"] if verb else [])]
    names += [f"{part} {page.slug}", part] if general else []
    return [key for name in names for key in (f"{name} open", name, f"{name} alone")]


def _first(catalogue: Catalogue, page: PageDeclaration[PageSettings], keys: Sequence[str], facts: Facts) -> str:
    """The first of these texts that exists and can be told."""
    texts = catalogue.page("sheet")
    for key in keys:
        if key in texts and tellable(texts.text(key), facts):
            return catalogue.lent("sheet", key, page.slug, facts)
    return ""


def _limits(catalogue: Catalogue, viewed: Viewed[PageSettings], audience: Audience, unit: str) -> Iterator[str]:
    """The limits of the level, in plain words; of a view that has no level, those of its finding."""
    page = viewed.page
    if without_level := _first(catalogue, page, [f"limits {page.slug} {viewed.view.slug}"], {}):
        yield without_level
        return
    yield catalogue.lent("sheet", "limits" if unit == "person" else f"limits {unit}", page.slug)
    if viewed.holder:
        yield catalogue.lent("sheet", f"limits {viewed.holder}", page.slug)
    if audience.guarded:
        yield catalogue.lent("sheet", "limits own", page.slug)
