"""JSON that names its format and version, so that a client and a collector never misread each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ldpcore.library.refused import LibraryRefusal

VERSION = 1  # of every format; raised when what is written means something else
LONGEST = 1 << 26  # letters of a record


def written(form: str, body: Mapping[str, Any]) -> str:
    """A record of this format as text; equal bodies make equal texts."""
    return json.dumps({"format": form, "version": VERSION, **body}, allow_nan=False, ensure_ascii=False)


@dataclass(frozen=True)
class Record:
    """The contents of a record, asked for field by field."""

    what: str
    body: Mapping[str, Any]

    def refusal(self, field: str, wanted: str) -> LibraryRefusal:
        """The refusal of a field that is not as it must be."""
        return LibraryRefusal("json_field", what=self.what, field=field, wanted=wanted, got=self.body.get(field))

    def part(self, field: str) -> Record:
        """The record inside a field."""
        held = self.body.get(field)
        if not isinstance(held, dict):
            raise self.refusal(field, "an object")
        return Record(f"{field} of {self.what}", held)

    def text(self, field: str) -> str:
        """A field that is a text."""
        held = self.body.get(field)
        if not isinstance(held, str):
            raise self.refusal(field, "a text")
        return held

    def whole(self, field: str) -> int:
        """A field that is a whole number of at least 0."""
        held = self.body.get(field)
        if not isinstance(held, int) or isinstance(held, bool) or held < 0:
            raise self.refusal(field, "a whole number of at least 0")
        return held


def record_of(text: str, form: str, what: str) -> Record:
    """The record in a text; other formats, other versions and texts that are no JSON are refused."""
    if len(text) > LONGEST:
        raise LibraryRefusal("json_size", what=what, most=LONGEST, got=len(text))
    try:
        body = json.loads(text)
    except ValueError as broken:
        raise LibraryRefusal("json_unread", what=what, got=str(broken)) from None
    except RecursionError:
        raise LibraryRefusal("json_unread", what=what, got="lists in lists without end") from None
    if not isinstance(body, dict):
        raise LibraryRefusal("json_unread", what=f"{what}, an object,", got=type(body).__name__)
    if body.get("format") != form:
        raise LibraryRefusal("json_format", what=what, wanted=form, got=body.get("format"))
    if body.get("version") != VERSION:
        raise LibraryRefusal("json_version", what=what, wanted=VERSION, got=body.get("version"))
    return Record(what, body)
