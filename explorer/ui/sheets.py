"""Sheets to be handed on: one of the present view, or several that were collected on the way.

The collection lies in this session alone and in the file that the browser makes; no server keeps it, and sheets
about the reader's own table are forgotten with it. Printing and saving are done in the browser, so that no file of it
ever lies on the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import streamlit as st

from explorer.facts import Count, Name, Said
from explorer.paper.document import document
from explorer.paper.leaving import Audience, Viewed
from explorer.paper.releases import Left
from explorer.paper.sheets import MOST_SHEETS, CollectedSheet, Data, Origin, Sheet, sheet
from explorer.ui import internals, links, releases, scripts, session, share, sources
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import WANTED
from explorer.ui.shown import Shown
from ldpcore import __version__

LONGEST = 120  # letters of a heading
_PRINTER = internals.component(
    "ldp_printer",
    html='<button type="button" class="print"></button><button type="button" class="save"></button>'
    '<p role="status" hidden></p>\n',
    css=Path(__file__).with_suffix(".css").read_text("utf-8"),
    js=scripts.joined(Path(__file__).with_suffix(".js")),
)


def made(shown: Shown, viewed: Viewed[object], public: bool, heading: str) -> Sheet:
    """The sheet of a view.

    The noise of a public picture is never that of the numbers beside it: taken off, it would leave the truth.
    """
    page, view, asked = viewed.page, viewed.view, viewed.asked
    data = data_of(shown, viewed)
    if public and data.kind == "own":
        data = replace(data, ledger=releases.ledger(viewed))
    version, bare = sources.version(shown), sources.version(shown, seeded=False)
    question = view.question(asked, shown.level, viewed.own)
    mechanisms = tuple(sources.mechanisms(shown, question))
    origin = Origin(datetime.now(UTC).date(), version, bare, mechanisms, links.link(page.slug), share.qr_svg)
    return sheet(
        page,
        view,
        asked,
        shown.level,
        origin,
        language=shown.catalogue.language,
        public=public,
        hidden=not shown.look.truth,
        own=viewed.own,
        answer=viewed.answer,
        heading=heading,
        data=data,
    )


def data_of(shown: Shown, viewed: Viewed[object]) -> Data:
    """The owner of the data that the page works on."""
    mine = session.own()
    if mine is not None and (viewed.personal or links.known().get("data") == session.slug()):
        size = {"rows": Count(mine.table.n), "columns": Count(len(mine.table.columns))}
        return Data("own", Said.of("own.title", **size))
    return Data("brought" if viewed.view.brought is not None else "typed" if shown.private else "")


def show(shown: Shown, viewed: Viewed[object]) -> Audience:
    """Ask for audience and heading; print, save or collect; show the collection. Returns the audience of it all."""
    labels = shown.catalogue.labels("sheet", "sheet")
    make = partial(made, shown, viewed)
    st.caption(labels["title"])
    public = _public(shown, labels)
    heading = st.text_input(
        labels["heading"], key="sheet_heading", max_chars=LONGEST, help=labels["heading_help"], on_change=links.touch
    )
    present = make(public, heading.strip())
    released = releases.of(viewed) if shown.look.truth else None  # while people predict, sheets list nothing
    with st.container(horizontal=True, vertical_alignment="center"):
        _printer(shown, labels, (present,), "one", labels["print"], labels["save"], released if public else None)
        st.button(labels["add"], "sheet_add", on_click=_want, icon=":material/post_add:")
    if WANTED.take():
        _add(shown, make, heading.strip(), released)
    _mine(shown, labels, public)
    return Audience(public, data_of(shown, viewed).kind == "own", not shown.look.truth)


@caught
def _want() -> None:
    """Note that the present view is to be collected: an interrupted run forgets that a button was pressed."""
    links.touch()
    WANTED.keep(True)


def _public(shown: Shown, labels: Any) -> bool:
    """Whether everything taken along is for the public, as it is at first and while the truth is hidden."""
    options = ("public", "room") if shown.look.truth else ("public",)
    chosen = st.segmented_control(
        labels["audience"],
        options,
        default=options[0],
        required=True,
        format_func=labels.__getitem__,
        key=f"sheet_audience_{len(options)}",
        help=labels["audience_help"],
        on_change=links.touch,
    )
    if not shown.look.truth:
        st.caption(labels["hidden"])
    return chosen != "room"


def _printer(
    shown: Shown,
    labels: Any,
    sheets: tuple[Sheet, ...],
    name: str,
    printing: str,
    saving: str,
    left: Left | None = None,
) -> None:
    """The two buttons that the browser serves itself; a release `left` is noted when one of them was pressed."""
    data = {
        "html": document(sheets, shown.catalogue),
        "name": f"ldp-explorer-{__version__}-{name}.html",
        "print": printing,
        "save": saving,
        "blocked": labels["blocked"],
        "releases": left is not None,
    }

    @caught
    def note() -> None:
        if left is not None:
            releases.leaves(left)

    _PRINTER(data=data, key=f"printer_{name}", width="content", height="content", on_left_change=note)


def _add(shown: Shown, make: Callable[[bool, str], Sheet], heading: str, left: Left | None) -> None:
    """Collect the present view, for both audiences where the truth is not hidden."""
    collected = session.sheets()
    if len(collected) >= MOST_SHEETS:
        st.warning(shown.catalogue.label("sheet.full", "sheet", {"n": Count(MOST_SHEETS)}))
        return
    public, room = make(True, heading), make(False, heading) if shown.look.truth else None
    session.keep_sheets((*collected, CollectedSheet(uuid4().hex, public, room, public.about)))
    if left is not None:
        session.note_release(left)


def _mine(shown: Shown, labels: Any, public: bool) -> None:
    """The collection: headings, order, and all of it on paper."""
    if not session.sheets():
        return
    st.caption(labels["mine"])
    for place, each in enumerate(session.sheets()):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"sheet_row_{place}"):
            st.text_input(
                shown.catalogue.label("sheet.place", "sheet", {"n": Count(place + 1), "view": Name(each.public.view)}),
                each.public.heading,
                LONGEST,
                f"sheet_{each.name}",
                on_change=_name,
                args=(each.name,),
            )
            for action, icon in (("up", "arrow_upward"), ("remove", "close")):
                st.button(
                    "",
                    f"sheet_{action}_{each.name}",
                    labels[action],
                    on_click=_change,
                    args=(action, place),
                    icon=f":material/{icon}:",
                    type="tertiary",
                    disabled=action == "up" and place == 0,
                )
    chosen = tuple(each.of(public) for each in session.sheets())
    with st.container(horizontal=True, vertical_alignment="center"):
        _printer(shown, labels, chosen, "all", labels["print_all"], labels["save_all"])
        st.button(labels["clear"], "sheet_clear", on_click=_change, args=("clear", 0), icon=":material/delete:")


@caught
def _name(name: str) -> None:
    """Give a collected sheet another heading."""
    links.touch()
    heading = st.session_state[f"sheet_{name}"].strip()
    session.keep_sheets(tuple(each.named(heading) if each.name == name else each for each in session.sheets()))


@caught
def _change(action: str, place: int) -> None:
    """Move one sheet before another, or remove it; or remove all."""
    links.touch()
    kept = list(session.sheets())
    if action == "up":
        kept[place - 1 : place + 1] = reversed(kept[place - 1 : place + 1])
    else:
        kept = [each for at, each in enumerate(kept) if action == "remove" and at != place]
    session.keep_sheets(tuple(kept))
