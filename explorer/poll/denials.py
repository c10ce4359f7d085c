"""The refusals of a room, as values: a key that the catalogue words, the status of the answer, and its facts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from explorer.facts import Facts, Quantity

_NOTHING: Facts = MappingProxyType({})


class Reason(Enum):
    """The reason of a refusal, and its status over HTTP."""

    UNKNOWN = "unknown", 404  # no such room, or it has been forgotten
    CLOSED = "closed", 409
    USED = "used", 409  # this ticket has bought its report of this round
    TICKET = "ticket", 403  # not one of this room's
    PIN = "pin", 403
    KEY = "key", 403  # not the presenter's
    CROWDED = "crowded", 429  # too many join at once
    FULL = "full", 429  # the room
    ROOMS = "rooms", 503  # the server
    REPORT = "report", 422  # the mechanism cannot make it
    FIELDS = "fields", 400
    LARGE = "large", 413
    METHOD = "method", 405
    STORAGE = "storage", 503
    NOTHING_ASKED = "nothing_asked", 409
    QUESTION_EMPTY = "question_empty", 422
    QUESTION_LONG = "question_long", 422
    ANSWERS_FEW = "answers_few", 422
    ANSWERS_MANY = "answers_many", 422
    ANSWER_LONG = "answer_long", 422
    ANSWERS_ALIKE = "answers_alike", 422
    PIN_LONG = "pin_long", 422
    LINK = "link", 422

    @property
    def key(self) -> str:
        """The reason's label in the catalogue."""
        return self.value[0]

    @property
    def status(self) -> int:
        """The reason's status over HTTP."""
        return self.value[1]


class DenialError(Exception):
    """A refusal of a room: the reason and the facts of its sentence."""

    def __init__(self, reason: Reason, **facts: Quantity) -> None:
        super().__init__(reason.key)
        self.reason = reason
        self.facts: Mapping[str, Quantity] = MappingProxyType(facts) if facts else _NOTHING
