"""Long work: so much at once and no more, in turn, stopped when nobody wants it, and handed to the page that asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.host.pool import QUIET, Job, Pool, Reader
from explorer.ui import work
from ldpcore import questions
from ldpcore.questions import Progress, no_progress

SOON = 20.0  # seconds after which a test that hangs says so; nothing waits for as long


@dataclass(eq=False)
class Chore:
    """Work that goes on, step by step, as the test says, and tells when it begins, and when it is told to stop."""

    begun: threading.Event = field(default_factory=threading.Event)
    step: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stepped: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    stopped: threading.Event = field(default_factory=threading.Event)
    steps: int = 4
    problem: Exception | None = None

    def __call__(self, progress: Progress) -> str:
        self.begun.set()
        for done in range(self.steps):
            assert self.step.acquire(timeout=SOON)
            try:
                progress(done / self.steps)
            except BaseException:
                self.stopped.set()
                raise
            self.stepped.release()
        if self.problem:
            raise self.problem
        return "found"

    def go(self, steps: int | None = None) -> None:
        self.step.release(self.steps if steps is None else steps)


class Clock:
    """Time passes when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pool(clock: Clock) -> Pool:
    return Pool(places=2, clock=clock)


def asked(pool: Pool, reader: Reader, chore: Chore, place: str = "stage") -> Job:
    job = pool.ask(reader, place, chore, chore)
    assert job is not None
    return job


def ends(job: Job) -> bool:
    """Whether its thread comes to its end."""
    assert job.thread is not None
    job.thread.join(SOON)
    return job.over.is_set() and not job.thread.is_alive()


def test_an_answer_is_handed_over(pool: Pool) -> None:
    chore = Chore()
    job = asked(pool, Reader(), chore)
    assert chore.begun.wait(SOON) and not job.queued
    chore.go()
    assert job.over.wait(SOON) and job.result() == "found"
    assert job.work is None, "what was asked is let go of"


def test_what_the_work_raises_is_raised_where_the_answer_is_wanted(pool: Pool) -> None:
    chore = Chore(problem=ValueError("k must be at least 2; got 1"))
    job = asked(pool, Reader(), chore)
    chore.go()
    assert job.over.wait(SOON)
    with pytest.raises(ValueError, match="at least 2"):
        job.result()


def test_two_at_once_and_the_others_wait(pool: Pool) -> None:
    chores = [Chore() for _ in range(5)]
    jobs = [asked(pool, Reader(), chore) for chore in chores]
    for done in range(5):
        working = [not job.queued and not job.over.is_set() for job in jobs]
        assert sum(working) == min(2, 5 - done)
        chores[done].go()
        assert ends(jobs[done])
    assert all(job.result() == "found" for job in jobs)


def test_of_those_that_need_the_same_one_at_a_time_is_worked_on_and_others_go_past(pool: Pool) -> None:
    chores, other = [Chore() for _ in range(3)], Chore()
    jobs = [pool.ask(Reader(), "stage", chore, chore, needs="workbook") for chore in chores]
    free = asked(pool, Reader(), other)
    assert other.begun.wait(SOON), "a place is free for what needs something else"
    for chore, job, later in zip(chores, jobs, [*chores[1:], None], strict=True):
        assert job is not None and chore.begun.wait(SOON)
        assert later is None or not later.begun.is_set()
        chore.go()
        assert ends(job)
    other.go()
    assert ends(free)


def test_what_is_told_to_stop_is_needed_until_it_has_stopped(pool: Pool) -> None:
    reader, first, second = Reader(), Chore(), Chore()
    stopping = pool.ask(reader, "stage", first, first, needs="workbook")
    waiting = pool.ask(Reader(), "stage", second, second, needs="workbook")
    assert stopping is not None and waiting is not None and first.begun.wait(SOON)
    pool.leave(reader)
    assert waiting.queued
    first.go(1)
    assert first.stopped.wait(SOON) and ends(stopping) and second.begun.wait(SOON)
    second.go()
    assert ends(waiting)


def test_a_reader_has_one_question_worked_on_and_one_waiting(pool: Pool) -> None:
    reader, first, second, third = Reader(), Chore(), Chore(), Chore()
    running, waiting = asked(pool, reader, first, "stage"), asked(pool, reader, second, "strip")
    assert not running.queued and waiting.queued, "the other place is free, but not for the same reader"
    assert pool.ask(reader, "pin", third, third) is None and pool.full(reader)
    first.go()
    assert ends(running)
    assert second.begun.wait(SOON) and not pool.full(reader)
    second.go()
    assert ends(waiting)


def test_readers_take_turns(pool: Pool) -> None:
    """One who was served goes behind those who were not, however early the next question is asked."""
    eager, patient, fill = Reader(), Reader(), Chore()
    busy = asked(pool, Reader(), fill)
    first, second, other = Chore(), Chore(), Chore()
    served = asked(pool, eager, first, "stage")
    again, waiting = asked(pool, eager, second, "strip"), asked(pool, patient, other)
    first.go()
    assert ends(served)
    assert other.begun.wait(SOON) and again.queued
    other.go()
    assert ends(waiting)
    assert second.begun.wait(SOON)
    for chore, job in ((second, again), (fill, busy)):
        chore.go()
        assert ends(job)


def test_a_newer_question_replaces_the_older_one(pool: Pool) -> None:
    reader, older, newer = Reader(), Chore(), Chore()
    first = asked(pool, reader, older)
    assert older.begun.wait(SOON)
    second = asked(pool, reader, newer)
    assert second.queued, "the older one has not stopped yet"
    older.go(1)
    assert older.stopped.wait(SOON), "told at its next word"
    assert ends(first) and first.answer is None
    newer.go()
    assert second.over.wait(SOON) and second.result() == "found"


def test_a_waiting_question_that_is_replaced_is_never_begun(pool: Pool) -> None:
    fills = [Chore(), Chore()]
    busy = [asked(pool, Reader(), chore) for chore in fills]
    reader, older, newer = Reader(), Chore(), Chore()
    asked(pool, reader, older)
    job = asked(pool, reader, newer)
    for chore in (*fills, newer):
        chore.go()
    assert all(ends(each) for each in busy) and job.over.wait(SOON)
    assert not older.begun.is_set()


def test_stop_is_heard_at_the_next_word(pool: Pool) -> None:
    reader, chore = Reader(), Chore()
    job = asked(pool, reader, chore)
    chore.go(1)
    assert chore.stepped.acquire(timeout=SOON) and not chore.stopped.is_set()
    pool.leave(reader, "stage")
    chore.go(1)
    assert chore.stopped.wait(SOON) and ends(job)
    assert pool.hear(reader, "stage") is None


def test_who_is_not_heard_has_left(pool: Pool, clock: Clock) -> None:
    gone, chore = Reader(), Chore()
    job = asked(pool, gone, chore)
    clock.now = QUIET - 0.1
    assert pool.hear(gone, "stage") is job
    clock.now += QUIET
    chore.go(1)
    assert chore.stepped.acquire(timeout=SOON), "heard of just in time"
    clock.now += 0.2
    chore.go(1)
    assert chore.stopped.wait(SOON) and ends(job)
    assert not gone.jobs


def test_what_a_reader_who_left_waited_for_is_never_begun(pool: Pool, clock: Clock) -> None:
    readers, fills = [Reader(), Reader()], [Chore(), Chore()]
    busy = [asked(pool, reader, chore) for reader, chore in zip(readers, fills, strict=True)]
    gone, lost = Reader(), Chore()
    asked(pool, gone, lost)
    clock.now = 1.0
    for reader in readers:
        pool.hear(reader, "stage")
    clock.now = QUIET + 0.5
    for chore, job in zip(fills, busy, strict=True):
        chore.go()
        assert ends(job) and job.result() == "found"
    assert not lost.begun.is_set() and not gone.jobs


def test_who_asks_the_same_waits_for_the_same_work(pool: Pool) -> None:
    """It goes on until the last of them has left."""
    one, two, chore = Reader(), Reader(), Chore()
    job = asked(pool, one, chore)
    assert asked(pool, two, chore) is job
    pool.leave(one, "stage")
    chore.go(1)
    assert chore.stepped.acquire(timeout=SOON)
    pool.leave(two, "stage")
    chore.go(1)
    assert chore.stopped.wait(SOON) and ends(job)


def test_what_was_stopped_can_be_asked_again_at_once(pool: Pool) -> None:
    reader, chore = Reader(), Chore()
    doomed = asked(pool, reader, chore)
    pool.leave(reader, "stage")
    fresh = asked(pool, reader, chore)
    assert fresh is not doomed and fresh.queued
    chore.go(1)
    assert ends(doomed)
    chore.go()
    assert fresh.over.wait(SOON) and fresh.result() == "found"


GATES: dict[str, Chore] = {}


@dataclass(frozen=True)
class Question(questions.Question[str]):
    """A frozen question whose work is the test's."""

    name: str

    def run(self, progress: Progress = no_progress) -> str:
        return GATES[self.name](progress)


def page() -> None:
    """What a page does with an outcome."""
    import streamlit as st

    from explorer.ui import work
    from tests.test_work import Question

    outcome = work.ask(Question(st.session_state["asked"]), st.session_state["scope"])
    if isinstance(outcome, work.Waiting):
        work.watch(working="working", queued="queued", stop="Stop")
    elif isinstance(outcome, work.Stopped):
        st.button("Go on", "go_on", on_click=work.go_on)
    else:
        st.markdown(outcome.answer)


@pytest.fixture
def chore(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chore]:
    monkeypatch.setattr(work, "PATIENCE", 0.01)  # nobody watches
    st.cache_data.clear()
    st.cache_resource.clear()
    made = GATES["one"] = Chore()
    yield made
    made.go(100)


def opened(scope: str = "global") -> AppTest:
    app = AppTest.from_function(page, default_timeout=SOON)
    app.session_state["asked"], app.session_state["scope"] = "one", scope
    return app.run()


def job_of(app: AppTest) -> Job:
    return app.session_state["_reader"].jobs["stage"]  # type: ignore[no-any-return]


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def bar(app: AppTest) -> Any:
    return app.get("progress")[0].proto


@pytest.mark.parametrize("scope", ["global", "session"])
def test_a_page_waits_and_then_shows_the_answer(chore: Chore, scope: str) -> None:
    app = opened(scope)
    assert labels(app) == ["Stop"] and bar(app).text == "working"
    chore.go(3)
    for _ in range(3):
        assert chore.stepped.acquire(timeout=SOON)
    app.run()
    assert bar(app).value == 50
    job = job_of(app)
    chore.go(1)
    assert ends(job)
    app.run()
    assert not app.exception and [shown.value for shown in app.markdown] == ["found"] and not labels(app)
    assert not app.session_state["_reader"].jobs, "it is kept in the cache alone"
    GATES["one"] = Chore(steps=0, problem=RuntimeError("asked twice"))
    app.run()
    assert [shown.value for shown in app.markdown] == ["found"]
    app.session_state["scope"] = "global"
    app.run()
    found = [shown.value for shown in app.markdown]
    assert found == ["found"] if scope == "global" else app.exception, "what is private is in no cache that others see"


def test_stop_and_go_on(chore: Chore) -> None:
    app = opened()
    job = job_of(app)
    app.button[0].click().run()
    assert labels(app) == ["Go on"]
    chore.go(1)
    assert ends(job) and chore.stopped.is_set()
    app.run()
    assert labels(app) == ["Go on"], "it stays stopped"
    GATES["one"] = Chore(steps=0)
    app.button[0].click().run()
    app.run()
    assert [shown.value for shown in app.markdown] == ["found"]


def test_another_question_in_the_same_place_stops_the_first(chore: Chore) -> None:
    app = opened()
    job = job_of(app)
    GATES["two"] = Chore(steps=0)
    app.session_state["asked"] = "two"
    app.run()
    chore.go(1)
    assert ends(job) and chore.stopped.is_set()
    assert ends(job_of(app))
    app.run()
    assert [shown.value for shown in app.markdown] == ["found"]


def test_the_page_gets_what_the_work_raised(chore: Chore) -> None:
    chore.problem = ValueError("no such thing")
    app = opened()
    job = job_of(app)
    chore.go()
    assert ends(job)
    app.run()
    assert len(app.exception) == 1  # raised on the page, whose reader is not shown what it says
