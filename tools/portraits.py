"""The README's pictures, drawn from the app as it is, in a real browser, with their texts.

`make pictures` draws them, and the overview's small ones. Their texts are kept beside them, so that a test can tell
when the app says something else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from explorer import navigation
from explorer.figures.theme import Look
from explorer.scenes import scene
from explorer.ui.travel.making import TravelOrder, view_file
from tools.browsing import launched, settled, window
from tools.dearest import Opened
from tools.serving import ROOT, serving

FOLDER = ROOT / "docs" / "portraits"
SAID = FOLDER / "said.json"
LANGUAGE = "en"
MOVED = "/counting?counting_tab=one"


@dataclass(frozen=True)
class Portrait:
    """A page as the README shows it: its link, and the screen that it stands on."""

    slug: str
    link: Mapping[str, str]
    width: int
    height: int
    room: Mapping[str, str]
    touch: bool = False

    @property
    def address(self) -> str:
        """The address of the page."""
        path = "" if self.slug == navigation.DEFAULT else self.slug
        return f"/{path}?{urlencode({**self.link, **self.room})}"


PORTRAITS = (
    Portrait(navigation.DEFAULT, {}, 1440, 900, {}),
    Portrait("counting", {"counting_tab": "one", "epsilon": "0.1"}, 1280, 720, {"lecture": "true"}),
    Portrait("response", {"response_tab": "deny"}, 390, 844, {}, touch=True),
)


def says(portrait: Portrait) -> dict[str, str]:
    """The present answer of the view, and its alternative text."""
    run = Opened(portrait.slug).by(dict(portrait.link)).run
    shown = scene(run.page, run.view, run.asked, run.level, Look(), LANGUAGE, own=run.own)
    return {"answer": shown.answer, "alt": shown.alt}


def said() -> dict[str, dict[str, str]]:
    """The texts of all portraits, by page."""
    return {portrait.slug: says(portrait) for portrait in PORTRAITS}


def moving(browser: Browser) -> Path:
    """The moving picture of the README: the handle of a file that travels, dragged to and fro."""
    path = FOLDER / "moving.webp"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "one.html"
        file.write_text(view_file(MOVED, TravelOrder((LANGUAGE,))).html(), "utf-8")
        page = browser.new_page(viewport={"width": 960, "height": 640})
        page.goto(file.as_uri())
        page.wait_for_function('document.querySelector(".ldp-figure .main-svg")')
        handle = page.get_by_role("slider")
        handle.press("Home")
        stops, drawn = int(handle.get_attribute("max") or 0), []
        for _ in range(stops + 1):
            page.wait_for_timeout(120)
            drawn.append(Image.open(BytesIO(page.screenshot())).convert("RGB").resize((720, 480)))
            handle.press("ArrowRight")
        page.close()
    first, *others = [*drawn, *drawn[-2:0:-1]]
    first.save(path, save_all=True, append_images=others, duration=180, loop=0, quality=60, method=6)
    return path


def main() -> None:
    """Draw all portraits."""
    with serving() as server, sync_playwright() as playwright:
        browser = launched(playwright)
        for portrait in PORTRAITS:
            screen = window(browser, server.url, width=portrait.width, height=portrait.height, touch=portrait.touch)
            page = screen.new_page()
            page.goto(portrait.address)
            path = FOLDER / f"{portrait.slug}.png"
            settled(page, quiet=1500).screenshot(path=path, animations="disabled")
            screen.close()
            print(f"{portrait.slug}: {path.stat().st_size / 1000:.1f} kB")
        print(f"moving: {moving(browser).stat().st_size / 1000:.1f} kB")
    SAID.write_text(json.dumps(said(), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
