"""The stage without Streamlit: on a page from the disk, with no network, it paints, listens and tells as in the app."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import plotly
from playwright.sync_api import Page, expect

from tests.browser.hosting import COLORS, page_of, sent
from tests.browser.stage_app import LABELS, STOPS, VIEWS

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PROMISED = "new Promise(done => { window.give = done })"
GIVEN = """() => {
  const own = window.Plotly
  delete window.Plotly  // as of a host that has imported it
  window.give(own)
}"""
STANDS = """() => {
  const box = document.querySelector(".ldp-box"), [svg, ...others] = box.querySelectorAll(".ldp-sketch > svg")
  return { others: others.length, height: box.getBoundingClientRect().height, plotted: "plotted" in box.dataset,
    data: svg.querySelector(".data").innerHTML, right: !box.querySelector(".ldp-other") }
}"""
TOOLS = """() => [...document.querySelectorAll(".ldp-tools button")].filter(each => each.checkVisibility())
  .map(each => each.title)"""


def test_each_stop_shows_its_own_drawing_where_plotly_never_comes(from_disk: Callable[..., Page]) -> None:
    page = from_disk(page_of("bells"))
    expect(page.locator(".ldp-sketch > svg")).to_be_visible()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    stood = []
    for level in STOPS:
        expect(page.locator(".ldp-answer")).to_have_text(re.compile(rf"about {1 / level:.3g}\.$"))
        expect(page.locator(".ldp-title")).to_have_text("With one person or without: nearly the same")
        stood.append(page.evaluate(STANDS))
        page.keyboard.press("ArrowRight")
    assert len({each.pop("data") for each in stood}) == len(STOPS)
    assert stood == [{"others": 0, "height": stood[0]["height"], "plotted": True, "right": True}] * len(STOPS)
    assert stood[0]["height"] > 400
    assert page.evaluate(TOOLS) == [LABELS["full"]] and not page.locator(".ldp-failed").is_visible()
    page.wait_for_function("level => heard.at(-1)?.[1].level === level", arg=STOPS[-1])
    assert {name for name, _ in page.evaluate("heard")} == {"level"}


def test_a_drawing_of_boxes_is_saved_without_plotly_on_its_stages_color(from_disk: Callable[..., Page]) -> None:
    page = from_disk(page_of("drawn"))
    expect(page.locator(".ldp-drawing svg")).to_be_visible()
    page.locator(".ldp-box").hover()
    assert page.evaluate(TOOLS) == [LABELS["save"], LABELS["full"]]
    page.get_by_role("button", name=LABELS["save"]).click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=LABELS["svg"]).click()
    kept = Path(download.value.path()).read_text("utf-8")
    assert kept.startswith("<svg") and f'fill="{COLORS["--st-background-color"]}"' in kept  # as dark as its stage


def test_a_host_gives_plotly_as_it_has_it(from_disk: Callable[..., Page]) -> None:
    """A module's Plotly is no name in the window; what is asked for once is drawn with it, and stays adaptable."""
    page = from_disk(page_of("bells", plotly="given", promised=PROMISED))
    expect(page.locator(".ldp-sketch > svg")).to_be_visible()
    page.add_script_tag(path=PLOTLY)
    page.evaluate(GIVEN)
    expect(page.locator(".ldp-figure .main-svg").first).to_be_visible()
    expect(page.locator(".ldp-sketch")).to_be_hidden()
    page.locator(".ldp-box").hover()
    assert page.evaluate(TOOLS) == [LABELS["save"], LABELS["full"], f"{LABELS['fit']} (F)"]
    assert page.evaluate("typeof window.Plotly") == "undefined"
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.wait_for_function("Math.max(...document.querySelector('.ldp-figure')._fullData[0].y) === 5")


def test_another_scene_takes_the_place_of_the_one_before(from_disk: Callable[..., Page]) -> None:
    """The stage asks its host for a view, shows what it is given in the same place, and goes back; then it ends."""
    page = from_disk(page_of("bells"))
    figure, drawing = ".ldp-sketch > svg", ".ldp-drawing > svg"
    for view, seen, gone in (("drawn", drawing, figure), ("bells", figure, drawing)):
        page.get_by_role("radio", name=VIEWS[view]).click()
        page.wait_for_function("view => heard.some(([name, value]) => name === 'view' && value === view)", arg=view)
        expect(page.locator(".ldp-box")).to_have_class("ldp-box ldp-stale")
        page.evaluate("parts => { show(parts) }", sent(view))
        expect(page.locator(".ldp-box")).to_have_class("ldp-box")
        expect(page.locator(seen)).to_be_visible()
        expect(page.locator(gone)).to_be_hidden()
        page.get_by_role("slider").press("End")
        expect(page.locator(".ldp-answer")).to_have_text(re.compile(r"about 0\.1\.$"))
    assert page.evaluate("document.querySelectorAll('.ldp-stage').length") == 1
    page.evaluate("() => { document.querySelector('main').replaceChildren(); leave() }")
    page.wait_for_function("ldpStages.stages.size === 0")


def test_a_head_that_is_not_whole_is_refused_in_one_sentence(from_disk: Callable[..., Page]) -> None:
    page = from_disk(page_of("bells"))
    expect(page.locator(".ldp-sketch > svg")).to_be_visible()
    said = page.evaluate("""() => {
      const said = [], { stage } = document.querySelector(".ldp-stage"), { token, stem, ...rest } = stage.described
      console.error = text => said.push(text)
      const data = new TextEncoder().encode(`${JSON.stringify(rest)}\n{}\nnull`)
      stage.receive({ data, parentElement: document.body })
      return said
    }""")
    assert said == ["a stage must be sent a whole head; this one lacks token, stem"]
    assert page.locator(".ldp-sketch > svg").is_visible()
