"""The declaration of a page: its settings, questions, facts and views, each a function with a contract of its own.

Nothing here draws or computes; `explorer.scenes` puts what is declared together, `explorer.ui.page` shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypedDict, TypeVar, Unpack

from explorer.facts import Facts, Quantity
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.figures import plot
from explorer.figures.theme import Look
from explorer.predicting import UNDECLARED, Prediction
from explorer.text.catalogue import Words
from ldpcore.questions import Asking, Questions, Result

PageSettings = TypeVar("PageSettings")  # what the settings of a page say: a frozen value of that page's own
Given = TypeVar("Given", contravariant=True)  # the same, where a function takes it
OwnValue = TypeVar("OwnValue", covariant=True)
Picture = plot.Figure | str  # a figure, or a drawing as SVG
Table = list[list[object]]


class AskView(Protocol[Given]):
    """The question of a view: from settings, a level and the view's own setting to a frozen question, or several."""

    def __call__(self, asked: Given, level: float, /, *own: Any, **named: Any) -> Questions: ...


class DrawView(Protocol):
    """The picture of a view: from its results, the look and the words to a figure, or a drawing."""

    def __call__(self, *results_look_words: Any, **named: Any) -> Picture: ...


class TabulateView(Protocol):
    """The numbers of a picture that no figure holds: from results, look and words to rows, the first with the names."""

    def __call__(self, *results_look_words: Any, **named: Any) -> Table | None: ...


class NameCase(Protocol):
    """The case of a view's texts: from its results to one of the names that the catalogue knows."""

    def __call__(self, *results: Any, **named: Any) -> str: ...


class AppliesTo(Protocol[Given]):
    """A yes or no about the settings: whether a view exists there, or whether its data are public there."""

    def __call__(self, asked: Given, /) -> bool: ...


class MovesWithLevel(Protocol[Given]):
    """Whether the level moves a view, under the settings of the page and of the view."""

    def __call__(self, asked: Given, /, *own: Any, **named: Any) -> bool: ...


class TellSettings(Protocol[Given]):
    """The facts of the line that lists the settings, the page's and the view's own."""

    def __call__(self, asked: Given, /, *own: Any, **named: Any) -> Facts: ...


class ReadResult(Protocol):
    """The facts of a result: every quantity that a text may say of it, by name."""

    def __call__(self, result: Result, /) -> Facts: ...


class AskPage(Protocol[Given]):
    """The question that a page answers, beside every view: from settings and a level."""

    def __call__(self, asked: Given, level: float, /) -> Asking: ...


class AskRelease(Protocol[Given]):
    """The released answer: from settings and a level to its question; none where nothing is released."""

    def __call__(self, asked: Given, level: float, /) -> Asking | None: ...


class AskTasks(Protocol[Given]):
    """The questions whose results a page's tasks need besides: from settings and a level."""

    def __call__(self, asked: Given, level: float, /) -> Questions: ...


class NameAnswer(Protocol[Given]):
    """The case of the page's answer: from settings and the page's result to one of the names in its texts."""

    def __call__(self, asked: Given, /, *result: Any, **named: Any) -> str: ...


class NameFor(Protocol[Given]):
    """A word that depends on the settings and on the view: the party that is trusted, or what a guess is about."""

    def __call__(self, asked: Given, view: str, /) -> str: ...


class NameVerb(Protocol[Given]):
    """The verb asked of a table: count, sum or mean."""

    def __call__(self, asked: Given, /) -> str: ...


class Remark(Protocol[Given]):
    """The smaller type beside the answer, with the truth shown or hidden."""

    def __call__(self, asked: Given, truth: bool, /) -> Iterable[Quantity]: ...


class ShowSettings(Protocol[OwnValue]):
    """The widgets of a page: from the screen to the reader's settings, a frozen value."""

    def __call__(self, *screen: Any, **named: Any) -> OwnValue: ...


class ShowBody(Protocol):
    """A page without a stage: from the screen to the facts of its answer, drawn by the page itself."""

    def __call__(self, *screen: Any, **named: Any) -> Facts: ...


class ShowAround(Protocol):
    """The parts that a page draws beside its stage or below it."""

    def __call__(self, *screen: Any, **named: Any) -> None: ...


class DrawFormula(Protocol):
    """The drawing above a formula of *Why*, by its key; an empty text where it has none."""

    def __call__(self, key: str, look: Look, words: Words, /) -> str: ...


class ListLines(Protocol[Given]):
    """The lines of a sheet: from settings, a level, the view's own setting and a way to answer."""

    def __call__(self, asked: Given, level: float, /, *own_answer: Any, **named: Any) -> Lines | None: ...


class ListRelease(Protocol[Given]):
    """The release behind a sheet's lines: from settings, a level and the view's own setting to the release's facts."""

    def __call__(self, asked: Given, level: float, /, *own: Any, **named: Any) -> ReleaseFacts | None: ...


def nothing(result: Result) -> Facts:
    """The facts of a page whose results have nothing to say."""
    return {}


def always(asked: object) -> bool:
    """A yes for every setting of a page."""
    return True


def unreleased(asked: object, level: float, *own: object) -> ReleaseFacts | None:
    """The release of a list of lines that releases nothing."""
    return None


@dataclass(frozen=True)
class Listing(Generic[PageSettings]):
    """The lines of a view's sheet, what they release, and whether the view itself shows the released numbers."""

    lines: ListLines[PageSettings]
    release: ListRelease[PageSettings] = unreleased
    on_screen: bool = True
    offset: bool = False  # whether the picture counts from the true answer, and shows no number while that is hidden


@dataclass(frozen=True)
class OwnSetting(Generic[OwnValue]):
    """A setting of one view beside the page's settings: its widget and its first value.

    The first value stands here and nowhere else; a widget with costly look-ups makes them itself.
    """

    widget: Callable[..., OwnValue]  # (shown, asked[, first]) -> what the reader has set
    first: OwnValue | Callable[..., OwnValue]  # or (asked) -> the first value
    given: bool = True  # whether the widget is given the first value

    def at_first(self, asked: object) -> OwnValue:
        """The widget's value before the reader has touched it, under the settings of the page."""
        return self.first(asked) if callable(self.first) else self.first

    def ask(self, screen: object, asked: object) -> OwnValue:
        """Show the widget on the screen, and return its value."""
        return self.widget(screen, asked, self.at_first(asked)) if self.given else self.widget(screen, asked)


@dataclass(frozen=True)
class View(Generic[PageSettings]):
    """A way of looking at a page's answer: its question, its picture, and its audience."""

    slug: str
    ask: AskView[PageSettings]
    draw: DrawView
    only: AppliesTo[PageSettings] = always
    own: OwnSetting[object] | None = None  # what this view alone asks the reader
    case: NameCase | None = None
    handle: bool | MovesWithLevel[PageSettings] = True  # whether the level moves it
    first: bool = True  # in the row, or behind "More views"
    table: TabulateView | None = None
    brought: TellSettings[PageSettings] | None = None  # what it says of data that the reader brought
    line: TellSettings[PageSettings] | None = None  # its own line of settings
    own_noise: bool = False  # whether it draws noise of its own, whichever the page has chosen
    predicts: Prediction = UNDECLARED  # what the room predicts; where nothing is declared, nothing stays visible
    self_contained: bool = False  # draws an example of its own: the settings of the page do nothing and are not shown

    def at_first(self, asked: PageSettings) -> object:
        """The first value of the view's own setting; none where it has none."""
        return None if self.own is None else self.own.at_first(asked)

    def question(self, asked: PageSettings, level: float, own: object) -> Questions:
        """The view's question at a level, under the settings of the page and of the view."""
        return self.ask(asked, level) if self.own is None else self.ask(asked, level, own)

    def follows(self, asked: PageSettings, own: object) -> bool:
        """Whether the level moves the view, under the settings of the page and of the view."""
        return self.handle(asked, own) if callable(self.handle) else self.handle


class More(TypedDict, Generic[PageSettings], total=False):
    """Optional declarations of a view, as `View` describes them."""

    only: AppliesTo[PageSettings]
    own: OwnSetting[object] | None
    case: NameCase | None
    handle: bool | MovesWithLevel[PageSettings]
    first: bool
    table: TabulateView | None
    brought: TellSettings[PageSettings] | None
    line: TellSettings[PageSettings] | None
    own_noise: bool
    self_contained: bool


@dataclass
class PageDeclaration(Generic[PageSettings]):
    """One page: its slug, how its results become facts, its views in the order of telling."""

    slug: str
    facts: ReadResult = nothing
    default_level: float = 1.0
    main: AskPage[PageSettings] | None = None
    asks: ShowSettings[PageSettings] | None = None
    case: NameAnswer[PageSettings] | None = None
    task: AskTasks[PageSettings] | None = None
    line: TellSettings[PageSettings] | None = None
    inside: ShowBody | None = None
    outside: ShowAround | None = None
    views: dict[str, View[PageSettings]] = field(default_factory=dict)
    model: NameFor[PageSettings] | None = None  # "local" or "central", where settings decide it
    asides: Remark[PageSettings] | None = None  # what stands beside the answer
    known: TellSettings[PageSettings] | None = None  # what every text may say of the settings themselves
    holder: str = ""  # who has the true values: a "curator", everybody alone ("local"), nobody ("mechanism")
    sized: AppliesTo[PageSettings] = always  # whether it is public how many people there are
    verb: NameVerb[PageSettings] | None = None
    about: NameFor[PageSettings] | None = None  # the subject of the guess at the level
    lists: dict[str, Listing[PageSettings]] = field(default_factory=dict)  # by view: the released numbers on its sheet
    drawn: frozenset[str] = frozenset()  # facts that are drawn of true values, which no stand-in for a table may tell
    failing: AppliesTo[PageSettings] | None = None  # whether a δ lets the level of the chosen noise fail
    released: AskRelease[PageSettings] | None = None
    explained: DrawFormula | None = None
    elsewhere: tuple[str, ...] = ()  # the names of settings that some views alone ask, as patterns
    silences: set[tuple[str, str]] = field(default_factory=set)  # (line of a sheet, view) that has nothing to say there

    @property
    def on_stage(self) -> dict[str, View[PageSettings]]:
        """The views that readers choose from on the stage; none on a page that draws everything by itself."""
        return {} if self.inside else self.views

    def level_label(self, name: str, asked: PageSettings, view: str) -> str:
        """The label of the level (`epsilon`) or of its symbol (`level_symbol`): ε with a curator and α without one."""
        return f"{name}_{self.model(asked, view)}" if self.model else name

    def settings(self, function: ShowSettings[PageSettings]) -> ShowSettings[PageSettings]:
        """Declare the page's settings."""
        self.asks = function
        return function

    def question(self, function: AskPage[PageSettings]) -> AskPage[PageSettings]:
        """Declare the question that the level moves."""
        self.main = function
        return function

    def cases(self, function: NameAnswer[PageSettings]) -> NameAnswer[PageSettings]:
        """Declare which answer of the page holds."""
        self.case = function
        return function

    def tasks(self, function: AskTasks[PageSettings]) -> AskTasks[PageSettings]:
        """Declare the questions that the tasks need besides."""
        self.task = function
        return function

    def settings_line(self, function: TellSettings[PageSettings]) -> TellSettings[PageSettings]:
        """Declare the facts of the line that lists the settings."""
        self.line = function
        return function

    def body(self, function: ShowBody) -> ShowBody:
        """Declare a page without a stage."""
        self.inside = function
        return function

    def around(self, function: ShowAround) -> ShowAround:
        """Declare the parts around the stage."""
        self.outside = function
        return function

    def listed(self, listings: Mapping[str, Listing[PageSettings]]) -> None:
        """Declare, by view, what its sheet lists and what that releases."""
        self.lists |= listings

    def releases(self, ask: AskRelease[PageSettings] | None, *drawn: str) -> None:
        """Declare the answer as released, where it is asked for, and the facts that are drawn from true values."""
        self.released, self.drawn = ask, frozenset(drawn)

    def curated(
        self, sized: AppliesTo[PageSettings], about: NameFor[PageSettings], verb: NameVerb[PageSettings]
    ) -> None:
        """Declare that a curator holds the true values, and what follows from the reader's settings."""
        self.holder, self.sized, self.about, self.verb = "curator", sized, about, verb

    def silent(self, line: str, *views: str) -> None:
        """Declare views whose sheet omits a line."""
        self.silences |= {(line, view) for view in views}

    def view(
        self,
        slug: str,
        ask: AskView[PageSettings],
        draw: DrawView,
        *,
        predicts: Prediction,
        **more: Unpack[More[PageSettings]],
    ) -> None:
        """Declare one view, after those declared before it, and what the room predicts there."""
        self.views[slug] = View(slug, ask, draw, predicts=predicts, **more)
