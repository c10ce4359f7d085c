"""The first run of every page loads nothing that its first picture does not need, for whoever comes first waits for it.

The server says itself what it loads; it is visited as a browser would, over its web socket.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from benchmarks.reader import Reader
from explorer.host import memory
from explorer.host.memory import PATIENCE
from explorer.navigation import DEFAULT, entries
from tests.rationing import shared
from tools.serving import ROOT, Server, serving

# What is large, and the pages whose first picture is computed with it: nothing at all for most of them.
HEAVY = (
    "pandas",
    "pyarrow",
    "sqlalchemy",
    "fpdf",
    "segno",
    "numpy.f2py",
    "numpy.testing",
    "explorer.poll.routes",
    "explorer.ui.files",
    *(f"scipy.{part}" for part in ("special", "linalg", "stats", "optimize", "signal", "fft")),
)
SPECIAL = frozenset("ask trust response frequencies limits".split())
BROUGHT_ALONG = frozenset({"scipy.special"})


def loaded(said: str) -> set[str]:
    """The large packages of which a server has named a module among its imports; of what comes late, it names parts."""
    names = re.findall(r"^import time:.*\| +([\w.]+)$", said, re.MULTILINE)
    return {part for part in HEAVY for name in names if f"{name}.".startswith(f"{part}.")}


async def arrived(url: str, stays: bool) -> None:
    """Somebody opens a page and goes again; who stays has the other stops made."""
    reader = Reader(url)
    run = await (reader.arrive() if stays else reader.open_page())
    await reader.leave()
    assert run.complete and not reader.problems, reader.problems


@pytest.fixture(scope="module")
def visited() -> Iterator[tuple[Server, dict[str, set[str]]]]:
    """A server that says what it loads, and what it has loaded after somebody has come to a page.

    By day a sixth of those who come stay until the other stops are made, which load nothing either.
    """
    slugs, found = sorted((entry.slug for entry in entries()), key=lambda slug: (slug in SPECIAL, slug)), {}
    with serving(environment={"PYTHONPROFILEIMPORTTIME": "1"}) as server:
        for slug in slugs:
            asyncio.run(arrived(f"{server.url}/{'' if slug == DEFAULT else slug}", slug in shared(slugs, 6)))
            found[slug] = loaded(server.said())
        yield server, found


def test_a_first_run_loads_only_what_its_picture_needs(visited: tuple[Server, dict[str, set[str]]]) -> None:
    _, found = visited
    for slug, names in found.items():
        assert names <= (BROUGHT_ALONG if slug in SPECIAL else set()), slug
    assert any("scipy.special" in names for names in found.values()), "the server must say what it loads"


async def first_runs(url: str) -> tuple[int, int, int, int]:
    """The stops that come with a page's first run, with the one that asks for them, with another reader's, and anew."""
    first, second = Reader(url), Reader(url)
    await first.open_page()
    alone = first.strip
    asked = await first.have_strip_made()
    assert asked is not None and asked.complete and asked.bytes > 1000
    made = first.strip
    await second.open_page()
    assert await second.have_strip_made() is None
    await first.again()
    for reader in (first, second):
        assert not reader.problems
        await reader.leave()
    return alone or 0, made or 0, second.strip or 0, first.strip or 0


def test_a_first_run_waits_for_no_other_stop(visited: tuple[Server, dict[str, set[str]]]) -> None:
    """Its picture stands; then the browser asks. Whoever comes later has all stops at once, nobody has them twice."""
    server, _ = visited
    assert asyncio.run(first_runs(f"{server.url}/counting?counting_seed=7")) == (0, 19, 19, 0)
    assert "No runtime found" not in server.said(), "a terminal is told what nobody can act on"


def printed(code: str) -> list[str]:
    """The words that a process of its own prints; it must say nothing else."""
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert not told.stderr, told.stderr
    return told.stdout.split()


def test_a_module_that_is_put_off_is_there_for_whoever_uses_it() -> None:
    code = (
        "import sys, numpy; from explorer.host.puttingoff import UNUSED, put_off; put_off(*UNUSED);"
        "copied = {}; exec('from numpy import *', copied); early = [*sys.modules];"
        "assert not {*UNUSED} & {*early}, UNUSED;"
        "print(copied['testing'].assert_equal.__module__, numpy.testing is sys.modules['numpy.testing']);"
        "import numpy.f2py; print(numpy.f2py.__file__ is not None)"
    )
    assert printed(code) == ["numpy.testing._private.utils", "True", "True"]


def test_special_functions_come_whole_and_nothing_else_loses_its_notes() -> None:
    code = (
        "import sys, scipy; from explorer.host.puttingoff import ANNOTATED, put_off; put_off(ANNOTATED);"
        "from scipy import special as early; print(scipy.special.__name__, ANNOTATED in sys.modules);"
        "print(scipy.special.ndtr(0.0), early.ndtr is scipy.special.ndtr, scipy.special is sys.modules[ANNOTATED]);"
        "print('standard normal' in scipy.special.ndtr.__doc__, 'Array API' in scipy.special.ndtr.__doc__);"
        "import scipy.signal; print('Array API' in scipy.signal.hilbert.__doc__)"
    )
    assert printed(code) == "scipy.special False 0.5 True True True False True".split()


VISITORS = """
import sys, threading, scipy
from explorer.host.puttingoff import ANNOTATED, put_off
from scipy._lib import _array_api

before, found, threads = _array_api.FunctionDoc, [], []

def ask():
    found.append(scipy.special.betainc(1.0, 1.0, 0.5))

class Visitors:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(ANNOTATED):
            threads.append(threading.Thread(target=ask))
            threads[-1].start()

put_off(ANNOTATED)
sys.meta_path.insert(0, Visitors())
ask()
for thread in threads:
    thread.join()
print(len(threads) > 9, len(found) - len(threads), _array_api.FunctionDoc is before)
"""


def test_threads_that_ask_while_special_functions_load_find_them_whole() -> None:
    """One asks before each of their modules."""
    assert printed(VISITORS) == ["True", "1", "True"]


def test_a_package_that_is_loaded_too_early_is_seen() -> None:
    said = "import time:       310 |       1200 |   sqlalchemy.engine\nimport time: 5 | 7 | scipy.specialists\n"
    assert loaded(said) == {"sqlalchemy"}


def test_the_collector_comes_back_also_where_loading_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting: list[bool] = []

    def failing() -> None:
        with memory.loading():
            collecting.append(gc.isenabled())
            raise ImportError

    monkeypatch.setattr(memory, "settle", lambda: collecting.append(gc.isenabled()))
    with pytest.raises(ImportError):
        failing()
    assert collecting == [False, True] and gc.isenabled()


def test_what_the_server_has_loaded_is_looked_through_no_more() -> None:
    code = "import app, gc; print(gc.get_freeze_count(), gc.get_threshold()[0])"
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    kept, patience = map(int, process.stdout.split())
    assert kept > 50_000 and patience == PATIENCE[0]


@pytest.mark.parametrize("package", ["distinguish", "frequencies", "means", "response", "vectors"])
def test_a_package_that_loads_late_gives_each_of_its_names(package: str) -> None:
    """A module of the same name would stand in the place of a function, once something else has loaded it."""
    whole = importlib.import_module(f"ldpcore.experiments.{package}")
    for _ in range(2):
        for name in whole.__all__:
            assert not inspect.ismodule(getattr(whole, name)), name
        for module in pkgutil.iter_modules(whole.__path__):
            importlib.import_module(f"{whole.__name__}.{module.name}")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = whole.nothing
