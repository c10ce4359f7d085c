"""What a reader takes along besides the figure and its numbers: a QR code of the link, and the code that made them."""

from __future__ import annotations

import dataclasses
import io
from typing import Any

import numpy as np

from ldpcore.laws.channels import Finite

WRITTEN_CELLS = 400  # a larger matrix is read from the reader's file in the Python that reproduces it


def qr_svg(link: str) -> str:
    """The link as a QR code, black on white on every screen so that every phone reads it."""
    import segno  # where a code is wanted: no first picture needs it

    target = io.BytesIO()
    code = segno.make(link, error="m")
    code.save(target, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return target.getvalue().decode()


def _python(value: Any, modules: dict[str, set[str]]) -> str:
    """A value as Python source, noting what must be imported; a matrix too large to print is read from its file."""
    if isinstance(value, Finite) and value.matrix.size > WRITTEN_CELLS:
        modules.setdefault("pathlib", set()).add("Path")
        modules.setdefault("ldpcore.reading.matrices", set()).add("read_matrix")
        return 'read_matrix(Path("matrix.csv").read_text(encoding="utf-8")).normalized().channel()'
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        cls = type(value)
        modules.setdefault(cls.__module__, set()).add(cls.__qualname__)
        fields = (
            f"{field.name}={_python(getattr(value, field.name), modules)}"
            for field in dataclasses.fields(value)
            if field.init
        )
        return f"{cls.__qualname__}({', '.join(fields)})"
    if isinstance(value, np.ndarray):
        modules.setdefault("numpy", set()).add("array")
        return f"array({value.tolist()!r}, dtype={value.dtype.name!r})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, tuple):
        inner = ", ".join(_python(item, modules) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def snippet(experiment: Any) -> str:
    """Python source that runs exactly this experiment and nothing else."""
    modules: dict[str, set[str]] = {}
    source = _python(experiment, modules)
    lines = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(modules.items())]
    return "\n".join([*lines, "", f"result = {source}.run()", "print(result)"])
