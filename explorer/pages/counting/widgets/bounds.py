"""The sum that shows sensitivity, and the upper bound that its values are cut at."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from explorer.declarations import OwnSetting
from explorer.navigation import entries
from explorer.pages.counting.bounds import ChosenBound
from explorer.pages.counting.settings import Counting
from explorer.settings.typed import plain_number
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.counting.bounding import UpperBound
from ldpcore.tables.examples import EXAMPLES, SumExample

# The control of the bound, by the example: each is in a unit of its own.
CONTROLS: Mapping[str, str] = MappingProxyType({"visits": "bound_visits", "cinema": "seats", "ages": "bound_years"})
OF_X = "bound_x"


def bound(shown: Shown, asked: Counting, first: ChosenBound) -> ChosenBound:
    """Choose an example and its upper bound; a link leads to the loss of an assumed bound."""
    example = controls.choice(shown, "example", tuple(EXAMPLES), default=first.example)
    records = EXAMPLES[example]
    name = CONTROLS.get(example, OF_X)
    upper = controls.number(shown, name, UpperBound, default=records.assumed, low=records.least, high=records.most)
    _verified(shown, records, float(upper))
    return ChosenBound(example, float(upper))


def _verified(shown: Shown, records: SumExample, upper: float) -> None:
    """The link to the page on which the mistake of an assumed bound is judged, with these numbers."""
    entry = next(entry for entry in entries() if entry.slug == "verify")
    asked = {"sensitivity": records.times * upper, "record": records.times * max(records.newcomer, upper)}
    wanted = {f"verify_assumed-sensitivity_{name}": plain_number(value) for name, value in asked.items()}
    st.page_link(
        entry.path,
        label=shown.label("assumed"),
        icon=f":material/{entry.icon}:",
        query_params={"verify_mechanism": "assumed-sensitivity", **wanted, "epsilon": plain_number(shown.level)},
    )


SUMS = OwnSetting(bound, ChosenBound())
