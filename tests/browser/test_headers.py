"""What the server lets a page load is what the pages load: no page breaks the policy, and none stays blank."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, entries
from tests.browser.reading import settled


@pytest.mark.parametrize("slug", [entry.slug for entry in entries()])
def test_every_page_keeps_to_the_policy(page: Page, slug: str) -> None:
    broken: list[str] = []
    page.on("console", lambda message: broken.append(message.text) if "Security Policy" in message.text else None)
    response = page.goto(f"/{'' if slug == DEFAULT else slug}")
    assert response is not None and "frame-ancestors 'self'" in response.headers["content-security-policy"]
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)
    assert not broken


def test_a_path_of_several_names_opens_the_overview_and_says_so(page: Page) -> None:
    page.goto("/counting/deep?epsilon=0.5")
    question = next(entry.question() for entry in entries() if entry.slug == DEFAULT)
    expect(page.get_by_role("heading", level=1)).to_have_text(question)
    expect(page.get_by_role("dialog")).to_contain_text(re.compile("page", re.IGNORECASE))
