"""The mathematics of private answers: mechanisms, estimators, accounting and the questions asked of them.

May import the standard library, NumPy and SciPy (pandas in `tables` and `reading` only); never Streamlit or Plotly.
Life of a datum: `values` (true) -> `reports` (private) -> `tally` (aggregated) -> `estimate`.

Public are the names of `ldpcore.__all__`, by kind; each is loaded when it is first asked for. Everything else may
change from one version to the next.

>>> import ldpcore
>>> survey = ldpcore.build("grr", 1.0, ["red", "green", "blue"])
>>> survey.guarantee()
Guarantee(epsilon=1.0, delta=0.0)
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ldpcore import randomness as randomness
    from ldpcore.library.collecting import collect as collect
    from ldpcore.library.designs import Design as Design
    from ldpcore.library.designs import build as build
    from ldpcore.library.designs import serving as serving
    from ldpcore.library.domains import Categories as Categories
    from ldpcore.library.domains import Numbers as Numbers
    from ldpcore.library.estimated import Estimate as Estimate
    from ldpcore.library.planning import Plan as Plan
    from ldpcore.library.planning import plan as plan
    from ldpcore.library.rowdomains import Answers as Answers
    from ldpcore.library.rowdomains import Candidates as Candidates
    from ldpcore.library.rowdomains import Pairs as Pairs
    from ldpcore.library.rowdomains import Vectors as Vectors
    from ldpcore.library.studies import Study as Study
    from ldpcore.library.tallied import Tally as Tally
    from ldpcore.library.tallied import merge as merge
    from ldpcore.mechanisms.arithmetic import Arithmetic as Arithmetic
    from ldpcore.mechanisms.base import Guarantee as Guarantee
    from ldpcore.refusals import Refusal as Refusal

__version__ = "0.1.0"

_PUBLIC = MappingProxyType(
    {
        # What people can hold
        "Categories": "ldpcore.library.domains",
        "Numbers": "ldpcore.library.domains",
        "Vectors": "ldpcore.library.rowdomains",
        "Pairs": "ldpcore.library.rowdomains",
        "Answers": "ldpcore.library.rowdomains",
        "Candidates": "ldpcore.library.rowdomains",
        # What a client and a collector agree on
        "build": "ldpcore.library.designs",
        "serving": "ldpcore.library.designs",
        "Design": "ldpcore.library.designs",
        "Guarantee": "ldpcore.mechanisms.base",
        "Arithmetic": "ldpcore.mechanisms.arithmetic",
        "randomness": "",  # a module
        # What a collector keeps and reads
        "Tally": "ldpcore.library.tallied",
        "merge": "ldpcore.library.tallied",
        "collect": "ldpcore.library.collecting",
        "Estimate": "ldpcore.library.estimated",
        # Before anybody is asked
        "plan": "ldpcore.library.planning",
        "Plan": "ldpcore.library.planning",
        "Study": "ldpcore.library.studies",
        # What cannot be used
        "Refusal": "ldpcore.refusals",
    }
)

__all__ = [
    "Answers",
    "Arithmetic",
    "Candidates",
    "Categories",
    "Design",
    "Estimate",
    "Guarantee",
    "Numbers",
    "Pairs",
    "Plan",
    "Refusal",
    "Study",
    "Tally",
    "Vectors",
    "build",
    "collect",
    "merge",
    "plan",
    "randomness",
    "serving",
]


def __getattr__(name: str) -> Any:
    """A public name, loaded now; a deprecated one warns for one version."""
    if name in _PUBLIC:
        place = _PUBLIC[name]
        held = getattr(importlib.import_module(place), name) if place else importlib.import_module(f"{__name__}.{name}")
        globals()[name] = held
        return held
    from ldpcore.deprecations import DEPRECATED, replacement

    if name in DEPRECATED:
        return __getattr__(replacement(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names and the module's own attributes."""
    return sorted({*globals(), *_PUBLIC})
