"""Printed figures: what stands where on the paper, from hand-made figures; no figure says more than is drawn."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from explorer.figures import marks, plot
from explorer.figures.theme import Look, layout
from explorer.paper import printing, symbols
from explorer.paper.scales import AxisWriter, Scale, nice
from tests import scenes

WRITE = AxisWriter(lambda value: f"{value:g}", lambda power: f"10^{power}")
FRAME = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [0, 100]}}


def drawn(*traces: plot.Trace, **more: Any) -> str:
    return printing.svg(
        plot.Figure(traces, layout(Look(), "t", "x, in m", "y, in s", **{**FRAME, **more})), WRITE, "alt"
    )


def paths(svg: str, color: str) -> list[list[tuple[float, float]]]:
    """The points of all lines of a color."""
    found = re.findall(rf'<path d="([^"]*)"[^>]*stroke="{color}"', svg)
    return [
        [tuple(map(float, pair.split(","))) for pair in re.split("[ML]", path) if pair]
        for path in found
        if "h" not in path
    ]  # type: ignore[misc]


def test_a_line_goes_where_its_numbers_are() -> None:
    """Equal steps are equally long, and the ends of the axes are the corners of the plot."""
    svg = drawn(marks.line([0, 5, 10], [0, 50, 100], "law", "#123456"))
    (left, low), (middle, half), (right, high) = paths(svg, "#123456")[0]
    assert middle - left == pytest.approx(right - middle, abs=0.11) and low - half == pytest.approx(
        half - high, abs=0.11
    )
    assert left < right and low > high


def test_equal_ratios_are_equally_long_on_a_log_axis() -> None:
    svg = drawn(marks.line([0.01, 1, 100], [1, 1, 1], "law", "#123456"), xaxis={"type": "log", "range": [-2, 2]})
    left, middle, right = (x for x, _ in paths(svg, "#123456")[0])
    assert middle - left == pytest.approx(right - middle, abs=0.11)
    assert "0.01</text>" in svg and "100</text>" in svg


@pytest.mark.parametrize("high", [2.0, 90.0])
def test_one_is_as_long_on_both_axes_where_the_figure_says_so(high: float) -> None:
    axes = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [0, high], "scaleanchor": "x"}}
    across, up = (
        paths(drawn(marks.line(*ends, "law", "#123456"), **axes), "#123456")[0]
        for ends in (([4, 6], [1, 1]), ([5, 5], [0, 2]))
    )
    assert across[1][0] - across[0][0] == pytest.approx(up[0][1] - up[1][1], abs=0.21)


def test_stairs_go_on_level_until_the_next_point() -> None:
    flat, turned = (
        paths(
            drawn(marks.line([0, 5, 10], [0, 50, 100], "law", "#123456") | {"line": {"color": "#123456", "shape": s}}),
            "#123456",
        )[0]
        for s in ("hv", "vh")
    )
    assert len(flat) == len(turned) == 5
    assert flat[0][1] == flat[1][1] and flat[1][0] == flat[2][0]
    assert turned[0][0] == turned[1][0] and turned[1][1] == turned[2][1]


def test_a_gap_in_the_numbers_is_a_gap_in_the_line() -> None:
    svg = drawn(marks.line([0, 1, 2, 3, 4], [1, 2, np.nan, 4, 5], "law", "#123456"))
    path = re.findall(r'<path d="(M[^"]*)"[^>]*stroke="#123456"', svg)[0]
    assert path.count("M") == 2


def test_bars_are_as_high_as_their_numbers_and_stand_side_by_side() -> None:
    pair = [
        plot.bar(x=[2, 4], y=values, name=name, marker={"color": color})
        for values, name, color in (([50, 100], "one", "#111111"), ([25, 75], "two", "#222222"))
    ]
    svg = drawn(*pair)
    boxes = {
        color: [
            tuple(map(float, box))
            for box in re.findall(
                rf'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="{color}"', svg
            )
        ]
        for color in ("#111111", "#222222")
    }
    one, two = boxes["#111111"][:2], boxes["#222222"][:2]
    assert one[1][3] == pytest.approx(2 * one[0][3], abs=0.2) and two[1][3] == pytest.approx(3 * two[0][3], abs=0.2)
    assert two[0][0] == pytest.approx(one[0][0] + one[0][2], abs=0.2)
    assert one[0][1] + one[0][3] == pytest.approx(two[0][1] + two[0][3], abs=0.2)


def test_nothing_is_drawn_of_a_row_of_bars_without_bars() -> None:
    bars = {"type": "data", "array": np.array([]), "color": "#abcdef"}
    none = plot.bar(x=np.array([]), y=np.array([]), name="none", error_y=bars, marker={"color": "#111111"})
    assert "#abcdef" not in drawn(none) and ">none</text>" in drawn(none)


def test_stacked_bars_stand_on_each_other() -> None:
    pair = [plot.bar(x=[2], y=[30], name=color, marker={"color": color}) for color in ("#111111", "#222222")]
    svg = drawn(*pair, barmode="stack")
    (low,), (high,) = (
        re.findall(rf'y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="{color}"', svg)[:1]
        for color in ("#111111", "#222222")
    )
    assert float(high[0]) + float(high[1]) == pytest.approx(float(low[0]), abs=0.2)


def test_an_error_bar_reaches_as_far_as_it_says() -> None:
    bars = {"type": "data", "array": [20], "color": "#abcdef"}
    svg = drawn(marks.dots([5], [50], "dot", error_y=bars))
    start, stop = re.findall(r'<path d="M[\d.]+,([\d.]+)V([\d.]+)M[^"]*"[^>]*stroke="#abcdef"', svg)[0]
    whole = drawn(marks.line([0, 0], [0, 100], "law", "#123456"))
    (_, low), (_, high) = paths(whole, "#123456")[0]
    assert abs(float(start) - float(stop)) == pytest.approx(0.4 * abs(low - high), abs=0.3)


def test_what_leaves_the_plot_is_cut_unless_it_may_leave() -> None:
    assert drawn(marks.dots([20], [50], "far")).count("<svg") == 2
    assert drawn(marks.ring(10, 50, "yours", Look())).count("<svg") == 1


def test_a_legend_tells_marks_apart_without_color() -> None:
    svg = drawn(
        marks.line([0, 1], [0, 1], "law"), marks.guide([0, 1], [1, 1], "limit", "#999999"), marks.dots([1], [1], "dot")
    )
    assert all(f">{name}</text>" in svg for name in ("law", "limit", "dot"))
    legend = svg[svg.index(">y, in s<") :]
    assert legend.count("stroke-dasharray") == 2  # in the picture and below it
    assert (
        len({symbols.dashes(dash, 3) for dash in ("solid", "dot", "dash", "longdash", "dashdot", "longdashdot")}) == 6
    )


def test_every_symbol_and_dash_of_the_house_can_be_drawn() -> None:
    from explorer.figures.theme import DASHES, MARKERS

    for symbol in MARKERS:
        for name in (symbol, f"{symbol}-open"):
            assert symbols.mark(name, 0, 0, 10, "#000000", {"width": 1})
    assert len({symbols.dashes(dash, 2) for dash in DASHES}) == len(DASHES)


def test_a_color_scale_is_mixed_between_its_stops() -> None:
    scale = [[0, "#000000"], [0.5, "#ff0000"], [1, "rgb(255, 255, 255)"]]
    assert [symbols.shade(scale, share) for share in (0, 0.25, 0.5, 1, 7)] == [
        "#000000",
        "#800000",
        "#ff0000",
        "#ffffff",
        "#ffffff",
    ]


def test_names_are_escaped_once() -> None:
    svg = drawn(marks.line([0, 1], [0, 1], "a < b & c $x$"))
    assert ">a &lt; b &amp; c $x$</text>" in svg


@pytest.mark.parametrize(("step", "rounded"), [(0.3, 0.5), (1, 1), (1.1, 2), (7, 10), (0.02, 0.02)])
def test_steps_are_round(step: float, rounded: float) -> None:
    assert nice(step) == pytest.approx(rounded)


def test_values_along_an_axis_lie_inside_it_and_are_few() -> None:
    for low, high in ((0, 1), (-60, 60), (0.4, 10.6), (0, 12345), (5, -5)):
        ticks = Scale("x", {}, (low, high), (80, 740)).ticks(WRITE)
        assert 2 <= len(ticks) <= 16
        assert all(80 - 0.1 <= at <= 740 + 0.1 for at, _ in ticks)
    for low, high in ((-2, 1), (0, 9), (-8, 4), (-0.3, 0.5)):
        ticks = Scale("y", {"type": "log"}, (low, high), (380, 20)).ticks(WRITE)
        assert 2 <= len(ticks) <= 16, (low, high, ticks)


# What the figures of all pages say in Plotly's words, and what of it is drawn or has no meaning on paper.
TRACES = frozenset(
    """
    type x y z name mode line marker text textposition textfont texttemplate insidetextanchor customdata fill fillcolor
    error_x error_y orientation width offset base xaxis yaxis zmin zmax colorscale showscale showlegend legendgroup
    opacity cliponaxis zorder meta uid hovertemplate hoverinfo hoveron hovertext hoverlabel colorbar ids insidetextfont
""".split()
)
AXES = frozenset(
    """
    title type range domain anchor side tickvals ticktext tickmode dtick tick0 nticks showgrid showticklabels ticks
    visible categoryarray categoryorder autorange zeroline zerolinecolor zerolinewidth exponentformat separatethousands
    ticklabeloverflow fixedrange automargin gridcolor showline matches scaleanchor
""".split()
)
LAYOUT = frozenset(
    """
    template title xaxis xaxis2 yaxis yaxis2 height dragmode bargap barmode shapes annotations legend margin meta
    hovermode transition showlegend
""".split()
)
MODES = frozenset(("lines", "markers", "text", "lines+markers", "lines+text", "markers+text"))
FILLS = frozenset((None, "tozeroy", "tonexty", "toself"))


def test_no_figure_says_anything_that_paper_does_not_know() -> None:
    """A new word of Plotly's in a figure is drawn by `explorer.paper` first, or is named here as having no meaning."""
    drawn_figures = 0
    for setting in (one for one in scenes.shared_settings(3) if one.place < 3):
        figure = scenes.Scenes(setting).scene(setting.page.default_level).figure
        if figure is None:
            continue
        drawn_figures += 1
        assert set(figure.layout) <= LAYOUT, (setting.name, set(figure.layout) - LAYOUT)
        for name, axis in scenes.axes(figure).items():
            assert set(axis) <= AXES, (setting.name, name, set(axis) - AXES)
        for trace in figure.data:
            assert set(trace) <= TRACES, (setting.name, set(trace) - TRACES)
            assert trace["type"] in ("scatter", "bar", "heatmap"), setting.name  # Plotly's WebGL our policy refuses
            assert trace.get("mode", "lines") in MODES and trace.get("fill") in FILLS, setting.name
            line = trace.get("line", {})
            assert not set(line) - {"color", "width", "dash", "shape"} or trace["type"] == "bar", setting.name
            assert line.get("shape", "linear") in ("linear", "hv", "vh"), setting.name
    assert drawn_figures > 80


def test_every_figure_is_drawn_with_all_its_explained_names() -> None:
    from explorer.paper.legends import named
    from explorer.paper.traces import lettered

    for setting in (one for one in scenes.settings() if one.place == 0):
        figure = scenes.Scenes(setting).scene(setting.page.default_level).figure
        if figure is not None:
            svg = printing.svg(figure, WRITE, "alt")
            assert not re.search(r"\b(nan|inf)\b", svg), setting.name
            for trace in named(figure):
                text = lettered(0, 0, trace["name"], 1).split(">", 1)[1]
                assert text in svg, (setting.name, trace["name"])


def sketched(figure: plot.Figure) -> str:
    return printing.sketch(figure, WRITE)


def test_a_sketch_says_where_its_plot_stands_and_keeps_data_and_axes_apart() -> None:
    look = Look(dark=True)
    svg = sketched(plot.Figure(marks.line([0, 10], [0, 100], "law", "#123456"), layout(look, "t", "x", "y", **FRAME)))
    left, right, top, bottom = map(float, re.findall(r'data-plot="([^"]*)"', svg)[0].split())
    data = svg.partition('<g class="data">')[2]
    assert paths(data, "#123456")[0] == pytest.approx([(left, bottom), (right, top)], abs=0.1)
    assert re.findall(r'<g class="(\w+)">', svg) == (
        ["x", *["tick"] * 6, "title", "y", *["tick"] * 6, "title", "data", "entry"]
    )
    assert 'aria-hidden="true"' in svg and look.ink in svg and look.faint in svg
    assert not {"#0E141D", "#DDE2E8"} & set(re.findall(r"#\w{6}", svg)), "the screen's colors stand for those of paper"


def test_a_sketch_explains_its_marks_in_the_order_in_which_plotly_does() -> None:
    lines = [marks.line([0, 1], [at, at], name, "#123456") for at, name in enumerate(("low", "high"))]

    def named(*traces: plot.Trace, **more: Any) -> list[str]:
        svg = sketched(plot.Figure(traces, layout(Look(), "t", "x", "y", **{**FRAME, **more})))
        return re.findall(r">(\w+)</text></g>", svg.partition('class="entry"')[2])

    filled = lines[1] | {"fill": "tonexty"}
    assert named(*lines) == ["low", "high"]
    assert named(lines[0], filled) == ["high", "low"]
    assert named(lines[0], filled, legend={"traceorder": "normal"}) == ["low", "high"]
    bars = [plot.bar(x=[1], y=[1], name=name) for name in ("low", "high")]
    assert named(*bars, barmode="stack") == ["high", "low"] and named(*bars) == ["low", "high"]


def test_a_sketch_writes_powers_and_steps_as_plotly_does() -> None:
    axes = {"xaxis": {"type": "log", "range": [0, 3]}, "yaxis": {"range": [0, 100]}}
    svg = sketched(
        plot.Figure(marks.line([1, 1000], [0, 100], "law", "#123456"), layout(Look(), "t", "x", "y", **axes))
    )
    along = re.findall(r'class="tick"><text[^>]*>([^<]*)<', svg)
    assert along == ["1", "10", "10^2", "10^3", "0", "20", "40", "60", "80", "100"]


def test_every_figure_has_a_sketch_that_is_small() -> None:
    sizes = []
    for setting in (one for one in scenes.settings() if one.place == 0):
        figure = scenes.Scenes(setting).scene(setting.page.default_level).figure
        if figure is not None:
            svg = sketched(figure)
            assert not re.search(r"\b(nan|inf)\b", svg), setting.name
            sizes.append(len(svg))
    assert len(sizes) >= 50 and max(sizes) < 130_000 and np.median(sizes) < 12_000
