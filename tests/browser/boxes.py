"""Where everything of the first screen stands, as boxes, and what is wrong with it: below the fold, cut, covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from playwright.sync_api import Page

SLACK = 1.5  # px that two boxes may share

PARTS = """() => {
  const parts = [], stage = document.querySelector(".ldp-stage"), frame = stage?.querySelector(".ldp-figure")
  const shown = node => node.getClientRects().length && getComputedStyle(node).visibility !== "hidden"
  const ofBox = ({ left, top, right, bottom }) => [[left, top], [right, top], [right, bottom], [left, bottom]]
  const extent = node => {  // of letters that are seen: Plotly ends a power with one that has no width, a line below
    if (!node.textContent.includes("\u200b")) return node.getBBox()
    const letters = [...Array(node.getNumberOfChars()).keys()].map(each => node.getExtentOfChar(each))
    const boxes = letters.filter(each => each.width > 0.1)
    const x = Math.min(...boxes.map(each => each.x)), y = Math.min(...boxes.map(each => each.y))
    const right = Math.max(...boxes.map(each => each.x + each.width))
    return { x, y, width: right - x, height: Math.max(...boxes.map(each => each.y + each.height)) - y }
  }
  const ofText = node => {  // turned as it is written
    const { x, y, width, height } = extent(node), place = node.getScreenCTM(), right = x + width
    const [top, bottom] = [y + 0.2 * height, y + 0.94 * height]  // a line is higher than its letters
    return [[x, top], [right, top], [right, bottom], [x, bottom]].map(([across, down]) => {
      const { x, y } = new DOMPoint(across, down).matrixTransform(place)
      return [x, y]
    })
  }
  const add = (kind, text, corners, inside = null) => parts.push({ kind, text, corners, inside })
  const every = (selector, within = document) => [...within?.querySelectorAll(selector) ?? []].filter(shown)
  const wide = node => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== "auto"
  for (const [kind, selector] of Object.entries({
    question: "h1", answer: ".ldp-answer", "what is proposed": ".ldp-takes", "row of views": ".ldp-views",
    title: ".ldp-title", figure: ".ldp-figure, .ldp-drawing", level: ".ldp-which", odds: ".ldp-note",
    handle: "input[type=range]", end: ".ldp-stops span",
  })) for (const node of every(selector, kind === "question" ? document : stage)) {
    if (kind !== "figure" && !node.textContent && kind !== "handle") continue
    add(kind, node.textContent.slice(0, 60), ofBox(node.getBoundingClientRect()))
    if (wide(node)) add("cut", node.textContent, [])
  }
  const row = stage?.querySelector(".ldp-views-row")?.getBoundingClientRect()
  for (const button of every(".ldp-view, .ldp-take", stage)) {
    const { left, right } = button.getBoundingClientRect()
    const swiped = !matchMedia("(hover: hover) and (pointer: fine)").matches && button.ariaChecked !== "true"
    const inRow = button.parentElement.matches(".ldp-views-row")
    const beyond = inRow && !swiped && (left < row.left - 1 || right > row.right + 1)
    if (wide(button) || beyond) add("cut", button.textContent, [])
  }
  const texts = {
    "axis title": ".infolayer [class$=title] text, .infolayer text[class$=title]",
    tick: ".xaxislayer-above text, .yaxislayer-above text", legend: ".legendtext",
    annotation: ".annotation-text", label: ".textpoint text, .bartext",
  }
  for (const [kind, selector] of Object.entries(texts)) for (const node of every(selector, frame)) {
    if (node.textContent.trim()) add(kind, node.textContent, ofText(node), ofBox(frame.getBoundingClientRect()))
  }
  const { _plots: plots, _subplots: names } = frame?.getClientRects().length ? frame._fullLayout : {}
  for (const { xaxis, yaxis } of names?.cartesian.map(name => plots[name]) ?? []) {
    const { left, top, width } = frame.getBoundingClientRect(), times = width / frame.offsetWidth
    const x = left + times * xaxis._offset, y = top + times * yaxis._offset
    add("plot", "", ofBox({ left: x, top: y, right: x + times * xaxis._length, bottom: y + times * yaxis._length }))
  }
  for (const drawing of every(".ldp-drawing svg", stage)) for (const node of every("text", drawing)) {
    const inside = getComputedStyle(drawing).overflow === "visible" ? null : ofBox(drawing.getBoundingClientRect())
    if (node.textContent.trim()) add("drawn", node.textContent, ofText(node), inside)
  }
  return parts
}"""

OF_STAGE = frozenset(
    {"question", "answer", "what is proposed", "row of views", "title", "figure", "level", "odds", "handle", "end"}
)
OF_FIGURE = frozenset({"axis title", "tick", "legend", "annotation", "label"})
BESIDE_THE_PLOT = frozenset({"axis title", "tick", "legend"})
Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Part:
    """One box: what it is, what is written in it, its corners, and the corners of what cuts it off."""

    kind: str
    text: str
    corners: Corners
    inside: Corners = ()

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the box."""
        across, down = zip(*self.corners, strict=True)
        return min(across), min(down), max(across), max(down)

    def __str__(self) -> str:
        return f"{self.kind} {self.text!r}" if self.text else self.kind


def measured(page: Page) -> list[Part]:
    """Everything of the first screen that has a box."""
    return [
        Part(part["kind"], part["text"], _corners(part["corners"]), _corners(part["inside"] or []))
        for part in page.evaluate(PARTS)
    ]


def _corners(read: list[list[float]]) -> Corners:
    return tuple((across, down) for across, down in read)


def shared(one: Corners, other: Corners) -> float:
    """By how many pixels two boxes lie on top of each other, along the way on which they part most easily."""
    depth = float("inf")
    for box in (one, other):
        for (x1, y1), (x2, y2) in zip(box, (*box[1:], box[0]), strict=True):
            length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
            if length == 0:
                return 0.0
            along = ((y1 - y2) / length, (x2 - x1) / length)
            first, second = ([x * along[0] + y * along[1] for x, y in each] for each in (one, other))
            depth = min(depth, max(first) - min(second), max(second) - min(first))
    return depth


def faults(parts: list[Part], width: float, height: float) -> Iterator[str]:
    """What of the first screen is not on it, is cut, or lies on something else."""
    for part in parts:
        if part.kind == "cut":
            yield f"{part.text!r} is cut"
        elif part.kind in OF_STAGE:
            left, _, right, bottom = part.edges
            if bottom > height + 1:
                yield f"{part} ends at {bottom:.0f} of {height:.0f}"
            if left < -1 or right > width + 1:
                yield f"{part} reaches from {left:.0f} to {right:.0f} of {width:.0f}"
        elif part.inside and _beyond(part):
            yield f"{part} is cut by {_beyond(part):.0f} px"
    there = [part for part in parts if part.kind != "cut"]
    for one, other in combinations(there, 2):
        depth = shared(one.corners, other.corners) if _apart({one.kind, other.kind}) else 0.0
        if depth > SLACK:
            yield f"{one} lies on {other} by {depth:.0f} px"


def _beyond(part: Part) -> float:
    """How far a text reaches beyond what cuts it off."""
    frame = Part("", "", part.inside).edges
    left, top, right, bottom = part.edges
    beyond = max(frame[0] - left, frame[1] - top, right - frame[2], bottom - frame[3])
    return beyond if beyond > SLACK else 0.0


def _apart(kinds: set[str]) -> bool:
    """Whether two parts of these kinds may not touch."""
    if "plot" in kinds:
        return bool(kinds & BESIDE_THE_PLOT)
    return kinds <= OF_STAGE or kinds <= OF_FIGURE or kinds == {"drawn"}


def share(parts: list[Part], height: float) -> float:
    """The share of the window's height that the figure with its title takes; 1 where there is none."""
    boxes = [part.edges for part in parts if part.kind in ("title", "figure")]
    return (max(box[3] for box in boxes) - min(box[1] for box in boxes)) / height if boxes else 1.0
