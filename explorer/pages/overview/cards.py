"""The ways into the project as cards of HTML: three large ones, the decisions, and every page.

Each card is a link whose address holds everything, so that it opens in another window as well; `room` is the room's
part of an address, `carried` the settings that go along to pages and decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from explorer import navigation
from explorer.facts import Count
from explorer.pages.overview.pictures import picture
from explorer.text.catalogue import Catalogue
from explorer.ways import ORDER, Link, Way, arrived, decisions, way_of
from explorer.ways.words import table

Room = Mapping[str, str]
LARGE = ("five", "lecture")  # beside what is to be decided; the others are offered below
LECTURE, DECIDE = "lecture", "decide"  # what is no link: the room's switch, and the list of decisions further down
MINE = "budget"  # the page with the picture of a decision


def ways(catalogue: Catalogue, dark: bool, room: Room) -> str:
    """The three large cards."""
    first, second = (_way(way_of(slug), catalogue, dark, room, 2) for slug in LARGE)
    name, last = _said(catalogue, "way.ways"), _mine(catalogue, dark)
    return f'<nav class="ldp-ways" aria-label="{name}">{first}{second}{last}</nav>'


def _way(way: Way, catalogue: Catalogue, dark: bool, room: Room, rank: int = 3) -> str:
    """The card of a way: its picture, its text, its time; a lecture's switch and its notes."""
    texts = table(catalogue, way.slug)
    facts = {"steps": Count(len(way.steps)), "minutes": Count(way.minutes(len(way.steps)))}
    first = arrived(way, 1)
    begun = {"way": way.slug, "step": "1"} | ({"hide": "true"} if first.hidden else {})
    address = Link(first.step.link.page, {**first.step.link.parameters, **begun, **room})
    title = _linked(f"way-{way.slug}", address, texts.text("title"), way.picture, dark, rank)
    return (
        f'<article class="ldp-card">{title}<p>{escape(texts.text("say"))}</p>'
        f'<p class="ldp-quiet">{escape(catalogue.label("way.steps", facts=facts))}</p>'
        f"{_for_tellers(way, catalogue, room) if way.room else ''}</article>"
    )


def _for_tellers(way: Way, catalogue: Catalogue, room: Room) -> str:
    """The links for a speaker who tells a way to a room."""
    lecture = LECTURE in room
    name = "way.lecture_on" if lecture else "way.lecture_off"
    notes = Link(navigation.DEFAULT, {"notes": way.slug} | {key: text for key, text in room.items() if key == "lang"})
    return (
        f'<p class="ldp-tellers"><button type="button" data-go="{LECTURE}" aria-pressed="{str(lecture).lower()}">'
        f"{_said(catalogue, name)}</button>"
        f'<a href="./{escape(str(notes), quote=True)}" target="_blank" rel="noopener">'
        f"{_said(catalogue, 'way.notes')}</a></p>"
    )


def _mine(catalogue: Catalogue, dark: bool) -> str:
    """The card that leads down to the decisions."""
    title = _linked(DECIDE, None, catalogue.label("way.mine"), MINE, dark, 2)
    return f'<article class="ldp-card">{title}<p>{_said(catalogue, "way.mine_say")}</p></article>'


def others(catalogue: Catalogue, dark: bool, room: Room, carried: Mapping[str, str]) -> str:
    """The cards below the picture: decisions by the holder of the data, the pages, and the other ways."""
    along = {**carried, **room}
    return _decisions(catalogue, along) + _cards(catalogue, dark, along) + _more(catalogue, dark, room)


def _decisions(catalogue: Catalogue, carried: Mapping[str, str]) -> str:
    """The decisions: a column for each holder of the data, a link for each question."""
    texts, columns = table(catalogue, "decisions"), dict[str, str]()
    for each in decisions():
        words = texts.strings("names", each.name)
        item = _linked(f"decision-{each.name}", each.link.beside(carried), words["title"], rank=4)
        columns[each.who] = columns.get(each.who, "") + f"<li>{item}<p>{escape(words['say'])}</p></li>"
    inside = "".join(f"<div><h3>{escape(texts.text(who))}</h3><ul>{items}</ul></div>" for who, items in columns.items())
    title = escape(texts.text("title"))
    return f'<section id="decisions"><h2>{title}</h2><div class="ldp-columns">{inside}</div></section>'


def _cards(catalogue: Catalogue, dark: bool, carried: Mapping[str, str]) -> str:
    """The cards of all pages: picture, question, and a line about each."""
    parts = []
    for group, members in navigation.groups(catalogue.language).items():
        slugs = [entry for entry in members if entry.slug != navigation.DEFAULT]
        cards = "".join(_page(entry, catalogue, dark, carried) for entry in slugs)
        parts.append(f'<h3>{escape(group)}</h3><div class="ldp-cards">{cards}</div>' if cards else "")
    return f"<section><h2>{_said(catalogue, 'pages', 'overview')}</h2>{''.join(parts)}</section>"


def _page(entry: navigation.PageEntry, catalogue: Catalogue, dark: bool, carried: Mapping[str, str]) -> str:
    link, question = Link(entry.slug, carried), entry.question(catalogue.language)
    lines = catalogue.page("overview").labels.strings("lines")
    title = _linked(f"page-{entry.slug}", link, question, entry.slug, dark, rank=4)
    return f'<article class="ldp-card">{title}<p>{escape(lines.get(entry.slug, ""))}</p></article>'


def _more(catalogue: Catalogue, dark: bool, room: Room) -> str:
    cards = "".join(_way(way_of(slug), catalogue, dark, room) for slug in ORDER if slug not in LARGE)
    return f'<section><h2>{_said(catalogue, "way.more")}</h2><div class="ldp-cards">{cards}</div></section>'


def _linked(name: str, address: Link | None, title: str, drawn: str = "", dark: bool = False, rank: int = 3) -> str:
    """A heading that is a link, below its picture; without an address it leads down to the decisions."""
    href = "#decisions" if address is None else f"./{escape(str(address), quote=True)}"
    above = f'<span class="ldp-picture">{picture(drawn, dark)}</span>' if drawn else ""
    return f'<h{rank}><a href="{href}" data-go="{escape(name)}">{above}{escape(title)}</a></h{rank}>'


def _said(catalogue: Catalogue, name: str, page: str | None = None) -> str:
    return escape(catalogue.label(name, page), quote=True)
