"""A page on the screen: question, stage, settings, and the parts that open below; one order on every page.

    page = Page[Counting]("counting", facts=facts, default_level=0.1)  # of what its settings say

    @page.settings                          # Streamlit's widgets; a full run when they change
    def settings(shown):
        return Counting(controls.dataset(shown), ...)

    page.view("one", Counting.law, figures.bells, predicts=Prediction(("error",)))  # question, picture, guess
    page.run()                              # always last; nothing happens where there is no reader

Texts are in `explorer/text/<language>/<slug>.md`; see `explorer.declarations` for what a page and a view declare.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from math import nan
from time import thread_time, time
from typing import Any, Generic, cast

import streamlit as st

from explorer.declarations import OwnSetting, PageDeclaration, PageSettings, View
from explorer.explained import facts_below
from explorer.facts import Facts
from explorer.heads import headed
from explorer.host.turns import turns
from explorer.paper.leaving import Viewed
from explorer.paper.printing import sketch
from explorer.paper.sheets import numerals_of
from explorer.scenes import RunQuestion, Scene, run, told_of
from explorer.ui import (
    below,
    cache,
    internals,
    levels,
    links,
    opening,
    presenting,
    recommendations,
    related,
    releases,
    session,
    settings_line,
    shell,
    sources,
    stage,
    trouble,
    way,
    work,
)
from explorer.ui.language import catalogue
from explorer.ui.sessionkeys import SCENE, SKETCHED, STRIP
from explorer.ui.shown import Shown
from explorer.ways import Link
from ldpcore import questions
from ldpcore.fingerprints import fingerprint

__all__ = ["OwnSetting", "Page", "Shown"]  # what the file of a page needs
AT_ONCE = 1.0  # processor seconds that a page may take in its own thread, as estimated beforehand
TRIED = 3  # stops, after which the time that all of them would take is known; the first may prepare what all share
AHEAD = 1.5  # processor seconds that all stops may promise to take: what is dearer is asked for stop by stop


class Page(PageDeclaration[PageSettings]):
    """A page, as declared and as shown."""

    def asks_elsewhere(self, *names: str) -> None:
        """Declare settings that some views alone ask; a link that opens another view keeps them."""
        self.elsewhere += tuple(f"{self.slug}_{name}" for name in names)

    def run(self) -> None:
        """Show the page to a reader; where there is none (a test, a script) only the declaration remains."""
        if internals.has_reader():
            shell.guard()
            links.arrive(self.slug)
            try:
                views = opening.unseen()
                if self.inside is not None:
                    _plain(self)
                elif views is None:
                    _Run(self).show()
                else:
                    views.append(_Run(self).opened())
            except Exception as problem:  # Streamlit's own ways of ending a run are no exceptions of this kind
                trouble.tell(self.slug, problem)


def _plain(page: Page[PageSettings]) -> None:
    """A page without a stage."""
    assert page.inside is not None
    levels.arrived()
    shown = Shown(page.slug, catalogue(), shell.look(), staged=False)
    answer = shown.notice.container(key="answer")
    facts = page.inside(shown)
    answer.markdown(shown.catalogue.markdown(page.slug, "answer", shown.facts(facts)))
    below.complain(shown, page.slug)
    links.finish()


class _LaterError(Exception):
    """The answer comes later, and a bar in this place says when; or never, where the reader has stopped it."""

    def __init__(self, place: str, stopped: bool = False) -> None:
        super().__init__(place)
        self.place, self.stopped = place, stopped


class _Run(Generic[PageSettings]):
    """One run: settings, level, view; the scene at once, the open part below it, and last the other stops."""

    def __init__(self, page: Page[PageSettings]) -> None:
        self.page, self.look, self.catalogue = page, shell.look(), catalogue()
        slug = levels.likely(page.slug, tuple(page.views))
        likely = page.views.get(slug)
        brought, unread = slug if likely and likely.brought else "", bool(likely and likely.self_contained)
        self.shown = Shown(page.slug, self.catalogue, self.look, brought=brought, view=slug, unread=unread)
        with self.shown.controls():
            self.asked = cast(
                "PageSettings", page.asks(self.shown) if page.asks else None
            )  # of a page that asks nothing
        with self.shown.more():
            st.markdown(self.catalogue.listing("labels").text("deployments"))
        self.level = self.shown.level = levels.asked(self.shown, page.default_level)
        self.view = self._chosen()
        shell.note_brought(self.view.brought is not None)
        with self.shown.view_settings:
            self.own = self.view.own.ask(self.shown, self.asked) if self.view.own else None
        self.printed = way.printed(page.slug, links.settings(), page.default_level)
        self.scope: cache.Scope = "session" if self.shown.private else "global"
        self.key = f"stage_{page.slug}"
        viewed = self._viewed(self.level)
        self.waits = viewed.personal and releases.waits(viewed)
        if viewed.personal:
            self.shown.seed = None  # of the link, which draws nothing of an own table
        self.follows = self.view.follows(self.asked, self.own)
        self.stops = levels.stops(self.level)  # a level from a link, between two stops, has a strip of its own
        self.token = fingerprint(
            (page.slug, self.view.slug, self.asked, self.own, repr(self.look), self.catalogue.language, self.stops)
            + (self.printed,)
            + ((session.salt(),) if viewed.personal else ())
        )
        self.begun = self.answered = self.whole_page = False

    def show(self) -> None:
        """Show the whole page."""
        with self.shown.stage:
            _follow(self)
        if self.page.outside is not None:
            self.page.outside(self.shown)
        related.show(self.shown, self.page.slug, self.view.slug)
        below.complain(self.shown, self.page.slug, self.page.elsewhere)
        links.finish()
        if self.follows and self.answered and not self.waits:
            _look_ahead(self)
        self.whole_page = True

    def _at(self, level: float, hidden: bool) -> Viewed[object]:
        """The view at a level as it travels, answered on the spot."""
        return cast("Viewed[object]", replace(self._viewed(level, hidden), answer=run))

    def opened(self) -> opening.OpenedView:
        """The view without its stage."""
        below.complain(self.shown, self.page.slug, self.page.elsewhere)
        return opening.OpenedView(
            cast("Viewed[object]", replace(self._viewed(self.level), answer=run)),
            str(Link(self.page.slug, links.settings())),
            self.shown.seed,
            self.printed,
            complaints=tuple(links.complaints()),
        )

    def follow(self) -> None:
        """Redraw the parts that depend on the level; a fragment of its own where the level alone was moved."""
        alone, self.begun = self.begun, True
        if alone:
            self._move()
        self.left, self.places, self.answered, self.whole = AT_ONCE, count(), True, True
        try:
            self._followed()
        except _LaterError as later:
            self.answered = False
            self._stage(self._before())
            self._wait(later)
        if alone:
            links.finish()

    def _move(self) -> None:
        """Take the level of the handle; any other event asks for the whole page."""
        level = links.moved_alone("epsilon")
        gone = self.shown.table is not None and self.shown.table.own and session.lost()
        followed = self.look.lecture or presenting.presenter() is not None  # by the code on Q, or by phones
        if level not in self.stops or followed or gone:
            st.rerun()
        links.settle()
        self.level = self.shown.level = levels.asked(self.shown, self.page.default_level)

    def _followed(self) -> None:
        """Draw stage, settings line and the open part below, at the present level."""
        present = cache.scene(fingerprint((self.token, self.level)), self._present, self.scope)
        SCENE.keep(((self.page.slug, self.look.truth), replace(present, question=None)))  # which may hold a table
        level = (sources.level(self.shown, self.level, self._level_label("level_symbol")),) if self.follows else ()
        line = told_of(self.page, self.view, self.asked, self.own)
        self.shown.viewed = cast("Viewed[object]", self._viewed(self.level))  # whatever the settings of its page
        self.shown.at, self.shown.still = self._at if self.shown.viewed.personal else None, self.waits
        self.shown.source = (sources.line(self.shown, line, present, self.shown.viewed.personal), *level)
        self._stage(present)
        if self.waits:
            releases.note_shown(self.shown.viewed, self.look)
        if line is not None:
            with st.container(key="line"):
                said = self.catalogue.text(self.page.slug, line[0], self.shown.facts(line[1]))
                settings_line.show(self.shown.label("settings"), said)
        try:
            below.show(self.shown, self.page, present, partial(self.facts, self.level))
        except _LaterError as later:  # the tasks ask for more than the picture does
            self._wait(later)

    def _wait(self, later: _LaterError) -> None:
        """Show a bar and a button that stops the work, until the answer is there."""
        if not later.stopped:
            words = {name: self.shown.label(name) for name in ("working", "queued", "stop")}
            work.watch(**words, place=later.place)

    def _level_label(self, name: str) -> str:
        """The label of the level or of its symbol, by the party that is trusted in this view."""
        return self.page.level_label(name, self.asked, self.view.slug)

    def _chosen(self) -> View[PageSettings]:
        """The view that the reader or the link has chosen."""
        usual = {slug: view for slug, view in self.page.views.items() if view.only(self.asked)}
        titles = {slug: self.shown.title(slug) for slug in self.page.views}
        return usual[levels.view(self.shown, usual, titles)]

    def _in_time(self, question: Any) -> Any:
        """The answer on the spot, as long as all together take a second; else if it comes in time.

        A question that was stopped is replaced by one with less work, where there is one.
        """
        seconds = questions.seconds(question)
        if seconds <= self.left:
            self.left -= seconds
            return cache.run(question, self.scope)
        self.whole = False
        place = f"stage-{next(self.places)}"
        outcome = work.ask(question, self.scope, place)
        if isinstance(outcome, work.Done):
            return outcome.answer
        if isinstance(outcome, work.Waiting):
            raise _LaterError(place)
        with self.shown.notice.container(horizontal=True, vertical_alignment="center"):
            st.caption(self.shown.label("stopped"))
            st.button(self.shown.label("go_on"), f"go_on_{place}", on_click=work.go_on, args=(place,), type="tertiary")
        less = question.fewer()
        if fingerprint(less) == fingerprint(question):
            raise _LaterError(place, stopped=True)
        return self._in_time(less)

    def _viewed(self, level: float, hidden: bool = False) -> Viewed[PageSettings]:
        """The view at a level, as this session draws it, or as it pictures it while the truth is `hidden`."""
        viewed = Viewed(self.page, self.view, self.asked, self.own, level, self.catalogue.language, self._in_time)
        return replace(viewed, asked=releases.drawn(viewed, hidden))

    def _at_once(self, question: Any) -> Any:
        """The answer on the spot, or none: no stop beside the present one is long work."""
        if questions.seconds(question) > AT_ONCE:
            raise _LaterError("")
        return cache.run(question, self.scope)

    def _present(self) -> tuple[Scene, bool]:
        """The scene at the present level, and whether it is whole: long work may have been left out."""
        present = self.scene(self.level, self._in_time)
        return present, self.whole

    def _before(self) -> Scene:
        """The page's last scene, without its words: they would be about something else."""
        kept = SCENE.get()
        if kept is not None and kept[0] == (self.page.slug, self.look.truth):  # nothing of the truth where it is hidden
            return replace(kept[1], answer=self.shown.label("pending"), note="")
        return Scene(self.shown.label("pending"), "", "", {}, None, "", drawing="")

    def scene(self, level: float, answer: RunQuestion) -> Scene:
        """The scene of the chosen view at a level."""
        look = self.look
        if self.printed is not None:  # at another level their name alone, so that the legend holds still
            look = replace(look, printed=self.printed[1] if level == self.printed[0] else ((nan, nan),))
        return replace(self._viewed(level, not self.look.truth), answer=answer).scene(look)

    def facts(self, level: float) -> Facts:
        """The facts that texts below the stage may say."""
        return facts_below(self.page, self.view, self._viewed(level).asked, level, self.look, self._in_time)

    def _stage(self, present: Scene) -> None:
        """Draw the stage with the scene at the present level."""
        source = " · ".join(self.shown.source[:1])
        head = headed(
            self.page,
            self.view,
            self.asked,
            self.own,
            self.level,
            self.look,
            self.catalogue.language,
            self.stops,
            source,
        )
        stage.show(
            self.key,
            head=head.typed(self.shown.label("exact")),
            scene=present,
            token=self.token,
            takes=recommendations.offered(self.shown, present, self.level, self._level_label("level_symbol")),
            sketch=self._sketch(present),
            heard=stage.Heard(
                levels.move,
                partial(levels.look_at, self.page.slug),
                recommendations.take,
                partial(levels.typed, self.shown),
            ),
        )

    def _sketch(self, present: Scene) -> str:
        """The first figure of a session as a drawing, since Plotly is not loaded yet; empty after that."""
        if present.figure is None or SKETCHED.get() or session.came_back():
            return ""
        SKETCHED.keep(True)
        figure, write = present.figure, numerals_of(self.catalogue)
        key = fingerprint(("sketch", figure.json(), self.catalogue.language))
        return cache.drawing(key, lambda: sketch(figure, write), self.scope)

    def look_ahead(self) -> None:
        """Send the scenes at all other stops: once to each reader, computed once for all of them.

        What nobody has made yet waits until the browser, where the picture stands by then, asks for it.
        """
        if self.whole_page:
            if not links.answered_alone():
                st.rerun()
            links.settle()
        if STRIP.get() == self.token:
            stage.strip(self.key, stage.rolled(self.key, self.token, {}))
        elif self._made_now():
            stage.strip(self.key, cache.strip(self.token, self._rolled, self.scope))
            STRIP.keep(self.token)
        else:
            stage.strip(self.key, stage.rolled(self.key, self.token, {}, late=time()))

    def _made_now(self) -> bool:
        """Whether the other stops come in this run: the browser has asked for them alone, or they are kept already."""
        return self.whole_page or cache.kept(self.token, self.scope) is not None

    def _encoded(self, level: float) -> str:
        """The scene at another stop, as it is sent."""
        scene = self.scene(level, self._at_once)
        return stage.encoded(
            scene, recommendations.offered(self.shown, scene, level, self._level_label("level_symbol"))
        )

    def _rolled(self) -> bytes:
        """The strip, packed for all readers who see one."""
        return stage.rolled(self.key, self.token, self._scenes())

    def _scenes(self) -> dict[int, str]:
        """The scene of each stop as it is sent, as far as one second goes; the browser asks for the others one by one.

        The first few tell what all would take; where that is too long, no more of them are made.
        """
        times, scenes = [thread_time()], {}
        with suppress(_LaterError):
            for place, level in enumerate(self.stops):
                scenes[place] = self._encoded(level)
                times.append(thread_time())
                spent, done = times[-1] - times[0], place + 1
                each = (times[-1] - times[1]) / max(done - 1, 1)
                if spent > AT_ONCE or (done == TRIED and spent + each * (len(self.stops) - done) > AHEAD):
                    break
        return scenes


@st.fragment
def _follow(run: _Run[PageSettings]) -> None:
    """Show the parts that follow the level, as a fragment that Streamlit can run again by itself."""
    try:
        with turns().building() if run.begun else nullcontext():
            run.follow()
    except Exception as problem:  # see `Page.run`: inside a fragment Streamlit would tell it in its own way
        trouble.tell(run.page.slug, problem)


@st.fragment
def _look_ahead(run: _Run[PageSettings]) -> None:
    """Send the other stops, as a fragment that the browser runs again by itself where they are still to be made."""
    try:
        with turns().building() if run.whole_page else nullcontext():
            run.look_ahead()
    except Exception as problem:  # see `_follow`
        trouble.tell(run.page.slug, problem)
