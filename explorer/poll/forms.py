"""The requests of a phone to a room, over HTTP or through a page of Streamlit: their exact fields and types."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.poll.denials import DenialError, Reason

LARGEST = 1024  # bytes of a request's fields
JOIN: Mapping[str, type] = MappingProxyType({"pin": str})
REPORT: Mapping[str, type] = MappingProxyType({"ticket": str, "round": int, "report": object})


def checked(fields: object, form: Mapping[str, type]) -> dict[str, object]:
    """The fields of a request; refused unless they are those of its form, each of its type."""
    if not isinstance(fields, dict) or set(fields) != set(form):
        raise DenialError(Reason.FIELDS)
    if not all(kind is object or type(fields[name]) is kind for name, kind in form.items()):
        raise DenialError(Reason.FIELDS)
    return fields


def joining(fields: object) -> str:
    """The PIN in the fields of a request to join."""
    return str(checked(fields, JOIN)["pin"])


def reporting(fields: object) -> tuple[str, int, object]:
    """The ticket, the round and the report in the fields of a request; a list stands for a set of answers."""
    held = checked(fields, REPORT)
    ticket, place, sent = held["ticket"], held["round"], held["report"]
    assert isinstance(ticket, str)  # `checked` has seen to both
    assert isinstance(place, int)
    return ticket, place, tuple(sent) if isinstance(sent, list) else None if isinstance(sent, (dict, str)) else sent
