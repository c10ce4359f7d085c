"""Drawing a picture twice, the quick way and whole, and where the two part.

What one drawing leaves in the page's tree may stay for the next: the numbers, the texts and their places are compared.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.rationing import ALL

EVERY = 4 if ALL else 12  # stops apart, besides the two ends
SLACK = 0.05  # px: margins that Plotly pushes for texts come to rest in steps
DRAWN_TWICE = """async every => {
  const { picture, scenes, worded } = document.querySelector(".ldp-stage").stage
  const { figure: shown } = picture, pairs = []
  const stops = [...scenes.keys()].sort((one, other) => one - other)
  const chosen = stops.filter((stop, place) => place % every === 0 || place === stops.length - 1)
  const kinds = new Set(["scatter", "bar", "heatmap"])
  const around = text => {  // what stands around the traces, if these are of kinds that are drawn quickly
    const { data, layout } = JSON.parse(text), passed = new Set(["template", "fit"])
    delete layout.title  // it stands above the figure
    const named = ({ x, y }) => [x, y].some(each => Array.isArray(each) && each.some(one => typeof one === "string"))
    return data.every(each => kinds.has(each.type ?? "scatter") && !named(each)) && JSON.stringify(
      [data.length, layout], (name, value) => passed.has(name) ? undefined : value)
  }
  const svg = () => [...picture.place.querySelectorAll(".main-svg")].map(each => each.innerHTML).join("\\n")
  for (const stop of picture.drawn ? [...chosen, ...chosen.toReversed()] : []) {
    const [words, figure] = scenes.get(stop)
    if (picture.figure === figure) continue
    const alike = around(picture.figure) && around(picture.figure) === around(figure)
    await picture.show(JSON.parse(words), figure)
    const quick = picture.quickly && svg()
    if (quick) {
      picture.stands = null
      picture.wanted++
      await picture.draw()
    }
    pairs.push([stop, alike, quick, quick && svg()])
  }
  if (pairs.length) await picture.show(worded, shown)
  return pairs
}"""
STYLE = re.compile(r'style="([^"]*)"')
NUMBER = re.compile(r"-?\d+\.\d+|-?\d+")


def parted(quick: str, whole: str) -> str:
    """Where two drawings part: texts that differ, or numbers that are further apart than can be seen; else nothing."""
    one, other = (STYLE.sub(_seen, text).replace(' style="opacity: 1;"', "") for text in (quick, whole))
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        place = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        return f"{one[max(place - 100, 0) : place + 60]} for {other[max(place - 100, 0) : place + 60]}"
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return "; ".join(f"{a} for {b}" for a, b in numbers if abs(float(a) - float(b)) > SLACK)


def _seen(style: re.Match[str]) -> str:
    """A style in one order, without what a mark that is not filled keeps of one that was."""
    said = sorted(part for part in map(str.strip, style[1].split(";")) if part)
    if "fill: none" in said:
        said = [part for part in said if not part.startswith("fill-opacity")]
    return f'style="{"; ".join(said)};"'


def drawn_wrongly(page: Page, name: str, *, first: bool) -> list[str]:
    """What is wrong with the quick drawings of the view that is shown, at some stops on the way and back.

    Where nothing but what stands in the traces differs, some pictures are drawn quickly, and of a page's first view
    nearly all.
    """
    pairs = page.evaluate(DRAWN_TWICE, EVERY)
    wrongs = [f"at stop {stop}: {apart}" for stop, _, *both in pairs if both[0] and (apart := parted(*both))][:3]
    alike = [bool(quick) for _, same, quick, _ in pairs if same]
    if alike and sum(alike) < (0.7 * len(alike) if first else 1):
        wrongs.append(f"{sum(alike)} of {len(alike)} pictures, where all might be")
    return [f"{name} drawn quickly: {wrong}" for wrong in wrongs]
