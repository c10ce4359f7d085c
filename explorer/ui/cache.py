"""The only cache of computed results: bounded, keyed on the type and content of the question.

Streamlit hashes a nested dataclass without its class and large arrays by a sample; the fingerprint reads everything.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeVar

import streamlit as st

from ldpcore.fingerprints import fingerprint

Result = TypeVar("Result", covariant=True)


class Experiment(Protocol[Result]):
    """A frozen question with an answer."""

    def run(self) -> Result:
        """The answer; the same question always has the same one."""


@st.cache_data(max_entries=512, max_size="256MB", show_spinner=False)
def _shared(key: str, _experiment: Experiment[Any]) -> Any:
    return _experiment.run()


@st.cache_data(max_entries=64, max_size="128MB", show_spinner=False, scope="session")
def _private(key: str, _experiment: Experiment[Any]) -> Any:
    return _experiment.run()


def run(experiment: Experiment[Result], scope: Literal["global", "session"] = "global") -> Result:
    """The answer of an experiment, computed once; `scope="session"` where the question derives from an upload.

    While a page works on an upload nothing at all is shared: its size alone may tell something.
    """
    answer = _private if scope == "session" or st.session_state.get("_upload") else _shared
    return answer(fingerprint(experiment), experiment)  # type: ignore[no-any-return]


def forget() -> None:
    """Drop what this session alone has computed: everything that derives from an upload."""
    _private.clear()
