"""Open files of this process: as many as the system allows, and a sentence for a reader who finds none left.

Each reader takes four of them: their web socket, and the event loop that Streamlit keeps for their session. Without
any left the server can answer nobody, not even with an error, so some are kept for the readers it has.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from time import monotonic
from urllib.parse import parse_qs

from explorer.host.asgi import Application, Message, Receive, Scope, Send, answer, asks_for_page, field
from explorer.text import languages, negotiate
from explorer.text.catalogue import catalogue_of
from ldpcore.processes import files_left

SESSION = 3  # of a session, beside its web socket
SPARE = 48  # for those who are there: their uploads, and what a page loads
VISIT = 16  # for a page that is about to be loaded: a browser opens several connections at once
PATIENCE = 30  # seconds after which a reader may try again
PLENTY, FRESH = 1_000, 0.5  # spare files, and the seconds for which such a count is reused
REFUSED = ((b"retry-after", b"%d" % PATIENCE), (b"cache-control", b"no-store"))
AGAIN_LATER = 1013  # as web sockets say it
_STYLE = (
    ":root{color-scheme:light dark;font:1.1rem/1.5 sans-serif}"
    "main{max-width:34rem;margin:20vh auto;padding:0 1rem}h1{font-size:1.5rem}"
)


class Full:
    """Middleware that refuses a page, and a web socket, where too few files are left for another reader.

    `base` is the path below which the app is served, `served` holds the first parts of paths that are no pages.
    """

    def __init__(self, app: Application, base: str = "", served: Collection[str] = ()) -> None:
        self.app, self.base, self.served = app, f"/{base.strip('/')}".rstrip("/"), served
        self.arriving = 0  # web sockets whose sessions are not there yet
        self.counted: tuple[float, float] = (0.0, 0.0)  # how many files were left, and when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.coming(scope, receive, send)
        elif asks_for_page(scope, self.base, self.served) and self.left() < SPARE + VISIT:
            await answer(scope, send, 503, [*REFUSED, (b"content-type", b"text/html; charset=utf-8")], _page(scope))
        else:
            await self.app(scope, receive, send)

    def left(self) -> float:
        """The number of files left; counting is slow where many are open, so a plentiful count is reused."""
        count, when = self.counted
        if count < PLENTY + SPARE or monotonic() - when > FRESH:
            self.counted = count, _ = files_left(), monotonic()
        return count

    async def coming(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a web socket on where there is room for its session; else refuse it before it is opened."""
        if self.left() - SESSION * (self.arriving + 1) < SPARE:
            await receive()
            await send({"type": "websocket.close", "code": AGAIN_LATER})
            return
        heard, self.arriving = 0, self.arriving + 1

        async def received() -> Message:
            nonlocal heard
            heard += 1
            if heard == 2:  # at first it hears that somebody comes; a reader who listens on has a session
                self.arriving -= 1
            return await receive()

        try:
            await self.app(scope, received, send)
        finally:
            self.arriving -= heard < 2


def _page(scope: Scope) -> bytes:
    """The sentence as a page of its own, in the language of the link or of the browser."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]
    language = asked if asked in languages() else negotiate(field(scope, b"accept-language"), languages())
    catalogue = catalogue_of(language)
    words = {name: escape(text) for name, text in catalogue.labels("full").items()}
    return (
        f'<!doctype html><html lang="{language}" dir="{catalogue.direction}"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(catalogue.label("app.title"))}</title>'
        f"<style>{_STYLE}</style><main><h1>{words['title']}</h1><p>{words['say']}</p>"
        f'<p><a href="">{words["again"]}</a></p></main></html>'
    ).encode()
