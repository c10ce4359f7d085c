"""Two rows of up to twelve bars, drawn by hand: a pointer paints across them, arrow keys move one at a time.

The browser paints while a finger is down and tells the server when it is lifted, or when a key has moved a bar. Each
bar is a slider to a screen reader; each row is one stop of the tab key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from explorer.figures.theme import PALETTE
from explorer.ui.caught import caught
from explorer.ui.page import Shown

_HTML = """
<div class="ldp-bars">
  <div class="size"><span class="count"></span><button type="button" class="fewer">−</button
    ><button type="button" class="more">+</button></div>
  <div class="world"><span class="name"></span><div class="row" role="group"></div></div>
  <div class="world"><span class="name"></span><div class="row" role="group"></div></div>
  <p class="hint"></p>
</div>
"""

_CSS = """
.ldp-bars { color: var(--st-text-color); font: .875rem var(--st-font); user-select: none; -webkit-user-select: none; }
.size { display: flex; align-items: center; gap: .4rem; }
.size .count { flex: 1; }
.size button { width: 2.25rem; height: 2.25rem; font: 1.1rem var(--st-font); color: inherit; cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); }
.size button:disabled { opacity: .4; cursor: default; }
.world { margin-top: .5rem; }
.row { display: flex; direction: ltr; align-items: flex-end; gap: 2px; height: 6.5rem; margin-top: .2rem;
  border-bottom: 2px solid currentColor; cursor: crosshair; touch-action: none; }
.bar { flex: 1; height: 100%; display: flex; align-items: flex-end; background: var(--st-secondary-background-color);
  border-radius: 3px 3px 0 0; outline-offset: 1px; }
.bar i { display: block; width: 100%; min-height: 2px; border-radius: 3px 3px 0 0; }
.bar:focus-visible, button:focus-visible { outline: 2px solid var(--st-primary-color); }
.hint { margin: .4rem 0 0; }
"""

_JS = r"""
const memory = new WeakMap()
const write = (template, values) => template.replace(/@\{(\w+)\}/g, (_, name) => values[name])

export default function ({ data: [data], parentElement, setStateValue }) {
  const root = parentElement.querySelector(".ldp-bars"), words = data.words
  const at = selector => root.querySelector(selector)
  const state = memory.get(root) ?? { painting: false, at: [0, 0] }
  memory.set(root, state)
  if (!state.painting) Object.assign(state, { rows: data.rows.map(row => [...row]), top: data.top })
  const step = state.top / 20
  const near = value => Number((Math.round(Math.min(Math.max(value, 0), state.top) / step) * step).toPrecision(6))
  const written = value => String(value).replace(".", data.decimal)
  const tell = () => setStateValue("rows", state.rows)

  const paint = () => {
    const k = state.rows[0].length
    at(".count").textContent = write(words.count, { k })
    at(".fewer").disabled = k <= data.least
    at(".more").disabled = k >= data.most
    root.querySelectorAll(".row").forEach((row, world) => {
      while (row.childElementCount > k) row.lastElementChild.remove()
      while (row.childElementCount < k) {
        const bar = document.createElement("div")
        bar.className = "bar"
        bar.setAttribute("role", "slider")
        bar.setAttribute("aria-orientation", "vertical")
        bar.setAttribute("aria-valuemin", 0)
        bar.append(document.createElement("i"))
        row.append(bar)
      }
      state.at[world] = Math.min(state.at[world], k - 1)
      const total = state.rows[world].reduce((sum, height) => sum + height, 0)
      ;[...row.children].forEach((bar, place) => {
        const height = state.rows[world][place], share = total ? Math.round(1000 * height / total) / 10 : 0
        bar.tabIndex = place === state.at[world] ? 0 : -1
        bar.firstChild.style.height = `${100 * height / state.top}%`
        bar.firstChild.style.background = data.colors[world]
        bar.setAttribute("aria-valuemax", state.top)
        bar.setAttribute("aria-valuenow", height)
        bar.setAttribute("aria-valuetext", write(words.value, { height: written(height), share: written(share) }))
        bar.setAttribute("aria-label", write(words.bar, { world: words.worlds[world], place: place + 1 }))
      })
    })
  }

  root.querySelectorAll(".world").forEach((world, place) => {
    const row = world.querySelector(".row")
    world.querySelector(".name").textContent = words.worlds[place]
    row.setAttribute("aria-label", words.worlds[place])
    const follow = event => {
      const box = row.getBoundingClientRect(), k = state.rows[place].length
      const bar = Math.min(Math.max(Math.floor((event.clientX - box.left) / box.width * k), 0), k - 1)
      state.at[place] = bar
      state.rows[place][bar] = near((box.bottom - event.clientY) / box.height * state.top)
      paint()
    }
    row.onpointerdown = event => {
      row.setPointerCapture(event.pointerId)
      state.painting = true
      follow(event)
    }
    row.onpointermove = event => { if (state.painting && event.buttons) follow(event) }
    row.onpointerup = row.onpointercancel = () => {
      if (!state.painting) return
      state.painting = false
      tell()
    }
    row.onkeydown = event => {
      const bar = state.at[place], height = state.rows[place][bar]
      const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const heights = { ArrowUp: height + step, ArrowDown: height - step, PageUp: height + 4 * step,
        PageDown: height - 4 * step, Home: 0, End: state.top }
      if (aside === undefined && !(event.key in heights)) return
      event.preventDefault()
      event.stopPropagation()
      if (aside === undefined) state.rows[place][bar] = near(heights[event.key])
      else state.at[place] = Math.min(Math.max(bar + aside, 0), state.rows[place].length - 1)
      paint()
      row.children[state.at[place]].focus()
      if (aside !== undefined) return
      clearTimeout(state.later)  // several presses are told once
      state.painting = true
      state.later = setTimeout(() => { state.painting = false; tell() }, 400)
    }
  })
  at(".hint").textContent = words.hint
  at(".fewer").setAttribute("aria-label", words.fewer)
  at(".more").setAttribute("aria-label", words.more)
  at(".fewer").onclick = () => { state.rows.forEach(row => row.pop()); paint(); tell() }
  at(".more").onclick = () => { state.rows.forEach(row => row.push(near(state.top / 4))); paint(); tell() }
  paint()
}
"""

_BARS = st.components.v2.component("ldp_bars", html=_HTML, css=_CSS, js=_JS)
_KEY = "drawn_bars"


def top(rows: Sequence[Sequence[float]]) -> float:
    """The height of a full bar: ten, or the next round number above the highest."""
    highest, full = max(max(row) for row in rows), 10.0
    while full < highest:
        full *= 2 if str(full)[0] in "15" else 2.5
    while full / 10 >= highest:
        full /= 10
    return full


def show(shown: Shown, rows: Sequence[Sequence[float]], ends: tuple[int, int], heard: Callable[[Any], None]) -> None:
    """Show two rows of heights; `heard` gets both as they were drawn. `ends` are the fewest and the most bars."""
    words = dict(shown.labels["drawn"])
    words["worlds"] = [shown.label("bars_first"), shown.label("bars_second")]
    data = {
        "rows": [list(map(float, row)) for row in rows],
        "top": top(rows),
        "least": ends[0],
        "most": ends[1],
        "colors": [PALETTE[2], PALETTE[6]],
        "decimal": shown.catalogue.separators[0],
        "words": words,
    }

    @caught
    def hear() -> None:
        heard(st.session_state[_KEY]["rows"])

    # In a tuple: the values of a dict are looked through for tables, which takes loading pandas.
    _BARS(data=(data,), key=_KEY, on_rows_change=hear, height="content")
