"""Buttons that the browser itself must serve: copy the link, save the figure on screen as SVG or PNG."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_CSS = """
.place { display: flex; flex-wrap: wrap; gap: .5rem; }
button {
  font: inherit; font-size: .875rem; padding: .25rem .75rem; cursor: pointer;
  color: var(--st-text-color); background: transparent;
  min-height: 2.5rem; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
"""

# Plotly draws its picture itself, in the size it has on screen (PNG twice as fine); a drawing made of boxes is copied
# with the styles it has on screen into an SVG that holds HTML.
_JS = """
const seen = selector =>
  [...document.querySelectorAll(selector)].find(each => each.offsetParent && !each.querySelector(".ldp-qr"))

const keep = (href, name) => Object.assign(document.createElement("a"), { href, download: name }).click()

const styled = node => {
  const copy = node.cloneNode(false)
  const style = getComputedStyle(node)
  if (style.display === "none") return document.createTextNode("")
  copy.setAttribute("style", [...style].map(name => `${name}:${style.getPropertyValue(name)}`).join(";"))
  if (node.localName === "svg") copy.innerHTML = node.innerHTML
  else for (const part of node.childNodes) copy.append(part.nodeType === 1 ? styled(part) : part.cloneNode(false))
  return copy
}

const pictured = node => {
  const { width, height: drawn } = node.getBoundingClientRect(), height = drawn + 16  // another font may need more
  const page = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor
  const inside = new XMLSerializer().serializeToString(styled(node))
  const all = 'width="100%" height="100%"'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`
    + `<rect ${all} fill="${page}"/><foreignObject ${all}>${inside}</foreignObject></svg>`
  return { width, height, svg }
}

const save = async (format, name) => {
  const figure = seen(".ldp-figure"), drawing = seen(".ldp-drawing")
  if (figure) {
    const { width, height } = figure._fullLayout
    window.Plotly.downloadImage(figure, { format, filename: name, width, height, scale: format === "png" ? 2 : 1 })
    return
  }
  const { width, height, svg } = pictured(drawing)
  const address = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg)
  if (format === "svg") return keep(address, `${name}.svg`)
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height })
  const picture = new Image(canvas.width, canvas.height)
  picture.src = address
  await picture.decode()
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
  keep(canvas.toDataURL("image/png"), `${name}.png`)
}

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".place")
  const serve = {
    copy: async button => {
      await navigator.clipboard.writeText(data.link)
      button.textContent = data.labels.copied
      setTimeout(() => { button.textContent = data.labels.copy }, 2000)
    },
    svg: () => save("svg", data.stem),
    png: () => save("png", data.stem),
  }
  place.replaceChildren(...Object.keys(serve).filter(name => name in data.labels).map(name => {
    const button = document.createElement("button")
    button.type = "button"
    button.className = name
    button.textContent = data.labels[name]
    button.onclick = () => serve[name](button)
    return button
  }))
}
"""

_BUTTONS = st.components.v2.component("ldp_export", html='<div class="place"></div>\n', css=_CSS, js=_JS)


def buttons(link: str, stem: str, labels: Mapping[str, str]) -> None:
    """One button per label among `copy`, `svg` and `png`; `stem` is the file's name without its ending."""
    _BUTTONS(data={"link": link, "stem": stem, "labels": dict(labels)}, key="export", width="content", height="content")
