"""The rows of rooms and the place where they are kept, known before any database is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SQLITE = "sqlite:///"


@dataclass(frozen=True)
class Joining:
    """One more phone in a room."""

    code: str


@dataclass(frozen=True)
class PaidReport:
    """A report of a round: the mark of the ticket that pays for it, and its addition to the sums."""

    code: str
    serial: int
    mark: bytes
    increments: tuple[tuple[int, int], ...]


PhoneRequest = Joining | PaidReport


@dataclass(frozen=True)
class Kept:
    """A room as it is kept: its row, its questions as they were written, its rounds, and each round's sums."""

    room: Mapping[str, Any]
    questions: tuple[str, ...]
    rounds: tuple[Mapping[str, Any], ...]
    totals: Mapping[int, tuple[int, ...]]


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder for data of this user's programs that should survive a restart."""
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ldp-explorer"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "ldp-explorer"


def address(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the database: the path or address in `LDP_EXPLORER_ROOMS`, else a file of this user's.

    Streamlit puts the root of its secrets into the environment, so that it may stand there as well.
    """
    asked = environment.get("LDP_EXPLORER_ROOMS", "").strip()
    if "://" in asked:
        return asked
    return f"{_SQLITE}{Path(asked) if asked else state_directory(environment) / 'rooms.sqlite'}"


def may_hold_rooms(where: str) -> bool:
    """Whether there may be rooms at an address: a file of SQLite that does not exist holds none."""
    return not where.startswith(_SQLITE) or Path(where.removeprefix(_SQLITE)).exists()
