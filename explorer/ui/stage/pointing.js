// What is pointed at in a drawing: a number, or a button that sets something.

/**
 * The number at a share of the way from one end to the other, to the hundredth part of it and never beyond an end.
 * @param {number} low
 * @param {number} high
 * @param {number} share
 */
export const between = (low, high, share) => {
  const step = 10 ** Math.ceil(Math.log10((high - low) / 100)), inside = Math.min(Math.max(share, 0), 1)
  return Number((Math.round((low + inside * (high - low)) / step) * step).toPrecision(6))
}

/**
 * A place in a drawing may say what it sets, or which numbers lie at its two edges: then the one that is pointed at.
 * @param {MouseEvent} event
 * @returns {{ take?: Take["settings"], value?: number }}
 */
export const pointed = ({ target, clientX }) => {
  const place = target instanceof Element ? target.closest("[data-take], [data-low]") : null
  if (!(place instanceof HTMLElement)) return {}
  const { take, low, high } = place.dataset, { left, width } = place.getBoundingClientRect()
  return take ? { take: JSON.parse(take) } : { value: between(Number(low), Number(high), (clientX - left) / width) }
}

/**
 * Draws anew, and leaves the focus on the button that had it.
 * @param {HTMLElement} place
 * @param {string} drawing
 */
export const fill = (place, drawing) => {
  if (place.drawn === drawing) return
  const focused = place.querySelector(":focus")?.getAttribute("data-take")
  place.innerHTML = place.drawn = drawing
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-take]"))
  if (focused) void [...buttons].find(each => each.dataset.take === focused)?.focus({ preventScroll: true })
}
