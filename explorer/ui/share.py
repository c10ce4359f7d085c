"""The things to take along besides the figure and its numbers: a QR code of the link, and the code that made them.

Code about the reader's own table reads the reader's own file: no value of a column is ever written out, however few
there are, and code that would need them is refused.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from explorer.declarations import PageDeclaration, PageSettings
from explorer.facts import Facts, Hidden, Name
from explorer.headline import written
from explorer.paper.leaving import Viewed, fresh
from explorer.scenes import Scene
from explorer.settings.recipes import CallRecipe, own_table, recipe_of
from explorer.text import templates
from explorer.text.catalogue import Catalogue
from ldpcore import __version__
from ldpcore.experiments import generator
from ldpcore.fingerprints import fingerprint
from ldpcore.laws.channels import Finite
from ldpcore.people.populations import Population
from ldpcore.questions import Result
from ldpcore.reading.readings import Reading
from ldpcore.tables.table import Table
from ldpcore.tables.units import ROWS_DRAW, bounded

WRITTEN_CELLS = 400  # a larger matrix is read from the reader's file in the Python that reproduces it
ANYBODYS = "your-table.csv"  # stands for the reader's file where the public reads


class BroughtError(ValueError):
    """The code would have to contain values of the reader's own table, and never does."""


def qr_svg(link: str) -> str:
    """The link as a QR code, black on white on every screen so that every phone reads it."""
    import segno  # where a code is wanted: no first picture needs it

    target = io.BytesIO()
    code = segno.make(link, error="m")
    code.save(target, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return target.getvalue().decode()


@dataclass(frozen=True)
class Writing:
    """Python source while it is written: its imports, and whether it is about the reader's own table."""

    own: bool = False
    modules: dict[str, set[str]] = field(default_factory=dict)

    def name(self, module: str, qualified: str) -> str:
        """An imported name: of a method, its class's."""
        self.modules.setdefault(module, set()).add(qualified.split(".")[0])
        return qualified

    def snippet(self, *lines: str) -> str:
        """The lines below the imports."""
        named = sorted(self.modules.items())
        imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in named]
        return "\n".join([*imports, "", *lines])

    def value(self, value: Any) -> str:
        """A value as Python source."""
        recipe = recipe_of(value) if self.own else None
        if recipe is not None:
            return self._call(recipe)
        if isinstance(value, (Table, Finite, Population, np.ndarray)):
            return self._bulk(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        if isinstance(value, tuple):
            inner = ", ".join(map(self.value, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return self._plain(value)

    def _call(self, recipe: CallRecipe) -> str:
        called = self.name(recipe.make.__module__, recipe.make.__qualname__)
        named = (f"{name}={self.value(each)}" for name, each in recipe.named)
        return f"{called}({', '.join((*map(self.value, recipe.of), *named))})"

    def _bulk(self, value: Any) -> str:
        """A value of many numbers: the reader's table by its name, a large matrix from its file."""
        if isinstance(value, Table):
            if value.own:
                return "table"
            return f"{self.name('ldpcore.tables.table', 'built_in')}({value.name!r})"
        if self.own:
            raise BroughtError(type(value).__qualname__)
        if isinstance(value, Finite) and value.matrix.size > WRITTEN_CELLS:
            path = self.name("pathlib", "Path")
            reader = self.name("ldpcore.reading.matrices", "read_matrix")
            return f'{reader}({path}("matrix.csv").read_text(encoding="utf-8")).normalized().channel()'
        if isinstance(value, np.ndarray):
            return f"{self.name('numpy', 'array')}({value.tolist()!r}, dtype={value.dtype.name!r})"
        return self._dataclass(value)

    def _dataclass(self, value: Any) -> str:
        cls = type(value)
        fields = (
            f"{field.name}={self.value(getattr(value, field.name))}"
            for field in dataclasses.fields(value)
            if field.init and field.compare
        )
        return f"{self.name(cls.__module__, cls.__qualname__)}({', '.join(fields)})"

    def _plain(self, value: Any) -> str:
        """A number, a text, a day, a class."""
        if isinstance(value, type):
            return self.name(value.__module__, value.__qualname__)
        if isinstance(value, date):
            return f"{self.name('datetime', 'date')}({value.year}, {value.month}, {value.day})"
        if isinstance(value, np.generic):
            return self._plain(value.item())
        if isinstance(value, float) and not np.isfinite(value):
            return f"float({str(value)!r})"
        return repr(value)


def snippet(experiment: Any) -> str:
    """Python source that runs exactly this experiment and nothing else."""
    writing = Writing()
    source = writing.value(experiment)
    return writing.snippet(f"result = {source}.run()", "print(result)")


@dataclass(frozen=True)
class Taken:
    """A view as it is taken along in Python, the version of the app, and how the reader's own file was read.

    For the `public`, a placeholder stands in place of the file.
    """

    viewed: Viewed[object]
    version: str
    reading: Reading | None = None
    public: bool = True


def code(taken: Taken, present: Scene, catalogue: Catalogue) -> str:
    """Python source that makes the numbers of a view and prints those in its sentences, by name.

    About an own table the room's has the seed from which the released numbers were drawn, and says so first.
    """
    viewed, table = taken.viewed, own_table(taken.viewed.settings)
    writing = Writing(own=table is not None)
    lines = list(settings_of(writing, taken, table)) if table is not None else []
    runs = list(_calls(writing, viewed)) if table is not None else list(_runs(writing, viewed, present))
    names = headlines(viewed.page, present, catalogue)
    lines += ["results = [", *(f"    {run}," for run in runs), "]", _printed(writing, viewed.page, names)]
    needs = catalogue.label("code_needs", facts={"version": Name(__version__)})
    alone = f"# {catalogue.label('code_room')}\n" if table is not None and not taken.public else ""
    return f"{alone}# {taken.version}\n# {needs}\n{writing.snippet(*lines)}"


def settings_of(writing: Writing, taken: Taken, table: Table) -> Iterator[str]:
    """The reader's file, read as it was read here, and the question asked of it."""
    name = ANYBODYS if taken.public else table.name
    reader, path = writing.name("ldpcore.reading.dialects", "read_table"), writing.name("pathlib", "Path")
    how = "" if taken.public or taken.reading is None else f", {writing.value(taken.reading)}"
    yield f"table, _ = {reader}({path}({name!r}).read_bytes(), {name!r}{how})"
    if table.unit is not None:
        drawn, seeded = (writing.name(each.__module__, each.__qualname__) for each in (bounded, generator))
        yield f"table = {drawn}(table, {writing.value(table.unit)}, {seeded}(1, {ROWS_DRAW!r}))"
    yield f"asked = {writing.value(_asked(taken))}"
    if taken.viewed.view.own is not None:
        yield f"own = {writing.value(taken.viewed.own)}"


def _asked(taken: Taken) -> object:
    """The page's settings; for the public with the seed of a fresh page."""
    return fresh(taken.viewed.asked) if taken.public else taken.viewed.asked


def _calls(writing: Writing, viewed: Viewed[object]) -> Iterator[str]:
    """The calls that ask, as the page does, the page's own question and the view's."""
    run, results = writing.name("explorer.scenes", "run"), writing.name("explorer.scenes", "results_of")
    level, more = writing.value(viewed.level), "" if viewed.view.own is None else ", own"
    if viewed.page.main is not None and viewed.view.brought is None:
        yield f"*{results}({_method(viewed, viewed.page.main)}({level}), {run})"
    if viewed.page.released is not None and viewed.view.brought is None:
        yield f"*{results}({_method(viewed, viewed.page.released)}({level}), {run})"
    yield f"*{results}({_method(viewed, viewed.view.ask)}({level}{more}), {run})"


def _method(viewed: Viewed[object], ask: Callable[..., Any]) -> str:
    """The settings' own method that asks a question."""
    assert vars(type(viewed.asked)).get(ask.__name__) is ask, ask
    return f"asked.{ask.__name__}"


def _runs(writing: Writing, viewed: Viewed[object], present: Scene) -> Iterator[str]:
    """The questions themselves, each once: the page's own, and those of the view."""
    own = viewed.page.main is not None and viewed.view.brought is None
    main = viewed.page.main(viewed.asked, viewed.level) if own and viewed.page.main else None
    released = viewed.page.released(viewed.asked, viewed.level) if own and viewed.page.released else None
    asked = present.question if isinstance(present.question, tuple) else (present.question,)
    questions = {fingerprint(each): each for each in (main, released, *asked) if each is not None}
    return (f"{writing.value(question)}.run()" for question in questions.values())


def _printed(writing: Writing, page: PageDeclaration[PageSettings], names: Sequence[str]) -> str:
    """The line that prints."""
    if not names:
        return "print(*results, sep='\\n')"
    read: Callable[[Result], Facts] = page.facts
    facts = writing.name(read.__module__, read.__qualname__)
    quoted = ", ".join(map(repr, names))
    return f"print({writing.name('explorer.headline', 'headline')}({facts}, results, {quoted}))"


def headlines(page: PageDeclaration[PageSettings], present: Scene, catalogue: Catalogue) -> tuple[str, ...]:
    """The names of the numbers in the answer and the paragraph of a view."""
    texts, facts = catalogue.page(page.slug), present.facts
    asked = (name for key in present.said if key for name in _in_order(texts.text(key), facts))
    return tuple(dict.fromkeys(asked))


def _in_order(text: str, facts: Facts) -> list[str]:
    """The numbers of a text, in its order; a hidden one may be among them."""
    names = [name for name in dict.fromkeys(templates.names(templates.parsed(text))) if name in facts]
    return [name for name in names if isinstance(facts[name], Hidden) or written(facts[name]) is not None]
