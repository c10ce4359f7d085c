"""A vendor's matrix as it comes: a workbook, columns for rows, counts of trials; each is met beside the answer."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, answered, opened
from tests.workbooks import xlsx

LATEX = "\\begin{pmatrix} 0.75 & 0.25 \\\\ 0.25 & 0.75 \\end{pmatrix}"
MARKDOWN = "| | yes | no |\n|--|--|--|\n| a | 0.75 | 0.25 |\n| b | 0.25 | 0.75 |"
NUMPY = "array([[0.75, 0.25],\n       [0.25, 0.75]])"
WEB = "<table><tr><td>0.75<td>0.25<tr><td>0.25<td>0.75</table>"
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


def test_a_matrix_may_come_as_latex_markdown_numpy_or_a_web_page_though_no_table_of_people_does() -> None:
    app = opened("verify", verify_mode="matrix")
    for name, text in (("a.tex", LATEX), ("a.md", MARKDOWN), ("a.py", NUMPY), ("a.html", WEB)):
        app.text_area[0].set_value("1 0\n0 1").run()
        assert "1.099" not in answer(app)
        app.file_uploader[0].set_value((name, text.encode(), "")).run()
        answered(app)
        assert not app.exception and not app.error and "α = 1.099" in answer(app), name
