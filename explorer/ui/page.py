"""A page on the screen: question, stage, settings, and what can be opened below; the same every time.

    page = Page("counting", facts=facts, default_level=0.1)

    @page.settings                          # Streamlit's widgets; a full run when they change
    def settings(shown):
        return Counting(controls.dataset(shown), ...)

    page.view("one", Counting.tables, figures.bells)  # (settings, level) -> a frozen question, and its picture
    page.run()                              # always last; nothing happens where there is no reader

Texts are in `explorer/text/<language>/<slug>.md`; see `explorer.scenes` for what a view declares.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from time import thread_time
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.facts import Facts, Quantity, masked, plain
from explorer.figures import theme
from explorer.scenes import Answer, Asked, Declaration, Scene, View, facts_at, results_of, scene, told_of
from explorer.text.catalogue import Catalogue
from explorer.ui import below, cache, levels, links, settings_line, sheets, shell, sources, stage, taking, trouble, work
from explorer.ui.language import catalogue
from ldpcore import costs
from ldpcore.fingerprints import fingerprint

AT_ONCE = 1.0  # processor seconds that a page may take in its own thread, as estimated beforehand


class Page(Declaration):
    """A page that is declared above and shown here."""

    def run(self) -> None:
        """Show the page to a reader; where there is none (a test, a script) only the declaration remains."""
        if get_script_run_ctx(suppress_warning=True) is not None:
            shell.guard()
            links.arrive(self.slug)
            try:
                _Run(self).show() if self.inside is None else _plain(self)
            except Exception as problem:  # Streamlit's own ways of ending a run are no exceptions of this kind
                trouble.tell(self.slug, problem)


def _plain(page: Page) -> None:
    """A page without a stage."""
    assert page.inside is not None
    st.session_state.pop("_from_behind", None)
    shown = Shown(page.slug, catalogue(), shell.look(), staged=False)
    answer = shown.notice.container(key="answer")
    facts = page.inside(shown)
    answer.markdown(shown.catalogue.markdown(page.slug, "answer", shown.facts(facts)))
    below.complain(shown, page.slug)
    links.finish()


class Shown:
    """A page while it is being shown: its places on the screen, and its short texts in the reader's language."""

    def __init__(
        self, slug: str, catalogue: Catalogue, look: theme.Look, staged: bool = True, brought: str = ""
    ) -> None:
        self.slug, self.catalogue, self.look, self.brought = slug, catalogue, look, brought
        self.seed: int | None = None
        self.table: Any = None  # that a control of this run has chosen
        self.private = False  # whether what is computed derives from an upload
        self.sheet: Any = None  # (public, heading) -> what it shows, on paper
        self.source: tuple[str, ...] = ()  # where its numbers come from, in a few words each
        self.level = 1.0  # the level that the page shows, for what is proposed beside it
        st.title(catalogue.text(slug, f"question {brought}".strip()), anchor=False)
        self.notice = st.container(key="notice")
        if not staged:
            return
        self.stage, self.aside = shell.columns(look)
        self._settings = self.aside.container(key="settings")
        self._view_settings = self._settings.container()
        self._usual = self._settings.container()
        self._more: Any = None
        self._fold: Any = None

    @property
    def labels(self) -> Mapping[str, Any]:
        """The page's own short texts."""
        labels: Mapping[str, Any] = self.catalogue.page(self.slug)["labels"]
        return labels

    def label(self, name: str, default: str | None = None) -> str:
        """A short text: the page's own, else the project's."""
        try:
            return self.catalogue.label(name, self.slug)
        except KeyError:
            if default is None:
                raise
            return default

    def secret(self, number: str) -> str:
        """A true number as it may be said: not while people predict."""
        return number if self.look.truth else self.label("hidden_number")

    def facts(self, known: Facts) -> Facts:
        """Facts as they may be told on this reader's screen."""
        return plain(known) if self.look.truth else masked(known)

    def say(self, key: str, **facts: Quantity) -> str:
        """A text of the page as Markdown."""
        return self.catalogue.markdown(self.slug, key, self.facts(facts))

    def title(self, view: str) -> str:
        """The short title of a view."""
        return self.catalogue.text(self.slug, f"view {view}")

    def controls(self) -> Any:
        """Where the settings stand."""
        return self._usual

    def invented(self) -> Any:
        """Where the settings of invented people stand: folded away while the page speaks of the reader's own data."""
        if not self.brought:
            return nullcontext()
        if self._fold is None:
            self._fold = st.expander(self.label("invented"))
        return self._fold

    def more(self) -> Any:
        """The fold for what is rarely set."""
        if self._more is None:
            self._more = self._settings.expander(self.label("more"))
        return self._more


class _LaterError(Exception):
    """The answer will come later, and a bar in this place says when; or not at all, where the reader has stopped it."""

    def __init__(self, place: str, stopped: bool = False) -> None:
        super().__init__(place)
        self.place, self.stopped = place, stopped


class _Run:
    """One run: settings, level, view; the scene at once, what is open below it, and last the other stops."""

    def __init__(self, page: Page) -> None:
        self.page, self.look, self.catalogue = page, shell.look(), catalogue()
        likely = page.views.get(levels.likely(page.slug, tuple(page.views), self.catalogue))
        self.shown = Shown(
            page.slug, self.catalogue, self.look, brought=likely.slug if likely and likely.brought else ""
        )
        with self.shown.controls():
            self.asked: Asked = page.asks(self.shown) if page.asks else None
        with self.shown.more():
            st.markdown(self.catalogue.listing("labels")["deployments"])
        self.level = self.shown.level = levels.asked(self.shown, page.default_level)
        self.view = self._chosen()
        st.session_state["_brought"] = self.view.brought is not None
        with self.shown._view_settings:
            self.own = self.view.settings(self.shown, self.asked) if self.view.settings else None
        self.scope: cache.Scope = "session" if self.shown.private else "global"
        self.key = f"stage_{page.slug}"
        self.follows = self.view.follows(self.asked, self.own)
        self.ahead = self.follows and self.view.ahead(self.asked)
        self.stops = tuple(levels.stops(self.level))  # a level from a link, between two stops, has a strip of its own
        self.token = fingerprint(
            (page.slug, self.view.slug, self.asked, self.own, repr(self.look), self.catalogue.language, self.stops)
        )
        self.begun = self.answered = False

    def show(self) -> None:
        """The whole page."""
        with self.shown.stage:
            _follow(self)
        below.complain(self.shown, self.page.slug)
        links.finish()
        if self.ahead and self.answered:
            self._strip()

    def follow(self) -> None:
        """What follows the level; where it alone was moved, this is shown anew, and nothing else of the page."""
        alone, self.begun = self.begun, True
        if alone:
            self._move()
        self.left, self.places, self.answered = AT_ONCE, count(), True
        try:
            self._followed()
        except _LaterError as later:
            self.answered = False
            self._stage(self._before())
            self._wait(later)
        if alone:
            links.finish()

    def _move(self) -> None:
        """Take the level that the handle was moved to; whatever else has happened asks for the whole page."""
        level = links.moved_alone("epsilon")
        if level not in self.stops or self.look.lecture:  # the code on Q names the level
            st.rerun()
        links.settle()
        self.level = self.shown.level = levels.asked(self.shown, self.page.default_level)

    def _followed(self) -> None:
        """Stage, settings line and what is open below, at the present level."""
        present = self.scene(self.level, self._in_time)
        st.session_state["_scene"] = self.page.slug, replace(present, question=None)  # which may hold a table
        level = (sources.level(self.shown, self.level),) if self.follows else ()
        line = told_of(self.page, self.view, self.asked, self.own)
        self.shown.sheet = partial(sheets.made, self.shown, self.page, self.view, self.asked, self.own, self._in_time)
        self.shown.source = (sources.line(self.shown, line, present), *level)
        self._stage(present)
        if line is not None:
            with st.container(key="line"):
                said = self.catalogue.text(self.page.slug, line[0], self.shown.facts(line[1]))
                settings_line.show(self.shown.label("settings"), said)
        try:
            below.show(self.shown, self.page, present, partial(self.facts, self.level))
        except _LaterError as later:  # the tasks ask for more than the picture does
            self._wait(later)

    def _wait(self, later: _LaterError) -> None:
        """A bar and a button that stops, until the answer is there."""
        if not later.stopped:
            words = {name: self.shown.label(name) for name in ("working", "queued", "stop")}
            work.watch(**words, place=later.place)

    def _handle(self) -> stage.Handle:
        """The handle, by the page's own name for it."""
        named = self.page.level_name
        return levels.handle(self.shown, self.level, named(self.asked) if named else "epsilon")

    def _chosen(self) -> View:
        """The view that the reader or the link has chosen."""
        usual = {slug: view for slug, view in self.page.views.items() if view.only(self.asked)}
        titles = {slug: self.shown.title(slug) for slug in self.page.views}
        return usual[levels.view(self.shown, usual, titles)]

    def _in_time(self, question: Any) -> Any:
        """The answer on the spot, as long as all together take a second; else if it comes in time.

        What was stopped asks for less, where less can be asked.
        """
        seconds = costs.seconds(question)
        if seconds <= self.left:
            self.left -= seconds
            return cache.run(question, self.scope)
        place = f"stage-{next(self.places)}"
        outcome = work.ask(question, self.scope, place)
        if isinstance(outcome, work.Done):
            return outcome.answer
        if isinstance(outcome, work.Waiting):
            raise _LaterError(place)
        with self.shown.notice.container(horizontal=True, vertical_alignment="center"):
            st.caption(self.shown.label("stopped"))
            st.button(self.shown.label("go_on"), f"go_on_{place}", on_click=work.go_on, args=(place,), type="tertiary")
        less = question.fewer() if hasattr(question, "fewer") else question
        if fingerprint(less) == fingerprint(question):
            raise _LaterError(place, stopped=True)
        return self._in_time(less)

    def _at_once(self, question: Any) -> Any:
        """The answer on the spot, or none: no stop beside the present one is long work."""
        if costs.seconds(question) > AT_ONCE:
            raise _LaterError("")
        return cache.run(question, self.scope)

    def _before(self) -> Scene:
        """What the page showed before, without its words: they would be about something else."""
        kept: tuple[str, Scene] | None = st.session_state.get("_scene")
        if kept is not None and kept[0] == self.page.slug:
            return replace(kept[1], answer=self.shown.label("pending"), note="")
        return Scene(self.shown.label("pending"), "", "", {}, None, "", drawing="")

    def scene(self, level: float, answer: Answer) -> Scene:
        """The scene of the chosen view at a level."""
        return scene(self.page, self.view, self.asked, level, self.look, self.catalogue.language, answer, self.own)

    def facts(self, level: float) -> Facts:
        """What the texts below the stage may say."""
        known, _ = facts_at(self.page, self.asked, level, self._in_time, self.view)
        if self.view.brought is not None:
            return known
        extra = self.page.task(self.asked, level) if self.page.task else ()
        for result in results_of(extra, self._in_time):
            known = {**known, **self.page.facts(result)}
        return self.shown.facts(known)

    def _stage(self, present: Scene) -> None:
        """The stage with the scene at the present level."""
        fitting = [view for view in self.page.views.values() if view.only(self.asked)]
        first, more = ({v.slug: self.shown.title(v.slug) for v in fitting if v.first is row} for row in (True, False))
        stage.show(
            self.key,
            views=stage.Row(first, self.view.slug, more),
            labels=self.catalogue.labels("stage"),
            handle=self._handle() if self.follows else None,
            scene=present,
            token=self.token,
            direction=self.catalogue.direction,
            lecture=self.look.lecture,
            origin={"source": " · ".join(self.shown.source[:1]), "symbol": self.shown.label("level_symbol")},
            stem=f"ldp-explorer-{self.page.slug}-{self.view.slug}",
            takes=taking.offered(self.shown, present, self.level),
            heard=stage.Heard(
                levels.move,
                partial(levels.look_at, self.page.slug),
                taking.take,
                partial(levels.typed, self.shown),
            ),
        )

    def _strip(self) -> None:
        """The scenes at all other stops; sent once to each reader, computed once for all of them."""
        sent = st.session_state.get("_strip") == self.token
        stage.strip(self.key, self.token, {} if sent else cache.strip(self.token, self._scenes, self.scope))
        st.session_state["_strip"] = self.token

    def _encoded(self, level: float) -> str:
        """The scene at another stop, as it is sent."""
        scene = self.scene(level, self._at_once)
        return stage.encoded(scene, taking.offered(self.shown, scene, level))

    def _scenes(self) -> dict[int, str]:
        """Every stop's scene as it is sent, as many as a second makes; the browser asks for the others one by one."""
        began, scenes = thread_time(), {}
        with suppress(_LaterError):
            for place, level in enumerate(levels.stops(self.level)):
                scenes[place] = self._encoded(level)
                if thread_time() - began > AT_ONCE:
                    break
        return scenes


@st.fragment
def _follow(run: _Run) -> None:
    """What follows the level, as a part that Streamlit can run again by itself."""
    try:
        run.follow()
    except Exception as problem:  # see `Page.run`: inside a fragment Streamlit would tell it in its own way
        trouble.tell(run.page.slug, problem)
