"""Rooms in a database: SQLAlchemy Core, on SQLite in a file or on PostgreSQL by its address (explorer/poll/tables.py).

Acknowledged reports have been committed, many phones in one transaction.
"""

from __future__ import annotations

import logging
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from explorer.poll.denials import DenialError, Reason
from explorer.poll.kept import NAME, Joining, Kept, PaidReport, PhoneRequest
from explorer.poll.tables import DATA, PARTS, QUESTIONS, ROOMS, ROUNDS, TALLIES, USED
from ldpcore.processes import is_private, temporary_folder

PATIENCE = 10  # seconds that a transaction waits for another process to finish its own
_PRAGMAS = ("PRAGMA journal_mode = WAL;", "PRAGMA synchronous = NORMAL;", "PRAGMA secure_delete = ON;")
_READ = "BEGIN;"
_WRITE = "BEGIN IMMEDIATE;"
_CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE);"
_VACUUM = ("VACUUM used;", "VACUUM tallies;")
_HERE = ROUNDS.c.code == bindparam("room"), ROUNDS.c.serial == bindparam("round")
_OPEN = select(ROUNDS.c.open).where(*_HERE).with_for_update()  # a presenter's closing waits, or is waited for
_COUNT = update(ROUNDS).where(*_HERE).values(answered=ROUNDS.c.answered + bindparam("more"))
_GROW = (
    update(TALLIES)
    .where(
        TALLIES.c.code == bindparam("room"),
        TALLIES.c.serial == bindparam("round"),
        TALLIES.c.place == bindparam("at"),
    )
    .values(total=TALLIES.c.total + bindparam("by"))
)
_HAD = select(USED.c.ticket).where(
    USED.c.code == bindparam("room"),
    USED.c.serial == bindparam("round"),
    USED.c.ticket.in_(bindparam("marks", expanding=True)),
)
_ENTER = (
    update(ROOMS)
    .where(ROOMS.c.code == bindparam("room"), ROOMS.c.joined <= bindparam("had"))
    .values(joined=ROOMS.c.joined + bindparam("more"))
)


def connected(where: str) -> Engine:
    """The engine of an address, which has connected to nothing yet."""
    url = make_url(where)
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True, pool_size=4, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepared(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions are begun below
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # What reads before it writes cannot become a writer beside another one: it is one from the start.
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql(_READ if reading else _WRITE)

    return engine


def _row(connection: Connection, code: str) -> Mapping[str, Any] | None:
    """The row of a room."""
    row = connection.execute(select(ROOMS).where(ROOMS.c.code == code)).mappings().one_or_none()
    return None if row is None else dict(row)


def _entered(connection: Connection, code: str, count: int, most: int) -> int:
    """The number of `count` phones that have come into a room: all, or as many as it still takes."""
    if connection.execute(_ENTER, {"room": code, "had": most - count, "more": count}).rowcount == 1:
        return count
    entered = 0
    while entered < count and connection.execute(_ENTER, {"room": code, "had": most - 1, "more": 1}).rowcount == 1:
        entered += 1
    return entered


def _counted(connection: Connection, code: str, serial: int, votes: Sequence[PaidReport]) -> list[Reason | None]:
    """Add reports to the sums of a round and mark their tickets as used, all of it or nothing; each refusal."""
    here = {"room": code, "round": serial}
    is_open = connection.execute(_OPEN, here).scalar()
    used = set(connection.execute(_HAD, here | {"marks": [vote.mark for vote in votes]}).scalars())
    said: list[Reason | None] = []
    fresh: list[PaidReport] = []
    for vote in votes:
        said.append(Reason.USED if vote.mark in used else None if is_open else Reason.CLOSED)
        if said[-1] is None:
            used.add(vote.mark)
            fresh.append(vote)
    if fresh:
        sums = Counter[int]()
        for place, by in (increment for vote in fresh for increment in vote.increments):
            sums[place] += by
        connection.execute(insert(USED), [{"code": code, "serial": serial, "ticket": vote.mark} for vote in fresh])
        connection.execute(_COUNT, here | {"more": len(fresh)})
        connection.execute(_GROW, [here | {"at": place, "by": by} for place, by in sorted(sums.items())])
    return said


class RoomStore:
    """All rooms of a database; every method is one transaction and may be called from any thread."""

    def __init__(self, where: str) -> None:
        try:
            self._engine = connected(where)
        except (ImportError, SQLAlchemyError) as problem:  # its driver is missing, or it is no address
            logging.getLogger(__name__).warning("The rooms have no database: %s", type(problem).__name__)
            raise DenialError(Reason.STORAGE) from problem
        weakref.finalize(self, self._engine.dispose)  # its connections are closed with it, at the latest at the end
        self._reader = self._engine.execution_options(reading=True)
        self._ready = False

    @property
    def begun(self) -> bool:
        """Whether there may be rooms at all: asked so that a server on which nobody opens one writes no file."""
        path = self._engine.url.database
        return self._ready or not self._lite or bool(path and Path(path).exists())

    @property
    def _lite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    def _prepare(self) -> None:
        """Make the tables where there are none; a file of SQLite is for its owner's eyes alone."""
        path = self._engine.url.database
        if self._lite and path and path != ":memory:":
            folder = Path(path).parent
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if folder.name.startswith(f"{NAME}-") and folder == temporary_folder(NAME) and not is_private(folder):
                raise PermissionError(f"{folder} must be this user's alone: others may write among temporary folders")
            Path(path).touch(mode=0o600)
        with self._engine.begin() as connection:
            if not self._lite:  # two servers that start at once would both make them
                connection.execute(text("SELECT pg_advisory_xact_lock(7245103)"))
            DATA.create_all(connection)
        self._ready = True

    @contextmanager
    def _transaction(self, reading: bool = False) -> Iterator[Connection]:
        """One transaction; a database that cannot be reached is reported."""
        try:
            if not self._ready:
                self._prepare()
            with (self._reader if reading else self._engine).begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except (OSError, SQLAlchemyError) as problem:
            raise DenialError(Reason.STORAGE) from problem

    def add(self, room: Mapping[str, object], most: int) -> bool:
        """Open a room, unless its code is taken (then False); none beyond `most` rooms."""
        try:
            with self._transaction() as connection:
                if connection.execute(select(func.count()).select_from(ROOMS)).scalar_one() >= most:
                    raise DenialError(Reason.ROOMS)
                connection.execute(insert(ROOMS).values(**room))
        except IntegrityError:
            return False
        return True

    def room(self, code: str) -> Mapping[str, object] | None:
        """The row of a room."""
        with self._transaction(reading=True) as connection:
            return _row(connection, code)

    def kept(self, code: str) -> Kept | None:
        """Everything of a room but the hashes of its tickets, at one moment."""
        with self._transaction(reading=True) as connection:
            room = _row(connection, code)
            if room is None:
                return None
            asked = select(QUESTIONS.c.asked).where(QUESTIONS.c.code == code).order_by(QUESTIONS.c.number)
            rounds = select(ROUNDS).where(ROUNDS.c.code == code).order_by(ROUNDS.c.serial)
            rows = select(TALLIES).where(TALLIES.c.code == code).order_by(TALLIES.c.serial, TALLIES.c.place)
            totals: dict[int, tuple[int, ...]] = {}
            questions = tuple(connection.execute(asked).scalars())
            listed = tuple(dict(row) for row in connection.execute(rounds).mappings())
            for row in connection.execute(rows):
                totals[row.serial] = (*totals.get(row.serial, ()), int(row.total))
        return Kept(room, questions, listed, totals)

    def versions(self, codes: Iterable[str]) -> dict[str, int]:
        """The number of each presenter's actions in these rooms; a room that is gone is left out."""
        with self._transaction(reading=True) as connection:
            rows = connection.execute(select(ROOMS.c.code, ROOMS.c.version).where(ROOMS.c.code.in_(list(codes))))
            return {row.code: row.version for row in rows}

    def ask(self, code: str, asked: str | None, places: int) -> None:
        """Begin a round: of a new question, or (None) one more of the last; an open one is closed."""
        with self._transaction() as connection:
            last = select(func.max(ROUNDS.c.serial)).where(ROUNDS.c.code == code)
            number = select(func.max(QUESTIONS.c.number)).where(QUESTIONS.c.code == code)
            self._touch(connection, code)  # first: it keeps others out until this is done
            connection.execute(update(ROUNDS).where(ROUNDS.c.code == code).values(open=False))
            self._settle(connection, code)
            connection.execute(delete(USED).where(USED.c.code == code))
            serial = (connection.execute(last).scalar() or 0) + 1
            which = connection.execute(number).scalar() or 0
            if asked is not None:
                which += 1
                connection.execute(insert(QUESTIONS).values(code=code, number=which, asked=asked))
            connection.execute(insert(ROUNDS).values(code=code, serial=serial, number=which, open=True, answered=0))
            sums = [{"code": code, "serial": serial, "place": place, "total": 0} for place in range(places)]
            connection.execute(insert(TALLIES), sums)
        self._clean()

    def turn(self, code: str, opened: bool) -> None:
        """Close the last round, or open it again."""
        with self._transaction() as connection:
            self._touch(connection, code)
            last = select(func.max(ROUNDS.c.serial)).where(ROUNDS.c.code == code).scalar_subquery()
            connection.execute(update(ROUNDS).where(ROUNDS.c.code == code, ROUNDS.c.serial == last).values(open=opened))
            self._settle(connection, code)
        self._clean()

    def point(self, code: str, screen: str) -> None:
        """Note the view on the presenter's screen."""
        with self._transaction() as connection:
            self._touch(connection, code)
            connection.execute(update(ROOMS).where(ROOMS.c.code == code).values(screen=screen))

    def write(self, wishes: Sequence[PhoneRequest], most: int) -> list[Reason | None]:
        """Let phones in and count reports, in one transaction; for each, in order, the refusal (None: it is done).

        A room has a limited number of tickets. Rooms come first and in order: no two servers wait for each other.
        """
        entries, votes = dict[str, list[int]](), dict[tuple[str, int], list[int]]()
        for place, wish in enumerate(wishes):
            if isinstance(wish, Joining):
                entries.setdefault(wish.code, []).append(place)
            else:
                votes.setdefault((wish.code, wish.serial), []).append(place)
        said: list[Reason | None] = [None] * len(wishes)
        with self._transaction() as connection:
            for code in sorted(entries):
                for place in entries[code][_entered(connection, code, len(entries[code]), most) :]:
                    said[place] = Reason.FULL
            for code, serial in sorted(votes):
                places = votes[code, serial]
                paid = [wish for place in places if isinstance(wish := wishes[place], PaidReport)]
                for place, reason in zip(places, _counted(connection, code, serial, paid), strict=True):
                    said[place] = reason
        return said

    def forget(self, code: str) -> None:
        """Delete a room with everything that is kept of it."""
        self._delete([code])

    def expire(self, before: int) -> None:
        """Delete all rooms that were opened before this time."""
        with self._transaction() as connection:
            codes = list(connection.execute(select(ROOMS.c.code).where(ROOMS.c.opened < before)).scalars())
        if codes:
            self._delete(codes)

    def _delete(self, codes: list[str]) -> None:
        with self._transaction() as connection:
            connection.execute(delete(ROOMS).where(ROOMS.c.code.in_(codes)))
            for table in PARTS:
                connection.execute(delete(table).where(table.c.code.in_(codes)))
        self._clean()

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    @staticmethod
    def _touch(connection: Connection, code: str) -> None:
        """Count a presenter's action; a room that is gone is refused."""
        if (
            connection.execute(update(ROOMS).where(ROOMS.c.code == code).values(version=ROOMS.c.version + 1)).rowcount
            != 1
        ):
            raise DenialError(Reason.UNKNOWN)

    def _settle(self, connection: Connection, code: str) -> None:
        """Write all rows of a room anew together: PostgreSQL notes with each row which transaction wrote it last."""
        if not self._lite:
            for table in (TALLIES, USED):
                connection.execute(update(table).where(table.c.code == code).values(code=code))

    def _clean(self) -> None:
        """Take former versions of rows off the disk, as far as nobody else is reading them."""
        try:
            if self._lite:
                connection = self._engine.raw_connection()
                connection.cursor().execute(_CHECKPOINT)
                connection.close()
                return
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connected_anew:
                for command in _VACUUM:
                    connected_anew.exec_driver_sql(command)
        except SQLAlchemyError:
            return  # another process is at work: the next time will do
