"""Parts of other packages that are put off until somebody uses them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from operator import attrgetter
from types import ModuleType
from typing import Any

# SciPy's special functions copy every name of NumPy, and so load what makes Fortran callable and what tests arrays:
# together they took two fifths of the time until the first of these functions was there.
UNUSED = ("numpy.f2py", "numpy.testing", "numpy.polynomial")
ANNOTATED = "scipy.special"  # a quarter of the rest went into notes below its docstrings


class _PutOff(ModuleType):
    """The substitute of a module, which hands on to the module itself."""

    def __getattr__(self, part: str) -> Any:
        return attrgetter(part)(_load(self.__name__))  # waits where another thread is loading it


def _load(name: str) -> ModuleType:
    with _without_notes() if name == ANNOTATED else nullcontext():
        return importlib.import_module(name)


class _Docstring:
    """A docstring that stays as it is, whatever is noted below it."""

    def __init__(self, function: Any) -> None:
        self.text = function.__doc__ or ""

    def __getitem__(self, part: str) -> list[str]:
        return []

    def __str__(self) -> str:
        return f"\n{self.text}"  # below the first line, which SciPy leaves out


@contextmanager
def _without_notes() -> Iterator[None]:
    """SciPy writes no notes into docstrings meanwhile."""
    arrays: dict[str, Any] = {}
    with suppress(ImportError):  # another SciPy may keep them elsewhere
        arrays = vars(importlib.import_module("scipy._lib._array_api"))
    reader = arrays.get("FunctionDoc")
    if reader in (None, _Docstring):  # there are none, or another thread is at it
        yield
        return
    arrays["FunctionDoc"] = _Docstring
    try:
        yield
    finally:
        arrays["FunctionDoc"] = reader


def put_off(*names: str) -> None:
    """Put modules off: a substitute stands in the package of each until the first use.

    An import of the module by its full name loads it at once, as ever, and the module takes its own place.
    """
    for name in names:
        package, _, part = name.rpartition(".")
        vars(importlib.import_module(package)).setdefault(part, _PutOff(name))
