"""Phones without a browser: they join a room, toss as its card says, and answer over HTTP until they are heard."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ldpcore.protocols.tossing import Report, Toss, of_shape

AGAIN = 0.2  # seconds before a phone that was not heard tries again


@dataclass
class Line:
    """A connection to a server that stays open from request to request, as browsers keep it."""

    url: str
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: object = None, packed: bool = False) -> tuple[int, Any, bytes]:
        """The status of an answer, its body as JSON where it is some, and the body itself."""
        if self.writer is None or self.writer.is_closing():
            where = urlsplit(self.url)
            self.reader, self.writer = await asyncio.open_connection(where.hostname, where.port)
        assert self.reader is not None
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: room", "Accept-Language: en", f"Content-Length: {len(sent)}"]
        lines += ["Accept-Encoding: gzip"] if packed else []
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + sent)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, _, rest = head.partition("\r\n")
        fields = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest.split("\r\n"))
        }
        read = await self.reader.readexactly(int(fields.get("content-length", 0)))
        isjson = fields.get("content-type", "").startswith("application/json")
        return int(status.split()[1]), json.loads(read) if isjson else None, read

    def hang_up(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None


@dataclass
class Phone:
    """One person with an answer, from 0 on: the phone's ticket, its report, and the time of each step."""

    url: str
    code: str
    answer: int
    rng: np.random.Generator
    ticket: str = ""
    card: Mapping[str, object] = field(default_factory=dict)
    report: Report | None = None
    acknowledged: bool = False
    tries: int = 0
    waits: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.line = Line(self.url)

    async def join(self) -> None:
        """Load the page, read the card and take a ticket."""
        await self._timed("page", "GET", f"/room/{self.code}")
        _, self.card, _ = await self._timed("card", "GET", f"/room/{self.code}/state?since=0")
        _, given, _ = await self._timed("join", "POST", f"/room/{self.code}/join", {"pin": ""})
        self.ticket = given["ticket"]

    async def send(self, patience: float = 60.0) -> None:
        """Toss once, and send the report until it is acknowledged."""
        question = self.card["question"]
        assert isinstance(question, dict)
        toss: Toss = of_shape(question["toss"])
        if self.report is None:
            self.report = toss.report(self.answer, int(self.rng.integers(toss.total)))
        until = time.perf_counter() + patience
        body = {"ticket": self.ticket, "round": self.card["serial"], "report": self.report}
        while not self.acknowledged and time.perf_counter() < until:
            self.tries += 1
            try:
                status, said, _ = await self._timed("report", "POST", f"/room/{self.code}/report", body)
            except (OSError, asyncio.IncompleteReadError):
                self.line.hang_up()
                await asyncio.sleep(AGAIN)
                continue
            self.acknowledged = status == 200 or said["problem"] == "used"

    async def _timed(self, name: str, method: str, path: str, body: object = None) -> tuple[int, Any, bytes]:
        start = time.perf_counter()
        answer = await self.line.ask(method, path, body)
        self.waits[name] = time.perf_counter() - start
        return answer
