"""What follows a move of the handle, as the server sends it: that part of the page alone, and the address with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.reader import Reader, Run
from tools.serving import Server, serving

PART, WHOLE = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, ForwardMsg.FINISHED_SUCCESSFULLY


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def moved(server: Server, path: str, *places: float) -> tuple[Reader, list[Run]]:
    """A reader who comes, and lets the handle go at these fractions of its length."""

    async def visit() -> tuple[Reader, list[Run]]:
        reader = Reader(server.url + path)
        runs = [await reader.arrive()] + [await reader.move(place) for place in places]
        await reader.leave()
        return reader, runs

    reader, runs = asyncio.run(visit())
    assert not reader.problems and reader.handle is not None
    return reader, runs


@pytest.mark.parametrize("path", ["/counting", "/counting?utm_source=mail&fbclid=1"])
def test_a_move_runs_what_follows_the_level_and_nothing_else(server: Server, path: str) -> None:
    reader, runs = moved(server, path, 0.2, 0.9)
    assert [run.ended for run in runs] == [WHOLE, PART, PART]
    assert reader.handle is not None and f"epsilon={reader.handle.at(0.9):g}" in reader.query


@pytest.mark.parametrize("path", ["/counting?lecture=true", "/counting?epsilno=3"])
def test_a_move_runs_the_whole_page_where_more_than_the_stage_follows_it(server: Server, path: str) -> None:
    reader, runs = moved(server, path, 0.2)  # the code on Q, a notice that is to go
    assert [run.ended for run in runs] == [WHOLE, WHOLE]
    assert reader.handle is not None and f"epsilon={reader.handle.at(0.2):g}" in reader.query


def test_scenes_that_a_reader_has_are_not_sent_again(server: Server) -> None:
    """In a lecture every move runs the whole page."""

    async def visit() -> list[int | None]:
        reader = Reader(f"{server.url}/counting?lecture=true")
        await reader.arrive()
        numbers = [reader.strip]
        for place in (0.2, 0.7):
            await reader.move(place)
            numbers.append(reader.strip)
        await reader.leave()
        return numbers

    first, *later = asyncio.run(visit())
    assert first and first > 9 and later == [0, 0]


def test_the_server_says_that_it_is_well(server: Server) -> None:
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    for _ in range(2):
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        assert answer.status == 200 and answer.getheader("Cache-Control") == "no-store"
        assert answer.read().decode() == "A page was rendered within the last minute.\n"
    connection.close()
