"""Whoever holds the printed sheet of a decision in their hands points a phone at it, and sees what stands on it.

Each of the ten decisions with its own settings: the QR code on its public sheet is read as a camera reads it, opened by
somebody else, and the sheet that they would print is the same, word by word and to the last digit.
"""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
import zxingcpp
from streamlit.testing.v1 import AppTest

from explorer.ways import decisions
from tests.rationing import shared
from tests.screens.opening import answered, below, complaints, opened, plain
from tests.screens.test_link_law import APP, followed, move, noted, seen
from tests.screens.test_sheets import papers

MATRIX = {"verify_matrix": "own", "verify_own_matrix": "7/10;2/10;1/10|2/10;6/10;2/10|1/10;2/10;7/10"}
LEDGER = {"budget_tab": "ledger", "budget_ledger": "laplace,0.5|gauss,1,1e-07|any,0.25,x3"}
MORE = {"vendor": MATRIX, "many": LEDGER, "answers": {"response_answers": "340/900", "response_silent": "60"}}


def modules(svg: str) -> np.ndarray:
    """A QR code as the picture that a camera takes of it, each of its fields some pixels wide."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert size is not None
    fields = np.zeros((int(size[2]), int(size[1])), dtype=np.uint8)
    (path,) = re.findall(r'class="qrline" stroke="#000" d="([^"]*)"', svg)
    x = y = 0.0
    for step, inside in re.findall(r"([Mmh])([^Mmh]*)", path):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", inside)]
        if step == "h":
            fields[int(y), int(x) : int(x + numbers[0])] = 1
            x += numbers[0]
        else:
            x, y = (numbers[0], numbers[1]) if step == "M" else (x + numbers[0], y + numbers[1])
    return np.kron(np.where(fields == 1, 0, 255).astype(np.uint8), np.ones((4, 4), dtype=np.uint8))


def printed(app: AppTest) -> tuple[str, str]:
    """The public sheet of a page, without its foot, and the address in its code."""
    sheet = papers(answered(below(app, "take_away")))["one"]
    (svg,) = re.findall(r'<div class="code"[^>]*>(<svg.*?</svg>)', sheet, re.DOTALL)
    (read,) = zxingcpp.read_barcodes(modules(svg))
    written = html.unescape(re.findall(r'<a href="([^"]*)">', sheet)[-1])
    assert read.text == written
    return sheet.partition("<article")[2].partition("<footer>")[0], read.text


@pytest.mark.parametrize("name", shared([each.name for each in decisions()], 5))
def test_the_code_on_a_sheet_opens_what_stands_on_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    decision = next(each for each in decisions() if each.name == name)
    options, link = noted(monkeypatch), decision.link
    app = opened(link.page, **dict(link.parameters), **MORE.get(name, {}), lang=("en", "de")[len(name) % 2])
    move(app, options)
    answered(app.run())
    assert not app.exception
    before, (sheet, address) = seen(app), printed(app)
    assert address.startswith(f"{APP}/") and len(plain(sheet)) > 200
    again = answered(followed(address.removeprefix(APP)))
    assert not again.exception and complaints(again) == complaints(app)
    assert seen(again) == before
    assert printed(again) == (sheet, address)
