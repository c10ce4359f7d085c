"""A vendor's matrix as it comes: a workbook, columns for rows, counts of trials; each is met beside the answer."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, answered, opened
from tests.workbooks import xlsx

TURNED = [["", "a", "b"], ["yes", 0.75, 0.5], ["no", 0.25, 0.5]]


def pressed(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def test_a_workbook_of_columns_is_turned_and_counts_go_to_the_audit() -> None:
    app = opened("verify", verify_mode="matrix")
    app.file_uploader[0].set_value(("vendor.xlsx", xlsx({"Cover": [["Our method"]], "M": TURNED}), "")).run()
    answered(app)
    assert not app.exception and any("columns add up to one" in text.value for text in app.markdown)
    pressed(app, "Yes, make the columns rows")
    assert not app.exception and "0.69" in answer(app)
    boxes: Any = app.text_area
    boxes[0].set_value("530 470\n180 820\n500 500").run()
    assert not [toggle for toggle in app.toggle if "Divide" in toggle.label] and "counts of trials" in answer(app)
    pressed(app, "Ask what these counts prove")
    assert not app.exception and "prove" in answer(app)
    assert [box.value for box in app.text_input if "Outcomes" in box.label] == ["530, 470", "180, 820"]
