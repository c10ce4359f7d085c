"""The site's parts that come from the tree: the page of every mechanism, and the pictures: `python -m tools.docs`.

A picture is a view of the app at a level, drawn by the app's own figure as its sheets print it, never by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

import ldpcore
from explorer.figures.theme import Look
from explorer.paper import printing
from explorer.paper.sheets import numerals_of
from explorer.scenes import scene
from explorer.text.catalogue import catalogue_of
from ldpcore.library.domains import Domain
from ldpcore.library.rowdomains import DOMAINS
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import CategoryRandomizer, LocalRandomizer, Mechanism
from ldpcore.parameters import declarations
from tools.dearest import Opened
from tools.serving import ROOT

DOCS = ROOT / "docs"
MECHANISMS, PICTURES = DOCS / "mechanisms.md", DOCS / "pictures"
PEOPLE = 10_000  # in the example of each mechanism

# The pictures: of a page of the app the view that is drawn, at level 1.
VIEWS: tuple[tuple[str, str], ...] = (
    ("frequencies", "bars"),
    ("frequencies", "which"),
    ("frequencies", "plan"),
    ("means", "variance"),
    ("vectors", "dimensions"),
    ("vectors", "leak"),
    ("regression", "steps"),
    ("regression", "sides"),
)

# The domains of the examples, in the order of the page: what each is called there, and how it is written.
EXAMPLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "categories": ("One of several categories", "10"),
        "numbers": ("One number", "ldpcore.Numbers(-1, 1)"),
        "vectors": ("Several numbers", 'ldpcore.Vectors({"a": (-1, 1), "b": (-1, 1), "c": (-1, 1)})'),
        "pairs": ("A place and a response", "ldpcore.Pairs([(0, 1)], bound=1, cells=4)"),
        "answers": ("A curator's answer", "ldpcore.Answers(sensitivity=1)"),
        "candidates": ("A curator's choice", 'ldpcore.Candidates(["a", "b", "c", "d"], sensitivity=1)'),
    }
)
SETTINGS: Mapping[str, str] = MappingProxyType(  # what has no usual value
    {"coins": "yes_given_yes=0.75, yes_given_no=0.25", "abm": 'function="square"'}
)

HEAD = """# Every mechanism

This page is written by `python -m tools.docs` from the registry, and a test holds it against the registry. For each
mechanism it says what a person sends and by which formula, how it is built, the level that is recomputed from the laws
of its reports, the error for 10 000 people, what a computer makes of the level, and where it comes from. The level is
called α where nobody is trusted and ε where a curator is; k is the number of categories, n the number of people, f the
true share of a category. The errors of categories are those of people who are spread evenly over 10 of them; errors of
numbers those of people who all hold 0, between bounds -1 and 1.
"""

COMPUTERS = """## What a computer makes of a level

A level is proved for real numbers. What a mechanism's reports are made of says what is left of the proof:"""


# --- every mechanism -------------------------------------------------------------------------------------------------


def page() -> str:
    """The page of every mechanism, by the domain that it serves."""
    parts, computers = [HEAD], dict[str, str]()
    for kind in DOMAINS:
        title, written = EXAMPLES[kind.name]
        served = [member for member in REGISTRY if issubclass(member, kind.kind)]
        parts += [f"## {title}\n", *(_section(member, written, computers) for member in served)]
    closing = "\n".join(f"- {_escaped(words[0].upper() + words[1:])}." for words in computers.values())
    return "\n".join([*parts, f"{COMPUTERS}\n\n{closing}\n"])


def call(member: type[Mechanism], written: str) -> str:
    """The call that builds a mechanism for the domain of its example."""
    if issubclass(member, CategoryRandomizer) and not member.serves(10):
        written = "2"
    level = "1.0" if "epsilon" in declarations(member) else "None"
    settings = f", {SETTINGS[member.slug]}" if member.slug in SETTINGS else ""
    return f'ldpcore.build("{member.slug}", {level}, {written}{settings})'


def _section(member: type[Mechanism], written: str, computers: dict[str, str]) -> str:
    built = call(member, written)
    design: ldpcore.Design = eval(built, {"ldpcore": ldpcore})  # what the reader would type
    words = design.arithmetic().words
    brief = re.split("[:;]", words)[0]
    computers[brief] = words
    rows = [
        f"- Built by `{built}`",
        f"- Level: {_level(design)}",
        f"- Error: {_error(design)}",
        f"- On a computer: {_escaped(brief)} ([more](#what-a-computer-makes-of-a-level))",
        f"- Reference: {_escaped(member.reference)}",
    ]
    section = (
        "\n".join([f"### {_escaped(member.title)}\n", _about(member.slug) + "\n", _formulas(member) + "\n", *rows])
        + "\n"
    )
    return section.replace("ε", symbol(member))


def symbol(member: type[Mechanism]) -> str:
    """The symbol of the level, which the code calls ε throughout: α without a curator."""
    return "α" if member.without_curator else "ε"


def _about(slug: str) -> str:
    """The app's description of a mechanism in one or two sentences."""
    return _escaped(catalogue_of("en").label(f"mechanisms.{slug}.about"))


def _formulas(member: type[Mechanism]) -> str:
    """The docstring of a mechanism: its message, and the formula."""
    return _escaped(inspect.getdoc(member) or "")


def _level(design: ldpcore.Design) -> str:
    kept = design.guarantee()
    delta = f", δ = {kept.delta:.6g}" if kept.delta else ""
    lifelong = design.lifelong()
    all_of_them = f"; of however many reports about one value ε = {lifelong.epsilon:.6g}" if lifelong else ""
    return f"ε = {kept.epsilon:.6g}{delta} for one report{all_of_them}"


def _error(design: ldpcore.Design) -> str:
    """The exact standard error of the example, and the formula behind it where one is written down."""
    if not isinstance(design.mechanism, LocalRandomizer):
        return _of_curator(design)
    errors = design.standard_errors(_people(design.domain))
    low, high = float(errors.min()), float(errors.max())
    number = f"{low:.4g}" if np.isclose(low, high) else f"{low:.4g} to {high:.4g}"
    formula = _variance_formula(type(design.mechanism))
    return f"standard error {number} for 10 000 people" + (f"; variance {_escaped(formula)}" if formula else "")


def _of_curator(design: ldpcore.Design) -> str:
    if isinstance(design.domain, ldpcore.Answers):
        return (
            f"standard error {float(design.standard_errors([0])[0]):.4g} of one release, however many people there are"
        )
    return "none is added to what is chosen; a worse candidate is chosen the less often the worse it is"


def _people(domain: Domain) -> Any:
    """Ten thousand people, evenly over categories; at the middle of all bounds elsewhere."""
    if isinstance(domain, ldpcore.Categories):
        return dict.fromkeys(domain.of, PEOPLE // domain.k)
    if isinstance(domain, ldpcore.Numbers):
        return {0.0: PEOPLE}
    width = domain.d if isinstance(domain, ldpcore.Vectors) else 2
    return {(0.0,) * width: PEOPLE}


def _variance_formula(member: type[Mechanism]) -> str:
    """The first line of its variance's docstring, where that is a formula."""
    for name in ("variance_of_shares", "variance_at"):
        for kind in member.__mro__:
            written = kind.__dict__.get(name)
            line = (written.__doc__ or "").split("\n")[0] if written else ""
            if line:
                return line.rstrip(".") if re.search("[²/]", line) else ""
    return ""


def _escaped(text: str) -> str:
    """Text as Markdown shows it, letter by letter, but for names between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_\[\]<>|])", r"\\\1", part) for part in parts)


# --- pictures --------------------------------------------------------------------------------------------------------


@cache
def _page(slug: str) -> Opened:
    return Opened(slug)


@cache
def drawn(slug: str, view: str) -> str:
    """The picture of a view as SVG."""
    run = _page(slug).by({f"{slug}_tab": view}).run
    present = scene(run.page, run.view, run.asked, 1.0, Look(), own=run.own)
    if present.figure is None:
        raise ValueError(f"the view {view} of {slug} must be a figure; it is a drawing")
    return printing.svg(present.figure, numerals_of(catalogue_of("en")), present.alt) + "\n"


def main() -> None:
    """Write the page and all pictures."""
    MECHANISMS.write_text(page(), "utf-8")
    PICTURES.mkdir(exist_ok=True)
    for slug, view in VIEWS:
        (PICTURES / f"{slug}-{view}.svg").write_text(drawn(slug, view), "utf-8")


if __name__ == "__main__":
    main()
