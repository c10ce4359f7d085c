"""What addresses once called the views: titles of earlier editions, and slugs that more than one view goes by now.

An address once given stays good. May import the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_BOTH = ("ratio", "reports", "curve", "test")  # the views that a mechanism and a matrix both have on *Verify*

VIEWS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "counting": {
        "One release": ("one",), "Ten releases": ("ten",), "Error against ε": ("error",),
        "Small and large crowds": ("crowds",), "Many releases": ("many",), "Histogram": ("categories",),
        "Afterwards": ("afterwards",), "Step by step": ("flow",), "Mean in two releases": ("ratio",), "Plan": ("plan",),
    },
    "averaging": {
        "Running mean": ("path",), "Error": ("error",), "Attacker": ("attacker",), "Fixed budget": ("shared",),
        "Ledger": ("ledger",), "Plan": ("plan",),
    },
    "response": {
        "Your class": ("everybody",), "Real answers": ("real",), "Deniability": ("deny",),
        "Ask another class": ("again",), "People needed": ("needed",), "Two coins": ("coins",), "Plan": ("plan",),
    },
    "frequencies": {
        "Estimates": ("bars", "compared"), "Error": ("error",), "Which one?": ("which",), "Top ten": ("top",),
        "One report": ("report",), "After the estimate": ("after",), "Plan": ("plan",), "bars": ("compared",),
    },
    "verify": {
        **{slug: (f"matrix-{slug}",) for slug in _BOTH}, **{f"matrix-{slug}": (slug,) for slug in _BOTH},
        "Largest ratio": ("ratio", "matrix-ratio"), "All reports": ("reports",), "Matrix": ("matrix-reports",),
        "δ curve": ("curve", "matrix-curve"), "Best test": ("test", "matrix-test"), "Audit": ("audit",),
        "Merging": ("merging",),
    },
    "reference": {"Mechanisms": ("mechanisms",), "Words": ("words",)},
})  # fmt: skip

# Settings of old addresses that have become views: what they asked for, and the view that shows it now.
SETTINGS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "frequencies_shown": {"ranks": "ranks", "all, by rank": "ranks"},
    "frequencies_after_view": {"split": "split", "bias² and variance": "split"},
})  # fmt: skip


def views(page: str, text: str) -> tuple[str, ...]:
    """The slugs that a view may go by now, the likeliest first."""
    return VIEWS.get(page, {}).get(text, ())
