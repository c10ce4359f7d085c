"""The overview's picture: how alike one report looks from two people, drawn in the browser so that it follows a finger.

Two people differ in one answer: a number (0 or 1, with Laplace noise of scale 1/ε) or a yes or no (told truly with
probability e^ε/(1+e^ε)). A report is at most e^ε times as likely from one as from the other; dragging shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from explorer.facts import Level, Times
from explorer.figures.theme import PALETTE
from explorer.ui import links
from explorer.ui.caught import caught

_HTML = """
<div class="ratio-picture">
  <div class="modes" role="radiogroup"></div>
  <svg class="picture" role="img"></svg>
  <div class="ratio"><div class="bar"><div class="fill"></div></div><output></output></div>
  <label class="level"><span class="name"></span><span class="value"></span>
    <input type="range" min="0" step="1"></label>
  <div class="ends"><span></span><span></span></div>
</div>
"""

_CSS = """
.ratio-picture { color: var(--st-text-color); font-family: var(--st-font); user-select: none;
  -webkit-user-select: none; }
.modes { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: .25rem; }
.modes label { display: flex; gap: .4rem; align-items: center; min-height: 2.25rem; cursor: pointer; }
input { accent-color: var(--st-primary-color); }
.picture { display: block; direction: ltr; width: 100%; height: min(19rem, 38vh); cursor: ew-resize;
  touch-action: pan-y; font-size: .875rem; }
.picture:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
.picture text { fill: currentColor; }
.ratio { margin: .25rem 0 1rem; }
.bar { direction: ltr; height: .6rem; border-radius: .3rem; background: var(--st-secondary-background-color);
  border-right: 3px solid currentColor; }
.fill { height: 100%; border-radius: .3rem 0 0 .3rem; background: var(--st-link-color); }
output { display: block; margin-top: .4rem; min-height: 3rem; font-size: 1.05rem; }
.level { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; }
.level .value { font-weight: 600; font-variant-numeric: tabular-nums; }
.level input { grid-column: 1 / -1; direction: ltr; width: 100%; height: 2rem; margin: 0; cursor: pointer; }
.ends { display: flex; direction: ltr; justify-content: space-between; font-size: .875rem; }
.lecture .modes label { min-height: 1.5rem; }
.lecture .ratio { margin-bottom: .25rem; }
.lecture output { margin-top: .2rem; min-height: 2.5em; font-size: min(.9rem, 3.4vh); line-height: 1.25; }
.lecture .level { gap: 0 1rem; line-height: 1.25; }
.lecture .level input { height: min(1.2rem, 4.4vh); }
.lecture .ends { font-size: min(.75rem, 2.8vh); line-height: 1.25; }
"""

# Heights are relative to the peak, so that the ratio of the two heights is the ratio of the two densities.
_JS = r"""
const NS = "http://www.w3.org/2000/svg"
const LOW = -2.5, HIGH = 3.5
const memory = new WeakMap()

const draw = (name, attributes, text) => {
  const node = document.createElementNS(NS, name)
  for (const key in attributes) node.setAttribute(key, attributes[key])
  if (text !== undefined) node.textContent = text
  return node
}
const write = (template, values) => template.replace(/@\{(\w+)\}/g, (_, name) => values[name])
let decimal = "."
const digits = value => {
  const plain = Number(value.toPrecision(3))
  const [whole, rest] = String(plain).split(".")
  return whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (rest ? decimal + rest : "")
}

// Almost everybody is not everybody, and hardly anybody is not nobody: a coin is never sure.
const percent = share => {
  const text = 100 * share < 1e-5 ? "< " + digits(1e-5) : digits(100 * share)
  return (text === "100" ? "> " + digits(99.9) : text) + "\u202f%"
}

export default function ({ data: [data], parentElement, setStateValue }) {
  const root = parentElement.querySelector(".ratio-picture")
  const at = selector => root.querySelector(selector)
  const picture = at(".picture"), slider = at(".level input"), words = data.words
  decimal = data.decimal
  const state = memory.get(root) ?? { report: 0.5, mode: "number", dragging: false }
  memory.set(root, state)
  if (!state.dragging) state.index = data.stops.indexOf(data.level)
  if (state.told !== data.mode) {  // the link, or a reset, asks for another
    if (state.mode !== data.mode) state.report = data.mode === "coin" ? 1 : 0.5
    state.told = state.mode = data.mode
  }

  const ratio = epsilon => state.mode === "coin"
    ? (state.report > 0.5 ? -epsilon : epsilon)
    : epsilon * (Math.abs(state.report - 1) - Math.abs(state.report))

  const curves = (epsilon, width, height) => {
    const x = value => (value - LOW) / (HIGH - LOW) * width
    const y = heights(height)
    const nodes = []
    const person = (center, color, dash) => {
      const at = value => Math.exp(-epsilon * Math.abs(value - center))
      const steps = [...Array(241).keys()].map(i => LOW + (HIGH - LOW) * i / 240).concat([center]).sort((a, b) => a - b)
      const line = steps.map(value => `${x(value).toFixed(1)},${y(at(value)).toFixed(1)}`).join(" ")
      nodes.push(draw("polygon", { points: `0,${y(0)} ${line} ${width},${y(0)}`, fill: color, "fill-opacity": 0.13 }))
      nodes.push(draw("polyline", { points: line, fill: "none", stroke: color, "stroke-width": 3,
        "stroke-dasharray": dash }))
      return at
    }
    const first = person(0, data.colors[0], ""), second = person(1, data.colors[1], "9 5")
    nodes.push(draw("line", { x1: 0, x2: width, y1: y(0), y2: y(0), stroke: "currentColor", "stroke-opacity": .5 }))
    const place = x(state.report)
    nodes.push(draw("line", { x1: place, x2: place, y1: y(1) - 6, y2: y(0) + 6, stroke: "currentColor",
      "stroke-width": 2 }))
    nodes.push(draw("circle", { cx: place, cy: y(first(state.report)), r: 7, fill: data.colors[0] }))
    nodes.push(draw("rect", { x: place - 6, y: y(second(state.report)) - 6, width: 12, height: 12,
      fill: data.colors[1] }))
    for (const value of [0, 1]) {
      nodes.push(draw("text", { x: x(value), y: height - letter, "text-anchor": "middle" }, String(value)))
    }
    nodes.push(draw("text", { x: width - 2, y: height - letter, "text-anchor": "end" }, words.axis))
    return nodes
  }

  const bars = (epsilon, width, height) => {
    const truth = 1 / (1 + Math.exp(-epsilon)), y = heights(height)
    const nodes = [], chosen = state.report > 0.5 ? 1 : 0
    for (const answer of [0, 1]) {
      const middle = width * (answer ? .72 : .28), wide = Math.min(90, width * .14)
      const shares = [answer ? 1 - truth : truth, answer ? truth : 1 - truth]
      if (answer === chosen) {
        nodes.push(draw("rect", { x: middle - wide * 1.4, y: y(1) - 1.2 * letter, width: wide * 2.8,
          height: y(0) - y(1) + 1.7 * letter, rx: 8, fill: "currentColor", "fill-opacity": .07 }))
      }
      shares.forEach((share, who) => {
        const left = middle + (who ? 4 : -wide - 4)
        nodes.push(draw("rect", { x: left, y: y(share), width: wide, height: y(0) - y(share), fill: data.colors[who] }))
        nodes.push(draw("text", { x: left + wide / 2, y: y(share) - 6, "text-anchor": "middle" },
          percent(share)))
      })
      const said = answer ? words.yes : words.no
      nodes.push(draw("text", { x: middle, y: height - letter, "text-anchor": "middle" }, said))
    }
    nodes.push(draw("line", { x1: 0, x2: width, y1: y(0), y2: y(0), stroke: "currentColor", "stroke-opacity": .5 }))
    return nodes
  }

  // Both people in one line, or one below the other where their names would overlap; `low` is what that takes.
  // All of it is measured in letters, which a lecture and a reader's own settings enlarge.
  let low = 0, letter = 14
  const heights = height => share => height - 2.4 * letter - share * (height - 5.3 * letter - low)
  const legend = width => [0, 1].flatMap(who => {
    const left = who && !low ? width / 2 : 0, top = who ? low : 0
    return [
      who ? draw("rect", { x: left + (low ? 1 : 0), y: top + letter - 10, width: 12, height: 12, fill: data.colors[1] })
        : draw("circle", { cx: left + 7, cy: letter - 4, r: 7, fill: data.colors[0] }),
      draw("text", { x: left + 20, y: top + letter + 1 }, words.people[who]),
    ]
  })
  const pen = document.createElement("canvas").getContext("2d")
  const crowded = width => {
    pen.font = getComputedStyle(picture).font
    return words.people.some(name => pen.measureText(name).width > width / 2 - 28)
  }

  // As high as leaves the handle on the first screen, whatever stands above and however large the letters are.
  const fit = () => {
    const whole = root.getBoundingClientRect(), size = parseFloat(getComputedStyle(document.documentElement).fontSize)
    const top = whole.top + (document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0)
    const left = innerHeight - top - (whole.height - picture.getBoundingClientRect().height) - size
    picture.style.height = `${Math.round(Math.max(9 * letter, Math.min(26 * size, left)))}px`
  }
  const render = () => {
    const width = picture.clientWidth || 600, height = picture.clientHeight || 300, epsilon = data.stops[state.index]
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`)
    letter = parseFloat(getComputedStyle(picture).fontSize) || 14
    low = crowded(width) ? 1.4 * letter : 0
    const shown = state.mode === "coin" ? bars(epsilon, width, height) : curves(epsilon, width, height)
    picture.replaceChildren(...legend(width), ...shown)
    const loss = ratio(epsilon), alike = Math.abs(loss) < 1e-9
    const told = {
      times: digits(Math.exp(Math.abs(loss))), limit: data.limits[state.index],
      more: words.names[loss > 0 ? 0 : 1], less: words.names[loss > 0 ? 1 : 0],
    }
    at(".fill").style.width = `${100 * Math.abs(loss) / epsilon}%`
    at("output").textContent = write(alike ? words.same : words.sentence, told)
    at(".level .value").textContent = `ε = ${data.labels[state.index]}`
    slider.setAttribute("aria-valuetext", write(words.valuetext, { level: data.labels[state.index], ...told }))
    picture.setAttribute("aria-label", `${words.alt} ${at("output").textContent}`)
  }

  const point = event => {
    const box = picture.getBoundingClientRect(), share = (event.clientX - box.left) / box.width
    state.report = state.mode === "coin" ? (share > .5 ? 1 : 0)
      : Math.min(HIGH, Math.max(LOW, LOW + share * (HIGH - LOW)))
    render()
  }
  const keep = () => {
    state.dragging = false
    setStateValue("level", data.stops[state.index])
  }

  root.style.colorScheme = data.dark ? "dark" : "light"
  root.classList.toggle("lecture", data.lecture)
  slider.max = data.stops.length - 1
  slider.value = state.index
  slider.oninput = () => { state.dragging = true; state.index = Number(slider.value); render() }
  slider.onchange = keep
  slider.setAttribute("aria-label", words.level)
  at(".level .name").textContent = words.level
  const ends = root.querySelectorAll(".ends span")
  ends[0].textContent = words.ends[0]
  ends[1].textContent = words.ends[1]

  picture.tabIndex = 0
  picture.onpointerdown = event => { picture.setPointerCapture(event.pointerId); point(event) }
  picture.onpointermove = event => { if (event.buttons) point(event) }
  picture.onkeydown = event => {
    const step = { ArrowLeft: -0.1, ArrowRight: 0.1 }[event.key]
    if (!step) return
    event.preventDefault()
    state.report = state.mode === "coin" ? (step > 0 ? 1 : 0)
      : Math.min(HIGH, Math.max(LOW, Math.round(10 * (state.report + step)) / 10))
    render()
  }

  const modes = at(".modes")
  if (!modes.childElementCount) {
    for (const mode of ["number", "coin"]) {
      const label = document.createElement("label"), input = document.createElement("input")
      Object.assign(input, { type: "radio", name: "ratio-mode", value: mode, checked: mode === state.mode })
      label.append(input, words.modes[mode])
      modes.append(label)
    }
  }
  for (const input of modes.querySelectorAll("input")) input.checked = input.value === state.mode
  modes.setAttribute("aria-label", words.mode)
  modes.onchange = event => {
    state.told = state.mode = event.target.value
    setStateValue("mode", state.mode)
    state.report = state.mode === "coin" ? 1 : 0.5
    render()
  }

  state.observer?.disconnect()
  state.observer = new ResizeObserver(render)
  state.observer.observe(picture)
  render()
  const refit = () => requestAnimationFrame(fit)
  const letters = new ResizeObserver(refit)  // a lecture's large letters may come after the picture
  letters.observe(root)
  addEventListener("resize", refit)
  return () => {
    letters.disconnect()
    removeEventListener("resize", refit)
    state.observer.disconnect()
  }
}
"""

_PICTURE = st.components.v2.component("ldp_ratio_picture", html=_HTML, css=_CSS, js=_JS)
_KEY = "ratio_picture"
MODES = ("number", "coin")


def show(shown: Any, level: float, stops: Sequence[float], let_go: Callable[[float], None]) -> None:
    """Show the picture at a level; `let_go` hears the level at which the reader lets go of the slider."""
    catalogue, look = shown.catalogue, shown.look

    @caught
    def hear() -> None:
        let_go(float(st.session_state[_KEY]["level"]))

    @caught
    def hear_mode() -> None:
        links.set_stage_value(f"{shown.slug}_mode", str(st.session_state[_KEY]["mode"]))

    mode = links.stage_value(f"{shown.slug}_mode", shown.label("picture.mode"), MODES[0], _mode, str)
    words = {**catalogue.page(shown.slug)["labels"]["picture"], "level": shown.label("epsilon")}
    words["ends"] = [shown.label("epsilon_more_privacy"), shown.label("epsilon_more_accuracy")]
    data = {
        "level": level,
        "stops": list(stops),
        "labels": [catalogue.write(Level(stop)) for stop in stops],
        "limits": [catalogue.write(Times(stop)) for stop in stops],
        "colors": [look.accent, PALETTE[1]],
        "mode": mode,
        "dark": look.dark,
        "lecture": look.lecture,
        "words": words,
        "decimal": catalogue.separators[0],
    }
    # In a tuple: the values of a dict are looked through for tables, which takes loading pandas.
    _PICTURE(data=(data,), key=_KEY, on_level_change=hear, on_mode_change=hear_mode, height="content")


def _mode(text: str) -> str:
    """What is reported, as a link asks for it."""
    if text not in MODES:
        raise links.none_of(MODES)
    return text
