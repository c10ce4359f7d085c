"""What addresses once called the views and the options: labels of earlier editions, and slugs of more than one view.

An address once given stays good. May import the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

VIEWS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "counting": {
            "One release": ("one",),
            "Ten releases": ("ten",),
            "Error against ε": ("error",),
            "Small and large crowds": ("crowds",),
            "Size of the crowd": ("crowds",),
            "Many releases": ("many",),
            "Histogram": ("categories",),
            "Afterwards": ("afterwards",),
            "Step by step": ("flow",),
            "How far off?": ("error",),
            "Rounded and clamped": ("afterwards",),
            "Which ε?": ("plan",),
            "Which table?": ("bet",),
            "Mean in two releases": ("ratio",),
            "Plan": ("plan",),
        },
        "averaging": {
            "Running mean": ("path",),
            "Error": ("error",),
            "Error and price": ("error",),
            "Attacker": ("attacker",),
            "The answer leaks": ("attacker",),
            "Fixed budget": ("shared",),
            "One total": ("shared",),
            "Ledger": ("ledger",),
            "Plan": ("plan",),
        },
        "budget": {"Plan": ("plan",)},
        "response": {
            "Your class": ("everybody",),
            "Real answers": ("real",),
            "Deniability": ("deny",),
            "Ask another class": ("again",),
            "People needed": ("needed",),
            "Two coins": ("coins",),
            "Plan": ("plan",),
            "What must α be?": ("plan",),
            "Which α?": ("plan",),
            "Survey kit": ("kit",),
            "Any two coins": ("coins",),
        },
        "frequencies": {
            "Estimates": ("bars",),
            "Error": ("error",),
            "Which one?": ("which",),
            "Top ten": ("top",),
            "One report": ("report",),
            "After the estimate": ("after",),
            "Plan": ("plan",),
            "People needed": ("plan",),
            "Side by side": ("compared",),
            "How far off?": ("error",),
            "All by rank": ("ranks",),
            "Where that changes": ("changes",),
            "Bias and variance": ("split",),
        },
        "trust": {
            "Every level": ("along",),
            "People needed": ("people",),
            "Many statistics": ("many",),
            "Plan": ("plan",),
        },
        "verify": {
            **{f"matrix-{slug}": (slug,) for slug in ("ratio", "curve", "test", "measures")},
            "counts": ("audit",),
            "matrix-wrong": ("ratio",),
            "Largest ratio": ("ratio",),
            "All reports": ("reports",),
            "The matrix": ("matrix-reports",),
            "Matrix": ("matrix-reports",),
            "δ curve": ("curve",),
            "Best test": ("test",),
            "Audit": ("audit",),
            "Merging": ("merging",),
        },
        "limits": {
            "Every level": ("levels",),
            "Plan": ("plan",),
            "Falling levels": ("plateau",),
            "How tight?": ("constants",),
        },
        "distinguish": {"Many people": ("many",), "Information": ("information",)},
        "protocols": {"What one person sees": ("person",), "More rounds": ("rounds",)},
        "means": {"Every level": ("along",), "More people": ("users",), "Spread": ("spread",)},
        "vectors": {"Every level": ("along",), "The hypercube rule": ("rule",)},
        "regression": {
            "With a curator": ("curator",),
            "Two dimensions": ("plane",),
            "Conditions": ("schedule",),
            "More people": ("users",),
            "Mehr Personen": ("users",),
            "Price": ("price",),
            "Accuracy": ("accuracy",),
        },
        "shapes": {"Wave or bins?": ("rival",), "Quantiles": ("quantiles",)},
        "reference": {"Mechanisms": ("mechanisms",), "Words": ("words",)},
    }
)

# Settings of old addresses that have become views: the view that had each, and which view shows now what each could be.
SETTINGS: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType(
    {
        "frequencies_shown": (
            "bars",
            {"bars": "bars", "the 40 most popular": "bars", "ranks": "top", "all, by rank": "top"},
        ),
    }
)

_PROJECT: Mapping[str, str] = MappingProxyType({"response_meant": "basis", "frequencies_meant": "basis"})

WHOLE = "whole"  # noise in whole numbers where the answer is one, as links asked before a mechanism could be chosen

# Parameters by what they were called, those of one page that have become the project's among them.
RENAMED: Mapping[str, str] = MappingProxyType(
    {
        **_PROJECT,
        "verify_size_of_gallery": "verify_exhibits",
        "counting_function": "counting_example",
        "counting_release_whole": "counting_mechanism",
        "counting_whole": "counting_mechanism",
    }
)

# Labels of options that addresses spelled out, by the parameter; those of today are read off the catalogue.
OPTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "data": {
            "Incomes of 2\u202f584 people": "income",
            "A clinic with 40 patients": "clinic",
            "5 people": "people",
            "Incomes of 2\u202f584 invented people": "income",
            "An invented clinic with 40 patients": "clinic",
        },
        "counting_function": {
            "x": "once",
            "x + x": "twice",
            "5x": "five",
            "the visitors of a cinema": "cinema",
            "die Besuche eines Kinos": "cinema",
        },
        "frequencies_after_view": {"bias² and variance": "split"},
        "response_design": {"The best coins at α": "level"},
        "protocols_design": {
            "is asked too sharply after a yes": "breaks",
            "wird nach einem Ja zu scharf gefragt": "breaks",
        },
        "counting_release_whole": {"true": WHOLE, "false": "laplace"},
        "counting_whole": {"true": WHOLE, "false": "laplace"},
        **{key: {"asked": "census", "everybody": "sample"} for key in _PROJECT},
    }
)

# Options that were words with blanks, whatever the page or the mechanism that they belong to.
ANYWHERE: Mapping[str, str] = MappingProxyType({"add or remove one": "add-remove", "replace one": "replace-one"})


_CORNERS: Mapping[str, str] = MappingProxyType(
    {"vectors_drawn": "three", "vectors_ties": "lower", "vectors_other": "opposite"}
)


_SCHEDULE = tuple(f"regression_{name}" for name in ("a", "b", "g", "growth", "dimensions"))


def _nothing(asked: Mapping[str, str]) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Now:
    """What a view that no longer stands by itself has become part of: a view, and how it shows what was shown."""

    view: str
    page: str = ""  # where that view is, if it is on another page
    settings: Mapping[str, str] = field(default_factory=dict)  # asked for where the address says nothing of them
    without: tuple[str, ...] = ()  # parameters of the former view that mean nothing any more
    carried: Callable[[Mapping[str, str]], Mapping[str, str]] = _nothing  # what goes along under other names
    below: str = ""  # what is opened below that view, where this shows what was shown

    def ask(self, asked: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """What an address asks for, but for the view, as the view of today is asked for it."""
        kept = {key: texts for key, texts in asked.items() if key not in self.without}
        carried = self.carried({key: texts[0] for key, texts in asked.items() if texts})
        return {key: [text] for key, text in {**self.settings, **carried}.items()} | kept


def _ledger_of(asked: Mapping[str, str]) -> Mapping[str, str]:
    """An account of questions with one kind of noise, `total|level x times|…`, as the ledger of all kinds."""
    total, *entries = asked.get("averaging_account", "").split("|")
    lines = (f"laplace,{level},x{times or 1}" for level, _, times in (entry.partition("x") for entry in entries))
    ledger = {"budget_ledger": "|".join(lines)} if entries else {}
    return ledger | ({"budget_total": total} if total else {})


def _rows_of(asked: Mapping[str, str]) -> Mapping[str, str]:
    """The column of a histogram, as the column that makes the cells of a table."""
    return {"counting_rows": asked["counting_column"]} if "counting_column" in asked else {}


# Views that no longer stand by themselves, by page: the nearest view opens, and one sentence says so.
RETIRED: Mapping[str, Mapping[str, Now]] = MappingProxyType(
    {
        "counting": {
            "flow": Now("one", below="why"),
            "many": Now("ten"),
            "error": Now("plan"),
            "categories": Now("cells", without=("counting_column",), carried=_rows_of),
            "afterwards": Now("cells"),
        },
        "averaging": {
            "error": Now("path"),
            "attacker": Now("plan", settings={"averaging_width": "0.5"}),
            "shared": Now("split", "budget"),
            "ledger": Now("ledger", "budget", carried=_ledger_of),
        },
        "budget": {"plan": Now("totals")},
        "verify": {"reports": Now("ratio"), "matrix-reports": Now("ratio")},
        "limits": {
            "levels": Now("people", settings={"limits_axis": "level"}),
            "plan": Now("people"),
            "plateau": Now("people", settings={"limits_axis": "falling"}),
            "constants": Now("exponents", settings={"limits_part": "constants"}),
        },
        "distinguish": {
            "many": Now("before", settings={"distinguish_picture": "many"}),
            "information": Now("before", settings={"distinguish_picture": "information"}),
        },
        "protocols": {
            "person": Now("one"),
            "rounds": Now("against", settings={"protocols_rival": "rounds"}),
        },
        "trust": {
            "along": Now("curves"),
            "people": Now("plan"),
            "many": Now("exercises", "reference", without=("trust_k",)),
        },
        "response": {
            "needed": Now("plan"),
            "kit": Now("plan"),
            "coins": Now("deny", settings={"response_held": "own"}),
        },
        "frequencies": {
            "compared": Now("which"),
            "error": Now("plan", without=("frequencies_along", "frequencies_metric")),
            "changes": Now("which"),
            "ranks": Now("top"),
            "split": Now("after", settings={"frequencies_after_view": "split"}),
        },
        "means": {
            "along": Now("variance", without=("means_measure",)),
            "users": Now("everybody"),
            "spread": Now("everybody"),
        },
        "vectors": {
            "along": Now("dimensions"),
            "rule": Now("leak", settings=_CORNERS),
        },
        "regression": {
            "curator": Now("steps", settings={"regression_beside": "curator"}),
            "plane": Now("sides", settings={"regression_function": "saddle"}),
            "schedule": Now("sides", without=_SCHEDULE),
            "users": Now("plan", without=_SCHEDULE),
            "price": Now("plan"),
            "accuracy": Now("classes", without=("regression_axis",)),
        },
        "shapes": {"rival": Now("shape"), "quantiles": Now("shape")},
    }
)


def retired(page: str, text: str) -> Now | None:
    """What a view of a page has become, by its slug or by what addresses once called it; none of those of today.

    A view that has left its page for this one is called by both, as "averaging.ledger".
    """
    origin, _, slug = text.rpartition(".")
    there = RETIRED.get(origin or page, {})
    now = there.get(slug) or there.get((*views(origin or page, slug), "")[0])
    return now if now is None or not origin or now.page == page else None


def option(key: str, text: str) -> str:
    """The slug of an option that an old address calls by its label; empty where there is none."""
    return OPTIONS.get(key, {}).get(text) or ANYWHERE.get(text, "")


def views(page: str, text: str) -> tuple[str, ...]:
    """The slugs that a view may go by now, the likeliest first."""
    return VIEWS.get(page, {}).get(text, ())


def now(asked: dict[str, list[str]], title_of: Callable[[str, str], str]) -> dict[str, list[str]]:
    """What an address asks for, as it is asked for now; an old part that means nothing stays as it is, to be named.

    `title_of` says what a view of a page is called, which the oldest addresses hold.
    """
    present = {key: texts for key, texts in asked.items() if key not in (*SETTINGS, *RENAMED)}
    for key in [key for key in SETTINGS if key in asked]:
        slug, (home, shown_by) = key.partition("_")[0], SETTINGS[key]
        tabs = present.get(f"{slug}_tab", [home])
        at_home = all(tab in (home, title_of(slug, home)) or home in views(slug, tab) for tab in tabs)
        if at_home and all(text in shown_by for text in asked[key]):
            present[f"{slug}_tab"] = [shown_by[text] for text in asked[key]]
        else:
            present[key] = asked[key]
    for key in [key for key in RENAMED if key in asked]:
        name = RENAMED[key]
        if name in asked:
            present[key] = asked[key]
        else:
            texts = (*present.get(name, ()), *(option(key, text) or text for text in asked[key]))
            present[name] = list(dict.fromkeys(texts))
    return present
