"""What addresses once called the views and the options: labels of earlier editions, and slugs of more than one view.

An address once given stays good. May import the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_BOTH = ("ratio", "reports", "curve", "test", "measures")  # views of a mechanism and of a matrix on *Verify*

VIEWS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "counting": {
            "One release": ("one",),
            "Ten releases": ("ten",),
            "Error against ε": ("error",),
            "Small and large crowds": ("crowds",),
            "Many releases": ("many",),
            "Histogram": ("categories",),
            "Afterwards": ("afterwards",),
            "Step by step": ("flow",),
            "Mean in two releases": ("ratio",),
            "Plan": ("plan",),
        },
        "averaging": {
            "Running mean": ("path",),
            "Error": ("error",),
            "Attacker": ("attacker",),
            "Fixed budget": ("shared",),
            "Ledger": ("ledger",),
            "Plan": ("plan",),
        },
        "response": {
            "Your class": ("everybody",),
            "Real answers": ("real",),
            "Deniability": ("deny",),
            "Ask another class": ("again",),
            "People needed": ("needed",),
            "Two coins": ("coins",),
            "Plan": ("plan",),
            "What must α be?": ("plan",),
        },
        "frequencies": {
            "Estimates": ("bars", "compared"),
            "Error": ("error",),
            "Which one?": ("which",),
            "Top ten": ("top",),
            "One report": ("report",),
            "After the estimate": ("after",),
            "Plan": ("plan",),
            "bars": ("compared",),
        },
        "verify": {
            **{slug: (f"matrix-{slug}",) for slug in _BOTH},
            **{f"matrix-{slug}": (slug,) for slug in _BOTH},
            "Largest ratio": ("ratio", "matrix-ratio"),
            "All reports": ("reports",),
            "Matrix": ("matrix-reports",),
            "δ curve": ("curve", "matrix-curve"),
            "Best test": ("test", "matrix-test"),
            "Audit": ("audit",),
            "Merging": ("merging",),
        },
        "means": {"Every level": ("along",), "More people": ("users",), "Spread": ("spread",)},
        "vectors": {"Every level": ("along",), "The hypercube rule": ("rule",)},
        "regression": {
            "With a curator": ("curator",),
            "Two dimensions": ("plane",),
            "Conditions": ("schedule",),
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
            {"bars": "bars", "the 40 most popular": "bars", "ranks": "ranks", "all, by rank": "ranks"},
        ),
        "frequencies_after_view": (
            "after",
            {"shares": "after", "split": "split", "bias² and variance": "split"},
        ),
    }
)

_PROJECT: Mapping[str, str] = MappingProxyType({"response_meant": "basis", "frequencies_meant": "basis"})

# Parameters by what they were called, those of one page that have become the project's among them.
RENAMED: Mapping[str, str] = MappingProxyType({**_PROJECT, "verify_size_of_gallery": "verify_exhibits"})

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
        "frequencies_metric": {"mean squared": "mse", "mean absolute": "mae"},
        "response_design": {"The best coins at α": "level"},
        "protocols_design": {
            "is asked too sharply after a yes": "breaks",
            "wird nach einem Ja zu scharf gefragt": "breaks",
        },
        **{key: {"asked": "census", "everybody": "sample"} for key in _PROJECT},
    }
)

# Options that were words with blanks, whatever the page or the mechanism that they belong to.
ANYWHERE: Mapping[str, str] = MappingProxyType({"add or remove one": "add-remove", "replace one": "replace-one"})


@dataclass(frozen=True)
class Now:
    """What a view that no longer stands by itself has become part of: a view, and how it shows what was shown."""

    view: str
    page: str = ""  # where that view is, if it is on another page
    settings: Mapping[str, str] = field(default_factory=dict)  # asked for where the address says nothing of them
    without: tuple[str, ...] = ()  # parameters of the former view that mean nothing any more

    def ask(self, asked: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """What an address asks for, but for the view, as the view of today is asked for it."""
        kept = {key: texts for key, texts in asked.items() if key not in self.without}
        return {key: [text] for key, text in self.settings.items()} | kept


# Views that no longer stand by themselves, by page: the nearest view opens, and one sentence says so.
_CORNERS: Mapping[str, str] = {"vectors_drawn": "three", "vectors_ties": "lower", "vectors_other": "opposite"}

RETIRED: Mapping[str, Mapping[str, Now]] = MappingProxyType(
    {
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
            "schedule": Now("users"),
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
            present[name] = [*present.get(name, ()), *(option(key, text) or text for text in asked[key])]
    return present
