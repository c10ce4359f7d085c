"""How figures look, and what their description becomes: colors for all eyes, tables, Plotly's own objects."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures import marks, plot, theme
from explorer.navigation import entries
from explorer.paper.letters import width_of
from explorer.text import languages, page_text
from explorer.text.hypertext import inline
from explorer.text.templates import TemplateParts, ready
from tests.cases import for_each


def figure() -> plot.Figure:
    drawn = plot.Figure(layout=theme.layout(theme.Look(), "Two series", "count <b>", "density"))
    drawn.add_scatter(x=np.array([1.0, 2.0]), y=np.array([0.5, 0.25]), name="=Laplace")
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
        ["law", "a", "c", 1],
        ["law", "b", "c", 2],
        ["law", "a", "d", 3],
        ["law", "b", "d", 4],
    ]


def test_error_bars_are_told_with_both_ends() -> None:
    drawn = plot.Figure(layout=theme.layout(theme.Look(), "Arms", "town", "people"))
    drawn.add_scatter(x=[1, 2], y=[58.79, 3], name="a", error_y={"array": [22.7, 1], "arrayminus": [19.83, 2]})
    drawn.add_scatter(x=[1], y=[4], name="b", error_y={"type": "constant", "value": 0.5})
    header, *rows = theme.figure_table(drawn)
    assert header == ["series", "town", "people", "+ people", "− people", "± people"]
    assert rows == [["a", 1, 58.79, 22.7, 19.83, None], ["a", 2, 3, 1, 2, None], ["b", 1, 4, None, None, 0.5]]


def test_places_along_an_axis_of_names_are_told_by_name() -> None:
    names = {"tickvals": [0, 1], "ticktext": ["Bonn &amp; Graz", "a &lt; b"]}
    drawn = plot.Figure(layout=theme.layout(theme.Look(), "Towns", "town", "people", xaxis=names))
    drawn.add_bar(x=np.arange(2), y=[7, 8], name="a")
    assert theme.figure_table(drawn)[1:] == [["a", "Bonn & Graz", 7], ["a", "a < b", 8]]
    numbers = {"tickvals": [0, 1], "ticktext": ["0 %", "100 %"]}
    drawn.layout["xaxis"] |= numbers
    assert theme.figure_table(drawn)[1:] == [["a", 0, 7], ["a", 1, 8]]


def test_a_second_pair_of_axes_has_columns_of_its_own() -> None:
    drawn = figure()
    drawn.layout["xaxis2"] = {"title": {"text": "crowd"}}
    drawn.add_scatter(x=[2584], y=[1], name="map", xaxis="x2")
    header, *rows = theme.figure_table(drawn, {"series": "Reihe", "value": "Wert"})
    assert header == ["Reihe", "count <b>", "density", "crowd", "± density"]
    assert rows[-1] == ["map", None, 1, 2584, None]


def test_a_figure_reads_data_as_text() -> None:
    assert theme.layout(theme.Look(), "<b>$x$", "a", "b")["title"]["text"] == "&lt;b&gt;&#36;x&#36;"
    assert theme.unescape(theme.escape("<b> & $x$ &lt;")) == "<b> & $x$ &lt;"


def test_plotly_reads_a_figure_as_it_was_described() -> None:
    drawn = figure()
    drawn.add_scatter(x=np.arange(3), y=np.float32([1, np.nan, 2]), customdata=np.array([["a"], ["b"], ["c"]]))
    drawn.add_scatter(x=[np.int64(1), 2, 3], y=(np.inf, math.nan, np.float64(4)), visible=np.True_)
    read = go.Figure(**json.loads(drawn.json()))
    assert decoded(read.data[0].y) == [0.5, 0.25]
    assert decoded(read.data[3].x) == [0, 1, 2]
    assert decoded(read.data[3].y) == pytest.approx([1, math.nan, 2], nan_ok=True)
    assert [*read.data[3].customdata] == [["a"], ["b"], ["c"]]
    assert [*read.data[4].x] == [1, 2, 3] and [*read.data[4].y] == [None, None, 4] and read.data[4].visible is True


def decoded(packed: dict[str, str]) -> list[float]:
    return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist()  # type: ignore[no-any-return]


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


@pytest.mark.parametrize("color", theme.PALETTE)
def test_what_is_written_on_a_color_can_be_read(color: str) -> None:
    assert contrast(theme.ink_on(color), color) >= 4.5


@for_each("look", [theme.Look(), theme.Look(dark=True)])
@for_each("color", theme.PALETTE)
def test_a_mark_of_every_color_can_be_told_from_dark_paper(color: str, look: theme.Look) -> None:
    drawn = plot.Figure(layout=theme.layout(look, "a", "b", "c"))
    marker = {"color": [color, "#FFFFFF"], "line": {"color": color, "width": 1}}
    drawn.add_scatter(x=[1, 2], y=[3, 4], line={"color": color}, marker=marker, text=[color, ""])
    theme.light_up(drawn, look)
    (trace,) = drawn.data
    seen = trace["line"]["color"]
    assert trace["marker"]["color"][0] == trace["marker"]["line"]["color"] == seen
    assert list(trace["text"]) == [color, ""] and list(trace["x"]) == [1, 2]
    assert contrast(seen, look.paper) >= 3 if look.dark else seen == color


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


@pytest.mark.parametrize(
    "matrix",
    [
        ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
        ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ],
    ids=["deuteranopia", "protanopia"],
)
def test_colors_differ_for_the_color_blind(matrix: tuple[tuple[float, ...], ...]) -> None:
    # Machado, Oliveira, Fernandes (2009), full severity, on linear RGB; any two of the first eight stay apart.
    for colors in (theme.PALETTE[:8], [theme.IN_THE_DARK.get(color, color) for color in theme.PALETTE[:8]]):
        rgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colors])
        seen = np.clip((rgb**2.2) @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
        assert apart[np.triu_indices(8, 1)].min() > 0.1


def test_lecture_mode_enlarges_the_figures_type() -> None:
    plain, hall = theme.template(theme.Look()), theme.template(theme.Look(lecture=True))
    assert hall["layout"]["font"]["size"] >= 1.5 * plain["layout"]["font"]["size"]


@pytest.mark.parametrize("ends", [(1, 1e8), (10, 1e8), (0.01, 10), (3e-7, 3), (0.8, 7e13)])
@pytest.mark.parametrize("value", [1e-12, 1e20])
def test_a_ring_held_at_the_edge_of_a_log_axis_does_not_lie_beyond_it_by_its_last_digit(
    ends: tuple[float, float], value: float
) -> None:
    axis = marks.logarithmic(*ends)
    figure = plot.Figure(marks.ring(value, 0.5, "x", theme.Look()), {"xaxis": axis, "yaxis": {"range": [0, 1]}})
    marks.hold_rings(figure)
    low, high = axis["range"]
    assert low < math.log10(figure.data[0]["x"][0]) < high  # the browser draws nothing of what lies beyond
    assert figure.data[0]["marker"]["symbol"] == f"triangle-{'left' if value < 1 else 'right'}-open"


@pytest.mark.parametrize("short", ["α = 10", "ε = 0.5", "k = 3", "> 99.9"])
def test_no_line_breaks_within_a_short_equation(short: str) -> None:
    html = inline(f"At {short} it is, and **{short}** too")
    assert short.replace(">", "&gt;") not in html
    assert html.count(short.replace(">", "&gt;").replace(" ", "\u00a0")) == 2


@pytest.mark.parametrize("language", languages())
def test_no_line_breaks_within_a_short_equation_whose_number_is_a_fact(language: str) -> None:
    """In the texts of all pages that hold no formula, as they stand in answers and notes."""
    told = 0
    for page in (entry.slug for entry in entries()):
        texts = {key: text for key, text in page_text(page, language).items() if isinstance(text, str)}
        for key, text in texts.items():
            if "$" not in text:
                for piece in strings(ready(text, "html")):
                    told += piece.endswith("\u00a0=\u00a0")
                    assert not re.search(r"\w = (<\w+>)*$", piece), (page, key, piece)
    assert told > 100


def strings(pieces: TemplateParts) -> Iterator[str]:
    """The text around the facts of a template, in front of each of them, with that of its cases."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            for _, inside in piece.cases:
                yield from strings(inside)


@pytest.mark.parametrize("lecture", [False, True])
@pytest.mark.parametrize("reach", [60, 940, 47_000, 6e6])
def test_numbers_that_are_written_in_full_have_room_beside_their_axis_title(reach: float, lecture: bool) -> None:
    """The title's lines, the ticks and gaps between them, and the widest number with its sign."""
    look = theme.Look(lecture=lecture)
    upright = {"range": [-reach, reach], "separatethousands": True, "exponentformat": "none"}
    drawn = plot.Figure(layout=theme.layout(look, "x", "n (people)", "off (people)", yaxis=upright))
    theme.set_margins(drawn, look)
    widest = width_of(f"−{reach:,.0f}".replace(",", "\u202f"), 0.85 * look.font_size)
    assert drawn.layout["margin"]["l"] >= widest + 1.3 * look.font_size + 14
