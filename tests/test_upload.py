"""A reader's own table: understood, corrected, forgotten, and never seen by anybody else."""

from __future__ import annotations

import asyncio
import gzip
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.caching import cache_data_api
from streamlit.testing.v1 import AppTest

from benchmarks.visitor import UPLOADS, Visitor
from explorer.host.inbox import MOST, Letter, inbox
from explorer.host.pool import Pool, Reader
from explorer.navigation import DEFAULT
from explorer.settings.questions import TableQuestion
from explorer.ui import cache, session, uploads, work
from explorer.ui.linkstate import LinkState
from ldpcore.reading import dialects, workbooks
from ldpcore.reading.files import MEGABYTE
from tests import alive
from tests.clocks import PATIENCE
from tests.crowded import SHARES
from tests.rationing import ALL, shared
from tests.screens.opening import (
    ROOT,
    TIMEOUT,
    answer,
    answered,
    complaints,
    link_of,
    looked_at,
    numbers_in,
    opened,
    undeclared,
)
from tests.workbooks import unfolding, xlsx
from tools.serving import Server, free_port, serving

PEOPLE = b"name;height;city\nAda;1,62;Bonn\nBen;1,80;Graz\nCem;1,75;Bonn\n"
HOSTILE = (
    b"<img src=x onerror=alert(1)>;$x^2$;**bold**;=1+1\n"
    b"<script>alert(1)</script>;1;:smile:;@SUM(A1)\n"
    b"[link](javascript:alert(1));2;`code`;-2+3\n"
)


def brought(content: bytes, name: str = "table.csv", app: AppTest | None = None, slug: str = "counting") -> AppTest:
    """A page to which a file has been handed."""
    if app is None:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
        if slug != DEFAULT:
            app.switch_page(f"pages/{slug}.py")
    app.session_state[f"{slug}_table"] = True  # open from the first run on
    answered(app.run())
    uploader = app.file_uploader[0].set_value((name, content, "text/csv"))
    app.session_state[f"{slug}_table"] = True  # stays open, as a browser says at every run
    uploader.run()
    assert not app.exception, [error.value for error in app.exception]
    return app


def pick(app: AppTest, label: str) -> Any:
    """A select box by its label."""
    return next(box for box in app.selectbox if box.label == label)


def forget(app: AppTest) -> AppTest:
    return next(button for button in app.button if button.label == "Forget my table").click().run()


def html(app: AppTest) -> str:
    """Every piece of HTML on the page."""
    return " ".join(str(piece.proto.body) for piece in app.get("html"))


def test_a_table_is_understood_and_counted() -> None:
    app = brought(PEOPLE)
    assert pick(app, "Data").value == "own-3x3"
    assert pick(app, "Separator").value == ";"
    assert pick(app, "Decimal mark").value == ","
    assert 3 in numbers_in(answer(app))
    assert "Graz" in html(app) and "number" in html(app)


def test_what_was_understood_can_be_corrected() -> None:
    app = brought(b"a;b\n1,5;2\n2,5;3\n")
    pick(app, "Separator").set_value(",").run()
    assert not app.exception
    assert pick(app, "Separator").value == ","
    pick(app, "Separator").set_value(";").run()
    pick(app, "is a").set_value("category").run()
    assert pick(app, "is a").value == "category"
    assert not app.error


def test_a_correction_that_cannot_be_read_gets_one_sentence_and_keeps_the_table() -> None:
    app = brought(PEOPLE)
    pick(app, "Encoding").set_value("utf-32").run()
    assert not app.exception
    assert len(app.error) == 1
    assert pick(app, "Data").value == "own-3x3"
    app.run()
    assert len(app.error) == 1
    pick(app, "Encoding").set_value("utf-8").run()
    assert not app.error


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("header.csv", b"a,b,c\n"),
        ("staff.tex.gz", gzip.compress(b"\\begin{tabular}{lr} Ada & 36 \\\\ \\end{tabular}", mtime=0)),
        ("broken.csv.gz", gzip.compress(PEOPLE, mtime=0)[:-9]),
    ],
)
def test_what_is_no_table_gets_one_sentence_and_everything_else_stays(name: str, content: bytes) -> None:
    app = brought(PEOPLE)
    said = answer(app)
    answered(brought(content, name, app))
    assert len(app.error) == 1
    assert name in app.error[0].value.replace("\\", "")
    assert pick(app, "Data").value == "own-3x3"
    assert answer(app) == said


@pytest.mark.parametrize("slug", ["counting", "averaging"])
def test_names_and_cells_show_as_text_everywhere(slug: str) -> None:
    app = brought(HOSTILE, "<b>evil</b> $x$ *y*.csv", slug=slug)
    app.radio[0].set_value("own").run()
    assert not app.exception
    body = html(app)
    assert "<script>" not in body and "<img" not in body
    assert "&lt;script&gt;" in body
    for text in [*app.markdown, *app.caption, *app.warning]:
        assert "<script>" not in str(text.value) and "<img" not in str(text.value) and "<b>" not in str(text.value)


def test_what_was_changed_in_a_table_is_said() -> None:
    rows = "".join(f"{i},inf,,{'x' if i % 2 else i}\n" for i in range(6))
    app = brought(("a,a,,mixed\n" + rows + "7,nan,1,8\n").encode())
    told = [str(caption.value) for caption in app.caption]
    for ending in ("got a number: 2.", "count as missing: 6.", "Empty cells: 13.", "read as categories: 1."):
        assert any(text.endswith(ending) for text in told), (ending, told)


def test_forgetting_leaves_nothing_behind() -> None:
    app = brought(PEOPLE, "mine.csv")
    digest = session.shelf().take(app.session_state["_own_table"]).table.digest
    app.radio[0].set_value("own").run()
    typed = f"_asking_{digest[:8]}_0_rows"
    assert typed in app.session_state and f"_question_{digest[:8]}" in app.session_state
    assert not undeclared(app)
    forget(app)
    assert typed not in app.session_state
    assert not app.exception
    assert "_own_table" not in app.session_state
    assert f"_question_{digest[:8]}" not in app.session_state
    assert "own" not in str(pick(app, "Data").options)
    assert 882 in numbers_in(answer(app))
    assert "Graz" not in html(app)


def test_a_table_and_its_question_stay_while_pages_change() -> None:
    app = brought(PEOPLE)
    app.radio[0].set_value("own").run()
    app.switch_page("pages/averaging.py").run()
    assert not app.exception
    assert pick(app, "Data").value == "own-3x3"
    assert app.radio[0].value == "own"


def test_a_link_says_how_large_the_table_is_and_nothing_that_is_in_it() -> None:
    app = brought(PEOPLE, "mine.csv")
    app.radio[0].set_value("own").run()
    carried = link_of(app).settings()
    assert carried["data"] == "own-3x3"
    told = str(carried) + str(dict(app.query_params))
    for secret in ("mine", "name", "height", "city", "Ada", "Bonn", "1.62", "1,62", "ask"):
        assert secret not in told


@pytest.mark.parametrize("text", ["own-3x3", "own-2584x3"])
def test_a_link_with_an_own_table_says_what_to_do(text: str) -> None:
    app = opened("counting", data=text)
    sentences = complaints(app)
    assert len(sentences) == 1
    assert "pload it again" in sentences[0]
    assert 882 in numbers_in(answer(app))


def test_whoever_has_the_table_can_follow_the_link() -> None:
    app = brought(PEOPLE)
    link_of(app).page = ""
    app.query_params["data"] = "own-3x3"
    app.run()
    assert pick(app, "Data").value == "own-3x3"
    assert not complaints(app)


def test_two_sessions_side_by_side_never_see_each_others_table_results_or_cache_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    present, shared, computed = ["first"], [], []
    kept, run = cache._shared, TableQuestion.run
    # AppTest gives every session the same name; here each has its own, as in a server.
    monkeypatch.setattr(cache_data_api, "get_session_id_or_throw", lambda: present[0])
    monkeypatch.setattr(cache, "_shared", lambda key, experiment: shared.append(experiment) or kept(key, experiment))
    monkeypatch.setattr(TableQuestion, "run", lambda question: computed.append(question.table.own) or run(question))
    apps = {name: opened("counting") for name in ("first", "second")}
    shared.clear()
    computed.clear()

    def enter(name: str) -> AppTest:
        present[0] = name
        return apps[name]

    brought(PEOPLE, "first.csv", enter("first"))
    for tab in ("plan", "error", "categories"):
        looked_at(enter("first"), tab)
    assert computed == [True]
    second = enter("second").run()
    assert "own" not in str(pick(second, "Data").options)
    assert "_own_table" not in second.session_state
    assert "Graz" not in html(second) + str([text.value for text in second.markdown])
    assert not any(repr(3) == repr(getattr(experiment, "n", None)) for experiment in shared)
    # The same file in the second session is computed anew: no entry of the first one is found.
    brought(PEOPLE, "first.csv", enter("second"))
    assert computed == [True, True]
    brought(b"salary\n777001\n777002\n", "second.csv", enter("second"))
    enter("first").run()
    assert pick(apps["first"], "Data").value == "own-3x3"
    assert pick(apps["second"], "Data").value == "own-2x1"
    # Forgetting in one session leaves the other one's answers where they are.
    forget(enter("second"))
    enter("first").run()
    assert computed == [True, True, True]
    assert pick(apps["first"], "Data").value == "own-3x3"
    assert all(getattr(experiment, "n", 2584) == 2584 for experiment in shared)


def test_a_families_parameters_are_those_with_its_name() -> None:
    link = LinkState(asked={"ask": ["own"], "ask_value_2": ["3"], "asking": ["x"], "data": ["clinic"]})
    assert link.take_family("ask") == {"ask": ["own"], "ask_value_2": ["3"]} and list(link.asked) == ["asking", "data"]
    link.known, link.travelling = {"ask": None, "asking": "x"}, {"ask_verb": "sum", "data": "clinic"}
    link.replace_family("ask", {"ask": "everybody"})
    assert link.known == {"asking": "x", "ask": "everybody"}
    assert link.travelling == {"data": "clinic", "ask": "everybody"}


def test_a_file_whose_quote_never_ends_is_read_without_quotes_by_the_control_that_the_refusal_names() -> None:
    app = brought(b'size;city\n"5;Graz\n6;Linz\n')
    assert any("without quotes" in error.value for error in app.error)
    quotes = next(toggle for toggle in app.toggle if toggle.label == "Cells may be in quotes")
    quotes.set_value(False).run()
    assert not app.exception and not app.error
    assert pick(app, "Data").value == "own-2x2"


def test_a_refused_file_can_be_read_in_another_way_at_once() -> None:
    app = brought(b"a,b\n1,2\n3,4,5\n6,7\n")
    assert app.error
    pick(app, "Separator").set_value(";").run()
    assert not app.exception and not app.error
    assert pick(app, "Data").value == "own-3x1"


def test_every_column_of_a_wide_table_stands_there_with_its_kind_and_what_is_odd() -> None:
    names = [f"c{place}" for place in range(300)]
    rows = [["1"] * 300, ["2"] * 299 + ["word"], ["3"] * 298 + ["", "4"]]
    app = brought("\n".join(",".join(row) for row in [names, *rows]).encode())
    shown = html(app)
    assert all(f"<td>{name}</td>" in shown for name in names)
    assert "<td>c298</td><td>number</td><td>1 empty</td>" in shown
    assert "<td>c299</td><td>category</td><td>2 numbers among words</td>" in shown


def test_a_table_without_a_header_is_asked_about_and_the_answer_counts_one_person_more_or_less() -> None:
    app = brought(b"Graz;Anna\nLinz;Bert\nWien;Carl\n")
    assert any("first line of your file" in text.value for text in app.markdown)
    assert 2 in numbers_in(answer(app))
    next(button for button in app.button if button.label == "The first person").click().run()
    assert not app.exception
    assert 3 in numbers_in(answer(app))
    assert not any("first line of your file" in text.value for text in app.markdown)


def doubt(app: AppTest) -> str:
    """What is asked about the file's numbers."""
    return " ".join(text.value for text in app.markdown if "In your file, does" in text.value)


def test_rows_of_totals_are_asked_about_and_left_out_where_their_reader_says_so() -> None:
    app = brought(b"name;age\nAda;30\nBen;41\nSumme;71\n")
    assert any("Summe · 71" in text.value for text in app.markdown) and pick(app, "Data").value == "own-3x2"
    next(button for button in app.button if button.label == "Leave it out").click().run()
    assert pick(app, "Data").value == "own-2x2" and not app.exception
    assert not [button for button in app.button if "person" in button.label]


def test_the_doubt_about_numbers_stays_while_other_things_are_settled() -> None:
    app = brought(b"2019;2020\n1.234;1.500\n7.000;3.125\n")
    assert not doubt(app)  # one after the other
    next(button for button in app.button if button.label == "The names").click().run()
    assert "*1.234*" in doubt(app) and pick(app, "Data").value == "own-2x2"
    pick(app, "is a").set_value("category").run()
    assert "*1.234*" in doubt(app)
    next(button for button in app.button if button.label == "1.234").click().run()
    assert not app.exception and not doubt(app) and pick(app, "Decimal mark").value == "."


@pytest.mark.parametrize("page", shared(["verify", "reference", "overview", "response"], 2))
def test_a_table_can_be_forgotten_from_every_page(page: str) -> None:
    app = brought(PEOPLE)
    app.switch_page(f"pages/{page}.py").run()
    forget(app)
    assert not app.exception
    assert "_own_table" not in app.session_state
    assert not [button for button in app.button if button.label == "Forget my table"]


def test_bounds_and_conditions_are_read_as_the_readers_own_file_writes_its_numbers() -> None:
    rows = "\n".join(f"{place};{pay}" for place, pay in enumerate(["60.000,50", "120.000,00", "3,50", "1.234,00"]))
    app = brought(f"id;pay\n{rows}\n".encode())
    app.radio[0].set_value("own").run()
    next(box for box in app.selectbox if box.label == "Column" and "asking" in box.key).set_value("pay").run()
    pick(app, "Relation").set_value("gt").run()
    for text, count in (("60.000", 2), ("3,5", 3), ("60.000,50", 1)):
        next(box for box in app.text_input if box.label == "Value").set_value(text).run()
        assert not app.exception and not app.warning, text
        assert count in numbers_in(answer(app)), text


def test_a_table_that_gave_way_is_asked_for_once_more_and_the_page_goes_on() -> None:
    app = brought(PEOPLE)
    session.shelf()._kept.clear()  # as when others have brought more than there is room for
    app.run()
    assert "pload it again" in " ".join(complaints(app)) and "_own_table" not in app.session_state
    assert pick(app, "Data").value == "income" and not app.exception
    app.run()
    assert not app.exception


@pytest.mark.parametrize("setting", ["seed", "repeats", "data"])
def test_the_move_that_finds_the_table_gone_says_so_and_the_next_one_takes_the_sentence_away(setting: str) -> None:
    app = brought(PEOPLE)
    session.shelf()._kept.clear()
    if setting == "seed":
        app.number_input(key="counting_seed").set_value(7).run()
    elif setting == "repeats":
        app.select_slider(key="counting_repeats").set_value(10_000).run()
    else:
        pick(app, "Data").set_value("clinic").run()
    assert len(complaints(app)) == 1 and "pload it again" in complaints(app)[0] and not app.exception
    app.run()
    assert len(complaints(app)) == 1  # nothing was set
    app.number_input(key="counting_seed").set_value(8).run()
    assert not complaints(app)


SMALLER = 1 if ALL else 8  # so many times, by day, is all that waits to be read


@pytest.fixture(scope="module")
def crowded() -> Iterator[tuple[Server, int]]:
    """A server with little room for files on their way, and the port at which it puts tables away."""
    port = free_port()
    environment = {alive.PORT: str(port), SHARES: str(SMALLER)}
    with serving(streamlit=("-m", "tests.crowded"), environment=environment) as server:
        yield server, port


def test_a_move_of_the_handle_alone_finds_the_table_gone_too(crowded: tuple[Server, int]) -> None:
    server, port = crowded

    async def lost(url: str) -> tuple[list[int], str]:
        visitor = Visitor(f"{url}/counting")
        await visitor.arrive()
        await visitor.bring("people.csv", PEOPLE)
        ends = [(await visitor.move(0.3)).ended]
        alive.put_away(port)
        visitor.said.clear()
        ends.append((await visitor.move(0.6)).ended)
        await visitor.leave()
        return ends, " ".join(visitor.said)

    ends, said = asyncio.run(lost(server.url))
    assert ends == [ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, ForwardMsg.FINISHED_SUCCESSFULLY]
    assert "pload it again" in said


def test_a_large_file_is_read_as_long_work_and_may_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(raw: bytes, *more: Any, **named: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        more[-1](0.5)  # raises where nobody wants it any more
        return uploads_read(raw, *more, **named)

    uploads_read = uploads.parsed
    monkeypatch.setattr(uploads, "parsed", slow)
    app = brought(PEOPLE + b"Dan;1,70;Rom\n" * 100_000)
    stop = next(button for button in app.button if button.label == "Stop")
    assert begun.wait(PATIENCE) and "_own_table" not in app.session_state
    stop.click().run()
    go_on.set()
    app.run()
    assert not app.exception and "_own_table" not in app.session_state
    assert not [button for button in app.button if button.label == "Stop"]


def test_a_doubtful_header_of_a_large_file_is_settled_as_long_work_and_may_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = handed(b"Graz;Anna\n" + b"Linz;Bert\n" * 110_000, "people.csv")
    doubt = next(button for button in app.button if button.label == "The first person")
    begun, go_on = threading.Event(), threading.Event()

    def slow(raw: bytes, *more: Any, **named: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        return uploads_read(raw, *more, **named)

    uploads_read = uploads.parsed
    monkeypatch.setattr(uploads, "parsed", slow)
    doubt.click().run()
    stop = next(button for button in app.button if button.label == "Stop")  # the page stands meanwhile
    assert begun.wait(PATIENCE) and 110_000 in numbers_in(answer(app))
    stop.click().run()
    go_on.set()
    app.run()
    assert 110_000 in numbers_in(answer(app)) and not app.exception
    next(button for button in app.button if button.label == "The first person").click().run()
    answered(app)
    assert 110_001 in numbers_in(answer(app)) and not app.exception


def test_a_workbook_is_read_and_another_sheet_can_be_chosen() -> None:
    book = xlsx(
        {"Staff": [["Our staff"], [], ["name", "age"], ["Ada", 36], ["Ben", 41]], "Wards": [["w"], [1], [2], [3]]}
    )
    app = handed(book, "staff.xlsx")
    assert pick(app, "Data").value == "own-2x2" and pick(app, "Sheet").value == "Staff"
    assert next(box for box in app.number_input if box.label == "Lines above the table").value == 2
    assert not [box for box in app.selectbox if box.label in ("Separator", "Encoding")]
    pick(app, "Sheet").set_value("Wards").run()
    answered(app)
    assert pick(app, "Data").value == "own-3x1" and not app.exception


def handed(content: bytes, name: str) -> AppTest:
    """A page to which a file has been handed, once it has been read."""
    return answered(brought(content, name))


def test_a_refused_workbook_offers_its_sheets_and_is_not_opened_again_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, sheet_of = list[str](), dialects.sheet_of

    def counted(raw: bytes, name: str, wanted: str, progress: Any, kind: Any) -> Any:
        opened.append(threading.current_thread().name)
        return sheet_of(raw, name, wanted, progress, kind)

    monkeypatch.setattr(dialects, "sheet_of", counted)
    app = handed(xlsx({"Names": [["ward", "age"], [None, None], ["", " "]], "People": [["age"], [36], [41]]}), "a.xlsx")
    assert "column names only" in " ".join(error.value for error in app.error)
    assert pick(app, "Sheet").options == ["Names", "People"] and not app.exception
    app.run()
    assert opened == ["long-work"], "in the pool, and once"
    pick(app, "Sheet").set_value("People").run()
    answered(app)
    assert pick(app, "Data").value == "own-2x1" and opened == ["long-work"] * 2


def test_what_was_tried_in_vain_is_not_tried_again_while_the_reader_does_other_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = handed(xlsx({"Names": [["ward", "age"], ["", " "]], "Other": [["b", "c"], ["", " "]]}), "a.xlsx")
    pick(app, "Sheet").set_value("Other").run()
    answered(app)
    monkeypatch.setattr(uploads, "parsed", lambda *given, **named: pytest.fail("read once more"))
    app.run()
    assert len(app.error) == 1 and not app.exception


@pytest.mark.parametrize(
    "content", [xlsx({"A": [["a"], [1]]}), gzip.compress(xlsx({"A": [["a"], [1]]}), mtime=0)], ids=["plain", "packed"]
)
def test_a_workbook_is_opened_in_the_pool_however_small_and_packed_it_is(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed, carry_out = list[str](), work.carry_out
    monkeypatch.setattr(work, "carry_out", lambda *given: needed.append(given[-1]) or carry_out(*given))
    assert pick(handed(content, "a.xlsx"), "Data").value == "own-1x1" and set(needed) == {"workbook"}


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells what a process holds")
def test_two_visitors_with_workbooks_that_unfold_have_one_process_at_a_time_of_300_megabytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each book has 200 kB and unfolds to 600 MB where it may; by day a third of both, and of what it may take."""
    share = 1 if ALL else 3
    monkeypatch.setattr(workbooks, "MEMORY", 300 * MEGABYTE // share)
    chore = partial(uploads.parsed, unfolding(5_000_000 // share), "unfolding.xlsx", None)
    pool, readers = Pool(), [Reader() for _ in range(2)]
    jobs = [pool.ask(reader, uploads.PLACE, place, chore, "workbook") for place, reader in enumerate(readers)]
    most, peak = 0, 0.0
    while not all(job is not None and job.over.is_set() for job in jobs):
        processes = [held for task in Path("/proc/self/task").iterdir() for held in opening(task / "children")]
        most, peak = max(most, len(processes)), max(peak, *processes, 0.0)
        for reader in readers:
            pool.hear(reader, uploads.PLACE)
        time.sleep(0.005)
    assert most == 1 and 100 / share < peak <= 300 / share
    assert {str(job.result().problem.key) for job in jobs if job is not None} == {"book_large"}


def opening(children: Path) -> list[float]:
    """The most megabytes that each of these processes has held which open a workbook."""
    megabytes = []
    for process in written(children).split():
        if "ldpcore.reading.sheetlines" in written(Path("/proc", process, "cmdline")):
            lines = written(Path("/proc", process, "status")).split("\n")
            megabytes += [float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")]
    return megabytes


def written(place: Path) -> str:
    """What the system says of a process, which may have gone meanwhile."""
    try:
        return place.read_text(encoding="utf-8")
    except OSError:
        return ""


@pytest.mark.parametrize(
    ("language", "words"), [("en", "dropped yours before reading"), ("de", "diese musste weichen")]
)
@pytest.mark.parametrize("slug", ["counting", "verify"])
def test_a_file_that_gave_way_to_others_is_asked_for_again_in_one_sentence(
    slug: str, language: str, words: str
) -> None:
    app = opened(slug, lang=language, **({} if slug == "counting" else {"verify_mode": "matrix"}))
    if slug == "counting":
        app.session_state["counting_table"] = True
        app.run()
    before = app.file_uploader[0].key
    inbox.cache_clear()  # AppTest calls all sessions the same: one of an earlier test takes what waits when it goes
    for sender in ("test session id", "another one"):  # as AppTest calls every session
        letter = Letter(sender, "1", lambda: None)
        inbox().put(letter)
        inbox().grow(letter, MOST - 1)
    app.run()
    assert not app.exception and len(app.error) == 1 and words in app.error[0].value
    assert app.file_uploader[0].key != before  # the browser believes that the other one holds a file
    content = PEOPLE if slug == "counting" else b"0.5 0.5\n0.25 0.75\n"
    app.file_uploader[0].set_value(("table.csv", content, "text/csv")).run()
    assert not app.exception and not app.error


def test_a_file_that_gives_way_while_it_arrives_is_answered_and_its_page_says_so(crowded: tuple[Server, int]) -> None:
    """Three readers send at once what is too much together, though each file may be sent; who comes late has room."""
    large = b"\x89PNG\r\n\x1a\n" + bytes((56 << 20) // SMALLER)
    assert len(large) < 60 << 20 and 2 * len(large) < MOST // SMALLER < 3 * len(large)

    async def all_at_once(url: str) -> list[bool]:
        visitors = [Visitor(f"{url}/counting") for _ in range(3)]
        for visitor in visitors:
            assert (await visitor.arrive()).complete and (await visitor.open()).complete
        files = [f"{UPLOADS}/{visitor.session}/{number}" for number, visitor in enumerate(visitors)]
        sent = [
            asyncio.to_thread(visitor.send, file, "large.png", large)
            for visitor, file in zip(visitors, files, strict=True)
        ]
        assert await asyncio.gather(*sent) == [204] * 3
        told = []
        for visitor, file in zip(visitors, files, strict=True):
            assert (await visitor.hand_over(file, "large.png", len(large))).complete
            told.append(any("dropped yours before reading" in text for text in visitor.said))
            await visitor.leave()
        return told

    server, _ = crowded
    told = asyncio.run(all_at_once(server.url))
    assert any(told) and not all(told)
    assert "Traceback" not in server.said() and "without starting response" not in server.said()
