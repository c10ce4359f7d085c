"""The only cache of computed results: bounded, keyed on the type and content of the question.

Streamlit hashes a nested dataclass without its class and large arrays by a sample; the fingerprint reads everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

import streamlit as st

from explorer.turns import DEAR, turns
from ldpcore import costs
from ldpcore.experiments import Progress
from ldpcore.fingerprints import fingerprint

STRIP = 1.0  # processor seconds of all stops of a view, at most
Result = TypeVar("Result", covariant=True)
Scope = Literal["global", "session"]


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


def private(scope: Scope) -> bool:
    """Whether the answer is this reader's alone: while a page works on an upload all are, their size may tell."""
    return scope == "session" or bool(st.session_state.get("_upload"))


def _keeper(scope: Scope) -> Any:
    return _private if private(scope) else _shared


class LongExperiment(Protocol[Result]):
    """A frozen question that says how far it is, and may be abandoned whenever it does."""

    def run(self, progress: Progress | None = None) -> Result:
        """The answer; the same question always has the same one."""


class _NotKeptError(LookupError):
    """Nobody has asked this question yet."""


class _Nothing:
    """Stands for a question that is only looked up."""

    def run(self) -> Any:
        raise _NotKeptError


@dataclass(frozen=True)
class Kept:
    """An answer that is already there."""

    answer: Any

    def run(self) -> Any:
        return self.answer


def run(experiment: Experiment[Result], scope: Scope = "global") -> Result:
    """The answer of an experiment, computed once; `scope="session"` where the question derives from an upload."""
    seconds = costs.seconds(experiment) if hasattr(experiment, "cost") else costs.EACH * costs.carried(experiment)
    return _in_turn(fingerprint(experiment), experiment, seconds, scope)  # type: ignore[no-any-return]


def _in_turn(key: str, experiment: Experiment[Any], seconds: float, scope: Scope) -> Any:
    """What is kept already comes at once; what takes long waits for its turn."""
    if seconds < DEAR:
        return _keeper(scope)(key, experiment)
    known = kept(key, scope)
    if known is not None:
        return known.answer
    with turns().turn(seconds):
        return _keeper(scope)(key, experiment)


def kept(key: str, scope: Scope = "global") -> Kept | None:
    """The answer to the question with this fingerprint, if it has been kept."""
    try:
        return Kept(_keeper(scope)(key, _Nothing()))
    except _NotKeptError:
        return None


def keep(key: str, answer: Any, scope: Scope = "global") -> None:
    """Keep an answer that was found elsewhere; the page hands it over, for no foreign thread may."""
    _keeper(scope)(key, Kept(answer))


@dataclass(frozen=True)
class _Strip:
    """All stops of a view, as they are sent."""

    scenes: Callable[[], dict[int, str]]

    def run(self) -> dict[int, str]:
        return self.scenes()


def strip(token: str, scenes: Callable[[], dict[int, str]], scope: Scope = "global") -> dict[int, str]:
    """The scenes of a view at all stops, packed as they are sent: computed once for all readers who see the same."""
    return _in_turn(token, _Strip(scenes), STRIP, scope)  # type: ignore[no-any-return]


def forget() -> None:
    """Drop what this session alone has computed: everything that derives from an upload."""
    _private.clear()
