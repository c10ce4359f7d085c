"""Other systems: what POSIX has stands in one module, and files are read where a system refuses a limit."""

from __future__ import annotations

import ast
import errno
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ldpcore import processes
from ldpcore.processes import end_group, memory_of, processors, start_group, unless_the_reader_ends
from ldpcore.reading import sheetlines, workbooks
from ldpcore.reading.dialects import read_table
from ldpcore.reading.files import MEGABYTE
from ldpcore.reading.held import DAMAGED, TOO_LARGE
from ldpcore.reading.workbooks import sheet_of
from ldpcore.tables.table import TableError
from tests.rationing import ALL, shared
from tests.workbooks import xlsx

ROOT = Path(__file__).resolve().parent.parent
RUN = (
    "app.py",
    "pages",
    "explorer",
    "ldpcore",
    "ldp_explorer",
    "tools",
    "data",
    "benchmarks/browser.py",
    "benchmarks/drag.py",
)
ALONE = "ldpcore/processes.py"  # where the calls of one system may stand
MODULES = set("resource fcntl pwd grp termios tty pty syslog posix msvcrt winreg winsound".split())
OS = set(
    "fork forkpty fork_exec wait waitpid wait3 wait4 killpg kill getpgid setpgid setsid getpgrp setuid setgid getuid "
    "geteuid getgid getgroups chown lchown fchown fchmod mkfifo mknod nice getpriority sched_getaffinity "
    "sched_setaffinity sched_yield sysconf confstr getloadavg symlink uname pread pwrite readv writev sendfile "
    "set_blocking register_at_fork posix_spawn statvfs startfile".split()
)
SIGNALS = set("SIGKILL SIGUSR1 SIGUSR2 SIGHUP SIGALRM SIGCHLD SIGQUIT SIGPIPE SIGXCPU alarm setitimer pause".split())
ASKED, BROKEN = ("preexec_fn", "start_new_session", "pass_fds"), "BrokenPipeError"
FRAME = pd.DataFrame({"name": ["Ada", "Ben"], "age": [36, 41]})

PLANTS = {
    "macOS refuses memory": (
        "import resource\nallowed = resource.setrlimit\n\ndef some(which, limits):\n"
        "    if which == resource.RLIMIT_AS:\n        raise ValueError('current limit exceeds maximum limit')\n"
        "    allowed(which, limits)\n\nresource.setrlimit = some\n"
    ),
    "Windows has no such module": "import sys\n\nsys.modules['resource'] = None\n",
}


@pytest.fixture(params=PLANTS)
def other_system(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let every process that starts now find another system: Python runs `sitecustomize` before anything else."""
    (tmp_path / "sitecustomize.py").write_text(PLANTS[request.param], encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    asked = "import ldpcore.processes as it; print(it.limit_memory(2**40))"
    told = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, check=True)
    assert told.stdout.split() == [b"False"]  # the plant stands
    return str(request.param)


def files() -> dict[str, bytes]:
    """A sound file of each form that a process of its own opens."""
    parquet, stata = io.BytesIO(), io.BytesIO()
    FRAME.to_parquet(parquet)
    FRAME.to_stata(stata, write_index=False)
    page = "<html><table><tr><th>name<th>age</tr><tr><td>Ada<td>36</tr><tr><td>Ben<td>41</tr></table></html>"
    return {
        "a.xlsx": xlsx({"A": [["name", "age"], ["Ada", 36], ["Ben", 41]]}),
        "a.json": json.dumps([{"name": "Ada", "age": 36}, {"name": "Ben", "age": 41}]).encode(),
        "a.html": page.encode(),
        "a.parquet": parquet.getvalue(),
        "a.dta": stata.getvalue(),
    }


def test_where_a_limit_is_refused_sound_files_are_read_and_a_bursting_one_is_too_large(
    other_system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By day the bursting one is half as large, and so is what it may take; a sound one may take no more."""
    for name, raw in shared(files().items(), 2, list(PLANTS).index(other_system)):
        table, _ = read_table(raw, name)
        assert table.frame["name"].tolist() == ["Ada", "Ben"] and table.frame["age"].tolist() == [36, 41], name
    if ALL or other_system == "macOS refuses memory":  # either way no limit is had, and somebody has to watch
        monkeypatch.setattr(workbooks, "MEMORY", workbooks.MEMORY if ALL else workbooks.MEMORY // 2)
        assert b"Ada" in sheet_of(files()["a.xlsx"], "a.xlsx").text
        with pytest.raises(TableError) as caught:
            sheet_of(bursting(600 if ALL else 300), "bomb.xlsx")
        assert caught.value.key == "book_large"


@cache
def bursting(megabytes: int) -> bytes:
    """A small workbook whose shared texts unpack to so much and are shown nowhere: only its memory gives it away."""
    held, block = io.BytesIO(xlsx({"A": [["a"], [1]]})), b"x" * MEGABYTE
    packed = zipfile.ZipFile(held, "a", zipfile.ZIP_DEFLATED, compresslevel=1)
    with packed as archive, archive.open("xl/sharedStrings.xml", "w") as part:
        part.write(b"<sst><si><t>")
        for _ in range(megabytes):
            part.write(block)
        part.write(b"</t></si></sst>")
    return held.getvalue()


@pytest.mark.parametrize("code", [-9, -6, 1, 2, 3, 137, 255, 0xC0000017, 0xC0000409])
def test_a_process_that_ends_for_want_of_memory_is_too_large_whatever_its_exit_code(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed by the system, aborted by an allocator, ended by Python or by Windows: it has not said "damaged"."""
    for text in (b"", b'{"sheets": [], "wrong": ""}\n'):
        monkeypatch.setattr(workbooks, "_carried_out", lambda *_, text=text: (text, code))
        for kind in ("book", "json", "html", "parquet", "stata"):
            with pytest.raises(TableError) as caught:
                sheet_of(b"PK", "a.file", kind=kind)  # type: ignore[arg-type]
            assert caught.value.key == "book_large"
    monkeypatch.setattr(workbooks, "_carried_out", lambda *_: (b"", DAMAGED))
    with pytest.raises(TableError) as caught:
        sheet_of(b"PK", "a.xlsx")
    assert caught.value.key == "book_damaged"


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (MemoryError(), TOO_LARGE),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), TOO_LARGE),
        (ImportError("failed to map segment from shared object"), TOO_LARGE),
        (RuntimeError("can't start new thread"), TOO_LARGE),
        (RecursionError(), DAMAGED),
        (ModuleNotFoundError("No module named 'pyarrow'"), DAMAGED),
        (ValueError("no table"), DAMAGED),
        (OSError(errno.EIO, "Input/output error"), DAMAGED),
        (BaseException("a panic"), DAMAGED),
    ],
)
def test_want_of_memory_is_known_by_each_of_its_names(trouble: BaseException, code: int) -> None:
    assert sheetlines.ending(trouble) == code


def test_arrow_that_finds_no_memory_is_not_called_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's error for want of memory is one of Arrow's errors too."""
    import pyarrow as pa
    from pyarrow import parquet

    from ldpcore.reading import columnar

    def full(*_: object, **__: object) -> Any:
        raise pa.ArrowMemoryError("malloc of size 1 failed")

    monkeypatch.setattr(parquet, "ParquetFile", full)
    monkeypatch.setattr(pa.ipc, "open_file", full)
    for held in (columnar.held_parquet, columnar.held_arrow):
        with pytest.raises(MemoryError):
            held(b"", 10, str)


def test_the_memory_of_a_process_is_told_by_ps_as_by_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held = bytearray(os.urandom(1 << 20) * 100)
    known = memory_of(os.getpid())
    assert known > len(held)
    monkeypatch.setattr(processes, "_PROCESSES", tmp_path)  # as on macOS
    assert known / 2 < memory_of(os.getpid()) < 2 * known
    monkeypatch.setenv("PATH", str(tmp_path))  # where nobody can tell, nothing is ended
    assert memory_of(os.getpid()) == 0


def test_where_memory_can_be_limited_no_more_is_had() -> None:
    asked = "from ldpcore.processes import limit_memory; print(limit_memory(2**32), flush=True); bytearray(2**33)"
    told = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, check=False)
    assert told.stdout.split() == [b"%r" % (b"MemoryError" in told.stderr)]  # as everything that is had


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL, errno.ESHUTDOWN])
def test_a_pipe_breaks_as_any_system_says_it(number: int) -> None:
    with unless_the_reader_ends():
        raise OSError(number, os.strerror(number))
    with pytest.raises(OSError, match="space"), unless_the_reader_ends():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_ending_a_program_ends_what_it_has_started() -> None:
    """The child of the program holds the other end of the pipe: that it ends is that the pipe does."""
    child = "import time; print('here', flush=True); time.sleep(600)"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = start_group([sys.executable, "-c", program], ROOT, dict(os.environ))
    assert process.stdout is not None
    with process.stdout as told:
        assert told.readline().split() == [b"here"]
        end_group(process)
        assert told.read() == b"" and process.returncode
    end_group(process)  # once more is no error


def test_there_is_a_processor() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)


NAMED = re.compile(rf"\b(?:{'|'.join([*MODULES, *OS, *SIGNALS, *ASKED, BROKEN])})\b")


def called_of_one_system(source: str) -> list[str]:
    """What a source takes of modules and functions that POSIX, or Windows, alone has."""
    found = list[str]()
    if not NAMED.search(source):  # most need not be read
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name in MODULES]
        elif isinstance(node, ast.ImportFrom):
            lacking = {"os": OS, "signal": SIGNALS}.get(node.module or "", set())
            found += [node.module or ""] if node.module in MODULES else []
            found += [each.name for each in node.names if each.name in lacking]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            lacking = {"os": OS, "signal": SIGNALS}.get(node.value.id, set())
            found += [f"{node.value.id}.{node.attr}"] if node.attr in lacking else []
        elif isinstance(node, ast.keyword) and node.arg in ASKED:
            found.append(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.withitem) and BROKEN in ast.dump(node):
            found.append(BROKEN)
    return found


def test_what_one_system_alone_has_stands_in_one_module() -> None:
    folders = [ROOT / each for each in RUN]
    sources = [path for each in folders for path in ([each] if each.suffix else each.rglob("*.py"))]
    taken = {
        path.relative_to(ROOT).as_posix(): found
        for path in sources
        if (found := called_of_one_system(path.read_text(encoding="utf-8")))
    }
    assert set(taken) == {ALONE}, taken
    assert {"resource", "os.killpg", "os.sysconf", "start_new_session"} <= set(taken[ALONE])


@pytest.mark.parametrize(
    "planted",
    [
        "import resource",
        "from resource import setrlimit",
        "import os\nos.killpg(1, 9)",
        "from os import fork",
        "import signal\nsignal.signal(signal.SIGUSR1, None)",
        "import subprocess\nsubprocess.run([], start_new_session=True)",
        "try:\n    pass\nexcept BrokenPipeError:\n    pass",
        "from contextlib import suppress\nwith suppress(BrokenPipeError):\n    pass",
    ],
)
def test_a_call_of_one_system_anywhere_else_is_found(planted: str) -> None:
    assert called_of_one_system(planted)
