"""Files that travel, made from links: a view with one more control, or a way with its notes.

Links are opened without a screen (`explorer.ui.opening`), so that this runs where no server does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import parse_qsl, urlencode, urlsplit

from explorer.facts import Count, Name, Names
from explorer.figures.theme import Look
from explorer.paper.leaving import Audience, Viewed, is_near, leaving, link_for
from explorer.paper.notes import notes
from explorer.scenes import Scene
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.ui import sources
from explorer.ui.opening import LinkError, OpenedView, opened
from explorer.ui.travel.files import TravelEdition, TravelFile, TravelStep, TravelVersion
from explorer.ui.travel.states import Traveller
from explorer.ways import ORDER, Way, WayStep, way_of
from explorer.ways.words import table, told_at

MOST_OPTIONS = 10  # values of a control that travels
HALL = "/response?epsilon=1.0986&response_n=800"  # in place of a live room
Progress = Callable[[float], None]


@dataclass(frozen=True)
class TravelOrder:
    """The wishes of who takes a file along.

    `answers` says whether the truth is in it, `drawn` whether drawings stand in Plotly's place; `address` is the app's
    own, where one is known.
    """

    languages: tuple[str, ...] = ("en",)
    answers: bool = True
    drawn: bool = False
    scored: bool = False
    address: str = ""
    public: bool = True
    own: bool = False

    @property
    def audiences(self) -> Mapping[str, Audience]:
        """The audiences of a view: those who see the truth, and those who predict."""
        hidden = {"hidden": Audience(self.public, self.own, hidden=True)}
        return {"shown": Audience(self.public, self.own), **hidden} if self.answers else hidden


def nobody_waits(share: float) -> None:
    """The progress of what nobody watches."""


def version_of(view: OpenedView, order: TravelOrder, title: str = "") -> TravelVersion:
    """A view at every stop, for every audience of an order."""
    states = {name: Traveller(view, audience, order.drawn).state() for name, audience in order.audiences.items()}
    link = view.link if "://" in view.link else f"{order.address}/{view.link}"
    known = "://" in link and not is_near(link)
    seen = link_for(Audience(order.public, order.own, not order.answers), link, view.viewed.page.slug) if known else ""
    return TravelVersion(title, sources.version_of(catalogue_of(view.viewed.language), view.seed), seen, states)


def shown_scene(view: OpenedView) -> Scene:
    """The scene of a view as everybody may see it, on light paper."""
    catalogue = catalogue_of(view.viewed.language)
    return leaving(view.viewed, Look(separators=catalogue.separators), Audience())


def view_file(
    link: str,
    order: TravelOrder,
    control: tuple[str, str, Mapping[str, str]] | None = None,
    progress: Progress = nobody_waits,
) -> TravelFile:
    """A view as a file; a control that travels is its parameter, its name, and its options by what links say."""
    options = {"": ""} if control is None else control[2]
    if len(options) > MOST_OPTIONS:
        counts = {"most": Count(MOST_OPTIONS), "got": Count(len(options))}
        raise LinkError.of(order.languages[0], "many_values", **counts)
    editions, complaints, done = [], dict[str, None](), 0
    for language in order.languages:
        versions = []
        for text, title in options.items():
            wanted = link if control is None else with_setting(link, control[0], text)
            view = opened(wanted, language)
            complaints |= dict.fromkeys(view.complaints)
            versions.append(version_of(view, order, title))
            done += 1
            progress(done / len(options) / len(order.languages))
        catalogue, page = catalogue_of(language), view.viewed.page.slug
        question = _question(catalogue, view)
        name = "" if control is None else control[1]
        step = TravelStep(view.viewed.view.slug, catalogue.text(page, "name"), question, tuple(versions), control=name)
        editions.append(TravelEdition(language, question, (step,)))
    return TravelFile(
        tuple(editions), sources.version_of(catalogue_of(order.languages[0])), order.drawn, complaints=tuple(complaints)
    )


def seen_file(view: OpenedView, order: TravelOrder) -> TravelFile:
    """The view on somebody's screen as a file; of a table of their own nothing that the audience may not have."""
    editions = []
    for language in order.languages:
        catalogue, at = catalogue_of(language), view.at and partial(_spoken, view.at, language)
        spoken = replace(view, viewed=replace(view.viewed, language=language), at=at)
        remark = catalogue.label("room_alone") if order.own and not order.public else ""
        question, name = _question(catalogue, spoken), catalogue.text(spoken.viewed.page.slug, "name")
        step = TravelStep(spoken.viewed.view.slug, name, question, (version_of(spoken, order),), remark=remark)
        editions.append(TravelEdition(language, question, (step,)))
    return TravelFile(tuple(editions), sources.version_of(catalogue_of(order.languages[0])), order.drawn)


def _spoken(at: Callable[[float, bool], Viewed[object]], language: str, level: float, hidden: bool) -> Viewed[object]:
    """The view at a level, in a language."""
    return replace(at(level, hidden), language=language)


def with_setting(link: str, key: str, text: str) -> str:
    """A link with one of its settings set otherwise."""
    address = urlsplit(link)
    asked = {**dict(parse_qsl(address.query, keep_blank_values=True)), key: text}
    return f"{address.path}?{urlencode(asked)}"


def way_file(slug: str, order: TravelOrder, progress: Progress = nobody_waits) -> TravelFile:
    """A way as a file, with the speaker's notes where it holds the answers."""
    if slug not in ORDER:
        ways = Names(tuple(ORDER), most=len(ORDER))
        raise LinkError.of(order.languages[0], "no_way", ways=ways, way=Name(slug))
    way, editions, done = way_of(slug), [], 0
    for language in order.languages:
        catalogue, steps = catalogue_of(language), []
        for place, step in enumerate(way.steps, 1):
            steps.append(_way_step(way, step, place, catalogue, order))
            done += 1
            progress(done / len(way.steps) / len(order.languages))
        told = notes(way, catalogue, "travel.keys") if order.answers and way.room else ""
        editions.append(TravelEdition(language, table(catalogue, slug).text("title"), tuple(steps), told))
    return TravelFile(tuple(editions), sources.version_of(catalogue_of(order.languages[0])), order.drawn, order.scored)


def _way_step(way: Way, step: WayStep, place: int, catalogue: Catalogue, order: TravelOrder) -> TravelStep:
    """A step of a way; where its page has no view, as a live room has none, the hall of 800 stands and says so."""
    told, remark = told_at(step, way, catalogue), ""
    try:
        view = opened(f"/{step.link.beside({'way': way.slug, 'step': str(place)})}", catalogue.language)
    except LinkError:
        view, remark = opened(HALL, catalogue.language), catalogue.label("travel.hall")
    alone = (_in_app(catalogue, told.do), told.seen if order.answers else "") if way.alone else ("", "")
    question, predict = _question(catalogue, view), step.predict or (bool(remark) and not order.answers)
    return TravelStep(step.name, told.title, question, (version_of(view, order),), predict, task=alone, remark=remark)


def _in_app(catalogue: Catalogue, task: str) -> str:
    """A task for who reads alone: it may need controls that the app alone has."""
    return catalogue.label("travel.in_app", facts={"task": Name(task)}) if task else ""


def _question(catalogue: Catalogue, view: OpenedView) -> str:
    """The question of a view's page, or the view's own about what the reader brought."""
    page, own = view.viewed.page.slug, f"question {view.viewed.view.slug}"
    brought = view.viewed.view.brought is not None and catalogue.has(page, own)
    return catalogue.text(page, own if brought else "question")
