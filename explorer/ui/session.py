"""The reader's own table and ledger: in this session's memory alone, and nowhere else.

Never on disk, never in a cache that others share, never in a link: a link says "with your own table of r × c" and no
more. `explorer.ui.uploads` brings one; `forget` leaves nothing behind.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

import streamlit as st

from explorer.facts import Count, Facts, Quantity
from explorer.host.shelf import Shelf
from explorer.ui import cache, links, work
from explorer.ui.language import catalogue
from explorer.ui.sessionkeys import (
    FORGOTTEN,
    MATRIX,
    NEW,
    OWN,
    RELEASES,
    SALT,
    SHEETS,
    SPENT,
    UNIT,
    UPLOADER,
    forget_with,
)
from ldpcore.experiments import generator
from ldpcore.fingerprints import fingerprint
from ldpcore.reading.readings import Reading
from ldpcore.tables.table import Table, TableError
from ldpcore.tables.units import ROWS_DRAW, Unit, bounded

if TYPE_CHECKING:
    from explorer.paper.releases import Left
    from explorer.paper.sheets import CollectedSheet
    from ldpcore.reading.dialects import Understood

_SLUG = re.compile(r"own(?:-(\d{1,12})x(\d{1,6}))?")  # without its size where the public read the link


@dataclass(frozen=True)
class OwnTable:
    """The table, the understanding of its file, the file, packed, so that the reading can be corrected, a complaint.

    `drawn` are its rows where a column names the person of each row, for the last two choices of the column.
    """

    table: Table
    understood: Understood
    packed: bytes
    tried: Reading
    problem: TableError | MemoryError | None = None
    drawn: tuple[Table, ...] = ()

    @property
    def raw(self) -> bytes:
        """The file as it was handed over."""
        return zlib.decompress(self.packed)

    @property
    def size(self) -> float:
        """The size of the table and its file in bytes."""
        held = (self.table, *self.drawn)
        return len(self.packed) + sum(float(table.frame.memory_usage(deep=True).sum()) for table in held)


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf[OwnTable]:
    """The tables of all readers of this server."""
    return Shelf()


def own() -> OwnTable | None:
    """The reader's own table, if any."""
    ticket = OWN.get()
    return None if ticket is None else shelf().take(ticket)


def lost() -> bool:
    """Whether the reader's table has been put away, which is yet to be told."""
    return OWN.get() is not None and own() is None


def slug() -> str | None:
    """The name of the reader's table in a link: its size alone."""
    mine = own()
    return None if mine is None else f"own-{mine.table.n}x{len(mine.table.columns)}"


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"own.{key}", facts=facts)


def title() -> str:
    """The reader's table among the datasets."""
    mine = own()
    assert mine is not None
    return _words("title", **_size(mine.table))


def _size(table: Table) -> Facts:
    return {"rows": Count(table.n), "columns": Count(len(table.columns))}


def judge_link() -> None:
    """Choose a table just brought, and judge a link to one, before a dataset is chosen.

    Only the owner of the table can follow such a link; others are told so, and what to do.
    """
    if lost():
        forget()
        links.complain(catalogue().markdown(None, "frame.put_away", {}))
    if NEW.take():
        links.ask_instead("data", None)
        links.put("data", slug())
    texts = links.asked_of("data")
    spoken = [match for text in texts if (match := _SLUG.fullmatch(text))]
    if not spoken:
        return
    size = tuple(int(re.sub(r"\D", "", group)) for group in spoken[0].groups() if group)
    mine = own()
    if mine is not None and size in ((), (mine.table.n, len(mine.table.columns))):
        links.ask_instead("data", slug())
        return
    links.ask_instead("data", None)
    FORGOTTEN.keep(True)  # said here: not once more
    links.complain(_missing(*size))


def _missing(*size: int) -> str:
    """The sentence that a link cannot carry somebody's table, with its size where the link says it."""
    facts = dict(zip(("rows", "columns"), map(Count, size), strict=False))
    return catalogue().markdown(None, "frame.own_table" if facts else "frame.owners_table", facts)


def keep(table: Table, understood: Understood, packed: bytes) -> None:
    """Keep a table in place of the last one; the next page that shows it works on it.

    Another reader's, who has been away for longest, may have to give way.
    """
    _drop_sheets("own")  # they are about the last one
    before = own()
    if before is None or before.packed != packed:
        UNIT.take()
        RELEASES.keep(SPENT.get().get(_named(packed), ()))
    correct(OwnTable(table, understood, packed, understood.reading))
    NEW.keep(True)


def correct(mine: OwnTable) -> None:
    """Correct the kept table's entry, as for a reading that failed or a doubt that is settled."""
    OWN.take()  # its room is needed
    OWN.keep(shelf().put(mine, mine.size))


def unit() -> tuple[bool, Unit | None]:
    """Whether the reader has said which column names persons, and that unit; none where every row is one person."""
    said, named = UNIT.get()
    mine = own()
    return said, named if mine is not None and named is not None and named.column in mine.table.columns else None


def protect(named: Unit | None) -> None:
    """Note the reader's unit, one person in the table, for every page that reads it."""
    UNIT.keep((True, named))


def by_person(named: Unit) -> Table:
    """The reader's table with a fixed number of rows of each person, drawn once."""
    mine = own()
    assert mine is not None
    for table in mine.drawn:
        if table.unit == named:
            return table
    drawn = bounded(mine.table, named, generator(1, ROWS_DRAW))
    correct(replace(mine, drawn=(*mine.drawn[-1:], drawn)))
    return drawn


def forget() -> None:
    """Forget the table, every question about it, and everything that was computed from it."""
    mine = own()
    if OWN.get() is not None:
        FORGOTTEN.keep(True)
    # The conditions that were typed, and whatever else is kept under the table's name.
    forget_with("" if mine is None else mine.table.digest[:8])
    st.session_state.pop("data", None)
    links.forget("data")
    fresh_uploader()
    _drop_sheets("own")
    work.forget()
    cache.forget()


def uploader() -> int:
    """The number of times the uploader of tables was made anew, so that it is empty and takes any file again."""
    return UPLOADER.get()


def fresh_uploader() -> None:
    """Make the uploader of tables anew."""
    UPLOADER.keep(UPLOADER.get() + 1)


def gone() -> None:
    """Note that the table which the browser remembers went with an earlier session: the page was loaded anew."""
    if not FORGOTTEN.take() and own() is None:
        links.complain(catalogue().markdown(None, "own.gone"))


def matrix() -> object:
    """The reader's matrix, typed or uploaded, as its page keeps it; None where there is none."""
    return MATRIX.get()


def keep_matrix(typed: object) -> None:
    """Keep the matrix after a change; None forgets it and its results."""
    if typed is None:
        MATRIX.take()
        _drop_sheets("typed")
        work.forget()
        cache.forget()
    else:
        MATRIX.keep(typed)


def sheets() -> tuple[CollectedSheet, ...]:
    """The sheets that the reader has collected to be printed, in their order."""
    return SHEETS.get()


def keep_sheets(collected: tuple[CollectedSheet, ...]) -> None:
    """Keep the collection after a change."""
    SHEETS.keep(collected)


def releases() -> tuple[Left, ...]:
    """The releases of the reader's table, in their order; one draw counts once."""
    return RELEASES.get()


def note_release(left: Left) -> None:
    """Add a release of the reader's table to the others, unless it is one of them.

    Its cost stays when the table is taken away, for its readers do not forget.
    """
    mine = own()
    if mine is not None and left.release.key not in {each.release.key for each in releases()}:
        RELEASES.keep((*releases(), left))
        name, spent = _named(mine.packed), SPENT.get()
        SPENT.keep({**spent, name: (*spent.get(name, ()), left.bare)})


def _named(packed: bytes) -> str:
    """The name of a file where nothing of it may stay: without the salt nobody can tell it, not even from the file."""
    return fingerprint((salt(), packed))


def salt() -> str:
    """The session's secret, from which follow all draws from an own table.

    It stays while tables come and go: a file brought again has its old releases.
    """
    return SALT.get() or SALT.keep(uuid4().hex)


def _drop_sheets(about: str) -> None:
    """Forget the sheets about somebody's own data, with the headings that were typed for them."""
    for each in [each for each in sheets() if each.about == about]:
        st.session_state.pop(f"sheet_{each.name}", None)
    keep_sheets(tuple(each for each in sheets() if each.about != about))


def came_back() -> bool:
    """Whether the browser had an earlier session, of a server that is gone: it has loaded all that it needs.

    Streamlit's front end then names that session beside the protocol and the token of its web socket.
    """
    return len(st.context.headers.get("Sec-WebSocket-Protocol", "").split(",")) > 2
