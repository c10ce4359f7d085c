"""A PostgreSQL of one's own for a test, on loopback, from whatever the system has installed; gone with the test."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tools.serving import free_port

ADVICE = (
    "no PostgreSQL was found: install one (`apt-get install postgresql`) and psycopg (`pip install 'psycopg[binary]'`)"
)


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is: Debian keeps its versions off the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(versions[0]) if versions else shutil.which(name)


def missing() -> str:
    """What there is to be said where no PostgreSQL can be had; empty where one can."""
    there = program("initdb") and program("pg_ctl") and find_spec("psycopg") is not None
    if there and os.geteuid() == 0 and owner() is None:
        return "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as"
    return "" if there else ADVICE


def owner() -> str | None:
    """As whom it runs: it refuses to be root's."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh database, for SQLAlchemy."""
    port, user = free_port(), owner()
    with tempfile.TemporaryDirectory(prefix="ldp-postgres-", ignore_cleanup_errors=True) as home:
        data, log = f"{home}/data", f"{home}/log"
        if user is not None:
            shutil.chown(home, user)

        def run(name: str, *arguments: str) -> None:
            command = [str(program(name)), *arguments]
            where = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "cwd": "/"}
            subprocess.run(command, check=True, user=user, group=user and pwd.getpwnam(user).pw_gid, **where)  # type: ignore[call-overload]

        run("initdb", "--pgdata", data, "--username=ldp", "--auth=trust", "--no-sync", "--encoding=UTF8")
        options = f"-h 127.0.0.1 -p {port} -k {home} -c fsync=off"
        run("pg_ctl", "--pgdata", data, "--log", log, "--silent", "--wait", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://ldp@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "--pgdata", data, "--silent", "--wait", "--mode=immediate", "stop")
