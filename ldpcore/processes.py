"""Questions to the operating system about processes and files: POSIX calls, and their substitutes elsewhere.

Nothing else calls what one system alone has, so that macOS and Windows are looked at here.
"""

from __future__ import annotations

import errno
import math
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MANY_FILES = 10_240  # where the system names no limit: as many as macOS grants
PATIENT = 5.0  # seconds for `ps`, which answers in a hundredth
PIPE_ENDED = (errno.EPIPE, errno.EINVAL, errno.ESHUTDOWN)  # of a write whose reader has gone: on Windows EINVAL
_PROCESSES, _OPENED = Path("/proc"), (Path("/proc/self/fd"), Path("/dev/fd"))


def limit_memory(most: int) -> bool:
    """Limit this process to `most` bytes of addresses; false where the system cannot, as on macOS and Windows."""
    if sys.platform != "win32":
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            return True
    return False


def limit_processor_time(most: int) -> bool:
    """Limit this process to `most` seconds of processor time; false where the system cannot, as on Windows."""
    if sys.platform != "win32":
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            return True
    return False


def memory_of(process: int) -> int:
    """The bytes of memory that a process holds now; 0 where it has ended or the system does not tell."""
    if sys.platform == "win32":
        return _memory_in_windows(process)
    try:
        pages = int((_PROCESSES / str(process) / "statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _memory_by_ps(process)


def _memory_by_ps(process: int) -> int:
    """The bytes of memory that `ps` tells in kilobytes, where there is no `/proc`, as on macOS."""
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        command = ["ps", "-o", "rss=", "-p", str(process)]
        answer = subprocess.run(command, capture_output=True, check=False, timeout=PATIENT)
        return 1024 * int(answer.stdout)
    return 0


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _LIMITED_INFORMATION = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION

    class _Counters(ctypes.Structure):
        """`PROCESS_MEMORY_COUNTERS` of Windows."""

        _fields_ = (
            ("cb", wintypes.DWORD),
            ("page_faults", wintypes.DWORD),
            ("peak_working_set", ctypes.c_size_t),
            ("working_set", ctypes.c_size_t),
            ("quota_peak_paged", ctypes.c_size_t),
            ("quota_paged", ctypes.c_size_t),
            ("quota_peak_nonpaged", ctypes.c_size_t),
            ("quota_nonpaged", ctypes.c_size_t),
            ("pagefile", ctypes.c_size_t),
            ("peak_pagefile", ctypes.c_size_t),
        )

    def _memory_in_windows(process: int) -> int:
        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
        kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.POINTER(_Counters), wintypes.DWORD)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        handle = kernel.OpenProcess(_LIMITED_INFORMATION, False, process)
        if not handle:
            return 0
        try:
            counters = _Counters(cb=ctypes.sizeof(_Counters))
            known = kernel.K32GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
            return max(counters.working_set, counters.pagefile) if known else 0
        finally:
            kernel.CloseHandle(handle)


@contextmanager
def unless_the_reader_ends() -> Iterator[None]:
    """Write into a pipe, and stop where the process that reads from it has ended."""
    try:
        yield
    except OSError as broken:
        if broken.errno not in PIPE_ENDED:
            raise


def processors() -> int:
    """The number of processors this process may use."""
    return len(_processors_allowed()) or os.cpu_count() or 1


def load_average() -> float:
    """The average number of processes that wanted a processor in the last minute; NaN on Windows."""
    if sys.platform == "win32":
        return math.nan
    return os.getloadavg()[0]


def _processors_allowed() -> set[int]:
    """The processors that this process may use; none where the system does not tell: on macOS and Windows."""
    if sys.platform == "linux":
        return os.sched_getaffinity(0)
    return set()


def lower_priority_of_thread(nice: int) -> None:
    """Let other threads go first; only Linux can tell threads apart, elsewhere nothing changes."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(nice, os.getpriority(os.PRIO_PROCESS, thread)))


def is_root() -> bool:
    """Whether this process may do everything; never on Windows, which has no such user."""
    if sys.platform == "win32":
        return False
    return os.geteuid() == 0


def temporary_folder(name: str) -> Path:
    """The place of this user's folder of a name among the temporary ones, which on Windows are one user's anyway."""
    place = Path(tempfile.gettempdir())
    return place / (name if sys.platform == "win32" else f"{name}-{os.geteuid()}")


def is_private(folder: Path) -> bool:
    """Whether a folder is no link, is this user's and is closed to all others; on Windows its place says so."""
    if sys.platform == "win32":
        return True
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def start_group(command: list[str], folder: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a program that is heard through a pipe and that `end_group` ends with all that it has started."""
    if sys.platform == "win32":
        flags, session = subprocess.CREATE_NEW_PROCESS_GROUP, False
    else:
        flags, session = 0, True
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        creationflags=flags,
        start_new_session=session,
    )


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program started by `start_group`, and every process it has left behind."""
    if sys.platform == "win32":  # its children are known while it lives
        if process.poll() is None:
            ended = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(ended, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):  # as macOS calls a group of which nobody lives
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def hand_over_signal() -> int | None:
    """The signal that asks a server to hand over every second reader; none on Windows."""
    if sys.platform == "win32":
        return None
    return signal.SIGUSR1


def raise_limit_of_files() -> None:
    """Let this process open as many files as the system allows; nothing changes where that cannot be set."""
    if sys.platform != "win32":
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            wanted = MANY_FILES if hard == resource.RLIM_INFINITY else hard
            if soft != resource.RLIM_INFINITY and soft < wanted:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def files_left() -> float:
    """The number of further files this process may open; infinite where the system does not tell."""
    if sys.platform == "win32":
        return math.inf
    listed = next((place for place in _OPENED if place.is_dir()), None)
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if listed is None or limit == resource.RLIM_INFINITY:
            return math.inf
        with os.scandir(listed) as opened:
            return float(limit - sum(1 for _ in opened))
    except ImportError:
        return math.inf
    except OSError:  # not even this one
        return 0
