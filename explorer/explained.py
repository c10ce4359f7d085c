"""The texts below a scene: the formula of *Why* and the tasks that belong to it, and the facts they may say."""

from __future__ import annotations

from explorer.declarations import PageDeclaration, PageSettings, View
from explorer.facts import Facts
from explorer.figures.theme import Look
from explorer.scenes import RunQuestion, Scene, facts_at, results_of, run, said_of
from explorer.text import templates
from explorer.text.catalogue import Catalogue


def facts_below(
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    asked: PageSettings,
    level: float,
    look: Look,
    answer: RunQuestion = run,
) -> Facts:
    """The facts that texts below a view may say: the page's own, and those of its tasks."""
    known, _ = facts_at(page, asked, level, answer, view)
    if view.brought is not None:
        return known
    extra = page.task(asked, level) if page.task else ()
    for result in results_of(extra, answer):
        known = {**known, **page.facts(result)}
    return said_of(view, known, look)


def why_key(page: PageDeclaration[PageSettings], catalogue: Catalogue, scene: Scene, brought: str = "") -> str:
    """The key of the formula that belongs to a scene; `brought` is the view, where it shows the reader's own data."""
    view = ["why", brought] if brought else ["why"]
    parts = [*view, *scene.case.split()]  # a case of several words goes from the general to the particular
    general = [" ".join(parts[:size]) for size in range(len(parts), len(view), -1)]
    keys = (
        *general,
        *(" ".join([*view, part]) for part in parts[len(view) + 1 :]),
        f"why {scene.view}",
        " ".join(view),
        "why",
    )
    return next(key for key in keys if catalogue.has(page.slug, key))


def has_why(page: PageDeclaration[PageSettings], catalogue: Catalogue) -> bool:
    """Whether a page explains itself by a formula."""
    return any(key.split()[0] == "why" for key in catalogue.keys(page.slug))


def told_why(key: str, known: Facts, scene: Scene) -> Facts:
    """The facts of a formula: the page's, and those that a view has found where the formula is the view's own."""
    return {**known, **scene.facts} if key != "why" else known


def is_told(page: PageDeclaration[PageSettings], catalogue: Catalogue, key: str, known: Facts) -> bool:
    """Whether a formula knows all of its facts: while people predict, a view's own example has not named them."""
    return all(name in known for name in templates.names(templates.parsed(catalogue.page(page.slug).text(key))))


def why_drawing(
    page: PageDeclaration[PageSettings], catalogue: Catalogue, key: str, scene: Scene, known: Facts, look: Look
) -> str:
    """The drawing above a formula; empty where it has none."""
    if page.explained is None:
        return ""
    seen = {name: scene.facts[name] for name in page.drawn if name in scene.facts}  # what the picture shows is drawn
    return page.explained(key, look, catalogue.words(page.slug, "explained", {**known, **seen}))


def task_keys(page: PageDeclaration[PageSettings], catalogue: Catalogue, scene: Scene) -> list[str]:
    """The keys of the tasks of a scene: those of its case alone, those about a view's own example, or the page's."""
    tasks = [key for key in catalogue.keys(page.slug) if key.startswith("task ") and not key.endswith(" reveal")]
    if scene.view in page.views and page.views[scene.view].self_contained:
        return [key for key in tasks if key.split()[1] == scene.view]
    own = [key for key in tasks if len(key.split()) > 2 and key.split()[1] in scene.case.split()]
    return own or [key for key in tasks if len(key.split()) == 2]
