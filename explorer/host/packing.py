"""Streamlit's own scripts and styles, each packed once and kept; it sends them unpacked, 2.6 MB of a visit."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from explorer.host.asgi import Application, Message, Receive, Scope, Send, answer, field

PACKED = re.compile(r"/static/(?:js|css)/[\w.-]+\.(?:js|css)")
KINDS = (b"javascript", b"css")  # a name that no file has is answered with the start page
NONE = re.compile(r"\s*q\s*=\s*0(?:\.0*)?\s*")  # the weight of what is not wanted
LEVEL = 6  # half the time of 9, and half a percent more


@dataclass(frozen=True)
class File:
    """The answer for a script: the header's fields and the packed body."""

    fields: tuple[tuple[bytes, bytes], ...]
    body: bytes


@cache
def folder() -> Path:
    """The folder of Streamlit's start page, with everything it loads."""
    spec = find_spec("streamlit")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("streamlit must be installed: it serves the start page")
    return Path(spec.origin).parent / "static"


@cache
def names() -> frozenset[str]:
    """Streamlit's scripts and styles, as their folder spells them.

    Where the system ignores capitals thousands of names reach one file, of which one name is kept.
    """
    return frozenset(f"/{each.relative_to(folder()).as_posix()}" for each in (folder() / "static").glob("*/*.*"))


def takes(accepted: str) -> bool:
    """Whether a browser that accepts these codings unpacks gzip: it is among them, and its weight is not 0."""
    for coding in accepted.lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return NONE.fullmatch(weight) is None
    return False


class Packing:
    """Middleware that answers for the `known` scripts and styles, where the browser unpacks them."""

    def __init__(self, app: Application, base: str = "", known: Collection[str] | None = None) -> None:
        self.app, self.base = app, f"/{base.strip('/')}".rstrip("/")
        self.known = names() if known is None else known
        self.kept: dict[str, asyncio.Task[File | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.packs(scope) or (file := await self.file(scope["path"], scope)) is None:
            await self.app(scope, receive, send)
            return
        await answer(scope, send, 200, file.fields, file.body)

    def packs(self, scope: Scope) -> bool:
        """Whether a browser that unpacks gzip asks for a whole script or style of which it has no copy."""
        return (
            scope["type"] == "http"
            and scope["method"] in ("GET", "HEAD")
            and scope["path"].startswith(self.base)
            and PACKED.fullmatch(scope["path"], len(self.base)) is not None
            and scope["path"][len(self.base) :] in self.known
            and takes(field(scope, b"accept-encoding"))
            and not any(field(scope, name) for name in (b"range", b"if-none-match", b"if-modified-since"))
        )

    async def file(self, path: str, scope: Scope) -> File | None:
        """The packed file, made on the first request for it; none where no file has this name."""
        if path not in self.kept:
            self.kept[path] = asyncio.create_task(self.packed(scope))
        making = self.kept[path]
        try:
            file = await asyncio.shield(making)
        except Exception:
            file = None
        if file is None and self.kept.get(path) is making:
            del self.kept[path]
        return file

    async def packed(self, scope: Scope) -> File | None:
        """Ask the server behind for the file, and pack it beside the event loop."""
        start: Message = {}
        parts: list[bytes] = []
        said: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def waiting() -> Message:
            """Send no further message: the empty body, then a wait."""
            return said.pop() if said else await asyncio.get_running_loop().create_future()

        async def heard(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        await self.app({**scope, "method": "GET", "extensions": {}}, waiting, heard)
        known = {name.lower(): text for name, text in start.get("headers", ())}
        kind = known.get(b"content-type", b"")
        if start.get("status") != 200 or b"content-encoding" in known or not any(each in kind for each in KINDS):
            return None
        body = await asyncio.to_thread(gzip.compress, b"".join(parts), LEVEL, mtime=0)
        for name in (b"content-length", b"accept-ranges"):
            known.pop(name, None)
        if (tag := known.get(b"etag", b"")) and not tag.startswith(b"W/"):
            known[b"etag"] = b"W/" + tag  # the same file in other bytes
        known |= {b"content-encoding": b"gzip", b"vary": b"Accept-Encoding"}
        return File(tuple(known.items()), body)
