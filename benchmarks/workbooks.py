"""Visitors with workbooks that unfold to more than a machine has, and beside them a reader who moves the handle.

Each visitor opens the table on the counting page, uploads a workbook of 200 kB, waits as a page does until it is
refused, and uploads the next one: first nobody, then five with one that would unfold to 600 MB, then ten with bombs of
every kind.
The server has one core, all others the other. `python -m benchmarks.workbooks --output benchmarks/results/workbooks.md`
fails where a limit is broken. Linux alone tells what a process holds, so that it runs there alone.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import io
import os
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.attackers import PATH, Outcome, read
from benchmarks.hall import Hall
from benchmarks.reader import Reader
from ldpcore.processes import last_processor
from tests.workbooks import packed, unfolding, xlsx
from tools.serving import Server, serving

AGAIN = 0.5  # seconds between two looks of a page that waits
CHILDREN_LIMIT, WAIT_LIMIT = 400.0, 0.250  # megabytes of all processes that open workbooks; p95 in seconds
CROWDS = (("none", 0, 1), ("five with 600 MB each", 5, 1), ("ten with bombs", 10, 4))  # who, how many, of which kinds


def bombs() -> list[bytes]:
    """Workbooks that are small and unfold: cells all alike, one endless cell, the last cell of all, endless rows."""
    whole = xlsx({"A": [["a"], ["HERE"]]})
    return [
        unfolding(5_000_000),
        replaced(whole, "HERE", "x" * (180 << 20)),
        replaced(whole, 'r="A2"', 'r="XFD1048576"'),
        replaced(whole, "</sheetData>", "<row></row>" * 12_000_000 + "</sheetData>"),
    ]


def replaced(raw: bytes, old: str, new: str) -> bytes:
    """A workbook in whose parts one text stands for another."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return packed({name: archive.read(name).decode().replace(old, new) for name in archive.namelist()})


class Visitor(Reader):
    """A reader with the table open, who uploads files and waits for what becomes of them."""

    def __init__(self, server: str) -> None:
        super().__init__(server + PATH)
        self.fold = self.uploader = self.watch = ""  # what the server calls them; the last looks while work goes on
        self.file: tuple[FileURLs, str, int] | None = None
        self.refusals = 0

    async def open(self) -> None:
        """Arrive, and open the table."""
        await self.arrive()
        await self.again()

    async def bring(self, raw: bytes, name: str, until: float) -> None:
        """Hand a file over and look again and again, until it is refused."""
        place = await self._place(name)
        await asyncio.to_thread(self._put, place, name, raw)
        self.file, before = (place, name, len(raw)), self.refusals
        await self.again()
        while self.refusals == before and time.perf_counter() < until:
            await asyncio.sleep(AGAIN)
            await self.again()
        self.file = None

    async def _place(self, name: str) -> FileURLs:
        """Where the server takes the file."""
        assert self.socket is not None
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid4().hex
        asked.file_urls_request.file_names.append(name)
        await self.socket.send(asked.SerializeToString())
        while True:
            frame = await self.socket.recv()
            message = ForwardMsg.FromString(frame if isinstance(frame, bytes) else frame.encode())
            if message.WhichOneof("type") == "file_urls_response":
                return message.file_urls_response.file_urls[0]

    def _put(self, place: FileURLs, name: str, raw: bytes) -> None:
        """Send it as the browser does, with the cookie that it was given."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        connection.request("GET", "/_stcore/health")
        answer = connection.getresponse()
        answer.read()
        token = answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]
        line = uuid4().hex
        head = f'--{line}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        given = {
            "Content-Type": f"multipart/form-data; boundary={line}",
            "Cookie": f"_streamlit_xsrf={token}",
            "X-Xsrftoken": token,
        }
        connection.request("PUT", place.upload_url, head.encode() + raw + f"\r\n--{line}--\r\n".encode(), given)
        status = connection.getresponse().status
        connection.close()
        if status >= 400:
            raise RuntimeError(f"the server refused the upload with {status}")

    def _state(self) -> ClientState:
        """As any reader's, with the table open and the file in its place."""
        state = super()._state()
        state.fragment_id = self.watch
        if self.fold:
            state.widget_states.widgets.add(id=self.fold, bool_value=True)
        if self.uploader and self.file is not None:
            place, name, size = self.file
            widget = state.widget_states.widgets.add(id=self.uploader)
            widget.file_uploader_state_value.uploaded_file_info.add(
                name=name, size=size, file_id=place.file_id, file_urls=place
            )
        return state

    def _read(self, message: ForwardMsg) -> None:
        super()._read(message)
        kind = message.WhichOneof("type")
        if kind == "script_finished":  # and begins again, with the whole page
            self.watch = ""
        elif kind == "auto_rerun":
            self.watch = message.auto_rerun.fragment_id
        block = message.delta.add_block
        if kind == "delta" and block.WhichOneof("type") == "popover" and block.popover.id:
            self.fold = block.popover.id if block.popover.id.endswith("_table") else self.fold

    def _look(self, element: Element, fragment: str) -> None:
        super()._look(element, fragment)
        if element.WhichOneof("type") == "file_uploader":
            self.uploader = element.file_uploader.id
        self.refusals += element.WhichOneof("type") == "alert"


async def visit(server: str, books: list[bytes], until: float, outcome: Outcome) -> None:
    """One visitor: book after book."""
    visitor = Visitor(server)
    try:
        await visitor.open()
        while time.perf_counter() < until:
            raw = books[outcome.asked % len(books)]
            outcome.asked += 1
            await visitor.bring(raw, "book.xlsx", until)
    except Exception as problem:
        outcome.problems.append(repr(problem))
    finally:
        outcome.problems += visitor.problems
        await visitor.leave()


@dataclass
class Children:
    """The processes that a server starts: how many at once, and what they hold together at most."""

    server: int
    most: int = 0
    peak: float = 0.0  # megabytes

    async def watch(self, until: float) -> None:
        """Look again and again."""
        while time.perf_counter() < until:
            held = [resident(child) for child in self.alive()]
            self.most, self.peak = max(self.most, len(held)), max(self.peak, sum(held))
            await asyncio.sleep(0.01)

    def alive(self) -> list[int]:
        """The processes there are."""
        tasks = Path(f"/proc/{self.server}/task").iterdir()
        return [int(child) for task in tasks for child in written(task / "children").split()]


def resident(process: int) -> float:
    """Megabytes that a process holds; none where it has gone."""
    pages = written(Path(f"/proc/{process}/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if pages else 0.0


def written(place: Path) -> str:
    """What the system says of a process, which may have gone meanwhile."""
    try:
        return place.read_text(encoding="utf-8")
    except OSError:
        return ""


async def measured(server: Server, count: int, books: list[bytes], seconds: float) -> tuple[Outcome, Children]:
    """A reader beside so many visitors."""
    outcome, children, hall = Outcome(), Children(server.process), Hall("app", server, PATH, "epsilon")
    outcome.before, used = hall.resident(), hall.processor()
    until = time.perf_counter() + seconds
    visitors = [visit(server.url, books, until, outcome) for _ in range(count)]
    await asyncio.gather(read(server.url, until, outcome), children.watch(until), *visitors)
    outcome.after, outcome.busy = hall.resident(), (hall.processor() - used) / seconds
    return outcome, children


def broken(outcome: Outcome, children: Children) -> list[str]:
    """Which limits are broken."""
    limits = {
        f"p95 is {outcome.p95:.3f} s, more than {WAIT_LIMIT} s": outcome.p95 <= WAIT_LIMIT,
        f"processes hold {children.peak:.0f} MB, more than {CHILDREN_LIMIT:.0f}": children.peak <= CHILDREN_LIMIT,
        f"{children.most} processes open workbooks at once": children.most <= 1,
    }
    return [rule for rule, kept in limits.items() if not kept] + sorted({*outcome.problems})[:5]


COLUMNS: dict[str, Callable[[Outcome, Children], str]] = {
    "moves of the reader": lambda outcome, _: f"{len(outcome.waits)}",
    "median": lambda outcome, _: f"{np.median(outcome.waits):.3f} s",
    "p95": lambda outcome, _: f"{outcome.p95:.3f} s",
    "worst": lambda outcome, _: f"{max(outcome.waits):.3f} s",
    "workbooks brought": lambda outcome, _: f"{outcome.asked}",
    "processes at once": lambda _, children: f"{children.most}",
    "their memory": lambda _, children: f"{children.peak:.0f} MB",
    "the server's processor": lambda outcome, _: f"{outcome.busy:.0%}",
    "its memory before": lambda outcome, _: f"{outcome.before:.0f} MB",
    "and after": lambda outcome, _: f"{outcome.after:.0f} MB",
}


def main() -> int:
    """Measure, write, and say what is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    books, problems = bombs(), list[str]()
    lines = [f"| visitors | {' | '.join(COLUMNS)} |", "|---" * (1 + len(COLUMNS)) + "|"]
    for name, count, kinds in CROWDS:
        with serving(core=last_processor()) as server:
            outcome, children = asyncio.run(measured(server, count, books[:kinds], given.seconds))
            problems += ["a traceback: " + server.said()[-2000:]] if "Traceback" in server.said() else []
        lines.append(f"| {name} | {' | '.join(cell(outcome, children) for cell in COLUMNS.values())} |")
        problems += [f"{name}: {rule}" for rule in broken(outcome, children)]
    print("\n".join(lines))
    if given.output:
        given.output.write_text("# A reader beside visitors with workbooks\n\n" + "\n".join(lines) + "\n", "utf-8")
    for problem in problems:
        print("BROKEN:", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
