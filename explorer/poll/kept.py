"""The rows of rooms and the place where they are kept, known before any database is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ldpcore.processes import temporary_folder

NAME = "ldp-explorer"  # of the folder for this user's rooms
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
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / NAME


def _usable(folder: Path) -> bool:
    """Whether this user may write into a folder, or make it; nothing is written to find out."""
    for there in (folder, *folder.parents):
        with suppress(PermissionError):  # of a home that is closed to this user, which its parent tells of
            if there.exists():
                return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    return False


def room_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder for the rooms of this user: its state directory or, for a user without one, a temporary folder."""
    folder = state_directory(environment)
    if not _usable(folder):
        with suppress(OSError):  # no temporary folder either: the first room says so
            return temporary_folder(NAME)
    return folder


def address(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the database: the path or address in `LDP_EXPLORER_ROOMS`, else a file of this user's.

    Streamlit puts the root of its secrets into the environment, so that it may stand there as well.
    """
    asked = environment.get("LDP_EXPLORER_ROOMS", "").strip()
    if "://" in asked:
        return asked
    return f"{_SQLITE}{Path(asked) if asked else room_directory(environment) / 'rooms.sqlite'}"


def may_hold_rooms(where: str) -> bool:
    """Whether there may be rooms at an address: a file of SQLite that does not exist holds none."""
    return not where.startswith(_SQLITE) or Path(where.removeprefix(_SQLITE)).exists()
