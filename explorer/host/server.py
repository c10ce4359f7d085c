"""The layers around Streamlit's server: headers, one uploaded file for each session, no page that stays blank.

Public parts alone: `streamlit.App` takes a stack of ASGI middleware, and a file is deleted as the browser would do it.
`LDP_EXPLORER_FRAMES` names the sites that may show the app in a frame, as in `https://moodle.example.org`.
`LDP_EXPLORER_METRICS=1` lets anybody read the server's figures, as a scraper behind the same proxy does.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from time import monotonic

from explorer.host.asgi import Application, Message, Receive, Scope, Send, answer
from explorer.host.crowds import CrowdMiddleware
from explorer.host.draining import Draining
from explorer.host.health import Health, Pulse
from explorer.host.inbox import Inbox, Letter, inbox
from explorer.host.memory import Collector
from explorer.host.openfiles import Full
from explorer.host.packing import Packing, folder
from explorer.host.plotlyscript import PlotlyScript

UPLOADS = "/_stcore/upload_file/"
METRICS = "_stcore/metrics"
LATER, OFTEN = 1.0, 15.0  # seconds after a session's time is over, and between two looks while others have left
SERVED = ("_stcore", "app", "component", "media", "static", "vendor", "oauth2callback", "auth", "room")  # of a path


@cache
def inline_scripts() -> tuple[str, ...]:
    """The scripts inside Streamlit's start page, by their hashes."""
    page = (folder() / "index.html").read_text("utf-8")
    bodies = [part.partition(">")[2].partition("</script>")[0] for part in page.split("<script")[1:]]
    digests = (base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in bodies if body.strip())
    return tuple(f"'sha256-{digest}'" for digest in digests)


def policy(frames: str = "") -> str:
    """The policy of a page: what it may load and run, and which sites may frame it; everything comes from the server.

    Streamlit's components are modules made in the browser (`blob:`), they and Plotly write styles. Of the scripts in a
    page only those of Streamlit's own start page run, and no text becomes code.
    """
    parts = {
        "default-src": "'self'",
        "script-src": " ".join(("'self' blob:", *inline_scripts())),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": "'self' blob: data:",
        "worker-src": "'self' blob:",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": f"'self' {frames}".strip(),
    }
    return "; ".join(f"{name} {sources}" for name, sources in parts.items())


def headers(frames: str | None = None) -> list[tuple[bytes, bytes]]:
    """The header's fields of every answer."""
    frames = os.environ.get("LDP_EXPLORER_FRAMES", "") if frames is None else frames
    fields = {
        "Content-Security-Policy": policy(" ".join(frames.split())),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    return [(name.lower().encode(), text.encode("latin-1", "replace")) for name, text in fields.items()]


class Headers:
    """Middleware that adds the headers."""

    def __init__(self, app: Application) -> None:
        self.app, self.headers = app, headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def spoken(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in self.headers}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in known]
                message["headers"] = [*kept, *self.headers]
            await send(message)

        await self.app(scope, receive, spoken if scope["type"] == "http" else send)


class Depth:
    """Middleware that joins the several names of a path into one, since Streamlit would leave such a page blank."""

    def __init__(self, app: Application, base: str = "") -> None:
        self.app, self.base = app, f"/{base.strip('/')}".rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and (name := self.name(scope["path"])):
            query = scope.get("query_string", b"")
            target = f"{self.base}/{name}".encode() + (b"?" + query if query else b"")
            await answer(scope, send, 307, [(b"location", target)])
            return
        await self.app(scope, receive, send)

    def name(self, path: str) -> str:
        """The one name instead of several; empty where the path is right as it is."""
        parts = [part for part in path.removeprefix(self.base).split("/") if part]
        if len(parts) < 2 or not path.startswith(self.base) or {*parts} & {*SERVED}:
            return ""
        return re.sub(r"[^A-Za-z0-9_]", "_", "_".join(parts)[:200])


class Closed:
    """Middleware that refuses the server's own figures, as the number of its readers and the memory of each."""

    def __init__(self, app: Application, opened: bool | None = None) -> None:
        self.app = app
        self.opened = os.environ.get("LDP_EXPLORER_METRICS", "") == "1" if opened is None else opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self.opened and scope["path"].strip("/").endswith(METRICS):
            await answer(scope, send, 404)
            return
        await self.app(scope, receive, send)


class OneFile:
    """Middleware that keeps one uploaded file of each session, until its page has read it."""

    def __init__(self, app: Application, kept: Inbox | None = None) -> None:
        self.app, self.inbox = app, kept or inbox()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or UPLOADS not in scope["path"] or scope["method"] not in ("PUT", "DELETE"):
            await self.app(scope, receive, send)
            return
        session, _, file = scope["path"].partition(UPLOADS)[2].partition("/")
        if scope["method"] == "PUT":
            await self.arriving(session, file, scope, receive, send)
        else:
            self.inbox.forget(session, file)
            await self.app(scope, receive, send)

    async def arriving(self, session: str, file: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a file on as long as it is wanted, and note its size; one that gives way is received and dropped.

        It is answered like any other: the page, which asks for it next, says in a sentence that it is not there.
        """
        loop, request = asyncio.get_running_loop(), scope.copy()
        letter = Letter(session, file, lambda: asyncio.run_coroutine_threadsafe(self.deleted(request), loop))
        more, begun = True, False

        async def received() -> Message:
            nonlocal more
            message = await receive()
            more = message.get("more_body", False)
            self.inbox.grow(letter, len(message.get("body", b"")))
            return message if letter.wanted else {"type": "http.disconnect"}

        async def sent(message: Message) -> None:
            nonlocal begun
            if message.get("status", 0) >= 400:
                self.inbox.forget(session, file)
            if begun or letter.wanted:
                begun = True
                await send(message)

        self.inbox.put(letter)
        try:
            await self.app(scope, received, sent)
        except Exception:
            self.inbox.forget(session, file)
            if letter.wanted:
                raise
        if letter.wanted:
            return
        letter.remove()  # where it has given way while it arrived
        while more:
            more = (await receive()).get("more_body", False)
        if not begun:
            await answer(scope, send, 204)

    async def deleted(self, scope: Scope) -> None:
        """Delete a file as its reader's browser would."""

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(message: Message) -> None:
            """Ignore whether there was such a file."""

        given = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"content-type")]
        await self.app({**scope, "method": "DELETE", "headers": given}, nothing, unheard)


async def nothing() -> None:
    """The empty chore."""


class Leaving:
    """Middleware that frees what readers leave behind: memory when they have gone, their session when its time is over.

    `remembered` is the number of seconds for which the server remembers a session without a reader; `expire` ends the
    sessions whose time is over, which the server does by itself only when somebody else leaves.
    """

    def __init__(
        self, app: Application, remembered: float = 120.0, expire: Callable[[], Awaitable[None]] = nothing
    ) -> None:
        self.app, self.remembered, self.expire, self.collector = app, remembered, expire, Collector()
        self.over = 0.0
        self.looking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app(scope, receive, send)
        finally:
            if scope["type"] == "websocket":
                self.gone()

    def gone(self) -> None:
        """Note that a reader has gone: the time of their session will be over."""
        self.collector.gone()
        self.over = monotonic() + self.remembered + LATER
        if self.looking is None or self.looking.done():
            self.looking = asyncio.create_task(self.look())

    async def look(self) -> None:
        """End sessions as soon as the time of the first is over, and then as long as there are others."""
        left = self.over - monotonic()
        while left > 0:
            await asyncio.sleep(left)
            try:
                await self.expire()
            except Exception as problem:  # whatever it was, the next look comes
                logging.getLogger(__name__).error("%s: %s", self.look.__qualname__, type(problem).__name__)
            self.collector.gone()
            left = min(self.over - monotonic(), OFTEN)


def layers(
    work: Callable[[], object],
    base: str = "",
    remembered: float = 120.0,
    expire: Callable[[], Awaitable[None]] = nothing,
) -> list[tuple[Callable[..., Application], Mapping[str, object]]]:
    """All layers, the outermost first, with the settings of each.

    These are: the proof of health, the path below which the app is served, the seconds for which the server remembers
    a session whose reader has gone, and the call that ends the sessions whose time is over.
    """
    below = {"base": base}
    return [
        (Headers, {}),
        (Closed, {}),
        (Draining, below | {"served": SERVED}),
        (Health, below | {"pulse": Pulse(work)}),
        (Full, below | {"served": SERVED}),
        (Depth, below),
        (Packing, below),
        (PlotlyScript, below),
        (OneFile, {}),
        (CrowdMiddleware, {}),
        (Leaving, {"remembered": remembered, "expire": expire}),
    ]
