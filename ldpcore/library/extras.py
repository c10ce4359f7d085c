"""The extras of the package: modules installed with them are asked for before they are imported."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType

from ldpcore.library.refused import LibraryRefusal

EXTRAS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(  # what each brings: names and modules
    {
        "tables": (("pandas", "pandas"), ("python-calamine", "python_calamine")),
        "parquet": (("PyArrow", "pyarrow"),),
        "dask": (("Dask", "dask"), ("Dask", "distributed")),
    }
)


def require(extra: str, *modules: str) -> None:
    """Refuse to go on, and say what to install, where a module of an extra is missing: any, or a named one."""
    for what, module in EXTRAS[extra]:
        if (module in modules or not modules) and not _is_installed(module):
            raise LibraryRefusal("extra_missing", what=what, extra=extra)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
