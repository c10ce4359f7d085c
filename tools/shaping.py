"""A slow network on this machine: a proxy that limits the bits per second, and delays them.

Chromium's own emulation leaves web sockets as fast as they are, and Streamlit sends its pages through one. Here all
connections of a visitor share one line, whatever they speak.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tools.serving import free_port

PIECE = 4096  # bytes that are sent at once
PATIENCE = 10.0  # seconds until it listens, and until it has ended
AHEAD = 0.1  # seconds of the line that may wait in it: a faster reader would take it from the others


class Line:
    """One direction: bytes a second, and seconds until they arrive."""

    def __init__(self, rate: float, delay: float) -> None:
        self.rate, self.delay, self.free = rate, delay, 0.0
        self._came: list[tuple[float, int]] = []  # when, and how many bytes

    def carried(self, until: float) -> int:
        """The number of bytes that had come out of the line at a moment, in seconds as `time.time` counts them."""
        return sum(size for moment, size in list(self._came) if moment <= until)

    async def carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, late: float = 0.0) -> None:
        """Carry one connection, whose first bytes are delayed by the trip."""
        loop, road = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()
        arriving = asyncio.create_task(self._arrive(road, target))
        try:
            while piece := await source.read(PIECE):
                now = loop.time()
                self.free = max(self.free, now) + len(piece) / self.rate
                road.put_nowait((self.free + self.delay + late, piece))
                late = 0.0
                await asyncio.sleep(max(self.free - now - AHEAD, 0.0))
        finally:
            road.put_nowait((loop.time() + self.delay, b""))
            await arriving

    async def _arrive(self, road: asyncio.Queue[tuple[float, bytes]], target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while True:
                due, piece = await road.get()
                await asyncio.sleep(max(due - asyncio.get_running_loop().time(), 0.0))
                if not piece:
                    break
                self._came.append((time.time(), len(piece)))
                target.write(piece)
                await target.drain()
        target.close()


@dataclass(frozen=True)
class Shaped:
    """The entrance to a slow network, and its two directions."""

    port: int
    up: Line
    down: Line

    @property
    def url(self) -> str:
        """The address of the server behind it."""
        return f"http://127.0.0.1:{self.port}"


async def _serve(line: Shaped, behind: int, trip: float, ready: threading.Event, over: asyncio.Event) -> None:
    async def connected(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        ends = [target]
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", behind)
            ends.append(writer)
            # Two ends that open a connection wait for one trip, before the first word is sent.
            await asyncio.gather(
                line.up.carry(source, writer, late=trip), line.down.carry(reader, target), return_exceptions=True
            )
        except (ConnectionError, asyncio.CancelledError):  # it is over, and what is on its way with it
            for end in ends:
                end.transport.abort()
        finally:
            for end in ends:
                end.close()

    server = await asyncio.start_server(connected, "127.0.0.1", line.port)
    ready.set()
    await over.wait()
    server.close()


@contextmanager
def shaped(behind: int, bits: float, trip: float) -> Iterator[Shaped]:
    """A line to a port: bits a second in each direction, seconds of a trip there and back."""
    line = Shaped(free_port(), Line(bits / 8, trip / 2), Line(bits / 8, trip / 2))
    ready, over = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    def serve() -> None:
        with asyncio.Runner() as runner:  # which ends what is still on its way
            loops.append(runner.get_loop())
            runner.run(_serve(line, behind, trip, ready, over))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    if not ready.wait(PATIENCE):
        raise RuntimeError(f"a slow line must listen on port {line.port}, and does not")
    try:
        yield line
    finally:
        loops[0].call_soon_threadsafe(over.set)
        thread.join(PATIENCE)
