"""Starting a Streamlit app in a process of its own, on a free port, and stopping it again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = (
    "--server.headless=true",
    "--server.address=127.0.0.1",
    "--browser.gatherUsageStats=false",
    "--server.fileWatcherType=none",  # a file saved meanwhile must not rerun what is being measured
)


@dataclass(frozen=True)
class Server:
    """A running app: its address, its starting time, and its output so far."""

    url: str
    seconds_to_health: float
    log: Path
    process: int = 0
    started: float = 0.0  # on the clock of `time.perf_counter`

    def said(self) -> str:
        """Everything the process has written; a traceback of a page stands here."""
        return self.log.read_text(errors="replace", encoding="utf-8")


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(port: int) -> bool:
    """Whether the server says that it is ready."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def serving(
    script: str = "app.py",
    patience: float = 60.0,
    core: int | None = None,
    port: int = 0,
    files: tuple[int, int] | None = None,
    streamlit: Sequence[str] = ("-m", "streamlit"),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """The app of `script` (a path below the root), started from the root so that the project's configuration holds.

    With `core` (Linux alone) on that core and no other; with `port` on that one, as after a restart; `files` are
    its first and its largest limit of open files; `streamlit` are Python's arguments that start Streamlit, and
    `environment` are variables beside.
    """
    port = port or free_port()
    under = () if core is None else ("taskset", "--cpu-list", str(core))
    if files is not None:
        under = (*under, "sh", "-c", 'ulimit -S -n $0 && ulimit -H -n $1 && shift && exec "$@"', *map(str, files))
    command = [*under, sys.executable, *streamlit, "run", script, f"--server.port={port}", *OPTIONS]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        with log.open("wb") as output:
            start = time.perf_counter()
            around, nothing, both = {**os.environ, **environment}, subprocess.DEVNULL, subprocess.STDOUT
            process = subprocess.Popen(command, cwd=ROOT, env=around, stdin=nothing, stdout=output, stderr=both)
            try:
                while not healthy(port):
                    if process.poll() is not None or time.perf_counter() - start > patience:
                        raise RuntimeError(
                            f"{script} must answer within {patience:g} s; it said:\n{log.read_text(encoding='utf-8')}"
                        )
                    time.sleep(0.01)
                yield Server(f"http://127.0.0.1:{port}", time.perf_counter() - start, log, process.pid, start)
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
