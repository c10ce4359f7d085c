"""Runs of the cases of a study: one after the other, in processes, or on a Dask cluster; and their progress."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TYPE_CHECKING

from ldpcore.library.extras import require
from ldpcore.library.refused import LibraryRefusal

if TYPE_CHECKING:
    from ldpcore.library.studies import Case, StudyRow

LARGEST = 64  # cases of one batch: what is lost at most where a study is stopped
WIDTH = 30  # letters of the bar


def batches(cases: Sequence[Case], where: str, workers: int | None) -> list[tuple[Case, ...]]:
    """The cases in batches: small enough that everybody has work to the end, and that little is lost."""
    size = max(1, min(LARGEST, len(cases) // (8 * (1 if where == "serial" else workers or os.cpu_count() or 1))))
    return [tuple(cases[start : start + size]) for start in range(0, len(cases), size)]


def run_batch(batch: Sequence[Case]) -> list[StudyRow]:
    """The rows of one batch."""
    return [case.row() for case in batch]


def run_batches(
    parts: list[tuple[Case, ...]], where: str, workers: int | None, progress: bool | None, so_far: tuple[int, int]
) -> Iterator[list[StudyRow]]:
    """The rows of each batch as soon as it is done."""
    if where not in ("serial", "processes") and "://" not in where:
        raise LibraryRefusal("study_where", got=where)
    bar = Bar(*so_far) if (sys.stderr.isatty() if progress is None else progress) else None
    runs = {"serial": _serial, "processes": _in_processes}.get(where, _on_cluster)
    for rows in runs(parts, where, workers):
        if bar is not None:
            bar.add(len(rows))
        yield rows
    if bar is not None:
        bar.end()


def _serial(parts: list[tuple[Case, ...]], where: str, workers: int | None) -> Iterator[list[StudyRow]]:
    return map(run_batch, parts)


def _in_processes(parts: list[tuple[Case, ...]], where: str, workers: int | None) -> Iterator[list[StudyRow]]:
    # Fresh processes: a fork of one that has threads may hang.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(run_batch, part) for part in parts]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _on_cluster(parts: list[tuple[Case, ...]], where: str, workers: int | None) -> Iterator[list[StudyRow]]:
    require("dask")
    from ldpcore.library.daskcluster import cluster_rows

    yield from cluster_rows(run_batch, parts, where)


class Bar:
    """A line on the standard error stream that says how many cases are done, and about how long the others take."""

    def __init__(self, cases: int, done: int) -> None:
        self.cases, self.done, self.first, self.start = cases, done, done, time.monotonic()
        self.say()

    def add(self, cases: int) -> None:
        """Count these cases as done."""
        self.done += cases
        self.say()

    def say(self) -> None:
        """Write the line anew."""
        full = WIDTH * self.done // max(self.cases, 1)
        fresh = self.done - self.first
        seconds = (time.monotonic() - self.start) * (self.cases - self.done) / fresh if fresh else 0.0
        left = f", about {seconds:.0f} s left" if fresh and self.done < self.cases else ""
        sys.stderr.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {self.done} of {self.cases}{left}\033[K")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line as it is."""
        sys.stderr.write("\n")
