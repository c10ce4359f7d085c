"""The anatomy of a page, the same every time: question, answer, controls beside one figure, views, and what follows.

A page is written against this (see `explorer.ui.controls` for the widgets and `explorer.ui.cache` for `cache.run`):

    page = frame.open_page("counting")            # first line; guards cold links, reads the link, shows the question
    with page.controls():                         # beside the figure, above it on a phone; may be entered again
        repeats = controls.number(page, "repeats", Repeats, default=1000, high=10**9)   # key "counting_repeats"
        with page.more():                         # rarely used controls
            neighbors = controls.choice(page, "neighbors", Neighbors)
        seed = controls.seed(page)                # "draw again"; also sets page.seed

    def shown() -> None:                          # what follows the level and the view: it alone runs again with them
        with page.controls():                     # now the place above the other controls
            epsilon = controls.level(page, default=0.1)            # key "epsilon"
        result = cache.run(CountingExperiment(...))
        page.answer(error=numbers.people(result.error))            # fills "## answer"; shown at the top
        page.said = {"error": numbers.people(result.error), ...}   # numbers that every text of the page may name
        page.views(one=..., ten=...)              # one function per view; only the chosen one is computed and shown:
                                                  #     page.show("one", figures.releases, result, more=...)
        page.why(b=numbers.people(result.b))      # fills "## why" (the body runs only when opened)
        page.tasks(error=numbers.people(result.error))             # fills "## task 1", "## task 1 reveal", ...
        page.take_away(experiment)                # always last: link, QR, CSV of the last figure, SVG/PNG, snippet

    page.follow(shown)

Text lives in `explorer/text/en/<slug>.md`: `# question`, `## name` (navigation), `## answer`, `## tab <key>` (a view's
label; their order in the file is the order on screen; none = one figure alone), `## why`,
`## task <i>` with `## task <i> reveal`, `## labels` (TOML), and any other key for `page.say(key, **values)` (writes a
paragraph where you are) or `page.text(key, **values)` (returns it unescaped, for alt texts and figure titles).
Placeholders are `@{name}`; values given to `answer`, `say`, `why`, `tasks` are escaped here: hand over plain text.
`page.labels` is the page's TOML on top of nothing; `page.label(name)` falls back to `labels.toml`.

Conventions a figure follows: a trace with `meta="pin"` can be pinned (the frame draws the ghost); `meta="decoration"`
keeps a trace out of the table and CSV; `page.look` says dark, lecture, and `truth` (False while people predict: leave
out every true value). Presets of a page are in `labels.toml` under `[[presets]]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from explorer.figures import plot, theme
from explorer.navigation import Entry, entries
from explorer.text import listing, page_text
from explorer.ui import chart, export, links, prose, rows, share, shell, tables
from explorer.ui.drawing import drawing
from ldpcore import __version__

BELOW = {"numbers": "table", "why": "function", "tasks": "lightbulb", "take_away": "ios_share"}  # with their icons


class Page:
    """One page while it is being built; made by `open_page`."""

    def __init__(self, entry: Entry) -> None:
        self.slug = entry.slug
        self.common = listing("labels")
        self.texts = page_text(self.slug)
        self.labels: Mapping[str, Any] = self.texts["labels"]
        self.seed: int | None = None
        self.said: dict[str, object] = {}
        self.experiment: Any = None  # what the chosen view asks, where that is not what the page asks
        self.look = shell.look()
        self._last: plot.Figure | None = None
        self._numbers: Callable[[], list[list[Any]]] | None = None
        self._pin: rows.Switch | None = None
        self._drawn = False
        self._more: Any = None
        self._settings: Any = None
        self._columns: tuple[Any, Any, Any, Any] | None = None
        self._following = False
        self._plotly = False
        self._below: str | None = None
        st.title(entry.question(), anchor=False)
        self._top = st.container(key="answer")

    def _places(self) -> tuple[Any, Any, Any, Any]:
        """The controls that the page follows, the other ones, the whole column with the fold below, and the figure."""
        if self._columns is None:
            left, right = st.columns([1, 2], gap="large")
            followed = left.container(key="controls")
            self._columns = followed, left.container(), left, right
        return self._columns

    def _stage(self) -> Any:
        """Where figure and views stand: beside the controls, or across a page that has none."""
        return st.container() if self._columns is None else self._columns[3]

    def label(self, name: str, default: str | None = None) -> str:
        """A short label: the page's own, else the project's."""
        found = self.labels.get(name)
        for section in ("parameters", "frame"):
            found = self.common[section].get(name) if found is None else found
        if found is None and default is None:
            raise KeyError(f"no label {name!r} on page {self.slug!r}")
        return str(default if found is None else found)

    def phrase(self, name: str, **values: object) -> str:
        """A part of a sentence from the labels, with its numbers put in: handed on as a value, and escaped there."""
        return prose.plain(self.label(name), self.said | values)

    def text(self, key: str, **values: object) -> str:
        """A text with its values, unescaped: for alt texts and for figures, which escape on their own."""
        return prose.plain(self.texts[key], self.said | values)

    @property
    def notice(self) -> Any:
        """The place between question and answer, for what must be said or seen at once."""
        return self._top

    def controls(self) -> Any:
        """The column of controls; enter it with `with`, as often as needed. Those that the page follows stand first."""
        return self._places()[0 if self._following else 1]

    def more(self) -> Any:
        """The fold for what is rarely used, inside the controls."""
        if self._following:  # a fragment may only write later where it wrote at first: into its own controls
            self._settings = self._settings or self._places()[0].expander(self.label("settings"))
            return self._settings
        if self._more is None:
            self._more = self._places()[2].expander(self.label("more"))
        return self._more

    def follow(self, body: Callable[[], None]) -> None:
        """Run what follows the level and the view, as a fragment: when they move, it alone runs and is sent again."""
        self._places()
        with self.more():
            st.markdown(self.common["deployments"])
        start, known = dict(vars(self)), dict(st.session_state["_known"])

        @st.fragment
        def again() -> None:
            vars(self).update(start | {"said": dict(start["said"]), "look": shell.look(), "_following": True})
            st.session_state["_known"] = dict(known)
            body()

        self._plotly = start["_plotly"] = True  # the first time it is asked for below, if there is a figure
        again()
        start["_plotly"] = self._last is not None
        if self._last is not None:
            chart.load()

    def secret(self, number: str) -> str:
        """A true number as it may be said: not while people predict."""
        return number if self.look.truth else str(self.common["app"]["hidden_number"])

    def secretly(self, values: Mapping[str, str], *names: str) -> dict[str, str]:
        """Values of which the named ones are true numbers."""
        return dict(values) | {name: self.secret(values[name]) for name in names}

    def answer(self, **values: object) -> None:
        """The answer in one sentence, at the top, however late it is known; hidden while people predict."""
        hidden = self.common["app"]["hidden_answer"]
        self._top.markdown(prose.fill(self.texts["answer"], self.said | values) if self.look.truth else hidden)

    def say(self, key: str, **values: object) -> None:
        """A paragraph where the page stands."""
        st.markdown(prose.fill(self.texts[key], self.said | values))

    def _view(self) -> str:
        """The view that is chosen from the row above the figure; the link carries its slug."""
        titles = {key.removeprefix("tab "): text for key, text in self.texts.items() if key.startswith("tab ")}
        slugs, key = list(titles), f"{self.slug}_tab"

        def known(text: str) -> str:
            if text in titles or text in titles.values():
                return next(slug for slug, title in titles.items() if text in (slug, title))
            raise links.UnusableError(prose.plain(self.common["link_rules"]["known"], {"options": ", ".join(titles)}))

        asked = links.wish(key, self.label("view"), slugs[0], known, titles.__getitem__)
        if asked is not None:
            st.session_state[key] = asked
        chosen = rows.row(self.label("view"), titles, key) or slugs[0]
        links.keep(key, chosen, slugs[0])
        return chosen

    def figure(self, figure: plot.Figure, *, alt: str, name: str = "figure") -> None:
        """One figure, its numbers one click away (see `numbers`), and its curve to be pinned."""
        pins = f"{self.slug}_{name}_pins"
        with self._stage():
            curves = theme.pinnable(figure)
            theme.ghost(figure, st.session_state.get(pins, ()), self.look)
            theme.set_margins(figure, self.look)
            if not self._plotly:
                chart.load()
            chart.show(figure, f"{self.slug}_{name}", alt)
        self._pin = self._pinning(pins, curves)
        self._last, self._numbers, self._drawn = figure, partial(theme.figure_table, figure), True

    def words(self, view: str, **values: object) -> dict[str, str]:
        """The texts of one view, from the table of its name in the page's labels, with the numbers put in."""
        return {name: prose.plain(text, self.said | values) for name, text in self.labels[view].items()}

    def views(self, **views: Callable[[], None]) -> None:
        """The views by key, of which one is chosen; only that one is computed and shown."""
        with self._stage():
            views[self._view()]()

    def show(self, view: str, draw: Callable[..., Any], *results: Any, case: str = "", **values: object) -> None:
        """One view whole: its paragraph, where the page has `## <view>` (or `## <view> <case>`), and its figure."""
        paragraph = f"{view} {case}".strip()
        if paragraph in self.texts:
            self.say(paragraph, **values)
        words = self.words(view, **values)
        self.figure(draw(*results, self.look, words), alt=words["alt"], name=view)

    def drawing(self, html: str, name: str = "drawing", rows: list[list[Any]] | None = None) -> None:
        """A drawing from `explorer.drawings`, which has escaped what it shows, and its numbers if it has some."""
        drawing(html, f"{self.slug}_{name}")
        self._drawn = True
        if rows is not None:
            self._numbers = lambda: rows

    def _pinning(self, pins: str, curves: list[dict[str, Any]]) -> rows.Switch | None:
        """Pin the present curve, or take the pinned one off; its ghost carries the level in its name."""
        pinned = bool(st.session_state.get(pins))

        def turn(on: bool) -> None:
            st.session_state[pins] = named if on else []

        epsilon = st.session_state.get("epsilon")
        suffix = "" if epsilon is None else f", {self.label('level_symbol')} = {epsilon:g}"
        template = self.label("pinned")
        named = [curve | {"name": prose.plain(template, {"name": curve["name"] + suffix})} for curve in curves]
        return rows.Switch(self.label("pin"), "keep", pinned, turn) if curves else None

    def _table(self, rows: list[list[Any]]) -> str:
        html = tables.table(rows, self.label("numbers_alt"))
        if len(rows) - 1 > tables.SHOWN:
            told = {"shown": tables.SHOWN, "rows": len(rows) - 1}
            html += f'<p class="ldp-quiet">{prose.plain(self.label("rows_shown"), told)}</p>'
        return html

    def _opened(self, key: str) -> bool:
        """Whether this is what is open below the figure: numbers, formula, tasks, or what can be taken along."""
        if self._below is None:
            written = {key.split()[0] for key in self.texts}
            exist = {"numbers": self._numbers is not None, "why": "why" in written, "tasks": "task" in written}
            offered = [name for name, icon in BELOW.items() if exist.get(name, True)]
            with self._stage():
                titles = {name: self.label(name) for name in offered}
                chosen = rows.row(self.label("below"), titles, f"{self.slug}_below", BELOW, self._pin)
            self._below = chosen or ""
            if chosen == "numbers" and self._numbers is not None:
                self._stage().html(self._table(self._numbers()))
        return self._below == key

    def why(self, case: str = "", **values: object) -> None:
        """The formula with the present numbers put in, every symbol defined, the reference (of `## why <case>`)."""
        if self._opened("why"):
            self._stage().markdown(prose.fill(self.texts[f"why {case}".strip()], self.said | values))

    def tasks(self, **values: object) -> None:
        """Predict first, then reveal; and presets that set the whole page."""
        if self._opened("tasks"):
            with self._stage():
                self._tasks(values)

    def _tasks(self, values: dict[str, object]) -> None:
        """The inside of the tasks."""
        for key in self.texts:
            if key.startswith("task ") and not key.endswith(" reveal"):
                st.markdown(prose.fill(self.texts[key], self.said | values))
                st.expander(self.label("reveal"), type="compact", key=f"{self.slug}_{key}").markdown(
                    prose.fill(self.texts[f"{key} reveal"], self.said | values)
                )
        shell.presets(self.slug)

    def take_away(self, experiment: Any = None, *, snippet: str | None = None) -> None:
        """The link and its QR code, the last figure as numbers and picture, the code; and the notice at the top."""
        self._close_link()
        if self._opened("take_away"):
            with self._stage():
                self._take(self.experiment or experiment, snippet)

    def _take(self, experiment: Any, snippet: str | None) -> None:
        """What can be taken along."""
        link = links.link(self.slug)
        version = prose.plain(
            self.label("version" if self.seed is None else "version_seed"), {"version": __version__, "seed": self.seed}
        )
        code = f'<div role="img" aria-label="{self.label("qr_alt")}" class="ldp-qr">{share.qr_svg(link)}</div>'
        drawing(code, f"{self.slug}_qr")
        st.caption(self.label("link"))
        st.code(link, language=None, wrap_lines=True)
        self._downloads(version, link)
        source = snippet or (share.snippet(experiment) if experiment is not None else "")
        if source:
            st.caption(self.label("code"))
            st.code(f"# {version}\n{source}", language=None, wrap_lines=True)

    def _downloads(self, version: str, link: str) -> None:
        """The figure's numbers, the figure itself, and the link to be copied."""
        stem = f"ldp-explorer-{__version__}-{self.slug}" + ("" if self.seed is None else f"-seed-{self.seed}")
        offered = ("copy", "svg", "png") if self._drawn else ("copy",)
        with st.container(horizontal=True):
            export.buttons(link, stem, {name: self.label(name) for name in (*offered, "copied")})
            if self._numbers is not None:
                rows = theme.to_csv(self._numbers(), f"{version}; {link}")
                st.download_button(
                    self.label("csv"), rows, f"{stem}.csv", "text/csv", f"{self.slug}_csv", on_click="ignore",
                    icon=":material/download:",
                )  # fmt: skip

    def _close_link(self) -> None:
        """Say in one place what the link asked for in vain; a page that shows no views now has none in its address."""
        view, _ = links.chosen_in_rows(self.slug)
        if view not in st.session_state["_known"]:
            st.session_state.pop(view, None)
        for key in list(st.session_state.get("_asked", {})):
            if key.startswith(f"{self.slug}_") and st.session_state["_asked"].pop(key):
                links.complain(prose.fill(self.label("unknown"), {"name": key}))
        if links.complaints():
            self._top.warning(" ".join(links.complaints()), icon=":material/link_off:")
        links.finish()


def open_page(slug: str) -> Page:
    """Open a page: the guard against cold links, the link's wishes, the question; nothing may come before it."""
    shell.guard()
    links.arrive(slug)
    entry = next(entry for entry in entries() if entry.slug == slug)
    return Page(entry)
