"""What is kept of rooms, and nothing else: SQLAlchemy Core, on SQLite in a file or on PostgreSQL by its address.

A round has sums; which tickets it has been paid with stands in a table of hashes that no report can be joined to: it is
ordered by the hashes, has no times, and is emptied when the room goes on. What is acknowledged has been committed.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
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

PATIENCE = 10  # seconds that a transaction waits for another process to finish its own
_PRAGMAS = ("PRAGMA journal_mode = WAL;", "PRAGMA synchronous = NORMAL;", "PRAGMA secure_delete = ON;")
_READ = "BEGIN;"
_WRITE = "BEGIN IMMEDIATE;"
_CHECKPOINT = "PRAGMA wal_checkpoint(TRUNCATE);"
_VACUUM = ("VACUUM used;", "VACUUM tallies;")
_DATA = MetaData()
ROOMS = Table(
    "rooms",
    _DATA,
    Column("code", String(12), primary_key=True),
    Column("key", LargeBinary, nullable=False),  # the hash of the presenter's
    Column("secret", LargeBinary, nullable=False),  # what the room signs its tickets with
    Column("pin", String(12), nullable=False),
    Column("opened", BigInteger, nullable=False),  # seconds since 1970, the only time that is kept
    Column("version", Integer, nullable=False),  # what the presenter has done, counted
    Column("joined", Integer, nullable=False),
    Column("screen", String(2000), nullable=False),  # the view that is on the presenter's screen
    sqlite_with_rowid=False,
)
QUESTIONS = Table(
    "questions",
    _DATA,
    Column("code", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("asked", String, nullable=False),
    sqlite_with_rowid=False,
)
ROUNDS = Table(
    "rounds",
    _DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),  # of its question
    Column("open", Boolean, nullable=False),
    Column("answered", Integer, nullable=False),
    sqlite_with_rowid=False,
)
TALLIES = Table(
    "tallies",
    _DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("total", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
USED = Table(
    "used",
    _DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("ticket", LargeBinary, primary_key=True),
    sqlite_with_rowid=False,
)
_PARTS = (USED, TALLIES, ROUNDS, QUESTIONS)  # of a room
_COUNT = (
    update(ROUNDS)
    .where(ROUNDS.c.code == bindparam("room"), ROUNDS.c.serial == bindparam("round"), ROUNDS.c.open)
    .values(answered=ROUNDS.c.answered + 1)
)
_GROW = (
    update(TALLIES)
    .where(
        TALLIES.c.code == bindparam("room"),
        TALLIES.c.serial == bindparam("round"),
        TALLIES.c.place == bindparam("at"),
    )
    .values(total=TALLIES.c.total + bindparam("by"))
)


@dataclass(frozen=True)
class Kept:
    """A room as it is kept: its row, its questions as they were written, its rounds, and each round's sums."""

    room: Mapping[str, Any]
    questions: tuple[str, ...]
    rounds: tuple[Mapping[str, Any], ...]
    totals: Mapping[int, tuple[int, ...]]


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where programs of this user keep what should survive a restart."""
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ldp-explorer"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "ldp-explorer"


def address(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the database: what `LDP_EXPLORER_ROOMS` names, a path or an address, else a file of this user's.

    Streamlit puts the root of its secrets into the environment, so that it may stand there as well.
    """
    asked = environment.get("LDP_EXPLORER_ROOMS", "").strip()
    if "://" in asked:
        return asked
    return f"sqlite:///{Path(asked) if asked else state_directory(environment) / 'rooms.sqlite'}"


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


class Store:
    """All rooms of a database; every method is one transaction and may be called from any thread."""

    def __init__(self, where: str) -> None:
        try:
            self._engine = connected(where)
        except (ImportError, SQLAlchemyError) as problem:  # its driver is missing, or it is no address
            logging.getLogger(__name__).warning("The rooms have no database: %s", type(problem).__name__)
            raise DenialError(Reason.STORAGE) from problem
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
            Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            Path(path).touch(mode=0o600)
        with self._engine.begin() as connection:
            if not self._lite:  # two servers that start at once would both make them
                connection.execute(text("SELECT pg_advisory_xact_lock(7245103)"))
            _DATA.create_all(connection)
        self._ready = True

    @contextmanager
    def _transaction(self, reading: bool = False) -> Iterator[Connection]:
        """One transaction; a database that cannot be reached is said so."""
        try:
            if not self._ready:
                self._prepare()
            with (self._reader if reading else self._engine).begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except (OSError, SQLAlchemyError) as problem:
            raise DenialError(Reason.STORAGE) from problem

    def add(self, room: Mapping[str, Any], most: int) -> bool:
        """Open a room, unless its code is taken (then False); where there are so many already, none more."""
        try:
            with self._transaction() as connection:
                if connection.execute(select(func.count()).select_from(ROOMS)).scalar_one() >= most:
                    raise DenialError(Reason.ROOMS)
                connection.execute(insert(ROOMS).values(**room))
        except IntegrityError:
            return False
        return True

    def room(self, code: str) -> Mapping[str, Any] | None:
        """The row of a room."""
        with self._transaction(reading=True) as connection:
            return _row(connection, code)

    def kept(self, code: str) -> Kept | None:
        """Everything of a room but the hashes of its tickets, as it is at one moment."""
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
        """What the presenters of these rooms have done, counted; a room that is gone is left out."""
        with self._transaction(reading=True) as connection:
            rows = connection.execute(select(ROOMS.c.code, ROOMS.c.version).where(ROOMS.c.code.in_(list(codes))))
            return {row.code: row.version for row in rows}

    def join(self, code: str, most: int) -> bool:
        """Count one more phone, unless the room has its most."""
        with self._transaction() as connection:
            joining = update(ROOMS).where(ROOMS.c.code == code, ROOMS.c.joined < most)
            return connection.execute(joining.values(joined=ROOMS.c.joined + 1)).rowcount == 1

    def ask(self, code: str, asked: str | None, places: int) -> None:
        """Begin a round: of a new question, or (None) one more of the last; what was open is closed."""
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
        """Note the view that is on the presenter's screen."""
        with self._transaction() as connection:
            self._touch(connection, code)
            connection.execute(update(ROOMS).where(ROOMS.c.code == code).values(screen=screen))

    def count(self, code: str, serial: int, ticket: bytes, increments: Iterable[tuple[int, int]]) -> bool:
        """Add one report to the sums of a round and mark its ticket as used, both or neither; False where it is closed.

        A ticket that has been used raises. The row of the round comes first: whoever closes it waits, or is waited for.
        """
        grown = [{"room": code, "round": serial, "at": place, "by": by} for place, by in increments]
        try:
            with self._transaction() as connection:
                if connection.execute(_COUNT, {"room": code, "round": serial}).rowcount != 1:
                    return False
                connection.execute(insert(USED), {"code": code, "serial": serial, "ticket": ticket})
                connection.execute(_GROW, grown)
        except IntegrityError:
            raise DenialError(Reason.USED) from None
        return True

    def used(self, code: str, serial: int, ticket: bytes) -> bool:
        """Whether a ticket has bought its report of this round."""
        here = select(USED.c.ticket).where(USED.c.code == code, USED.c.serial == serial, USED.c.ticket == ticket)
        with self._transaction(reading=True) as connection:
            return connection.execute(here).first() is not None

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
            for table in _PARTS:
                connection.execute(delete(table).where(table.c.code.in_(codes)))
        self._clean()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @staticmethod
    def _touch(connection: Connection, code: str) -> None:
        """Count what the presenter does; a room that is gone is said so."""
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
        """Take former versions of rows off the disk, as far as nobody else is just reading them."""
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
