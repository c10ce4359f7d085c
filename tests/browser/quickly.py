"""Drawing a picture twice, the quick way and whole, and where the two part.

What one drawing leaves in the page's tree may stay for the next: the numbers, the texts and their places are compared.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page

EVERY = 4  # stops apart, besides the two ends
SLACK = 0.05  # px: margins that Plotly pushes for texts come to rest in steps
ALWAYS_WHOLE = {  # whose axes name other things at every stop, or that are maps of colors
    "frequencies/which",
    "regression/classes",
}
SOMETIMES_WHOLE = {"shapes/steps"}  # whose title counts steps: it depends on the stops that have come so far
DRAWN_TWICE = """async every => {
  const { picture, scenes, worded } = document.querySelector(".ldp-stage").stage
  const { figure: shown } = picture, pairs = []
  const stops = [...scenes.keys()].sort((one, other) => one - other)
  const chosen = stops.filter((stop, place) => place % every === 0 || place === stops.length - 1)
  const svg = () => [...picture.place.querySelectorAll(".main-svg")].map(each => each.innerHTML).join("\\n")
  for (const stop of picture.drawn ? [...chosen, ...chosen.toReversed()] : []) {
    const [words, figure] = scenes.get(stop)
    if (picture.figure === figure) continue
    await picture.show(JSON.parse(words), figure)
    const quick = picture.quickly && svg()
    if (quick) {
      picture.stands = null
      picture.wanted++
      await picture.draw()
    }
    pairs.push([stop, quick, quick && svg()])
  }
  if (pairs.length) await picture.show(worded, shown)
  return pairs
}"""
NUMBER = re.compile(r"-?\d+\.\d+|-?\d+")


def parted(quick: str, whole: str) -> str:
    """Where two drawings part: texts that differ, or numbers that are further apart than can be seen; else nothing."""
    one, other = (text.replace(' style="opacity: 1;"', "") for text in (quick, whole))
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        place = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        return f"{one[max(place - 100, 0) : place + 60]} for {other[max(place - 100, 0) : place + 60]}"
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return "; ".join(f"{a} for {b}" for a, b in numbers if abs(float(a) - float(b)) > SLACK)


def drawn_wrongly(page: Page, name: str, *, first: bool) -> list[str]:
    """What is wrong with the quick drawings of the view that is shown, at some stops on the way and back.

    A page's first view is drawn quickly nearly always; which views never are is known by `name`.
    """
    pairs = page.evaluate(DRAWN_TWICE, EVERY)
    wrongs = [f"at stop {stop}: {apart}" for stop, *both in pairs if both[0] and (apart := parted(*both))][:3]
    quick = sum(bool(each) for _, each, _ in pairs)
    if first and quick < 0.7 * len(pairs):
        wrongs.append(f"{quick} of {len(pairs)} pictures are drawn quickly")
    if pairs and name not in SOMETIMES_WHOLE and bool(quick) == (name in ALWAYS_WHOLE):
        wrongs.append("although it never is" if quick else "never")
    return [f"{name} drawn quickly: {wrong}" for wrong in wrongs]
