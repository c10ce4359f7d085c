"""What a page makes of a typed text, without its screen: its own reader, its own settings, the question, the scene.

A box reads what was typed and says what is to be shown then, by the functions that its page calls; what they refuse is
refused. `shown` answers as a page does: on the spot what is short, by the pool what takes longer.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from hypothesis import strategies as st

from explorer.figures.theme import Look
from explorer.rooms.budget.settings import Budget
from explorer.rooms.distinguish.settings import bars
from explorer.rooms.frequencies.settings import Around, Reports, counting
from explorer.rooms.response.settings import Response
from explorer.rooms.response.settings import Typed as Hands
from explorer.rooms.verify.settings import Counted
from explorer.rooms.verify.settings import Typed as Matrix
from explorer.scenes import Declaration, Scene, View, scene
from explorer.settings.questions import Draft, query, stated
from explorer.settings.tables import Asked
from explorer.settings.typed import AskError, Habits
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ui.page import AT_ONCE
from ldpcore.accounting import Ledger
from ldpcore.accounting.lines import read_rows
from ldpcore.experiments.averaging.accounts import Account
from ldpcore.experiments.distinguish import Worlds
from ldpcore.experiments.frequencies import RealReports
from ldpcore.experiments.verify.owncounts import OwnAudit, read_counts
from ldpcore.questions import Question, seconds
from ldpcore.reading.answers import Answers, read_answers
from ldpcore.reading.counted import read_counted
from ldpcore.reading.matrices import read_matrix
from ldpcore.refusals import Refusal
from ldpcore.tables.table import BUILT_IN, built_in
from tests.fuzz import texts
from tests.scenes import declared

REFUSED = (Refusal, AskError)
LOOKS = (Look(), Look(dark=True, lecture=True), Look(truth=False))


@dataclass(frozen=True)
class Shown:
    """One view of a page as the reader's text has set it."""

    page: Declaration
    view: View
    asked: Any
    own: Any = None


@dataclass(frozen=True)
class Glance:
    """How somebody looks at a page: at which level, on what screen, in which language."""

    level: float = 1.0
    look: Look = LOOKS[0]
    language: str = "en"


class LaterError(Exception):
    """What is asked is long work: the pool answers, not the page."""

    def __init__(self, question: Question[Any]) -> None:
        super().__init__(type(question).__name__)
        self.question = question


@dataclass
class Patience:
    """How a page answers: on the spot, as long as all together take a second by their own estimate."""

    left: float = AT_ONCE
    answers: list[Any] = field(default_factory=list)

    def __call__(self, question: Question[Any]) -> Any:
        takes = seconds(question)
        if takes > self.left:
            raise LaterError(question)
        self.left -= takes
        return question.run()


@dataclass(frozen=True)
class Box:
    """A box: what may be typed, and what is to be shown then; a text that cannot be used raises one of `REFUSED`."""

    typed: st.SearchStrategy[Any]
    shown: Callable[[Any], Shown]


def glances() -> st.SearchStrategy[Glance]:
    """Any level that the handle or its box takes, any screen, any language."""
    levels = st.one_of(st.sampled_from((0.01, 0.1, 1.0, 10.0)), st.floats(1e-6, 50.0), st.just(50.0), st.just(1e-6))
    return st.builds(Glance, levels, st.sampled_from(LOOKS), st.sampled_from(("en", "de", PSEUDO)))


def made(what: Shown, glance: Glance) -> Scene:
    """The scene that the page shows, as long as nothing in it is long work."""
    look = replace(glance.look, separators=catalogue_of(glance.language).separators)
    return scene(what.page, what.view, what.asked, glance.level, look, glance.language, Patience(), what.own)


def refusal(problem: Refusal | AskError, language: str) -> str:
    """The sentence that the page says of a text that it cannot use."""
    catalogue = catalogue_of(language)
    return catalogue.write(problem.reason) if isinstance(problem, AskError) else catalogue.refusal(problem)


def fitting(slug: str, asked: Any, own: Callable[[str], Any] | None = None, view: int = 0) -> Shown:
    """One of the views of a page that these settings have, counted around."""
    page = declared(slug)
    views = [each for each in page.views.values() if each.only(asked)]
    chosen = views[view % len(views)]
    first = own or (lambda name: importlib.import_module(f"explorer.rooms.{slug}.settings").own(name, asked))
    return Shown(page, chosen, asked, first(chosen.slug))


def boxes() -> dict[str, Box]:
    """Every box whose text becomes work, by what is typed into it."""
    views, exact = st.integers(0, 99), st.integers(0, 10**9)
    ends = st.tuples(st.floats(0.01, 1000.0), st.sampled_from((1e-12, 1e-6, 0.1)))
    return {
        "ledger": Box(st.tuples(texts.ledgers(), ends), lambda typed: _ledger(*typed)),
        "conditions": Box(
            st.sampled_from(BUILT_IN).flatmap(lambda name: _drafts(name, views)), lambda typed: _question(*typed)
        ),
        "matrix": Box(st.tuples(texts.matrices(), st.booleans(), views), lambda typed: _matrix(*typed)),
        "answers": Box(st.tuples(texts.answers(), exact, st.booleans()), lambda typed: _answers(*typed)),
        "reports": Box(st.tuples(texts.tables_of_counts(), exact, st.booleans()), lambda typed: _reports(*typed)),
        "audit": Box(st.tuples(texts.audits(), st.sampled_from((0.5, 0.95, 0.999))), lambda typed: _audit(*typed)),
        "bars": Box(st.tuples(texts.heights(), views), lambda typed: _bars(*typed)),
        "account": Box(texts.accounts(), lambda typed: _account(*typed)),
    }


def _ledger(text: str, ends: tuple[float, float]) -> Shown:
    total, delta = ends
    page = declared("budget")
    return Shown(page, page.views["ledger"], Budget(total=total, delta=delta), read_rows(text))


def _drafts(name: str, views: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    relations, tongues = st.sampled_from(("add-remove", "replace-one")), st.sampled_from(("en", "de"))
    slugs, table = st.sampled_from(("counting", "averaging")), built_in(name)
    return st.tuples(st.just(name), texts.drafts(table), relations, tongues, slugs, views)


def _question(name: str, draft: Draft, relation: str, language: str, slug: str, view: int) -> Shown:
    table = built_in(name)
    exact = query(table, stated(table, draft, Habits.of(language)))
    if exact.where.conditions:
        catalogue_of(language).write(Asked(exact, table, table.own).fact())
    asked = Asked.of(exact, table, relation)
    module = importlib.import_module(f"explorer.rooms.{slug}.settings")
    page = {"counting": "Counting", "averaging": "Averaging"}[slug]
    return fitting(slug, vars(module)[page](asked, relation), view=view)


def _matrix(text: str, divide: bool, view: int) -> Shown:
    typed = read_matrix(text)
    if typed.complaint is not None and divide:
        typed = typed.normalized()
    return fitting("verify", Matrix(typed.channel(), printed=typed), view=view)


def _answers(text: str, silent: int, sampled: bool) -> Shown:
    read = read_answers(text)
    if not isinstance(read, Answers):
        raise AskError("no_number", text=catalogue_name(text))
    page, asked = declared("response"), Response(curator=not sampled)
    design = ("coins", "level", "dice")[silent % 3]
    return Shown(page, page.views["real"], asked, Hands(read.yes, read.n, design, sampled, silent * (silent % 2)))


def catalogue_name(text: str) -> Any:
    """A text as a sentence quotes it."""
    from explorer.facts import Name

    return Name(text[:40])


def _reports(text: str, silent: int, together: bool) -> Shown:
    table, page = read_counted(text), declared("frequencies")
    every = importlib.import_module("explorer.rooms.frequencies.settings").samples()
    asked = every[silent % len(every)]
    made = counting(asked.mechanism, 1.0, len(table.counts))
    n = table.total if table.total is not None else max(sum(table.counts), 1)
    RealReports(made, table.counts, n)
    own = Reports(table.counts, n, table.names, Around(together, not together), silent * (silent % 2))
    return Shown(page, page.views["real"], asked, own)


def _audit(lines: tuple[str, str], confidence: float) -> Shown:
    first, second = map(read_counts, lines)
    OwnAudit(first, second)
    page = declared("verify")
    return Shown(page, page.views["counts"], Counted(first, second, confidence))


def _bars(rows: tuple[str, str], view: int) -> Shown:
    module = importlib.import_module("explorer.rooms.distinguish.settings")
    worlds = Worlds.weights(*map(bars, rows))
    return fitting("distinguish", module.Distinguish(worlds, "bars", ("grr", "oue", "subset")[view % 3]), view=view)


def _account(total: str, entries: tuple[tuple[str, int], ...]) -> Shown:
    ledger = Ledger.of(total)
    for level, times in entries:
        ledger.affordable(level)
        ledger = ledger.asked("q", level, times)
    ledger.floating(), ledger.running()
    page = declared("averaging")
    asked = importlib.import_module("explorer.rooms.averaging.settings").samples()[0]
    return Shown(page, page.views["ledger"], asked, Account.of(ledger))


def everything(question: Any) -> Iterator[Any]:
    """All questions that are asked at once."""
    yield from (each for each in (question if isinstance(question, tuple) else (question,)) if each is not None)


__all__ = ["LaterError", "boxes", "glances", "made", "partial", "refusal"]
