"""Files to be taken along: the numbers of a view for spreadsheets and programs, and its figure for a paper."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from explorer.facts import Day, Exact, Name
from explorer.figures import theme
from explorer.figures.theme import Look
from explorer.paper import numbers
from explorer.paper.leaving import Audience, leaving
from explorer.paper.plates import COLUMNS, About, as_pdf, panels, plate, unsettable
from explorer.paper.sheets import caption_of, numerals_of
from explorer.paper.tex import tex
from explorer.scenes import Scene
from explorer.settings.typed import plain_number
from explorer.ui import export, links, sources
from explorer.ui.shown import Shown
from explorer.ui.travel import offer

LONGEST = 40  # letters of a panel in a file's name
MOST_MISSING = 8  # letters that are named where no typeface has them
_ICON = ":material/download:"
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ε": "epsilon", "α": "alpha", "δ": "delta"})


def rows_of(shown: Shown, scene: Scene) -> list[list[object]]:
    """The numbers of the picture: its own table, or those in the figure; none of a drawing without any."""
    if scene.table is not None or scene.figure is None:
        return scene.table or []
    return theme.figure_table(scene.figure, _heads(shown))


def _heads(shown: Shown) -> Mapping[str, str]:
    return {name: shown.label(name) for name in theme.HEADS}


def tables_of(shown: Shown, scene: Scene) -> dict[str, list[list[object]]]:
    """The numbers by panel: named by its axes where there are several, one under no name otherwise."""
    parts = panels(scene.figure) if scene.figure is not None and scene.table is None else []
    if len(parts) < 2:
        rows = rows_of(shown, scene)
        return {"": rows} if rows[1:] else {}
    tables = [theme.figure_table(part, _heads(shown)) for part in parts]
    heads = [[str(title) for title in rows[0]] for rows in tables]
    counts = Counter(title for titles in heads for title in titles)
    named = enumerate(zip(heads, tables, strict=True), 1)
    return {f"{place}-{_slug(_telling(titles, counts))}": rows for place, (titles, rows) in named if rows[1:]}


def _telling(titles: Sequence[str], counts: Mapping[str, int]) -> str:
    """The head of a column that tells the panels apart; the last one where each repeats."""
    return next((title for title in titles if counts[title] == 1), titles[-1])


def _slug(text: str) -> str:
    """A text as a part of a file's name."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPELLED)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST].strip("-") or "panel"


def stem_of(shown: Shown, audience: Audience) -> str:
    """The name of a file: page, view, level, seed, and the room as its audience where it is."""
    viewed = shown.viewed
    parts = ["ldp-explorer", shown.slug, viewed.view.slug]
    if viewed.view.follows(viewed.asked, viewed.own):
        parts.append(f"level-{plain_number(shown.level)}")
    parts += [f"seed-{shown.seed}"] if shown.seed is not None and not audience.guarded else []
    return "-".join([*parts, *(["for-the-room"] if audience.warned else [])])


def source_of(shown: Shown, link: str, audience: Audience) -> tuple[str, str]:
    """Version with seed, and all other sources of the numbers.

    Of the reader's own table the public reads the version and the level alone.
    """
    version = sources.version(shown, seeded=not audience.guarded)
    settings = shown.source[0].removeprefix(f"{shown.label('room_alone')} · ").removeprefix(version).strip(" ·")
    parts = [] if audience.guarded else [settings]
    return version, " · ".join(part for part in (*parts, *shown.source[1:]) if part)


def show(shown: Shown, seen: Scene, link: str, audience: Audience) -> None:
    """The link to be copied, the numbers as files, and the figure for a paper."""
    tables = tables_of(shown, seen)
    with st.container(horizontal=True):
        export.copy_link(link, shown.label("copy"), shown.label("copied"))
        if tables:
            with st.popover(shown.label("files.numbers"), icon=":material/table:"):
                _numbers(shown, tables, link, audience)
        if seen.figure is not None or seen.drawing:
            with st.popover(shown.label("files.picture"), icon=":material/image:"):
                _picture(shown, link, audience)
        offer.show(shown, seen, stem_of(shown, audience), link, audience)
    if audience.guarded and not tables:
        st.caption(shown.label("left_off"))


def _source(shown: Shown, link: str, audience: Audience) -> numbers.NumbersSource:
    """The source of the numbers, as their files state it."""
    version, settings = source_of(shown, link, audience)
    day = shown.catalogue.write(Day(datetime.now(UTC).date()))
    said = {"made": version, "view": shown.title(shown.viewed.view.slug), "settings": settings, "day": day}
    lines = tuple((shown.label(f"files.{name}"), text) for name, text in {**said, "link": link}.items() if text)
    warning = shown.label("room_alone") if audience.warned else ""
    return numbers.NumbersSource(lines, warning, shown.label("files.audience"))


def _numbers(shown: Shown, tables: Mapping[str, list[list[object]]], link: str, audience: Audience) -> None:
    """A file for a spreadsheet, one for programs with one beside it, and columns where there are many rows."""
    source, stem = _source(shown, link, audience), stem_of(shown, audience)
    decimal = shown.catalogue.typed_decimal
    sheets = {name: numbers.spreadsheet(rows, source, decimal) for name, rows in tables.items()}
    _offer(shown, "csv", _filed(stem, sheets, "csv"), stem)
    plain = _filed(stem, {name: numbers.program(rows, source) for name, rows in tables.items()}, "csv")
    origin = {f"{stem}-origin.json": numbers.origin(source)}
    several = len(plain) > 1
    _offer(shown, "csv_programs", plain | (origin if several else {}), f"{stem}-data")
    if not several:
        _offer(shown, "origin", origin, stem)
    if sum(map(len, tables.values())) > numbers.LARGE:
        columns = {name: numbers.parquet(rows, source) for name, rows in tables.items()}
        _offer(shown, "parquet", _filed(stem, columns, "parquet"), f"{stem}-columns")
    st.caption(shown.label("files.numbers_help"))


def _filed(stem: str, contents: Mapping[str, str | bytes], ending: str) -> dict[str, str | bytes]:
    """Contents by the names of their files."""
    return {f"{stem}{'-' if name else ''}{name}.{ending}": content for name, content in contents.items()}


def _offer(shown: Shown, kind: str, files: Mapping[str, str | bytes], stem: str) -> None:
    """A button for one file, or for several in one archive."""
    name, content = next(iter(files.items()))
    if len(files) > 1:
        name, content = f"{stem}.zip", numbers.packed(files)
    _button(shown, kind, name, content)


def _button(shown: Shown, kind: str, name: str, content: str | bytes | Callable[[], bytes], off: bool = False) -> None:
    """A button for one file, which is made when it is pressed where it is a call."""
    st.download_button(
        shown.label(f"files.{kind}"),
        content,
        name,
        key=f"{shown.slug}_{kind}",
        on_click="ignore",
        icon=_ICON,
        disabled=off,
        width="stretch",
    )


def _picture(shown: Shown, link: str, audience: Audience) -> None:
    """The figure as wide as a column, as SVG and as PDF, with the caption of a paper below it."""
    column = st.segmented_control(
        shown.label("files.width"),
        list(COLUMNS),
        default="one",
        required=True,
        format_func=lambda name: shown.catalogue.label(f"files.{name}", facts={"width": Name(_width(shown, name))}),
        key="files_width",
        on_change=links.touch,
    )
    in_tex = st.checkbox(
        shown.label("files.tex"), key="files_tex", help=shown.label("files.tex_help"), on_change=links.touch
    )
    present = leaving(shown.viewed, Look(separators=shown.catalogue.separators), audience)
    picture = present.figure or present.drawing
    if not picture:
        return
    about, write = _about(shown, present, link, audience), numerals_of(shown.catalogue)
    stem = f"{stem_of(shown, audience)}-{str(column).replace('one', '85mm').replace('two', '175mm')}"
    svg = plate(picture, write, str(column), about)
    drawn = plate(picture, write, str(column), about, in_tex=True) if in_tex else svg
    _offer(shown, "svg", {f"{stem}.svg": drawn}, stem)
    missing = unsettable(svg)
    _button(shown, "pdf", f"{stem}.pdf", partial(as_pdf, svg, str(column), about), off=bool(missing))
    if missing:
        letters = Name(" ".join(missing[:MOST_MISSING]))
        st.caption(shown.catalogue.label("files.letters", facts={"letters": letters}))
    st.caption(shown.label("files.caption"))
    st.code(tex(about.caption) if in_tex else about.caption, language=None, wrap_lines=True)


def _width(shown: Shown, column: str) -> str:
    return shown.catalogue.write(Exact(COLUMNS[column]))


def _about(shown: Shown, present: Scene, link: str, audience: Audience) -> About:
    """The description inside the picture, beside its marks."""
    version, settings = source_of(shown, link, audience)
    warning = shown.label("room_alone") if audience.warned else ""
    shows = present.alt or shown.title(shown.viewed.view.slug)
    return About(caption_of(present, audience), shows, version, settings, link, warning)
