"""Frozen questions whose `run()` gives frozen results: a package per page, a module while it is small.

May import what `ldpcore` may. The seed is a field and the generator is made inside `run()`, so that equal questions
have equal answers; `progress`, where given, is called with the share that is done and may raise to abandon the work.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

Result = TypeVar("Result")


def generator(seed: int, purpose: str) -> np.random.Generator:
    """The generator of one purpose of a seed: one question's draws never shift because another asks for more."""
    return np.random.default_rng([seed, *purpose.encode()])


def settled(result: Result, *names: str) -> Result:
    """A result with these of its properties computed, so that work over everybody counts as the question's own time."""
    for name in names:
        getattr(result, name)
    return result


def deferred(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package with public names in these modules, each loaded when it is first asked for.

    A page whose picture needs one question of another's package does not wait for all of them.
    """
    places = {name: module for module, listed in names.items() for name in listed.split()}

    def loaded(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return vars(importlib.import_module(f"{package}.{places[name]}"))[name]

    return loaded
