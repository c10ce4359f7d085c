"""What a page makes of a typed text, without its screen: its own reader, its own settings, the question, the scene.

A box reads what was typed and says what is to be shown then, by the functions that its page calls; what they refuse is
refused. A scene is answered as a page does: on the spot what is short, by the pool what takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from explorer.declarations import PageDeclaration, View
from explorer.facts import Count, Facts, Name
from explorer.figures.theme import Look
from explorer.pages.averaging import settings as averaging
from explorer.pages.budget import settings as budget
from explorer.pages.counting import settings as counting
from explorer.pages.distinguish import settings as distinguish
from explorer.pages.frequencies import settings as frequencies
from explorer.pages.response import settings as response
from explorer.pages.verify import settings as verify
from explorer.scenes import Scene, scene
from explorer.settings.drawnbars import bars
from explorer.settings.questions import QuestionDraft, query, stated
from explorer.settings.tables import AnsweredQuestion
from explorer.settings.typed import AskError, Habits
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ui.page import AT_ONCE
from ldpcore.accounting.columns import read_rows
from ldpcore.experiments.distinguish import WorldPair
from ldpcore.experiments.frequencies import RealReports
from ldpcore.experiments.verify.owncounts import OwnAudit, read_counts
from ldpcore.questions import Question, seconds
from ldpcore.reading.answers import MOST_PEOPLE, YesCount, read_answers
from ldpcore.reading.counted import read_counted
from ldpcore.reading.matrices import read_matrix
from ldpcore.refusals import Refusal
from ldpcore.tables.table import BUILT_IN, built_in
from tests.fuzz import texts
from tests.samples.frequencies import samples as frequency_samples
from tests.scenes import declared

LOOKS = (Look(), Look(dark=True, lecture=True), Look(truth=False))
LANGUAGES = (*languages(), PSEUDO)


class RefusedError(Exception):
    """The page says in a sentence of its own why it cannot use a text."""


class LaterError(Exception):
    """What is asked is long work: the pool answers it, and not the page."""

    def __init__(self, question: Question[Any]) -> None:
        super().__init__(type(question).__name__)
        self.question = question


REFUSED = (Refusal, AskError, RefusedError)


@dataclass(frozen=True)
class Shown:
    """One view of a page as a text has set it; `level` where the text itself says it."""

    page: PageDeclaration
    view: View
    asked: Any
    own: Any = None
    level: float | None = None


@dataclass(frozen=True)
class Glance:
    """How somebody looks at a page: at which level, on what screen, in which language."""

    level: float = 1.0
    look: Look = LOOKS[0]
    language: str = "en"


@dataclass(frozen=True)
class Box:
    """A box: what may be typed, and what is to be shown then; a text that cannot be used raises one of `REFUSED`."""

    typed: st.SearchStrategy[Any]
    shown: Callable[..., Shown]


class Patience:
    """How a page answers: on the spot, as long as all together take a second by their own estimate."""

    def __init__(self) -> None:
        self.left = AT_ONCE

    def __call__(self, question: Question[Any]) -> Any:
        takes = seconds(question)
        if takes > self.left:
            raise LaterError(question)
        self.left -= takes
        return question.run()


def glances() -> st.SearchStrategy[Glance]:
    """Any level that the handle or its box takes, any screen, any language."""
    levels = st.one_of(st.sampled_from((0.01, 0.1, 1.0, 10.0)), st.floats(1e-6, 50.0), st.sampled_from((1e-6, 50.0)))
    return st.builds(Glance, levels, st.sampled_from(LOOKS), st.sampled_from(LANGUAGES))


def made(what: Shown, glance: Glance) -> Scene:
    """The scene that the page shows, as long as nothing in it is long work."""
    look = replace(glance.look, separators=catalogue_of(glance.language).separators)
    level = glance.level if what.level is None else what.level
    return scene(what.page, what.view, what.asked, level, look, glance.language, Patience(), what.own)


def sentence(problem: Exception, language: str) -> str:
    """What the page says of a text that it cannot use."""
    if isinstance(problem, AskError):
        return catalogue_of(language).write(problem.reason)
    return catalogue_of(language).refusal(problem) if isinstance(problem, Refusal) else str(problem)


def boxes() -> dict[str, Box]:
    """Every box whose text becomes work, by what is typed into it."""
    views, whole, yes = st.integers(0, 99), st.integers(0, 10**9), st.booleans()
    totals, deltas = st.floats(0.01, 1000.0), st.sampled_from((1e-12, 1e-6, 0.1))
    return {
        "a ledger": Box(st.tuples(texts.ledgers(), totals, deltas), _ledger),
        "conditions": Box(st.sampled_from(BUILT_IN).flatmap(_drafts), _question),
        "a matrix": Box(st.tuples(texts.matrices(), yes, views), _matrix),
        "answers": Box(st.tuples(texts.answers(), whole, yes), _answers),
        "counts of reports": Box(st.tuples(texts.tables_of_counts(), whole, yes), _reports),
        "counts of an audit": Box(st.tuples(texts.audits(), st.sampled_from((0.5, 0.95, 0.999))), _audit),
        "heights": Box(st.tuples(texts.heights(), views), _bars),
    }


def _fitting(slug: str, asked: Any, told: Mapping[str, Any], place: int) -> Shown:
    """One of the views of a page that these settings have, counted around."""
    views = [each for each in declared(slug).views.values() if each.only(asked)]
    view = views[place % len(views)]
    own = told[view.slug] if view.slug in told else view.at_first(asked)
    return Shown(declared(slug), view, asked, own)


def _view(slug: str, view: str, asked: Any, own: Any = None) -> Shown:
    return Shown(declared(slug), declared(slug).views[view], asked, own)


def _ledger(text: str, total: float, delta: float) -> Shown:
    return _view("budget", "ledger", budget.Budget(total=total, delta=delta), read_rows(text))


def _drafts(name: str) -> st.SearchStrategy[Any]:
    relations, tongues = st.sampled_from(("add-remove", "replace-one")), st.sampled_from(languages())
    slugs = st.sampled_from(("counting", "averaging"))
    return st.tuples(st.just(name), texts.drafts(built_in(name)), relations, tongues, slugs, st.integers(0, 99))


def _question(name: str, draft: QuestionDraft, relation: str, language: str, slug: str, place: int) -> Shown:
    table = built_in(name)
    exact = query(table, stated(table, draft, Habits.of(language)))
    asked = AnsweredQuestion.of(exact, table, relation)
    if slug == "counting":
        return _fitting(slug, counting.Counting(asked, relation), {}, place)
    return _fitting(slug, averaging.Averaging(asked, relation), {}, place)


def _matrix(text: str, divide: bool, place: int) -> Shown:
    typed = read_matrix(text)
    if typed.complaint is not None and divide:
        typed = typed.normalized()
    asked = verify.JudgedMatrix(typed.channel(), printed=typed)
    none = {"merging": ()} if asked.columns < 3 else {}  # as the page begins where there is little to merge
    return _fitting("verify", asked, none, place)


def _answers(text: str, silent: int, sampled: bool) -> Shown:
    read = read_answers(text)
    if not isinstance(read, YesCount):
        raise RefusedError(catalogue_of("en").label(f"answers_{read.reason}", "response", _answers_facts(text)))
    design = ("coins", "level", "dice")[silent % 3]
    own = response.TypedClass(read.yes, read.n, design, sampled, silent * (silent % 2))
    return _view("response", "real", response.ResponseSettings(curator=not sampled), own)


def _answers_facts(text: str) -> Facts:
    return {"text": Name(text[:60]), "most": Count(MOST_PEOPLE), "yes": Count(0), "n": Count(0)}


def _reports(text: str, silent: int, together: bool) -> Shown:
    table, samples = read_counted(text), frequency_samples()
    asked = samples[silent % len(samples)]
    made = frequencies.counting(asked.mechanism, 1.0, len(table.counts))
    n = table.total if table.total is not None else max(sum(table.counts), 1)
    RealReports(made, table.counts, n)
    around = frequencies.Around(together, not together)
    own = frequencies.BroughtReports(table.counts, n, table.names, around, silent * (silent % 2))
    return _view("frequencies", "real", asked, own)


def _audit(lines: tuple[str, str], confidence: float) -> Shown:
    first, second = map(read_counts, lines)
    OwnAudit(first, second)
    return _view("verify", "audit", verify.Counted(first, second, confidence))


def _bars(rows: tuple[str, str], place: int) -> Shown:
    worlds, slug = WorldPair.weights(*map(bars, rows)), ("grr", "oue", "subset")[place % 3]
    return _fitting("distinguish", distinguish.Distinguish(worlds, "bars", slug), {}, place // 3)
