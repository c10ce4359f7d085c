"""Parts of other packages that are put off until somebody uses them."""

from __future__ import annotations

import importlib
from operator import attrgetter
from types import ModuleType
from typing import Any

# SciPy's special functions copy every name of NumPy, and so load what makes Fortran callable and what tests arrays:
# together they took two fifths of the time until the first of these functions was there.
UNUSED = ("numpy.f2py", "numpy.testing")


class _PutOff(ModuleType):
    """The substitute of a module, which hands on to the module itself."""

    def __getattr__(self, part: str) -> Any:
        return attrgetter(part)(importlib.import_module(self.__name__))


def put_off(*names: str) -> None:
    """Put modules off: a substitute stands in the package of each until the first use.

    An import of the module by its full name loads it at once, as ever, and the module takes its own place.
    """
    for name in names:
        package, _, part = name.rpartition(".")
        vars(importlib.import_module(package)).setdefault(part, _PutOff(name))
