"""A census or a sample: whether intervals and plans are about the people asked or about everybody behind them.

One setting for all pages that estimate: it travels from page to page. A view begins with its own default until the
reader has chosen, for all of them.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.ui import links
from explorer.ui.caught import caught
from explorer.ui.shown import Shown
from ldpcore.parameters import Basis, declaration

CENSUS, SAMPLE = "census", "sample"
_KEY = "basis"


def asks_sample(shown: Shown, at_first: bool = False) -> bool:
    """Whether the people asked are a random sample of the population that is meant."""
    declared: Any = declaration(Basis)
    default = SAMPLE if at_first else CENSUS
    names = {option: str(shown.catalogue.labels(f"{_KEY}_options")[option]) for option in declared.options}

    def known(text: str) -> str:
        if text not in names:
            raise links.none_of(names.values())
        return text

    asked = links.requested(_KEY, shown.label(_KEY), default, known, names.__getitem__)
    if asked is not None:
        links.hold(_KEY, asked)
    current = links.held(_KEY, default)
    widget = f"{shown.slug}_{_KEY}_{default}"
    if st.session_state.get(widget, current) != current:  # chosen in another view
        links.put(widget, current)
    st.segmented_control(
        shown.label(_KEY),
        list(names),
        default=links.default(widget, None, current),
        required=True,
        format_func=names.__getitem__,
        key=widget,
        help=shown.label(f"{_KEY}_help"),
        width="stretch",
        on_change=_choose,
        args=(widget,),
    )
    links.record(_KEY, current, default)
    return bool(current == SAMPLE)


@caught
def _choose(widget: str) -> None:
    links.set_stage_value(_KEY, st.session_state[widget])
