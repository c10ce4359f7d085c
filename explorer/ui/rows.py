"""A row of choices: the views above a figure, and what can be opened below it.

Measured: Streamlit's pills render every label as Markdown of its own; two rows of them are 13 to 17 of the 160 ms that
a slider's move takes in the browser. These are plain radio buttons, or plain buttons where nothing need be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from explorer.ui import links

_CSS = """
.ldp-row { position: relative; display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 -3px; padding: 3px; }
.ldp-row > * { position: relative; display: inline-flex; align-items: center; gap: .4rem; min-height: 2.1rem;
  padding: .2rem .75rem; border: 1px solid var(--st-border-color); border-radius: 1.05rem; background: none;
  color: inherit; cursor: pointer; font: .875rem var(--st-font); white-space: nowrap; user-select: none; }
.ldp-row > :hover { border-color: var(--st-primary-color); }
.ldp-row > :has(:checked), .ldp-row > [aria-expanded=true], .ldp-row > [aria-pressed=true] {
  border-color: var(--st-primary-color); color: var(--st-link-color);
  background: color-mix(in srgb, var(--st-primary-color) 10%, transparent); }
.ldp-row > :has(:focus-visible), .ldp-row > :focus-visible { outline: 2px solid; outline-offset: 1px; }
.ldp-row input { position: absolute; opacity: 0; width: 1px; height: 1px; margin: 0; }
.ldp-row [aria-hidden] { font: 1.15rem "Material Symbols Rounded"; }
@media (forced-colors: active) {
  .ldp-row > :has(:checked), .ldp-row > [aria-expanded=true], .ldp-row > [aria-pressed=true] {
    outline: 2px solid Highlight; }
}
@media (max-width: 640px) {
  .ldp-row[role=radiogroup] { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none;
    mask-image: linear-gradient(to right, #000 calc(100% - 1.5rem), transparent); padding-right: 1.5rem; }
}
"""

_JS = """
const build = (tag, properties, ...inside) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...inside)
  return node
}

const written = ({ title, icon }) => {
  if (!icon) return [title]
  const symbol = build("span", { textContent: icon, translate: false })  // the symbol's name, which its font draws
  symbol.setAttribute("aria-hidden", "true")
  return [symbol, title]
}

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const row = parentElement.querySelector(".ldp-row"), { label, name, options, chosen, needed, turned } = data
  const shape = JSON.stringify([name, options, turned?.title])
  if (row.shape !== shape) {
    row.shape = shape
    row.replaceChildren(...options.map(option => needed
      ? build("label", {}, build("input", { type: "radio", name, value: option.slug }), ...written(option))
      : build("button", { type: "button", value: option.slug }, ...written(option))))
    if (turned) row.append(build("button", { type: "button" }, ...written(turned)))
  }
  if (turned) row.lastElementChild.setAttribute("aria-pressed", turned.on)
  row.setAttribute("role", needed ? "radiogroup" : "group")
  row.setAttribute("aria-label", label)

  const mark = slug => {
    row.querySelectorAll("input").forEach(radio => { radio.checked = radio.value === slug })
    row.querySelectorAll("button[value]").forEach(button => button.setAttribute("aria-expanded", button.value === slug))
  }
  mark(chosen)
  const place = row.querySelector(":has(:checked)")
  if (place && row.seen !== chosen && row.scrollWidth > row.clientWidth) {
    row.seen = chosen
    row.scrollTo({ left: place.offsetLeft - (row.clientWidth - place.offsetWidth) / 2 })
  }

  row.onchange = event => setTriggerValue("chosen", event.target.value)
  row.onclick = event => {
    const button = event.target.closest("button")
    if (!button) return
    const pressed = button.getAttribute("aria-pressed")
    if (pressed) return setTriggerValue("turned", pressed === "true" ? "off" : "on")
    const next = button.getAttribute("aria-expanded") === "true" ? "nothing" : button.value
    mark(next)  // what is wanted is sent, not that something was clicked: two clicks during a run may arrive as one
    setTriggerValue("chosen", next)
  }
}
"""

_ROW = st.components.v2.component(
    "ldp_row", html='<div class="ldp-row"></div>\n', css=_CSS, js=_JS, isolate_styles=False
)


@dataclass(frozen=True)
class Switch:
    """What stands beside the choices and is on or off whichever is chosen."""

    title: str
    icon: str
    on: bool
    turn: Callable[[bool], None]


def row(
    label: str,
    titles: Mapping[str, str],
    key: str,
    icons: Mapping[str, str] | None = None,
    switch: Switch | None = None,
) -> str | None:
    """The slug that is chosen, which `st.session_state[key]` holds; with icons none need be: a second click closes."""
    state, needed, place = st.session_state, icons is None, f"{key}_row"
    if state.get(key) not in titles:  # also where another mode of the page has other ones
        state[key] = next(iter(titles)) if needed else None

    def hear() -> None:
        links.touch()
        said = state[place]["chosen"]
        state[key] = said if said in titles else None

    def turn() -> None:
        if switch is not None:
            switch.turn(state[place]["turned"] == "on")

    options = [{"slug": slug, "title": title, "icon": (icons or {}).get(slug, "")} for slug, title in titles.items()]
    turned = None if switch is None else {"title": switch.title, "icon": switch.icon, "on": switch.on}
    data = {
        "label": label, "name": place, "options": options, "chosen": state[key] or "", "needed": needed,
        "turned": turned,
    }  # fmt: skip
    # In a tuple: the values of a dict are looked through for tables, which takes loading pandas.
    _ROW(data=(data,), key=place, height="content", on_chosen_change=hear, on_turned_change=turn)
    found: str | None = state[key]
    return found
