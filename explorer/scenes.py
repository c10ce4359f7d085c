"""One view at one level as a pure value: computed at every stop, kept for all readers, and tested.

A page declares its views once; `scene` puts question, result, figure and words together. Nothing here draws a widget,
reads a session or makes a sentence; randomness is the seed inside the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from explorer.declarations import PageDeclaration, PageSettings, View
from explorer.facts import All, Facts, Quantity, masked, plain
from explorer.figures import marks, plot, theme
from explorer.predicting import BLANK, asking, asking_cases, tellable
from explorer.settings.remarks import Remarked
from explorer.text.catalogue import Catalogue, Words, catalogue_of
from ldpcore.questions import Asking, Questions, Recommendation, Result

RunQuestion = Callable[[Asking], Result]  # how a frozen question becomes its result: `run`, or the cache


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that one view shows at one level, in one language."""

    answer: str  # HTML
    note: str  # HTML
    alt: str
    facts: Facts
    question: Questions
    case: str
    view: str = ""
    figure: plot.Figure | None = None
    drawing: str | None = None
    table: list[list[object]] | None = None  # the numbers of the picture, where its figure does not hold them
    recommended: tuple[Recommendation, ...] = ()  # what a plan would set
    said: tuple[str, str] = ("", "")  # the keys of its answer, as it is told where nothing is hidden, and of its note


def run(question: Asking) -> Result:
    """Answer a question on the spot."""
    return question.run()


def results_of(question: Questions, answer: RunQuestion) -> tuple[Result, ...]:
    """The results of a question, or of several."""
    questions = question if isinstance(question, tuple) else (question,)
    return tuple(answer(each) for each in questions if each is not None)


def facts_at(
    page: PageDeclaration[PageSettings],
    asked: PageSettings,
    level: float,
    answer: RunQuestion = run,
    view: View[PageSettings] | None = None,
) -> tuple[Facts, str]:
    """The facts that texts may use at a level, except those of the reader's data, and the case of the answer."""
    if view is not None and view.brought is not None:
        return {}, ""
    result = answer(page.main(asked, level)) if page.main else None
    facts = dict(page.known(asked)) if page.known else {}
    if result is not None:
        facts |= page.facts(result)
    for released in results_of(page.released(asked, level) if page.released else (), answer):
        facts |= page.facts(released)
    return facts, page.case(asked, result) if page.case else ""


def scene(
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    asked: PageSettings,
    level: float,
    look: theme.Look,
    language: str = "en",
    answer: RunQuestion = run,
    own: object = None,
) -> Scene:
    """The scene of a view; `own` is the view's own setting."""
    catalogue = catalogue_of(language)
    known, case = facts_at(page, asked, level, answer, view)
    results = results_of(question := view.question(asked, level, own), answer)
    kind = view.case(*results) if view.case else ""
    facts = said_of(view, {**known, **{key: fact for each in results for key, fact in page.facts(each).items()}}, look)
    # A case may be one of a kind, as "choice hands", and has the texts of its kind.
    kinds = [part for each in (case, kind) for part in (each.partition(" ")[0], each)]
    cases = (*kinds, *(asking_cases(kind) if look.predicting else ()))
    words = catalogue.words(page.slug, view.slug, facts, *cases)
    seen = results if look.truth else tuple(result.masked() for result in results)
    title = asking(catalogue, (page.slug, view.slug, kind), words, facts, "title") if look.predicting else ""
    picture = _picture(view, seen, look, words, title)
    facts = {**facts, "asides": (asides := All((*_asides(page, view, asked, look.truth), *_remarks(own, look.truth))))}
    said = _said(catalogue, page.slug, view.slug, cases)
    present = Scene(
        answer=_answer(catalogue, page, said[0], facts, look.truth) + beside(catalogue, asides),
        said=said,
        note=catalogue.html(page.slug, said[1], facts) if said[1] and not title else "",
        alt="" if title else words["alt"],
        facts=facts,
        question=question,
        case=kind or case,
        view=view.slug,
        figure=picture if isinstance(picture, plot.Figure) else None,
        drawing=None if isinstance(picture, plot.Figure) else picture,
        table=view.table(*seen, look, words) if view.table else None,
        recommended=tuple(each for result in seen for each in result.recommended),
    )
    return _asking(present, catalogue, page, view, kind, words, title) if look.predicting else present


def said_of(view: View[PageSettings], known: Facts, look: theme.Look) -> Facts:
    """The facts that a view's texts may use: all, all but truths, or what the room may know while it predicts."""
    if look.truth:
        return plain(known)
    return view.predicts.mask(known) if look.asks else masked(known)


def _asking(
    present: Scene,
    catalogue: Catalogue,
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    kind: str,
    words: Words,
    title: str,
) -> Scene:
    """The scene while people predict: without anything but the declared subject of the question."""
    facts, figure = present.facts, present.figure
    key = _first(catalogue, page.slug, [f"{view.slug} {case}" for case in reversed(asking_cases(kind))])
    asks = bool(key) and tellable(catalogue.page(page.slug).text(key), facts)
    drawing = present.drawing if view.predicts.whole else BLANK
    return replace(
        present,
        answer=present.answer if figure is not None else f"{present.answer} <strong>{escape(title)}</strong>",
        said=(present.said[0], key if asks else ""),
        note=catalogue.html(page.slug, key, facts) if asks else "",
        alt=asking(catalogue, (page.slug, view.slug, kind), words, facts, "alt"),
        case="",
        drawing=None if present.drawing is None else drawing,
        table=None if present.drawing is None else [],
        recommended=(),
    )


def _picture(
    view: View[PageSettings], results: Iterable[Result], look: theme.Look, words: Words, title: str
) -> plot.Figure | str:
    """The view's figure, whole at its edges and with its margins, in the shades of its paper, or its drawing.

    A title that asks stands above the subject of its question alone.
    """
    picture = view.draw(*results, look, words)
    if not isinstance(picture, plot.Figure):
        return str(picture)
    if look.printed:
        picture.add(marks.printed(look.printed, words.catalogue.label("way.printed"), look))
    picture = view.predicts.veiled(picture, words, title) if title else picture
    marks.hold_rings(picture)
    theme.set_margins(picture, look)
    theme.light_up(picture, look)
    return picture


def _answer(catalogue: Catalogue, page: PageDeclaration[PageSettings], key: str, facts: Facts, truth: bool) -> str:
    """The answer's sentence; while people predict, a note that it waits."""
    return catalogue.html(page.slug, key, facts) if truth else catalogue.html(None, "app.hidden_answer")


def told_of(
    page: PageDeclaration[PageSettings], view: View[PageSettings], asked: PageSettings, own: object
) -> tuple[str, Facts] | None:
    """The key and the facts of the line that lists the settings or describes the reader's data."""
    if view.brought is not None:
        return f"settings {view.slug}", view.brought(asked, own)
    if view.line is not None:
        return f"settings {view.slug}", view.line(asked, own)
    return None if page.line is None else ("settings", page.line(asked))


def _asides(
    page: PageDeclaration[PageSettings], view: View[PageSettings], asked: PageSettings, truth: bool
) -> Iterable[Quantity]:
    """The remarks beside the answer, by the page's settings; none beside a view with settings of its own."""
    return page.asides(asked, truth) if page.asides and view.brought is None and view.line is None else ()


def _remarks(own: object, truth: bool) -> Iterable[Quantity]:
    """The remarks beside the answer, by the view's own setting."""
    return own.asides(truth) if isinstance(own, Remarked) else ()


def beside(catalogue: Catalogue, asides: All) -> str:
    """The remarks beside the answer, in smaller type."""
    return "".join(f'<div class="ldp-aside">{escape(catalogue.write(aside))}</div>' for aside in asides.parts)


def _said(catalogue: Catalogue, page: str, view: str, cases: Sequence[str]) -> tuple[str, str]:
    """The texts of the page here: the sentence that answers its question as this view shows it, and the note."""
    of_view, of_page = ([f"{head} {case}" for case in reversed(cases[:4])] for head in (f"answer {view}", "answer"))
    answers = (*of_view, f"answer {view}", *of_page[2:], "answer")
    notes = (*(f"{view} {name}" for name in reversed(cases)), view)
    return _first(catalogue, page, answers), _first(catalogue, page, notes)


def _first(catalogue: Catalogue, page: str, keys: Sequence[str]) -> str:
    """The first of these texts that the page has; a key without its case ends in a blank, and no text has it."""
    return next((key for key in keys if catalogue.has(page, key)), "")
