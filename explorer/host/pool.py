"""Long work for the whole server: two questions at once in threads of their own, the others wait, in turn by reader.

A question is stopped, at its next report of progress, when nobody wants it any more: each reader has pressed Stop,
has asked something else in its place, or has not been heard for some seconds. Readers with one question wait for
one job. The pool keeps jobs under way; finished ones are kept by their readers alone, and go with them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic

from explorer.host.turns import stand_back, turns
from ldpcore.questions import Progress

PLACES = 2  # questions that are worked on at once
QUIET = 5.0  # seconds without a word after which a reader has left


class _Unwanted(BaseException):
    """Raised inside unwanted work; a class of its own, which no `except Exception` in an experiment catches."""


@dataclass(eq=False)
class Reader:
    """A reader: one question in each place of their page, one of which at a time is worked on."""

    turn: int = 0  # when the pool last began something for them
    jobs: dict[str, Job] = field(default_factory=dict)


@dataclass(eq=False)
class Job:
    """A question on its way to its answer; only the pool changes it."""

    name: Hashable
    work: Callable[[Progress], object] | None
    turn: int
    needs: str = ""  # what only one at a time may use
    heard: dict[tuple[Reader, str], float] = field(default_factory=dict)  # the last word of each reader in each place
    last: Reader | None = None  # the last reader to want it, once nobody does
    thread: threading.Thread | None = None
    share: float = 0.0
    answer: object = None
    error: BaseException | None = None
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def queued(self) -> bool:
        """Whether the job still waits for its turn."""
        return self.thread is None

    def result(self) -> object:
        """The answer, or the error raised on the way to it."""
        if self.error is not None:
            raise self.error
        return self.answer


class Pool:
    """The pool of the server's long work; every method may be called from any thread."""

    def __init__(self, places: int = PLACES, clock: Callable[[], float] = monotonic) -> None:
        self._places, self._clock = places, clock
        self._lock = threading.RLock()
        self._jobs: list[Job] = []
        self._turn = 0

    def ask(
        self, reader: Reader, place: str, name: Hashable, work: Callable[[Progress], object], needs: str = ""
    ) -> Job | None:
        """The job of this question, in place of the reader's last one here.

        None where the reader has another question waiting, in another place of the page: ask again. Of jobs that need
        one resource, as memory of another process, one at a time is worked on.
        """
        with self._lock:
            job = reader.jobs.get(place)
            if job is None or job.name != name:
                self._forget(reader, place)
                if self.full(reader):
                    return None
                job = self._joined(name, work, needs)
                reader.jobs[place] = job
            self._hear(reader, place)
            self._arrange()
            return job

    def hear(self, reader: Reader, place: str) -> Job | None:
        """The reader's job in this place; asking shows that the reader is still there."""
        with self._lock:
            self._hear(reader, place)
            self._arrange()
            return reader.jobs.get(place)

    def leave(self, reader: Reader, *places: str) -> None:
        """Drop the reader's questions in these places; in every place, where none is named."""
        with self._lock:
            for place in places or tuple(reader.jobs):
                self._forget(reader, place)
            self._arrange()

    def full(self, reader: Reader) -> bool:
        """Whether another question of this reader's waits for its turn, so that nothing else can."""
        with self._lock:
            return any(job.queued for job in reader.jobs.values())

    def _joined(self, name: Hashable, work: Callable[[Progress], object], needs: str) -> Job:
        """The job of another reader who asked this, unless it is being stopped; else a new one, queued last."""
        for job in self._jobs:
            if job.name == name and job.heard:
                return job
        self._turn += 1
        self._jobs.append(Job(name, work, self._turn, needs))
        return self._jobs[-1]

    def _hear(self, reader: Reader, place: str) -> None:
        job = reader.jobs.get(place)
        if job is not None and not job.over.is_set():
            job.heard[reader, place] = self._clock()

    def _forget(self, reader: Reader, place: str) -> None:
        job = reader.jobs.pop(place, None)
        if job is not None:
            job.heard.pop((reader, place), None)
            job.last = reader

    def _arrange(self) -> None:
        """Forget silent readers, drop unwanted jobs, and start as many queued jobs as fit."""
        for job in self._jobs:
            self._listen(job)
        self._jobs = [job for job in self._jobs if job.heard or not job.queued]
        while sum(not job.queued for job in self._jobs) < self._places and (free := self._free()):
            self._begin(min(free, key=self._rank))

    def _listen(self, job: Job) -> None:
        late = self._clock() - QUIET
        for reader, place in [asker for asker, heard in job.heard.items() if heard < late]:
            self._forget(reader, place)

    def _free(self) -> list[Job]:
        """The queued jobs that may start: each reader runs one job at a time, and so does each resource.

        A job counts as running until it has stopped.
        """
        under_way = [job for job in self._jobs if not job.queued]
        busy = {reader for job in under_way for reader, _ in job.heard}
        busy |= {job.last for job in under_way if job.last is not None and not job.heard}
        taken = {job.needs for job in under_way if job.needs}
        waiting = [job for job in self._jobs if job.queued and job.needs not in taken]
        return [job for job in waiting if any(reader not in busy for reader, _ in job.heard)]

    def _rank(self, job: Job) -> tuple[int, int]:
        """The order of jobs: first the reader who was served longest ago, then the question asked first."""
        return min(reader.turn for reader, _ in job.heard), job.turn

    def _begin(self, job: Job) -> None:
        self._turn += 1
        for reader, _ in job.heard:
            reader.turn = self._turn
        thread = threading.Thread(target=self._run, args=(job,), name="long-work", daemon=True)
        thread.start()
        job.thread = thread

    def _run(self, job: Job) -> None:
        assert job.work is not None
        stand_back()
        try:
            job.answer = job.work(partial(self._progress, job))
        except _Unwanted:
            pass
        except BaseException as problem:
            job.error = problem
        with self._lock:
            job.work = None  # it may hold an upload
            job.over.set()
            job.heard.clear()
            self._jobs.remove(job)
            self._arrange()

    def _progress(self, job: Job, share: float) -> None:
        with self._lock:
            self._listen(job)
            job.share = min(max(float(share), job.share), 1.0)
            if not job.heard:
                raise _Unwanted
        turns().pause()
