"""A thousand phones in one room: they come at once, join as fast as the door lets them in, toss and answer.

The server has one core, everybody else another. Meanwhile a hundred readers move the handle of another page, and the
presenter's page shows the answers as they come, once a second. `python -m benchmarks.room` fails where a limit is
broken. Linux alone, as `benchmarks.hall`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.hall import Hall, busy, cores, machine, quantile
from benchmarks.presenter import Screen
from benchmarks.reader import LEVEL
from benchmarks.reports import hand_over
from explorer.poll.questions import yes_or_no
from explorer.poll.rooms import Rooms
from explorer.poll.store import RoomStore
from tools.phones import Line, Phone
from tools.serving import Server, serving

WITHIN, ANSWER, MOVE, PAGE, COST = 20.0, 0.100, 0.250, 30_000, 0.002  # seconds, and bytes of a page


@dataclass
class Result:
    """The measured times and counts of a room."""

    seconds: float = 0.0
    phones: list[Phone] = field(default_factory=list)
    cost: float = 0.0  # processor seconds of the server for a phone, from page to report
    page_cost: float = 0.0
    page_bytes: int = 0
    answered: int = 0
    totals: tuple[int, ...] = ()

    def share(self, step: str, part: float) -> float:
        """The longest wait for a step in this part of the phones, in milliseconds."""
        waits = [phone.waits[step] for phone in self.phones if step in phone.waits]
        return 1000 * float(np.quantile(waits, part)) if waits else float("nan")


async def everybody(phones: list[Phone], arrivals: float) -> None:
    """Let all phones come within `arrivals` seconds, join and answer."""

    async def one(place: int, phone: Phone) -> None:
        await asyncio.sleep(arrivals * place / len(phones))
        await phone.join()
        await phone.send()
        phone.line.hang_up()

    await asyncio.gather(*(one(place, phone) for place, phone in enumerate(phones)))


async def page_cost(hall: Hall, code: str, times: int = 400) -> tuple[float, int]:
    """Processor seconds of the server for one page, and its bytes, packed."""
    line = Line(hall.server.url)
    used, read = hall.processor(), b""
    for _ in range(times):
        _, _, read = await line.ask("GET", f"/room/{code}", packed=True)
    line.hang_up()
    return (hall.processor() - used) / times, len(read)


async def measured(server: Server, rooms: Rooms, asked: argparse.Namespace) -> tuple[Result, Hall, Screen]:
    """The whole room beside readers of another page and the presenter's."""
    readers, screen = Hall("readers", server, "/counting", LEVEL), Screen(f"{server.url}/ask")
    presenter, result = rooms.open(), Result()
    rooms.ask(presenter, yes_or_no("Have you ever copied a solution from somebody else in an exam?", 1.1))
    await readers.fill(asked.readers)
    await screen.present(presenter)
    result.page_cost, result.page_bytes = await page_cost(readers, presenter.code)
    result.phones = [
        Phone(server.url, presenter.code, place % 2, np.random.default_rng([3, place])) for place in range(asked.phones)
    ]
    await readers.round(2)  # what a move costs, without a phone
    move_cost = readers.move_cost / len(readers.moves)
    readers.moves.clear()
    used = readers.processor()
    moves, looks = asyncio.create_task(readers.round(asked.moves)), asyncio.create_task(screen.follow())
    start = time.perf_counter()
    await everybody(result.phones, asked.arrivals)
    result.seconds = time.perf_counter() - start
    await moves
    await asyncio.sleep(2 * screen.every)  # the last answers are on the screen
    result.cost = (readers.processor() - used - move_cost * len(readers.moves)) / len(result.phones)
    if looks.done():
        screen.problems.append(repr(looks.exception()))
    looks.cancel()
    await asyncio.gather(readers.empty(), screen.leave())
    last = rooms.look(presenter).questions[0].rounds[0]
    result.answered, result.totals = last.answered, last.totals
    return result, readers, screen


def problems_of(result: Result, readers: Hall, screen: Screen) -> list[str]:
    """The broken limits, and all answers lost or counted twice."""
    sent = Counter(phone.report for phone in result.phones)
    limits = [
        ("seconds until all have answered", result.seconds, WITHIN),
        ("p95 of an answer (s)", result.share("report", 0.95) / 1000, ANSWER),
        ("p95 of a reader's move (s)", quantile(readers.moves, 0.95), MOVE),
        ("p95 of a look of the presenter's page (s)", quantile(screen.looks, 0.95), MOVE),
        ("bytes of the page, packed", result.page_bytes, PAGE),
        ("processor time of the page (s)", result.page_cost, COST),
    ]
    broken = [f"{what} {value:.3g}, limit {limit:g}" for what, value, limit in limits if not value <= limit]
    if not all(phone.acknowledged for phone in result.phones):
        broken.append("some phones were never heard")
    if result.answered != len(result.phones) or result.totals != (sent[(0,)], sent[(1,)]):
        broken.append(f"{len(result.phones)} phones sent {dict(sent)}; counted {result.answered}: {result.totals}")
    if len({*screen.shown}) < result.seconds / (2 * max(screen.every, 1.0)) or screen.shown[-1:] != [result.answered]:
        broken.append(f"the screen showed {screen.shown} of {result.answered} answers")
    return broken + [error for each in (readers.errors, screen.problems) for error in sorted(set(each))[:5]]


def report(result: Result, readers: Hall, screen: Screen, core: int | None, others: float) -> str:
    """The results as Markdown."""
    steps = "\n".join(
        f"| {step} | {result.share(step, 0.5):.0f} | {result.share(step, 0.95):.0f} | {result.share(step, 1.0):.0f} |"
        for step in ("page", "card", "join", "report")
    )
    moves = "\n".join(
        f"| {name} | {quantile(runs, 0.5) * 1000:.0f} | {quantile(runs, 0.95) * 1000:.0f} | "
        f"{quantile(runs, 1.0) * 1000:.0f} |"
        for name, runs in (("move of readers", readers.moves), ("look of the presenter's page", screen.looks))
    )
    return f"""# A room of {len(result.phones)} phones

{machine(core)}

All had answered after **{result.seconds:.1f} s**; {result.answered} were counted. A phone cost the server
{result.cost * 1000:.1f} ms of processor time, its page {result.page_cost * 1000:.2f} ms and {result.page_bytes} bytes.

| what (ms) | p50 | p95 | worst |
|---|--:|--:|--:|
{steps}
{moves}

The presenter's page looked {len(screen.looks)} times and showed {len({*screen.shown})} different numbers of answers.
A join waits at the door: 50 a second are let in. Of the server's core others took {others:.0%}.
"""


def main() -> int:
    """Measure, print, and fail where a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.room", description=__doc__)
    parser.add_argument("--phones", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--readers", type=int, default=100, help="readers of another page (100)")
    parser.add_argument("--moves", type=int, default=6, help="moves of each, one every 3 s (6)")
    parser.add_argument("--arrivals", type=float, default=5.0, help="seconds in which the phones come (5)")
    parser.add_argument("--output", type=Path, help="also write the Markdown to this file")
    asked = parser.parse_args()
    if not hasattr(os, "sched_setaffinity"):
        print("The room needs Linux: elsewhere a process cannot be given one core.")
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # unwinds, so that no server is left behind
    with tempfile.TemporaryDirectory() as folder, cores() as core:
        where = f"sqlite:///{folder}/rooms.sqlite"
        os.environ["LDP_EXPLORER_ROOMS"] = where  # the server's too
        with serving(core=core) as server:
            start, used = time.perf_counter(), busy(core or 0)
            own = Hall("own", server, "/", LEVEL)
            spent = own.processor()
            result, readers, screen = asyncio.run(measured(server, Rooms(RoomStore(where)), asked))
            foreign = busy(core or 0) - used - (own.processor() - spent)
            problems = problems_of(result, readers, screen)
            if "Traceback" in server.said():
                problems.append("the server wrote a traceback")
        text = report(result, readers, screen, core, max(foreign, 0.0) / (time.perf_counter() - start))
    text += "".join(f"\n- {problem}" for problem in problems) + ("\n" if problems else "")
    hand_over(text, asked.output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
