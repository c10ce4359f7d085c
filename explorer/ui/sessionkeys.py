"""Private keys of Streamlit's session state, which a reader's session keeps beside widgets: each declared once.

    TURN.keep(1)    # in explorer/ui/shell.py, which owns it
    turn = TURN.take()

A key belongs to one file, which alone imports it; everybody else asks that file's functions. Their names begin
with an underscore, as no widget's key does. The table in CONTRIBUTING.md says what is declared here, as a test holds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from explorer.ui.internals import current_run

if TYPE_CHECKING:
    from explorer.host.pool import Reader
    from explorer.host.shelf import Ticket
    from explorer.paper.releases import Left
    from explorer.paper.sheets import CollectedSheet
    from explorer.poll.denials import DenialError
    from explorer.poll.rooms import Presenter
    from explorer.scenes import Scene
    from explorer.ui.opening import OpenedView
    from explorer.ui.ranges import ControlOptions
    from explorer.ui.travel.process import TravelQuestion
    from explorer.ui.unread import Unread
    from ldpcore.accounting.lines import LedgerRow
    from ldpcore.reading.dialects import Understood
    from ldpcore.refusals import Refusal
    from ldpcore.tables.table import TableError
    from ldpcore.tables.units import Unit

T = TypeVar("T")


class Goes(StrEnum):
    """The event that ends a value."""

    RUN = "with the run that reads it"
    NEXT = "with the next run, which sets it anew"
    TABLE = "with the reader's table"
    NAMED = "with the table that its name holds, if it is the reader's"
    SESSION = "with the session"


@dataclass(frozen=True)
class Key(Generic[T]):
    """A private key of the session state: its name, its value before anybody has set it, its type, its owner.

    A name with a star stands for many; `of` says which.
    """

    name: str
    start: Callable[[], T]
    holds: str
    owner: str
    goes: Goes

    def of(self, part: str) -> Key[T]:
        """The key whose name has `part` in place of the star."""
        return replace(self, name=self.name.replace("*", part))

    def get(self) -> T:
        """The value, or the initial one before anybody has set it."""
        known = _known()
        try:  # asked for hundreds of times in a run, and Streamlit takes a fiftieth of a millisecond for each
            value: T = known[self.name] if self.name in known else known.setdefault(self.name, self._read())
        except KeyError:
            value = self.start()
        return value

    def keep(self, value: T) -> T:
        """Set the value, which is returned."""
        st.session_state[self.name] = _known()[self.name] = value
        return value

    def held(self) -> T:
        """The value, which the session holds from now on, so that it can be changed in place."""
        known = _known()
        if self.name not in known:
            known[self.name] = st.session_state.setdefault(self.name, self.start())
        value: T = known[self.name]
        return value

    def take(self) -> T:
        """The value, which is forgotten then."""
        _known().pop(self.name, None)
        value: T = st.session_state.pop(self.name) if self.name in st.session_state else self.start()
        return value

    def _read(self) -> T:
        value: T = st.session_state[self.name]
        return value


class _Here(threading.local):
    """The values that a run's thread has read and set of its session, which no other thread changes meanwhile."""

    run: object = None
    values: dict[str, Any]


_HERE = _Here()


def _known() -> dict[str, Any]:
    """The values by name that this run knows already; outside of one, none is remembered."""
    run = current_run()
    if run is None:
        return {}
    if _HERE.run is not run:
        _HERE.run, _HERE.values = run, {}
    return _HERE.values


def _none() -> None:
    """Nothing, as long as nobody has set it."""


UI, PAGES = "explorer/ui/", "explorer/pages/"
SHELL, SESSION, UPLOADS = f"{UI}shell.py", f"{UI}session.py", f"{UI}uploads.py"
PRESENTING, ASK = f"{UI}presenting.py", f"{PAGES}ask/widgets/"
GUESSES, MATRICES = f"{PAGES}verify/widgets/guesses.py", f"{PAGES}verify/widgets/matrices.py"
LEDGERS = f"{PAGES}budget/widgets.py"

# The link and the page
LINK: Key[Any] = Key("_link", _none, "the state of the link, one `LinkState`", f"{UI}linkstate.py", Goes.SESSION)
ENTERED = Key("_entered", bool, "that `app.py` runs this page, not Streamlit's old automatic mode", SHELL, Goes.RUN)
TURN: Key[tuple[str, dict[str, str]] | None] = Key(
    "_turn", _none, "the page that the reader is led to next, and what is asked of it", SHELL, Goes.RUN
)
BROUGHT = Key("_brought", bool, "whether the view is about data that the reader has brought", SHELL, Goes.NEXT)
FROM_BEHIND = Key(
    "_from_behind", bool, "that the presenter steps back to a page, to its last view", f"{UI}levels.py", Goes.RUN
)
ROW: Key[tuple[tuple[str, ...], str]] = Key(
    "_row",
    lambda: ((), ""),
    "the views that the presenter's keys pass; the chosen one",
    f"{UI}levels.py",
    Goes.NEXT,
)
STOPS: Key[tuple[float, ...]] = Key(
    "_stops",
    tuple,
    "levels off the grid that were linked, typed or taken",
    f"{UI}levels.py",
    Goes.SESSION,
)
SCENE: Key[tuple[tuple[str, bool], Scene] | None] = Key(
    "_scene", _none, "the page and the scene that were shown last, until the next is there", f"{UI}page.py", Goes.TABLE
)
SKETCHED: Key[bool] = Key("_sketched", bool, "that a figure was sent as a drawing too", f"{UI}page.py", Goes.SESSION)
UNSTAGED: Key[list[OpenedView] | None] = Key(
    "_unstaged", _none, "the views opened in a session without a screen", f"{UI}opening.py", Goes.SESSION
)
STRIP: Key[str | None] = Key("_strip", _none, "which strip the browser was sent last", f"{UI}page.py", Goes.SESSION)
ROOM: Key[dict[str, Any]] = Key(
    "_room",
    dict,
    "the room: lecture or not, truth hidden or not, the language, a way's step",
    f"{UI}lecture.py",
    Goes.SESSION,
)
RANGES: Key[dict[str, tuple[float, float]]] = Key(
    "_ranges", dict, "how far each control of a number reaches", f"{UI}ranges.py", Goes.SESSION
)
OPTIONS: Key[dict[str, ControlOptions]] = Key(
    "_options", dict, "the label and the options of each control", f"{UI}ranges.py", Goes.SESSION
)
TRAVEL_WANTED: Key[TravelQuestion | None] = Key(
    "_travel_wanted", _none, "the file that is made to travel", f"{UI}travel/offer.py", Goes.SESSION
)
RAISED = Key("_raised", bool, "that a callback has failed and no page has said so yet", f"{UI}caught.py", Goes.RUN)

# Work and what comes of it
READER: Key[Reader | None] = Key("_reader", _none, "whose jobs the pool works on", f"{UI}work.py", Goes.SESSION)
STOPPED: Key[dict[str, Any]] = Key(
    "_stopped_work", dict, "which question the reader has stopped, by place", f"{UI}work.py", Goes.SESSION
)
PRIVATE = Key("_upload", bool, "whether the page works on what is the reader's own", f"{UI}cache.py", Goes.SESSION)

# The reader's own table, and what is asked of tables
OWN: Key[Ticket | None] = Key("_own_table", _none, "the ticket of the reader's table on the shelf", SESSION, Goes.TABLE)
NEW = Key("_own_is_new", bool, "that a table was just brought, which the page is to turn to", SESSION, Goes.RUN)
FORGOTTEN = Key("_own_forgotten", bool, "that the page has said already that the table is gone", SESSION, Goes.RUN)
UPLOADER = Key("_own_files", int, "how often the uploader was made anew, so that it is empty", SESSION, Goes.SESSION)
UNIT: Key[tuple[bool, Unit | None]] = Key(
    "_own_unit", lambda: (False, None), "who is one person in the table, and whether that was said", SESSION, Goes.TABLE
)
REFUSED: Key[tuple[str, Unread | None]] = Key(
    "_own_refused", lambda: ("", None), "the file that could not be read, and why", UPLOADS, Goes.TABLE
)
GAVE_WAY: Key[int | None] = Key(
    "_own_gave_way", _none, "which uploader's file gave way before it was read", UPLOADS, Goes.SESSION
)
LETTER_BOX: Key[object] = Key(
    "_letter_box", _none, "the box of files that were sent and not read", f"{UI}mail.py", Goes.SESSION
)
SETTLED: Key[tuple[str, Understood | None]] = Key(
    "_own_header", lambda: ("", None), "what the reader has said of doubts about a file", f"{UI}doubts.py", Goes.TABLE
)
QUESTION: Key[object] = Key("_question_*", _none, "the question built about a table", f"{UI}asking.py", Goes.NAMED)
CONDITIONS: Key[dict[int, Any]] = Key(
    "_*_rows", dict, "the conditions of such a question, as they stand", f"{UI}asking.py", Goes.NAMED
)
BOUNDS: Key[tuple[float, float] | None] = Key(
    "_*_bounds", _none, "the last usable bounds of a column", f"{UI}parts/bounds.py", Goes.NAMED
)
SHEETS: Key[tuple[CollectedSheet, ...]] = Key("_sheets", tuple, "the sheets that were collected", SESSION, Goes.SESSION)
SALT = Key("_sheet_salt", str, "what everything about an own table is drawn from", SESSION, Goes.SESSION)
SPENT: Key[dict[str, tuple[Left, ...]]] = Key(
    "_spent",
    dict,
    "what was released of each table, by a salted digest and without a word of it",
    SESSION,
    Goes.SESSION,
)
RELEASES: Key[tuple[Left, ...]] = Key(
    "_releases", tuple, "what was released of the reader's table", SESSION, Goes.TABLE
)
WANTED = Key("_sheet_wanted", bool, "that the present view is to be collected", f"{UI}sheets.py", Goes.RUN)
MATRIX: Key[object] = Key(
    "_own_matrix", _none, "the matrix that the reader has typed or brought", SESSION, Goes.SESSION
)

# The room that is presented
PRESENTER: Key[Presenter | None] = Key(
    "_presenter", _none, "the code and the key of the room that is presented", PRESENTING, Goes.SESSION
)
DROPPED = Key("_presenter_dropped", bool, "that this window forgets the key as well", PRESENTING, Goes.SESSION)
POINTED: Key[str | None] = Key(
    "_pointed", _none, "which view the phones of the room were told last", PRESENTING, Goes.SESSION
)
ROOM_REFUSED: Key[DenialError | None] = Key(
    "_room_refused", _none, "why a room refused what its presenter did", PRESENTING, Goes.RUN
)
REACHED: Key[bool | None] = Key(
    "_room_reached", _none, "whether phones reach a room by an address of its own", PRESENTING, Goes.SESSION
)
PHONE_ANSWER: Key[dict[str, Any] | None] = Key(
    "_phone_answer", _none, "what a phone inside this session is answered", f"{UI}phone.py", Goes.RUN
)
OPENING = Key("_ask_opening", bool, "that the question is to be opened as it stands", f"{ASK}draft.py", Goes.RUN)
NEXT_QUESTION = Key("_ask_next", bool, "that the next question of a room is written", f"{ASK}live.py", Goes.SESSION)

# What single pages keep
ROWS_TEXT: Key[str | None] = Key(
    "_own_rows_text", _none, "the lines of a budget as they were typed", LEDGERS, Goes.SESSION
)
LEDGER_ROWS: Key[tuple[str, tuple[LedgerRow, ...]] | None] = Key(
    "_own_rows", _none, "the last usable lines of a budget", LEDGERS, Goes.SESSION
)
ROWS_FILES = Key("_rows_files", int, "how often the ledger's uploader was made anew", LEDGERS, Goes.SESSION)
ROWS_REFUSED: Key[Refusal | None] = Key("_rows_refused", _none, "why a ledger's file was refused", LEDGERS, Goes.RUN)
ROWS_WAITING: Key[tuple[str, bytes] | None] = Key(
    "_rows_waiting", _none, "a file that is opened for its ledger", LEDGERS, Goes.SESSION
)
REPORTS: Key[Any] = Key(
    "_reports", _none, "the last usable counts of reports", f"{PAGES}frequencies/widgets/ownreports.py", Goes.SESSION
)
ANSWERS: Key[Any] = Key(
    "_answers_*", _none, "the last usable counts of answers", f"{PAGES}response/widgets/answers.py", Goes.SESSION
)
BARS: Key[tuple[tuple[float, ...], tuple[float, ...]] | None] = Key(
    "_bars", _none, "the last usable heights of two worlds", f"{UI}parts/drawnworlds.py", Goes.SESSION
)
PHI: Key[tuple[float, ...] | None] = Key(
    "_phi", _none, "the last usable values of a function", f"{PAGES}exercises/widgets/bit.py", Goes.SESSION
)
AUDITED: Key[tuple[tuple[int, ...], tuple[int, ...]] | None] = Key(
    "_audited", _none, "the last usable counts of an own audit", f"{PAGES}verify/widgets/owncounts.py", Goes.SESSION
)
GUESSED: Key[dict[tuple[int, int], dict[int, bool | None]]] = Key(
    "_guesses", dict, "what was guessed in each gallery, by exhibit", GUESSES, Goes.SESSION
)
REVEALED: Key[set[tuple[int, int]]] = Key(
    "_revealed", set, "the galleries whose truth was shown", GUESSES, Goes.SESSION
)
MATRIX_UPLOADER = Key("_matrix_files", int, "how often the matrix's uploader was made anew", MATRICES, Goes.SESSION)
MATRIX_GAVE_WAY = Key("_matrix_gave_way", bool, "that a file gave way before it was read", MATRICES, Goes.RUN)
MATRIX_REFUSED: Key[TableError | None] = Key("_matrix_refused", _none, "why a file was refused", MATRICES, Goes.RUN)
MATRIX_WAITING: Key[tuple[str, bytes] | None] = Key(
    "_matrix_waiting", _none, "a file that is opened for its matrix", MATRICES, Goes.SESSION
)
DIVIDED: Key[set[str]] = Key("_divided", set, "matrices whose rows are divided by their sums", MATRICES, Goes.SESSION)


def declared() -> tuple[Key[Any], ...]:
    """All private keys, in the order of their declaration."""
    return tuple(value for value in globals().values() if isinstance(value, Key))


def forget_with(table: str) -> None:
    """Forget the keys that end with the reader's table, and those whose names begin with its digest `table`."""
    gone = {key.name for key in declared() if key.goes is Goes.TABLE}
    for name in [name for name in st.session_state if isinstance(name, str)]:
        if name in gone or (table and table in name):
            del st.session_state[name]
            _known().pop(name, None)
