"""The row below the stage, one part open at a time: numbers, formula, tasks, and the things to take along."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from explorer.declarations import PageDeclaration, PageSettings
from explorer.explained import has_why, is_told, task_keys, told_why, why_drawing, why_key
from explorer.facts import Count, Facts, Name
from explorer.paper.leaving import Audience, is_near, leaving, link_for
from explorer.scenes import Scene
from explorer.ui import links, releases, session, shell, sources, tables, trouble
from explorer.ui.drawing import drawing
from explorer.ui.shown import Shown
from ldpcore.costs import carried

_LONG = 2500  # characters of code, which fill a laptop's screen: more hold long data and are folded
_WRITTEN = 50_000  # numbers of a question that are written out as Python
ICONS = {"numbers": "table", "why": "function", "tasks": "lightbulb", "take_away": "ios_share"}


def show(shown: Shown, page: PageDeclaration[PageSettings], scene: Scene, facts: Callable[[], Facts]) -> None:
    """Show the row, and its open part."""
    catalogue, key = shown.catalogue, f"{page.slug}_below"
    exist = {
        "numbers": scene.figure is not None if scene.table is None else bool(scene.table),
        "why": has_why(page, catalogue),
        "tasks": bool(task_keys(page, catalogue, scene)) and not shown.brought,
    }
    offered = [name for name in ICONS if exist.get(name, True)]
    titles = {name: f":material/{ICONS[name]}: {shown.label(name)}" for name in offered}
    if st.session_state.get(key) not in offered:
        st.session_state.pop(key, None)
    chosen = st.segmented_control(
        shown.label("below"),
        offered,
        format_func=titles.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=links.touch,
    )
    parts = {"numbers": _numbers, "why": _why, "tasks": _tasks, "take_away": _take}
    if chosen is not None:
        with st.container(key="below"):
            parts[chosen](shown, page, scene, facts)


def _numbers(shown: Shown, page: PageDeclaration[PageSettings], scene: Scene, facts: Callable[[], Facts]) -> None:
    """The figure's numbers as a table."""
    from explorer.ui import files  # only when the row is opened, as below: no picture needs what is taken along

    rows = files.rows_of(shown, scene)
    st.html(tables.table(rows, shown.label("numbers_alt")))
    if len(rows) - 1 > tables.SHOWN:
        counts = {"shown": Count(tables.SHOWN), "rows": Count(len(rows) - 1)}
        st.caption(shown.catalogue.markdown(None, "frame.rows_shown", counts))


def _why(shown: Shown, page: PageDeclaration[PageSettings], scene: Scene, facts: Callable[[], Facts]) -> None:
    """The formula with the present numbers, every symbol defined, and the source; above it its drawing."""
    known, catalogue = facts(), shown.catalogue
    key = why_key(page, catalogue, scene, shown.brought)
    if drawn := why_drawing(page, catalogue, key, scene, known, shown.look):
        drawing(drawn, f"{page.slug}_why")
    told = told_why(key, known, scene)
    if is_told(page, catalogue, key, told):
        st.markdown(catalogue.markdown(page.slug, key, told))
    else:
        st.caption(catalogue.markdown(None, "app.hidden_answer"))


def _tasks(shown: Shown, page: PageDeclaration[PageSettings], scene: Scene, facts: Callable[[], Facts]) -> None:
    """Predict first, then reveal; and presets that set the whole page."""
    known, catalogue = facts(), shown.catalogue
    for key in task_keys(page, catalogue, scene):
        st.markdown(catalogue.markdown(page.slug, key, known))
        fold = st.expander(shown.label("reveal"), type="compact", key=f"{page.slug}_{key}")
        fold.markdown(catalogue.markdown(page.slug, f"{key} reveal", known))
    shell.presets(page.slug)


def _take(shown: Shown, page: PageDeclaration[PageSettings], scene: Scene, facts: Callable[[], Facts]) -> None:
    """A sheet to print, the link and its QR code, the numbers, and the code that makes exactly this view."""
    from explorer.ui import files, share, sheets

    audience = sheets.show(shown, shown.viewed)
    if audience.own and not audience.hidden:
        releases.show(shown, shown.viewed, audience.public)
    link = link_for(audience, links.link(page.slug), page.slug)
    drawing(
        f'<div role="img" aria-label="{shown.label("qr_alt")}" class="ldp-qr">{share.qr_svg(link)}</div>',
        f"{page.slug}_qr",
    )
    st.caption(shown.label("link"))
    st.code(link, language=None, wrap_lines=True)
    if is_near(link):
        st.caption(shown.label("near"))
    seen = taken_along(shown, scene, audience)
    files.show(shown, seen, link, audience)
    st.caption(shown.label("code"))
    _code(shown, seen, audience)


def taken_along(shown: Shown, present: Scene, audience: Audience) -> Scene:
    """The scene as the readers of the things taken along may have it."""
    if audience.guarded and shown.viewed.personal:
        return leaving(shown.viewed, shown.look, audience)
    return present


def _code(shown: Shown, scene: Scene, audience: Audience) -> None:
    """The code of the view; or the reason why there is none."""
    from explorer.ui import share

    questions = scene.question if isinstance(scene.question, tuple) else (scene.question,)
    mine = session.own()
    if not shown.look.truth:
        st.markdown(shown.label("hidden_code"))
    elif not shown.viewed.personal and sum(map(carried, questions)) > _WRITTEN:
        st.markdown(shown.label("code_long"))
    else:
        reading = mine.understood.reading if mine is not None else None
        version = sources.version(shown, seeded=not audience.guarded)
        taken = share.Taken(shown.viewed, version, reading, audience.public)
        try:
            text = share.code(taken, scene, shown.catalogue)
        except share.BroughtError:
            st.markdown(shown.label("code_own"))
        else:
            long = len(text) > _LONG
            place = st.expander(shown.label("code_fold"), type="compact") if long else st.container()
            place.code(text, language=None, wrap_lines=True)


def complain(shown: Shown, slug: str, elsewhere: Sequence[str] = ()) -> None:
    """Say in one place what failed and which parts of a link could not be used; some pages need no travelling ones."""
    for key in links.left_over(elsewhere):
        links.complain(shown.catalogue.markdown(None, "frame.unknown", {"name": Name(key)}))
    trouble.tell_caught(slug, shown.notice)
    if links.complaints():
        shown.notice.warning(" ".join(links.complaints()), icon=":material/link_off:")
