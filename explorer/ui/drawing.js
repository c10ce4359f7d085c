// A drawing, which the server has escaped: written again only where it differs.

/** @param {Component<{ html: string }>} component */
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".ldp-drawing")
  if (!(place instanceof HTMLElement) || place.drawn === data.html) return
  place.innerHTML = place.drawn = data.html
}
