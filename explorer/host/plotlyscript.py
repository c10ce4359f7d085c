"""Plotly's script, served from memory and packed once, under a name that says its version.

Where the bundle for flat figures lies beside this file (`python -m tools.bundle` fetches it), that one is served: a
third of the whole. Else it is the whole script of the installed Python package.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from explorer.host.asgi import Application, Fields, Receive, Scope, Send, answer, field
from explorer.host.packing import takes

BUNDLES = Path(__file__).parent / "bundles"
BUNDLE = "plotly-cartesian-4.1.1.min.js"  # that of the tested version of the Python package
_FOR = "7.1.0"  # the Python package whose figures that bundle draws
_FOLDER = "app/static"  # of the address, as Streamlit calls what lies beside an app
_YEAR = b"public, max-age=31536000, immutable"  # the name changes with the version


@cache
def script() -> Path:
    """The served file: the bundle, where it is there and belongs to the installed version, or the whole script."""
    if (bundle := BUNDLES / BUNDLE).is_file() and version("plotly") == _FOR:
        return bundle
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("plotly must be installed: its script draws the figures")
    return Path(package.origin).parent / "package_data" / "plotly.min.js"


@cache
def address() -> str:
    """The address of the script below that of the app."""
    served = script()
    name = served.name if served.parent == BUNDLES else f"plotly-{version('plotly')}.min.js"
    return f"{_FOLDER}/{name}"


def packed() -> bytes:
    """The script, packed."""
    return gzip.compress(script().read_bytes(), 9, mtime=0)


class PlotlyScript:
    """Middleware that answers for Plotly's script."""

    def __init__(self, app: Application, base: str = "") -> None:
        self.app, self.path = app, re.sub("/+", "/", f"/{base}/{address()}")
        self.packing: asyncio.Task[bytes] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != self.path or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        fields: Fields = [
            (b"content-type", b"text/javascript; charset=utf-8"),
            (b"cache-control", _YEAR),
            (b"vary", b"Accept-Encoding"),
        ]
        if takes(field(scope, b"accept-encoding")):
            if self.packing is None:  # once for all who come together, beside the event loop
                self.packing = asyncio.create_task(asyncio.to_thread(packed))
            body = await asyncio.shield(self.packing)
            await answer(scope, send, 200, [*fields, (b"content-encoding", b"gzip")], body)
        else:
            await answer(scope, send, 200, fields, await asyncio.to_thread(script().read_bytes))
