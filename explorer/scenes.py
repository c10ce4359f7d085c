"""What one view shows at one level, as a pure value: computed at every stop, kept for all readers, and tested.

A page declares its views once; `scene` puts question, result, figure and words together. Nothing here draws a widget,
reads a session or makes a sentence; randomness is the seed inside the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Concatenate, Generic, TypedDict, TypeVar, Unpack

from explorer.facts import All, Facts, Quantity, masked, plain
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.figures import marks, plot, theme
from explorer.predicting import BLANK, UNDECLARED, Prediction, asking, asking_cases, tellable
from explorer.settings.remarks import Remarked
from explorer.text.catalogue import Catalogue, Words, catalogue_of
from ldpcore.questions import Asking, Questions, Recommendation, Result

PageSettings = TypeVar("PageSettings")  # what the settings of a page say: a frozen value of that page's own
Picture = plot.Figure | str
OwnValue = TypeVar("OwnValue", covariant=True)
RunQuestion = Callable[[Asking], Result]  # how a frozen question becomes its result: `run`, or the cache
Asks = Callable[Concatenate[PageSettings, float, ...], Questions]
Case = Callable[Concatenate[PageSettings, ...], str]


def nothing(result: Result) -> Facts:
    """A page whose results have nothing to say."""
    return {}


@dataclass(frozen=True)
class Listing(Generic[PageSettings]):
    """What the sheet of a view lists, what that releases, and whether the view itself shows the released numbers."""

    lines: Callable[Concatenate[PageSettings, float, ...], Lines | None]  # (asked, level, own, answer)
    release: Callable[Concatenate[PageSettings, float, ...], ReleaseFacts | None] = lambda *_: (
        None
    )  # (asked, level, own)
    on_screen: bool = True
    offset: bool = False  # whether the picture counts from the true answer, and shows no number while that is hidden


def always(asked: object) -> bool:
    """A view that every setting of its page has."""
    return True


@dataclass(frozen=True)
class OwnSetting(Generic[OwnValue]):
    """What a view alone asks the reader, beside the page's settings: the widget, and what it says at first.

    The first value stands here and nowhere else; a widget that looks things up, which is dear, finds it by itself.
    """

    widget: Callable[..., OwnValue]  # (shown, asked[, first]) -> what the reader has set
    first: OwnValue | Callable[..., OwnValue]  # or (asked) -> the first value
    given: bool = True  # whether the widget is given the first value

    def at_first(self, asked: object) -> OwnValue:
        """What the widget says before anybody has touched it, under the settings of the page."""
        return self.first(asked) if callable(self.first) else self.first

    def ask(self, screen: object, asked: object) -> OwnValue:
        """Show the widget on the screen, and return what it says."""
        return self.widget(screen, asked, self.at_first(asked)) if self.given else self.widget(screen, asked)


@dataclass(frozen=True)
class View(Generic[PageSettings]):
    """One way of looking at a page's answer: what it asks, how it is drawn, and whom it suits."""

    slug: str
    ask: Asks[PageSettings]  # (asked, level[, own settings]) -> a frozen question, or a tuple of them
    draw: Callable[..., Picture]  # (*results, look, words) -> a figure, or a drawing
    only: Callable[[PageSettings], bool] = always
    own: OwnSetting[object] | None = None  # what this view alone asks the reader
    case: Callable[..., str] | None = None  # (*results) -> which of its texts holds
    handle: bool | Callable[Concatenate[PageSettings, ...], bool] = (
        True  # or (asked, own) -> whether the level moves it
    )
    first: bool = True  # in the row, or behind "More views"
    table: Callable[..., list[list[object]] | None] | None = None  # (*results, look, words) -> numbers no figure holds
    brought: Callable[Concatenate[PageSettings, ...], Facts] | None = (
        None  # (asked, own) -> what it says of brought data
    )
    line: Callable[Concatenate[PageSettings, ...], Facts] | None = None  # (asked, own) -> its own line of settings
    own_noise: bool = False  # whether it draws noise of its own, whichever the page has chosen
    predicts: Prediction = UNDECLARED  # what the room predicts; where nothing is declared, nothing stays visible
    self_contained: bool = False  # draws an example of its own: the settings of the page do nothing and are not shown

    def at_first(self, asked: PageSettings) -> object:
        """What the view alone says before the reader has touched it; none where it asks nothing."""
        return None if self.own is None else self.own.at_first(asked)

    def question(self, asked: PageSettings, level: float, own: object) -> Questions:
        """What it asks at a level, under what the page and the view have asked."""
        return self.ask(asked, level) if self.own is None else self.ask(asked, level, own)

    def follows(self, asked: PageSettings, own: object) -> bool:
        """Whether the level moves it, under what the page and the view alone have asked the reader."""
        return self.handle(asked, own) if callable(self.handle) else self.handle


class More(TypedDict, Generic[PageSettings], total=False):
    """What a view may declare besides, as `View` says it."""

    only: Callable[[PageSettings], bool]
    own: OwnSetting[object] | None
    case: Callable[..., str] | None
    handle: bool | Callable[Concatenate[PageSettings, ...], bool]
    first: bool
    table: Callable[..., list[list[object]] | None] | None
    brought: Callable[Concatenate[PageSettings, ...], Facts] | None
    line: Callable[Concatenate[PageSettings, ...], Facts] | None
    own_noise: bool
    self_contained: bool


@dataclass
class PageDeclaration(Generic[PageSettings]):
    """One page: its slug, how its results become facts, its views in the order of telling."""

    slug: str
    facts: Callable[[Result], Facts] = nothing
    default_level: float = 1.0
    main: Callable[[PageSettings, float], Asking] | None = None
    asks: Callable[..., PageSettings] | None = None
    case: Case[PageSettings] | None = None  # (asked, result) -> which of its answers holds
    task: Callable[[PageSettings, float], Questions] | None = None
    line: Callable[[PageSettings], Facts] | None = None
    inside: Callable[..., Facts] | None = None
    outside: Callable[..., None] | None = None
    views: dict[str, View[PageSettings]] = field(default_factory=dict)
    model: Callable[[PageSettings, str], str] | None = (
        None  # (asked, view) -> "local" or "central", where settings decide it
    )
    asides: Callable[[PageSettings, bool], Iterable[Quantity]] | None = (
        None  # (asked, truth) -> what stands beside the answer
    )
    known: Callable[[PageSettings], Facts] | None = (
        None  # (asked) -> what every text may say of the settings themselves
    )
    holder: str = ""  # who has the true values: a "curator", everybody alone ("local"), nobody ("mechanism")
    sized: Callable[[PageSettings], bool] = always  # (asked) -> whether it is public how many people there are
    verb: Callable[[PageSettings], str] | None = None  # (asked) -> what is asked of a table, as "count"
    about: Callable[[PageSettings, str], str] | None = (
        None  # (asked, view) -> what a guess is about of which the level speaks
    )
    lists: dict[str, Listing[PageSettings]] = field(
        default_factory=dict
    )  # by view: what its sheet lists, as released numbers
    drawn: frozenset[str] = frozenset()  # facts that are drawn of true values, which no stand-in for a table may tell
    failing: Callable[[PageSettings], bool] | None = (
        None  # (asked) -> whether a δ lets the level of the chosen noise fail
    )
    released: Callable[[PageSettings, float], Asking | None] | None = None  # the answer as it is released
    explained: Callable[[str, theme.Look, Words], str] | None = None  # (key of *Why*, …) -> the drawing above it, or ""
    elsewhere: tuple[str, ...] = ()  # the names of settings that some views alone ask, as patterns
    silences: set[tuple[str, str]] = field(default_factory=set)  # (line of a sheet, view) that has nothing to say there

    @property
    def on_stage(self) -> dict[str, View[PageSettings]]:
        """The views among which readers choose on the stage; none of a page that draws what it shows by itself."""
        return {} if self.inside else self.views

    def level_label(self, name: str, asked: PageSettings, view: str) -> str:
        """The label of the level (`epsilon`) or of its symbol (`level_symbol`): ε with a curator and α without one."""
        return f"{name}_{self.model(asked, view)}" if self.model else name

    def settings(self, function: Callable[..., PageSettings]) -> Callable[..., PageSettings]:
        """Declare what the reader may set: (shown) -> a frozen value."""
        self.asks = function
        return function

    def question(self, function: Callable[[PageSettings, float], Asking]) -> Callable[[PageSettings, float], Asking]:
        """Declare what follows the handle: (asked, level) -> the frozen question that the page answers."""
        self.main = function
        return function

    def cases(self, function: Case[PageSettings]) -> Case[PageSettings]:
        """Declare which of its answers holds: (asked, result) -> the name of a case."""
        self.case = function
        return function

    def tasks(self, function: Callable[[PageSettings, float], Questions]) -> Callable[[PageSettings, float], Questions]:
        """Declare what the tasks need to know besides: (asked, level) -> frozen questions."""
        self.task = function
        return function

    def settings_line(self, function: Callable[[PageSettings], Facts]) -> Callable[[PageSettings], Facts]:
        """Declare the facts of the one line that says the settings."""
        self.line = function
        return function

    def body(self, function: Callable[..., Facts]) -> Callable[..., Facts]:
        """Declare a page without a stage: (shown) -> the facts of its answer; it draws what it shows by itself."""
        self.inside = function
        return function

    def around(self, function: Callable[..., None]) -> Callable[..., None]:
        """Declare what stands around the stage: (shown) -> None; it draws beside the stage or below it by itself."""
        self.outside = function
        return function

    def listed(self, listings: Mapping[str, Listing[PageSettings]]) -> None:
        """Declare by view what its sheet lists, and what that releases."""
        self.lists |= listings

    def releases(self, ask: Callable[[PageSettings, float], Asking | None] | None, *drawn: str) -> None:
        """Declare the answer as it is released, where it is asked for, and the facts that are drawn of true values."""
        self.released, self.drawn = ask, frozenset(drawn)

    def curated(
        self,
        sized: Callable[[PageSettings], bool],
        about: Callable[[PageSettings, str], str],
        verb: Callable[[PageSettings], str],
    ) -> None:
        """Declare that a curator holds the true values, and what follows from what the reader has set."""
        self.holder, self.sized, self.about, self.verb = "curator", sized, about, verb

    def silent(self, line: str, *views: str) -> None:
        """Declare that a line of the sheet has nothing to say of some views: they are told of another's question."""
        self.silences |= {(line, view) for view in views}

    def view(
        self,
        slug: str,
        ask: Asks[PageSettings],
        draw: Callable[..., Picture],
        *,
        predicts: Prediction,
        **more: Unpack[More[PageSettings]],
    ) -> None:
        """Declare one view, after those that are told before it, and what the room predicts there."""
        self.views[slug] = View(slug, ask, draw, predicts=predicts, **more)


@dataclass(frozen=True, eq=False)
class Scene:
    """All that one view shows at one level, in one language."""

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
    """What every text may say at a level, beside data that the reader brought nothing; and the case of the answer."""
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
    """What a view shows: `own` is what the view alone has asked the reader."""
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
    """Facts as the texts of a view may say them: all, all but truths, or what the room may know while it predicts."""
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
    """The scene while people predict: whatever its view has not declared to be what the question is about is gone."""
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

    A title that asks stands above what its question is about alone.
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
    """The answer's sentence; while people predict, that it waits."""
    return catalogue.html(page.slug, key, facts) if truth else catalogue.html(None, "app.hidden_answer")


def told_of(
    page: PageDeclaration[PageSettings], view: View[PageSettings], asked: PageSettings, own: object
) -> tuple[str, Facts] | None:
    """The key and the facts of the line that says the settings, or the data that the reader brought."""
    if view.brought is not None:
        return f"settings {view.slug}", view.brought(asked, own)
    if view.line is not None:
        return f"settings {view.slug}", view.line(asked, own)
    return None if page.line is None else ("settings", page.line(asked))


def _asides(
    page: PageDeclaration[PageSettings], view: View[PageSettings], asked: PageSettings, truth: bool
) -> Iterable[Quantity]:
    """The remarks beside the answer, by the page's settings; none beside what has settings of its own."""
    return page.asides(asked, truth) if page.asides and view.brought is None and view.line is None else ()


def _remarks(own: object, truth: bool) -> Iterable[Quantity]:
    """What must be known beside the answer, by what the view alone has asked."""
    return own.asides(truth) if isinstance(own, Remarked) else ()


def beside(catalogue: Catalogue, asides: All) -> str:
    """What must be known beside the answer, in smaller type."""
    return "".join(f'<div class="ldp-aside">{escape(catalogue.write(aside))}</div>' for aside in asides.parts)


def _said(catalogue: Catalogue, page: str, view: str, cases: Sequence[str]) -> tuple[str, str]:
    """Which texts the page says here: the sentence that answers its question as this view shows it, and the note."""
    of_view, of_page = ([f"{head} {case}" for case in reversed(cases[:4])] for head in (f"answer {view}", "answer"))
    answers = (*of_view, f"answer {view}", *of_page[2:], "answer")
    notes = (*(f"{view} {name}" for name in reversed(cases)), view)
    return _first(catalogue, page, answers), _first(catalogue, page, notes)


def _first(catalogue: Catalogue, page: str, keys: Sequence[str]) -> str:
    """The first of some texts that the page has; a key without its case ends in a blank, and no text has it."""
    return next((key for key in keys if catalogue.has(page, key)), "")
