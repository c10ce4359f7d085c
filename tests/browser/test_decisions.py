"""From a question to a decision on paper: six of them, from the overview, in at most four actions each.

An action is one click, one press of a key that is meant, or one text that is typed or pasted. The sheet is printed by
the browser as PDF on A4 and Letter: one page, nothing cut. What it says of invented data is true of nobody; what may
stand on it of a table of one's own is held by `tests/test_public.py`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.text import listing, page_text
from tests.browser.reading import answer, opened
from tests.rationing import ALL, shared
from tools.browsing import axe_violations, settled

MATRIX = "0.7, 0.2, 0.1\n0.2, 0.6, 0.2\n0.1, 0.2, 0.7"
MOST = 4
PRINTED = """const open = window.open
window.open = (...given) => {  // the dialog of printing would stay, for nobody closes it
  const paper = open(...given)
  paper.print = () => { paper.printed = true }
  return paper
}"""
LANGUAGES = ("en", "de")
WIDTHS = {"A4": 794 - 106, "Letter": 816 - 106}  # pixels between margins of 14 mm


class Reader:
    """Somebody with a decision to make; counts what they do."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.language, self.actions = page, language, 0
        self.labels, self.words = listing("labels", language), page_text("sheet", language)["labels"]["sheet"]
        opened(page, f"/?lang={language}")

    def begins(self) -> None:
        """Back to the overview, as somebody who has done nothing yet."""
        self.page.get_by_test_id("stSidebarNavLink").first.click()
        expect(self.page.locator("[data-go^='decision-']").first).to_be_visible()
        settled(self.page)
        self.actions = 0

    def does(self, action: Callable[[], object]) -> None:
        """One action, and what comes of it."""
        self.actions += 1
        action()
        settled(self.page)

    def decides(self, name: str) -> None:
        """The decision is chosen on the overview."""
        self.does(self.page.locator(f"[data-go='decision-{name}']").click)
        expect(self.page.locator(".ldp-answer")).not_to_be_empty()

    def prints(self) -> Page:
        """What can be taken along is opened, and the sheet is printed."""
        below = self.page.locator("[class*='_below'] button").filter(has_text=self.labels["frame"]["take_away"])
        self.does(below.click)
        self.actions += 1
        with self.page.expect_popup() as popup:
            self.page.locator("button.print").first.click()
        popup.value.wait_for_load_state()
        return popup.value


def whole_table(reader: Reader) -> None:
    """Counts of departments: how small may ε be for all of them at once?"""
    reader.decides("table")


def sum_of_money(reader: Reader) -> None:
    reader.decides("count")
    verb = reader.labels["asking"]["sum"]
    reader.does(reader.page.get_by_role("radio", name=verb, exact=True).click)


def survey(reader: Reader) -> None:
    reader.decides("survey")


def real_answers(reader: Reader) -> None:
    reader.decides("answers")
    label = page_text("response", reader.language)["labels"]["answers"]
    box = reader.page.get_by_role("textbox", name=label)
    typed = {"en": "340 of 900", "de": "340 von 900"}[reader.language]
    reader.does(lambda: (box.fill(typed), box.press("Enter")))
    expect(answer(reader.page)).to_contain_text("340")


def vendor(reader: Reader) -> None:
    reader.decides("vendor")
    box = reader.page.get_by_test_id("stTextArea").locator("textarea").first
    reader.does(lambda: (box.fill(MATRIX), box.press("Control+Enter")))
    expect(answer(reader.page)).to_contain_text({"en": "1.946", "de": "1,946"}[reader.language])  # ln 7


def explained(reader: Reader) -> None:
    reader.decides("explain")


# What is asked, and what must stand on the sheet whatever the language.
DECISIONS: dict[str, tuple[Callable[[Reader], None], tuple[str, ...]]] = {
    "department counts": (whole_table, ("95 %",)),
    "a sum of money": (sum_of_money, ("95 %",)),
    "a yes or no without trust": (survey, ("95 %", "α")),
    "340 of 900": (real_answers, ("340", "900")),
    "a vendor's matrix": (vendor, ("α",)),
    "what ε means": (explained, ("1.11", "52.5")),
}


@pytest.mark.parametrize("language", shared(LANGUAGES, 2, 1))
def test_a_decision_takes_at_most_four_actions_to_a_printed_sheet(page: Page, tmp_path: Path, language: str) -> None:
    """All decisions, one after the other, on A4 and on Letter by turns; by day one of them, in German, on both."""
    page.add_init_script(PRINTED)
    reader, mine = Reader(page, language), shared(DECISIONS.items(), 6, first=3 * LANGUAGES.index(language))
    formats = cycle([*WIDTHS][:: 1 - 2 * LANGUAGES.index(language)])
    for (name, (decide, parts)), format_ in zip(mine, formats, strict=False):
        reader.begins()
        decide(reader)
        paper = reader.prints()
        assert reader.actions <= MOST, (name, reader.actions)
        paper.wait_for_function("() => window.printed")
        assert paper.evaluate("document.documentElement.lang") == language
        assert not axe_violations(paper), name
        for each in (format_,) if ALL else WIDTHS:
            text = printed(paper, tmp_path, name, each)
            for part in parts:
                assert part in text or part.replace(".", ",") in text, (name, part, text)
        paper.close()


def printed(paper: Page, folder: Path, name: str, format_: str) -> str:
    """The text of the sheet as PDF: one page, nothing wider than it."""
    file = folder / f"{name} {format_}.pdf"
    content = paper.pdf(path=file, format=format_, prefer_css_page_size=False)
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    paper.emulate_media(media="print")
    paper.set_viewport_size({"width": WIDTHS[format_], "height": 1000})
    wide = paper.evaluate(
        "() => [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert not [each for each in wide if not each.startswith(("<path", "<g", "<rect"))], wide  # these are cut by SVG
    text = paper.locator("body").inner_text()
    if shutil.which("pdftotext") is not None:
        told = subprocess.run(
            ["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True, encoding="utf-8"
        )
        text = told.stdout
    return re.sub(r"\s+", " ", text)
