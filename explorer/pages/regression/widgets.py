"""The curve to be learned, the choice of its cells, and the settings of single views of that page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from explorer.facts import Count, Name, Number
from explorer.pages.regression.settings import (
    BESIDE,
    CURVE,
    FINEST,
    MODES,
    MOONS,
    PICTURES,
    Classes,
    ColumnPairs,
    LabeledColumns,
    Regression,
    labels_of,
)
from explorer.ui import asking, cache, controls
from explorer.ui.parts.bounds import public_bounds
from explorer.ui.shown import Shown
from ldpcore.estimating.regression import ReportSplit as Reports
from ldpcore.estimating.regression import Threshold, Tuning
from ldpcore.experiments.regression.plan import ErrorWish
from ldpcore.experiments.regression.report import CurvePlace, ResponseValue
from ldpcore.mechanisms.pairs import LevelShare, ResponseBound
from ldpcore.parameters import Choice, Users, declaration
from ldpcore.people.curves import CLASSES, LINES, SURFACES, ClassModel, CurveModel, PlacesDesign, Scatter
from ldpcore.people.partitions import Side
from ldpcore.tables.table import ColumnKind, Table, shortened

MOST_PEOPLE = 10**9
LABELED: tuple[ColumnKind, ...] = ("category", "truth", "number")


def settings(shown: Shown) -> Regression:
    """The settings of the page; an unusable one gets one sentence."""
    chosen = controls.choice(shown, "source", (*LINES, "column"))
    if chosen == "column" and (of_table := _of_table(shown)) is not None:
        start = of_table
    else:
        people = controls.number(shown, "n", Users, default=10**7, low=100, high=MOST_PEOPLE)
        start = Regression(CurveModel(chosen if chosen in LINES else LINES[0]), people)
    kind = controls.choice(shown, "kind", _options(Reports))
    mode = controls.choice(shown, "mode", MODES)
    own = _own(shown) if mode == "own" else start.own
    with shown.more():
        source = start.source
        if isinstance(source, CurveModel):
            design = controls.choice(shown, "design", _options(PlacesDesign))
            scatter = controls.choice(shown, "scatter", _options(Scatter), default="normal")
            source = replace(source, design=design, scatter=scatter)
    return replace(start, source=source, kind=kind, mode=mode, own=own, seed=controls.seed(shown))


def _options(annotated: Any) -> tuple[str, ...]:
    declared = declaration(annotated)
    assert isinstance(declared, Choice)
    return declared.options


def _own(shown: Shown) -> Tuning:
    """The four public numbers."""
    side = controls.number(shown, "side", Side, default=0.1, low=FINEST)
    threshold = controls.number(shown, "threshold", Threshold, default=0.3, low=0.01, high=3.0)
    with shown.more():
        bound = controls.number(shown, "bound", ResponseBound, default=1.2, low=0.1, high=10.0)
        part = controls.number(shown, "part", LevelShare, default=0.45, low=0.05, high=0.95)
    return Tuning(side, threshold, bound, part)


def _of_table(shown: Shown) -> Regression | None:
    """Two columns between public bounds; None, and a sentence, where there are none."""
    table = controls.dataset(shown)
    columns = table.of_kind("number")
    if len(columns) < 2:
        st.warning(shown.say("column absent"))
        return None
    x = asking.column(shown, table, "column_x", kinds=("number",), default=columns[0])
    bounds_x, old_x = public_bounds(shown, table, str(x), "_x")
    y = asking.column(shown, table, "column_y", kinds=("number",), default=columns[1])
    bounds_y, old_y = public_bounds(shown, table, str(y), "_y")
    read = ColumnPairs(table, (str(x), str(y)), (bounds_x, bounds_y))
    pairs = _asked(table, read)
    if pairs is None:
        st.warning(shown.say("column empty"))
        return None
    st.caption(shown.say("pairs", n=Count(pairs.n), missing=Count(pairs.missing)))
    return Regression(pairs, names=(table.head(str(x)), table.head(str(y))), old=old_x or old_y, read=read)


def _asked(table: Table, question: Any) -> Any:
    """The values in the columns of a table, kept with the session where the table is the reader's own."""
    scope: cache.Scope = "session" if table.own else "global"
    return cache.run(question, scope)


def point(shown: Shown, chosen: Regression, first: tuple[float, float]) -> tuple[float, float]:
    """One person's place, and their response."""
    x = controls.number(shown, "x", CurvePlace, default=first[0])
    return x, controls.number(shown, "y", ResponseValue, default=first[1], low=-1.0, high=1.0)


def beside(shown: Shown, chosen: Regression, first: str) -> str:
    """The curve beside the private steps."""
    return controls.choice(shown, "beside", BESIDE, default=first)


def function(shown: Shown, chosen: Regression, first: str) -> str:
    """The function whose cells are chosen: the page's curve, or a surface in its place."""
    return controls.choice(shown, "function", (CURVE, *SURFACES), default=first)


def classes(shown: Shown, chosen: Regression, first: Classes) -> Classes:
    """The classes, and the number of squares; the people of a table where it has two numbers and two labels."""
    shape = controls.choice(shown, "shape", (*CLASSES, "column"), default=MOONS.shape)
    if shape == "column":
        asked = _labeled(shown) or first
    else:
        asked = Classes(ClassModel(shape), picture=controls.choice(shown, "picture", PICTURES, default=first.picture))
    return replace(asked, along=_along(shown))


def _along(shown: Shown) -> int:
    """The number of squares along each axis; none where they are chosen for these people."""
    stops = {"0": shown.label("automatic")} | {str(along): str(along) for along in (2, 3, 4, 6, 8, 12, 16, 24, 32)}
    return int(controls.choice(shown, "along", stops))


def _labeled(shown: Shown) -> Classes | None:
    """Two columns of numbers and a column of two labels; None, and a sentence, where there are none."""
    table = controls.dataset(shown) if chosen_elsewhere(shown) else _table(shown)
    numbers = table.of_kind("number")
    options = [name for name in table.of_kind(*LABELED) if len(labels_of(table, name)) == 2]
    label = asking.column(shown, table, "label", kinds=LABELED, default=options[0] if options else None)
    free = [name for name in numbers if name != label]
    if label is None or len(free) < 2:
        st.warning(shown.say("labels absent"))
        return None
    names = labels_of(table, label)
    if len(names) != 2:
        st.warning(shown.say("labels three", column=Name(shortened(table.head(label))), labels=Number(len(names))))
        return None
    first, second = free[0], free[1]
    bounds = tuple(public_bounds(shown, table, name, f"_{axis}")[0] for axis, name in enumerate((first, second)))
    read = LabeledColumns(table, (first, second), bounds, label)
    pairs = _asked(table, read)
    if pairs is None:
        st.warning(shown.say("column empty"))
        return None
    return Classes(pairs, names=(table.head(first), table.head(second), *names), read=read)


def chosen_elsewhere(shown: Shown) -> bool:
    """Whether the table is not asked for by the page itself."""
    return st.session_state.get(f"{shown.slug}_source") != "column"


def _table(shown: Shown) -> Table:
    """The table that the page has asked for."""
    from explorer.ui import session
    from ldpcore.tables.table import BUILT_IN, built_in

    held = session.own()
    chosen = str(st.session_state.get("data", BUILT_IN[0]))
    return held.table if held is not None and chosen == session.slug() else built_in(chosen)


def wish(shown: Shown, chosen: Regression, first: float) -> float:
    """The typical error that one wants."""
    return float(controls.number(shown, "wish", ErrorWish, default=first, low=0.02, high=0.5))
