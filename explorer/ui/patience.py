"""Work that may take long: once it does, a bar shows how far it is, and a button stops it.

    result = patience.run(page, question, scope, fewer=replace(question, repeats=1))

Streamlit abandons a run at its next word to the screen, which is the bar's next move; whatever the reader touches does
it, for the bar also lets in what Streamlit would keep waiting, a touch that concerns a fragment alone. A question that
was stopped stays stopped in this session: `fewer` is asked in its place, until the reader goes on.
"""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from explorer.ui import cache
from explorer.ui.frame import Page
from ldpcore.fingerprints import fingerprint

Result = TypeVar("Result")
PATIENCE = 0.6  # seconds without a word
STEP = 0.2  # seconds between two moves of the bar: each lets the reader's touch through


def run(
    page: Page,
    experiment: cache.LongExperiment[Result],
    scope: cache.Scope = "global",
    fewer: cache.LongExperiment[Result] | None = None,
) -> Result:
    """The answer of an experiment, with a bar while it takes long; that of `fewer` once the reader has stopped it."""
    key, asked = fingerprint(experiment), experiment
    if fewer is not None and key in _stopped():
        _offer_to_go_on(page, key)
        asked = fewer
    bar = Bar(page, key)
    found = cache.run_long(asked, bar.move, scope)
    bar.close()
    return found


def _stopped() -> set[str]:
    """The questions that this reader has stopped."""
    return st.session_state.setdefault("_stopped", set())  # type: ignore[no-any-return]


def _offer_to_go_on(page: Page, key: str) -> None:
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.caption(page.label("stopped"))
        st.button(page.label("go_on"), f"go_on_{key[:8]}", on_click=_stopped().discard, args=(key,), type="tertiary")


def _give_way() -> None:
    """Let the reader's touch interrupt the run: a fragment's would wait for its end, and so would a press of "Stop"."""
    context = get_script_run_ctx()
    requests = None if context is None else context.script_requests
    if context is None or requests is None or requests._state is not ScriptRequestType.RERUN:
        return  # the state is private to Streamlit, which has no other way of asking whether anybody waits
    waiting, alone = requests._rerun_data, bool(context.fragment_ids_this_run)
    queue = waiting.fragment_id_queue if alone else []  # a run of the whole page is taken up as a whole
    requests.request_rerun(replace(waiting, fragment_id_queue=queue, is_fragment_scoped_rerun=alone))


class Bar:
    """A bar and a button that appear at the top of the page when work has taken `PATIENCE` seconds."""

    def __init__(self, page: Page, key: str) -> None:
        self.page, self.key = page, key
        self.next = monotonic() + PATIENCE
        self.place: Any = None
        self.bar: Any = None

    def move(self, share: float) -> None:
        """Show the share that is done, at most once a `STEP`."""
        if monotonic() < self.next:
            return
        if self.bar is None:
            self._appear()
        _give_way()
        self.bar.progress(min(max(share, 0.0), 1.0), self.page.label("working"))
        self.next = monotonic() + STEP

    def _appear(self) -> None:
        self.place = self.page.notice.empty()
        with self.place.container(horizontal=True, vertical_alignment="center"):
            self.bar = st.progress(0.0)
            st.button(
                self.page.label("stop"), f"stop_{self.key[:8]}", on_click=_stopped().add, args=(self.key,),
                icon=":material/stop_circle:",
            )  # fmt: skip

    def close(self) -> None:
        """Take the bar off."""
        if self.place is not None:
            self.place.empty()
