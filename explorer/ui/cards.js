// Cards that lead somewhere: a plain click goes there, with a key held the link opens as any other; buttons are told.
import { go } from "./going.js"

/** @param {Component<{ html: string }>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".ldp-offers")
  if (!(place instanceof HTMLElement)) return
  if (place.drawn !== data.html) {
    const focused = document.activeElement instanceof HTMLElement && place.contains(document.activeElement)
      ? document.activeElement.dataset.go : undefined
    place.innerHTML = place.drawn = data.html
    if (focused) find(place, focused)?.focus()  // a switch that was pressed is drawn anew
  }
  place.onclick = event => {
    const offer = event.target instanceof Element ? event.target.closest("[data-go]") : null
    if (!(offer instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!(offer instanceof HTMLAnchorElement)) setTriggerValue("pressed", offer.dataset.go ?? "")
    else if (offer.hash) document.querySelector(offer.hash)?.scrollIntoView({ behavior: "smooth" })
    else go(offer.href)
  }
}

/**
 * @param {HTMLElement} place
 * @param {string} name
 */
const find = (place, name) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-go]"))].find(each => each.dataset.go === name)
