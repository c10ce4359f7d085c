"""The browser of the tests: what it is told to spare changes nothing else."""

from __future__ import annotations

import re
from importlib.resources import files

from tests.browser.conftest import TURNED_OFF


def test_what_playwright_turns_off_stays_off() -> None:
    driver = files("playwright").joinpath("driver/package/lib/coreBundle.js").read_text("utf-8")
    (turned_off,) = re.findall(r"disabledFeatures = \[(.*?)\]", driver, re.DOTALL)
    assert set(TURNED_OFF) == set(re.findall(r'^\s*"(\w+)",?$', turned_off, re.MULTILINE))
