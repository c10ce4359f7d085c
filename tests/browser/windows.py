"""Windows that are lent to one visitor after the other: what was fetched stays, what a visitor leaves does not.

A tab that nobody sees stays open in each, so that its process stays too, with the scripts that it has read, Plotly's
under the name of the same script unpacked: the next visitor's page costs half as much of the processor. Whoever looks
at how Plotly comes asks for a `cold` window.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page

from tools.browsing import window

STAYING = "/_stcore/health"  # a word, of the server whose pages are looked at
PARSED_ONCE = """  // a script is parsed anew under each new name, and the stage makes one for Plotly's; its own is kept
const named = URL.createObjectURL
URL.createObjectURL = thing => {
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name)
  const packed = thing.size > 4e6 && fetched.find(name => name.endsWith(".min.js.gz"))
  return packed ? packed.replace(/[.]gz$/, "") : named.call(URL, thing)
}
"""
LEFT_BEHIND = "cookies,local_storage,indexeddb,cache_storage,service_workers"


class Windows:
    """The windows of a browser that nobody has at present, by whose server, with a finger or not."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: defaultdict[tuple[str, bool], list[BrowserContext]] = defaultdict(list)

    @contextmanager
    def lent(
        self,
        url: str,
        *,
        width: int = 1440,
        height: int = 900,
        touch: bool = False,
        color_scheme: str = "light",
        cold: bool = False,
    ) -> Iterator[Page]:
        """An empty page in a window that nobody else has; with `cold`, in one that has fetched nothing yet."""
        free = self.free[url, touch]
        if cold or not free:
            free.append(window(self.browser, url, touch=touch))
            if not cold:
                free[-1].add_init_script(PARSED_ONCE)
        context = free.pop()
        if not cold and not context.pages:
            context.new_page().goto(STAYING)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if color_scheme == "dark" else "light")
        page.context.new_cdp_session(page).send(
            "Storage.clearDataForOrigin", {"origin": url, "storageTypes": LEFT_BEHIND}
        )
        try:
            yield page
        finally:
            if cold:
                context.close()
            else:
                for each in context.pages[1:]:
                    each.close()
                free.append(context)
