"""The planned table of counts: its columns, one by one or crossed, and the wish about all cells at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import streamlit as st

from explorer.declarations import OwnSetting
from explorer.pages.counting.settings import Counting
from explorer.pages.counting.widgets import cuts
from explorer.settings.cells import COLUMN_KINDS, LAYOUTS, MOST_TABLES, Cells, FirstColumns, TableCells
from explorer.settings.cuts import Cut
from explorer.ui import asking, cache, controls, unseen
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from ldpcore.experiments.counting.releases import AnswerWidth
from ldpcore.experiments.counting.tableplan import DRAWN_CELLS
from ldpcore.parameters import Confidence, Interval
from ldpcore.tables.table import displayed

MOST_PAGES = 10_000
Page = Annotated[int, Interval("page", 1, MOST_PAGES, (1, 10), integer=True)]


def cells(shown: Shown, asked: Counting) -> Cells:
    """The cells of the chosen columns, and the wish."""
    table = asked.question.table
    layout = controls.choice(shown, "layout", LAYOUTS)
    if layout == "each":
        columns = _several(shown, asked)
    else:
        columns = tuple(_one(shown, asked, place) for place in range(1 + (layout == "crossed")))
    width = controls.number(
        shown, "cell_width", AnswerWidth, default=Cells.width, low=1e-3, high=1e9, typical=(1, 1000)
    )
    confidence = controls.number(shown, "confidence", Confidence, default=Cells.confidence, low=0.5, high=0.99)
    with st.expander(shown.label("cuts")):
        cut = {name: cuts.cut(shown, table, name) for name in dict.fromkeys(columns)}
    made = tuple(cut[name] for name in columns) if any(each != Cut() for each in cut.values()) else ()
    question = TableCells.asked(table, columns, asked.question.query.where, layout == "crossed", made)
    counted: Cells = cache.run(question, "session" if table.own else "global")
    pages = -(-sum(map(len, counted.names)) // DRAWN_CELLS)
    page = _page(shown, pages)
    return replace(counted, width=width, confidence=confidence, page=page, counted=question)


def _page(shown: Shown, pages: int) -> int:
    """The drawn page; where there is but one, a link's request waits for the table that it was made about."""
    if pages > 1:
        return int(controls.number(shown, "page", Page, default=1, low=1, high=pages))
    unseen.number(shown, "page", Page, default=1, high=MOST_PAGES)
    return 1


def _one(shown: Shown, asked: Counting, place: int) -> str:
    """One column, or the one that it is crossed with."""
    table = asked.question.table
    usual = _usual(asked)
    name = ("rows", "crossed")[place]
    column = asking.column(shown, table, name, COLUMN_KINDS, usual[min(place, len(usual) - 1)] if usual else None)
    return column or table.columns[0]


def _several(shown: Shown, asked: Counting) -> tuple[str, ...]:
    """Several columns; their names travel in the link only where the table is a built-in one."""
    table, usual = asked.question.table, _usual(asked)
    named = dict(zip(usual, displayed([catalogue().headed(table.head(name)) for name in usual]), strict=True))
    if table.own:
        place = f"counting_tables_{table.digest[:8]}"
        picked = st.multiselect(
            shown.label("tables"),
            list(named),
            list(usual[:2]),
            format_func=named.__getitem__,
            key=place,
            max_selections=MOST_TABLES,
        )
        return tuple(picked) or usual[:2]
    return controls.several(shown, "tables", named, usual[:2], MOST_TABLES)


def _usual(asked: Counting) -> tuple[str, ...]:
    """The columns, with the likely ones of a plan first."""
    table = asked.question.table
    return cache.run(FirstColumns(table), "session" if table.own else "global") or table.columns


WHOLE = OwnSetting(cells, Counting.first_cells, given=False)
