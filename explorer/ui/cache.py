"""The only cache of computed results: bounded, keyed on the type and content of the question.

Streamlit hashes a nested dataclass without its class and large arrays by a sample; the fingerprint reads everything.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from explorer.host.turns import DEAR, turns
from explorer.ui.internals import bounded_cache
from explorer.ui.sessionkeys import PRIVATE
from ldpcore.fingerprints import fingerprint
from ldpcore.questions import Progress, Question, no_progress, seconds

STRIP = 1.0  # processor seconds of all stops of a view, at most
MOST_SCENES = 128  # a hundred kilobytes each, at most
Produced = TypeVar("Produced")
Scope = Literal["global", "session"]
_SCENES, _SCENES_LOCK = OrderedDict[str, Any](), threading.Lock()


@bounded_cache(512, "256MB")
def _shared(key: str, _question: Question[Any]) -> Any:
    return _question.run()


@bounded_cache(192, "128MB", scope="session")
def _private(key: str, _question: Question[Any]) -> Any:
    return _question.run()


def private(scope: Scope) -> bool:
    """Whether the answer is this reader's alone: while a page works on an upload all are, their size may tell."""
    return scope == "session" or PRIVATE.get()


def keep_private(private: bool) -> bool:
    """Note whether the page works on what the reader has brought or typed, so that nothing computed is shared."""
    return PRIVATE.keep(private)


def _keeper(scope: Scope) -> Any:
    return _private if private(scope) else _shared


class _NotKeptError(LookupError):
    """Nobody has asked this question yet."""


class _Nothing(Question[Any]):
    """Stands for a question that is only looked up."""

    def run(self, progress: Progress = no_progress) -> Any:
        raise _NotKeptError


@dataclass(frozen=True)
class Kept(Question[Any]):
    """An answer that is already there."""

    answer: Any

    def run(self, progress: Progress = no_progress) -> Any:
        return self.answer


def run(question: Question[Produced], scope: Scope = "global") -> Produced:
    """The answer of a question, computed once; `scope="session"` where it derives from an upload."""
    return _in_turn(fingerprint(question), question, seconds(question), scope)  # type: ignore[no-any-return]


def _in_turn(key: str, question: Question[Any], takes: float, scope: Scope) -> Any:
    """The answer: a kept one at once, a slow one in its turn."""
    if takes < DEAR:
        return _keeper(scope)(key, question)
    known = kept(key, scope)
    if known is not None:
        return known.answer
    with turns().turn(takes):
        return _keeper(scope)(key, question)


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
class _Made(Question[Produced]):
    """A finished text or strip, as it is sent to the browser."""

    make: Callable[[], Produced]

    def run(self, progress: Progress = no_progress) -> Produced:
        return self.make()


def strip(token: str, make: Callable[[], bytes], scope: Scope = "global") -> bytes:
    """The scenes of a view at all stops, packed as they are sent: computed once for all readers who see the same."""
    return _in_turn(token, _Made(make), STRIP, scope)  # type: ignore[no-any-return]


def scene(key: str, make: Callable[[], tuple[Produced, bool]], scope: Scope = "global") -> Produced:
    """A scene, which nobody changes: made once for all readers who see the same, where `make` says that it is whole."""
    if private(scope):
        return make()[0]
    with _SCENES_LOCK:
        if key in _SCENES:
            _SCENES.move_to_end(key)
            known: Produced = _SCENES[key]
            return known
    made, whole = make()
    if whole:
        with _SCENES_LOCK:
            _SCENES[key] = made
            while len(_SCENES) > MOST_SCENES:
                _SCENES.popitem(last=False)
    return made


def drawing(key: str, make: Callable[[], str], scope: Scope = "global") -> str:
    """The drawing of a figure: made once for all readers who arrive at the same one."""
    return _keeper(scope)(key, _Made(make))  # type: ignore[no-any-return]


def forget_scenes() -> None:
    """Drop every scene: what makes them has changed, as a test may do."""
    with _SCENES_LOCK:
        _SCENES.clear()


def forget() -> None:
    """Drop what this session alone has computed: everything that derives from an upload."""
    _private.clear()
