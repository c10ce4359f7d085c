"""The tables of rooms: the kept data, column by column, and nothing else.

A round has sums; the tickets that have paid for it stand in a table of hashes that no report can be joined to: it is
ordered by the hashes, has no times, and is emptied when the room goes on.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, MetaData, String, Table

DATA = MetaData()
ROOMS = Table(
    "rooms",
    DATA,
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
    DATA,
    Column("code", String(12), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("asked", String, nullable=False),
    sqlite_with_rowid=False,
)
ROUNDS = Table(
    "rounds",
    DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),  # of its question
    Column("open", Boolean, nullable=False),
    Column("answered", Integer, nullable=False),
    sqlite_with_rowid=False,
)
TALLIES = Table(
    "tallies",
    DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("total", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
USED = Table(
    "used",
    DATA,
    Column("code", String(12), primary_key=True),
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("ticket", LargeBinary, primary_key=True),
    sqlite_with_rowid=False,
)
PARTS = (ROUNDS, TALLIES, USED, QUESTIONS)  # of a room; rounds first, in the order of counting
