"""The frame between mathematics and screen: numbers, prose, links, tables, colors."""

from __future__ import annotations

import base64
import csv
import io
import itertools
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer import numbers
from explorer.figures import plot, theme
from explorer.text import Template
from explorer.ui import prose, share, tables
from explorer.ui.controls import log_grid
from ldpcore.mechanisms.laplace import LaplaceMechanism

NARROW = "\u202f"


@pytest.mark.parametrize(
    ("value", "written"),
    [(2584, "2 584"), (882, "882"), (10**9, "1 000 000 000"), (10**12, "1 × 10¹²"), (10.162349, "10.2"), (10.0, "10"),
     (1.1435958, "1.14"), (0.0, "0"), (-14.134, "−14.1"), (4.3e9, "4.3 × 10⁹"), (1.5e-7, "1.5 × 10⁻⁷"),
     (999.96, "1 000"), (0.00012345, "0.000123"), (math.inf, "∞"), (-math.inf, "−∞"), (math.nan, "–")],
)  # fmt: skip
def test_a_number_is_written_for_people(value: float, written: str) -> None:
    assert numbers.people(value) == written.replace(" ", NARROW)


def test_a_share_is_written_as_a_percentage() -> None:
    assert numbers.percent(10 / 882) == f"1.1{NARROW}%"
    assert numbers.percent(882 / 2584, 4) == f"34.13{NARROW}%"
    assert numbers.percent(10 / 5) == f"200{NARROW}%"
    assert numbers.percent(10 / 2584, 3) == f"0.387{NARROW}%"


def test_a_level_is_written_as_odds() -> None:
    assert numbers.odds(0.1) == f"1.11{NARROW}:{NARROW}1"
    assert numbers.odds(math.log(3)) == f"3{NARROW}:{NARROW}1"
    assert numbers.times(800) == "∞"


@given(st.floats(min_value=-1e15, max_value=1e15, allow_nan=False))
def test_a_written_number_is_read_back_to_its_digits(value: float) -> None:
    assert numbers.read(numbers.significant(value, 3)) == pytest.approx(value, rel=6e-3, abs=1e-300)


@given(st.one_of(st.integers(-(2**53), 2**53), st.floats(1e-6, 1e15)))
def test_a_stop_of_a_control_loses_no_digit(value: float) -> None:
    assert numbers.read(numbers.exact(value)) == value


@given(st.floats(allow_nan=False))
def test_no_number_shows_seventeen_digits(value: float) -> None:
    assert sum(letter.isdigit() for letter in numbers.people(value)) <= 12


def test_the_numbers_of_a_sentence_can_be_read() -> None:
    sentence = f"At ε = 0.1 off by 10: 1.1{NARROW}% of 2{NARROW}584, or 4.3{NARROW}×{NARROW}10⁹, or −3."
    assert numbers.readings(sentence) == pytest.approx([0.1, 10, 0.011, 2584, 4.3e9, -3])


def test_a_template_leaves_formulas_alone() -> None:
    assert Template(r"$\frac{@{a}}{b}$ for @you: {c}, $d").substitute(a=1) == r"$\frac{1}{b}$ for @you: {c}, $d"
    with pytest.raises(KeyError):
        Template("@{missing}").substitute({})
    with pytest.raises(ValueError, match="Invalid placeholder"):
        Template("@{not a name}").substitute({})


NASTY = ("<script>alert(1)</script>", "$x$", "**bold**", "`code`", "[link](https://a.b)", ":smile:", ":material/home:",
         "# head", "a | b", "@{name}", "\\frac{1}{2}", "=1+1", ":red[x]", "a\n\n# b", "www.example.org")  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_data_in_prose_shows_as_written(text: str) -> None:
    written = prose.fill("Column @{name} here", {"name": text})
    assert "<script" not in written
    assert "\n" not in written
    for sign in "*`[]$#|":
        assert all(before == "\\" for before, letter in pairwise(written) if letter == sign)
    assert not any(pair in written for pair in (":s", ":m", ":r", "www."))


def test_a_value_in_a_formula_is_written_as_a_formula() -> None:
    filled = prose.fill(r"$b = @{b}$, @{b}", {"b": f"1.5{NARROW}×{NARROW}10⁻³"})
    assert filled == rf"$b = 1.5\,\times \,10^{{-3}}$, 1.5{NARROW}×{NARROW}10⁻³"
    assert prose.fill("$x = @{x}$", {"x": "a_b$"}) == r"$x = \text{a\_b\$}$"


def test_prose_with_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="missing"):
        prose.fill("@{missing}", {})


def figure() -> plot.Figure:
    drawn = plot.Figure(layout=theme.layout(theme.Look(), "Two series", "count <b>", "density"))
    drawn.add_scatter(x=np.array([1.0, 2.0]), y=np.array([0.5, 0.25]), name="=Laplace", meta="pin")
    drawn.add_scatter(x=[1], y=[3], error_y={"array": [0.1]}, name="-dots")
    drawn.add_scatter(x=[9], y=[9], name="guide", meta="decoration")
    return drawn


def test_the_numbers_of_a_figure_come_from_its_traces() -> None:
    header, *rows = theme.figure_table(figure())
    assert header == ["series", "count <b>", "density", "± density"]
    assert rows == [["=Laplace", 1.0, 0.5, None], ["=Laplace", 2.0, 0.25, None], ["-dots", 1, 3, 0.1]]


def test_a_heat_map_is_a_table_of_its_cells() -> None:
    cells = plot.heatmap(z=[[1, 2], [3, 4]], x=["a", "b"], y=["c", "d"], name="law")
    drawn = plot.Figure(cells, theme.layout(theme.Look(), "Cells", "report", "value"))
    assert theme.figure_table(drawn)[1:] == [
        ["law", "a", "c", 1], ["law", "b", "c", 2], ["law", "a", "d", 3], ["law", "b", "d", 4],
    ]  # fmt: skip


def test_a_csv_runs_no_formula_and_keeps_every_number() -> None:
    text = theme.to_csv([["=a", "+b", "@c", "-d"], [-1.5, 1e-300, 0.1 + 0.2, None]], "note, with a\nbreak")
    comment, *lines = text.splitlines()
    assert comment == "# note, with a break"
    header, row = csv.reader(io.StringIO("\n".join(lines)))
    assert header == ["'=a", "'+b", "'@c", "'-d"]
    assert [float(cell) for cell in row[:3]] == [-1.5, 1e-300, 0.1 + 0.2]


def test_a_figure_reads_data_as_text() -> None:
    assert theme.layout(theme.Look(), "<b>$x$", "a", "b")["title"]["text"] == "&lt;b&gt;&#36;x&#36;"
    assert theme.unescape(theme.escape("<b> & $x$ &lt;")) == "<b> & $x$ &lt;"


def test_a_pinned_curve_becomes_a_ghost() -> None:
    drawn = figure()
    (curve,) = theme.pinnable(drawn)
    theme.ghost(drawn, [curve | {"name": "pinned"}], theme.Look())
    assert drawn.data[-1]["name"] == "pinned"
    assert list(drawn.data[-1]["y"]) == [0.5, 0.25]


def test_plotly_reads_a_figure_as_it_was_described() -> None:
    drawn = figure()
    drawn.add_scatter(x=np.arange(3), y=np.float32([1, np.nan, 2]), customdata=np.array([["a"], ["b"], ["c"]]))
    drawn.add_scatter(x=[np.int64(1), 2, 3], y=(np.inf, math.nan, np.float64(4)), visible=np.True_)
    read = go.Figure(**json.loads(drawn.json()))
    assert decoded(read.data[0].y) == [0.5, 0.25] and read.data[0].meta == "pin"
    assert decoded(read.data[3].x) == [0, 1, 2]
    assert decoded(read.data[3].y) == pytest.approx([1, math.nan, 2], nan_ok=True)
    assert [*read.data[3].customdata] == [["a"], ["b"], ["c"]]
    assert [*read.data[4].x] == [1, 2, 3] and [*read.data[4].y] == [None, None, 4] and read.data[4].visible is True


def decoded(packed: dict[str, str]) -> list[float]:
    return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist()  # type: ignore[no-any-return]


def test_an_html_table_escapes_its_cells() -> None:
    html = tables.table([["<b>"], ["<script>"], [2584]], 'alt "quoted"')
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&quot;quoted&quot;" in html


def luminance(color: str) -> float:
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return float(np.dot([0.2126, 0.7152, 0.0722], list(linear)))


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [theme.Look(), theme.Look(dark=True)])
def test_ink_and_accent_can_be_read_on_paper(look: theme.Look) -> None:
    assert contrast(look.ink, look.paper) >= 7
    assert contrast(look.accent, look.paper) >= 4.5
    assert contrast(look.ghost, look.paper) >= 3


def test_ten_colors_markers_and_dashes_are_all_different() -> None:
    family = [f"slug{i}" for i in range(10)]
    styles = [theme.style(slug, family) for slug in family]
    for part in ("color", "marker", "dash"):
        assert len({getattr(style, part) for style in styles}) == 10


def test_any_two_of_fifty_styles_differ_in_two_of_color_marker_and_dash() -> None:
    family = [f"slug{i}" for i in range(50)]
    styles = [theme.style(slug, family) for slug in family]
    for one, other in itertools.combinations(styles, 2):
        assert sum(getattr(one, part) != getattr(other, part) for part in ("color", "marker", "dash")) >= 2
    with pytest.raises(ValueError, match="at most 50"):
        theme.style("x", [*family, "x"])


@pytest.mark.parametrize("matrix", [
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
], ids=["deuteranopia", "protanopia"])  # fmt: skip
def test_colors_differ_for_the_color_blind(matrix: tuple[tuple[float, ...], ...]) -> None:
    # Machado, Oliveira, Fernandes (2009), full severity, on linear RGB; any two of the first eight stay apart.
    rgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in theme.PALETTE[:8]])
    seen = np.clip((rgb**2.2) @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
    assert apart[np.triu_indices(8, 1)].min() > 0.1


def test_lecture_mode_enlarges_the_figures_type() -> None:
    plain, hall = theme.template(theme.Look()), theme.template(theme.Look(lecture=True))
    assert hall["layout"]["font"]["size"] >= 1.5 * plain["layout"]["font"]["size"]


def test_the_grid_of_a_log_control_is_round_and_has_both_ends() -> None:
    assert log_grid(0.01, 10)[:4] == [0.01, 0.015, 0.02, 0.03]
    assert {0.1, 1.0, 5.0, 10.0} <= set(log_grid(0.01, 10))
    assert log_grid(1, 10**9, integer=True)[-2:] == [5 * 10**8, 10**9]
    assert all(type(stop) is int for stop in log_grid(1, 1000, integer=True))


def test_a_snippet_rebuilds_the_question() -> None:
    source = share.snippet(LaplaceMechanism(0.1, neighbors="replace one"))
    namespace: dict[str, Any] = {}
    exec(source.split("\nresult")[0] + "\nbuilt = " + source.split("result = ")[1].split(".run()")[0], namespace)
    assert namespace["built"] == LaplaceMechanism(0.1, neighbors="replace one")


def test_a_qr_code_is_drawn_as_svg() -> None:
    svg = share.qr_svg("https://example.org/counting?epsilon=0.1")
    assert svg.startswith("<svg")
    assert "path" in svg


ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def app() -> AppTest:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    test.run()
    return test


def visited(app: AppTest, page: str, **asked: Any) -> AppTest:
    for key, value in asked.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def notice(app: AppTest) -> str:
    return " ".join(element.value for element in app.warning)


@pytest.mark.parametrize("asked", ["0", "-1", "1e-12", "1e9", "nan", "NaN", "inf", "abc", "", "1,5", "<b>", "$x$"])
def test_an_unusable_level_is_named_in_one_sentence_and_the_page_works(app: AppTest, asked: str) -> None:
    visited(app, "counting", epsilon=asked)
    assert notice(app).count("The link") == 1
    assert app.select_slider(key="epsilon").value == 0.1


@pytest.mark.parametrize(("asked", "value"), [("0.37", 0.37), ("1e-6", 1e-6), ("50", 50.0), ("0.1", 0.1)])
def test_a_usable_level_is_kept_to_the_last_digit(app: AppTest, asked: str, value: float) -> None:
    visited(app, "counting", epsilon=asked)
    assert not notice(app)
    assert app.select_slider(key="epsilon").value == value
    assert type(app.select_slider(key="epsilon").value) is float


def test_a_level_given_twice_is_named(app: AppTest) -> None:
    visited(app, "counting", epsilon=["0.2", "0.3"])
    assert "2 times" in notice(app)
    assert app.select_slider(key="epsilon").value == 0.1


def test_an_unknown_dataset_and_an_unknown_parameter_are_named(app: AppTest) -> None:
    visited(app, "counting", data="nowhere", counting_nothing="1", utm_source="mail")
    assert "nowhere" in notice(app)
    assert "nothing" in notice(app)
    assert "utm" not in notice(app)


def test_a_number_may_be_grouped_or_plain(app: AppTest) -> None:
    visited(app, "counting", counting_repeats="1000000")
    assert app.select_slider(key="counting_repeats").value == 10**6
    assert not notice(app)


def test_the_notice_goes_when_the_reader_sets_something(app: AppTest) -> None:
    visited(app, "counting", epsilon="abc").run()
    assert notice(app)
    app.select_slider(key="epsilon").set_value(0.5).run()
    assert not notice(app)


def test_the_level_travels_from_page_to_page(app: AppTest) -> None:
    visited(app, "counting", epsilon="0.37")
    app.switch_page("pages/overview.py").run()
    assert "0.37" in app.main.markdown[0].value
    app.query_params.clear()
    app.switch_page("pages/counting.py").run()
    assert app.select_slider(key="epsilon").value == 0.37


def test_reset_takes_the_defaults(app: AppTest) -> None:
    visited(app, "counting", epsilon="0.37", counting_seed="9")
    app.button(key="reset").click().run()
    assert app.select_slider(key="epsilon").value == 0.1
    assert app.number_input(key="counting_seed").value == 1


def test_draw_again_takes_the_next_seed(app: AppTest) -> None:
    visited(app, "counting", counting_seed="9")
    app.button(key="counting_draw").click().run()
    assert app.number_input(key="counting_seed").value == 10


@pytest.mark.parametrize("wanted", ["", "Laplace", "محرمانگی", "Sensitivität", "<b>", "$x$", "zzz"])
def test_the_reference_finds_words_and_survives_anything(app: AppTest, wanted: str) -> None:
    visited(app, "reference", reference_find=wanted, reference_tab="words")
    html = " ".join(element.proto.body for element in app.get("html"))
    assert ("<table" in html) == (wanted not in ("<b>", "$x$", "zzz"))
