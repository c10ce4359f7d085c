"""Streamlit in a process that says what of its readers is alive in it: `python -m tests.alive run app.py`.

It answers whoever connects to the port in `LDP_EXPLORER_ALIVE`. Everything counts that Python has not yet thrown away,
whether anything refers to it or not; nothing is thrown away for the count.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import socket
import socketserver
import sys
import threading
from collections import Counter
from typing import Any

COUNT, PUT_AWAY = b"count\n", b"put away\n"
PORT = "LDP_EXPLORER_ALIVE"
KINDS = ("OwnTable", "UploadedFileRec", "Letter", "Ticket", "TableQuestion", "_Run")


def alive(port: int) -> dict[str, Any]:
    """The names of the sessions that are alive and of all columns of tables, and how many objects of each kind."""
    counted: dict[str, Any] = _asked(port, COUNT)
    return counted


def put_away(port: int) -> None:
    """Let every table give way, as when others have brought more than there is room for."""
    _asked(port, PUT_AWAY)


def _asked(port: int, wish: bytes) -> Any:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(wish)
        return json.load(line.makefile())


class Ear(socketserver.StreamRequestHandler):
    """Does what somebody asks for."""

    def handle(self) -> None:
        wish = self.rfile.readline()
        self.wfile.write(json.dumps(self.counted() if wish == COUNT else self.emptied()).encode())

    def emptied(self) -> bool:
        """Put every table away."""
        from explorer.ui import session

        session.shelf()._kept.clear()
        return True

    def counted(self) -> dict[str, Any]:
        """Count what is alive."""
        objects = gc.get_objects()
        kinds = Counter(type(each).__name__ for each in objects)
        sessions = [each.id for each in objects if type(each).__name__ == "AppSession"]
        columns = [str(name) for each in objects if type(each).__name__ == "DataFrame" for name in each.columns]
        return {kind: kinds[kind] for kind in KINDS} | {"sessions": sessions, "columns": columns}


if __name__ == "__main__":
    ear = socketserver.TCPServer(("127.0.0.1", int(os.environ[PORT])), Ear)
    threading.Thread(target=ear.serve_forever, daemon=True).start()
    sys.argv[0] = "streamlit"
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
