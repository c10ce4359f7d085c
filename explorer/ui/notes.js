// The speaker's notes: they follow the window that tells the way, in the same browser, and turn it by the same keys.
import { HERE, TURNED } from "./signals.js"

const SECOND = 1000  // ms
const KEYS = ["PageDown", "PageUp"]

/** @param {Component<{ html: string, way: string, lang: string, dir: string }>} component */
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".ldp-notes")
  if (!(place instanceof HTMLElement)) return
  Object.assign(document.documentElement, { lang: data.lang, dir: data.dir })
  place.innerHTML = data.html
  const clock = /** @type {HTMLElement | null} */ (place.querySelector(".clock"))
  let began = Date.now()
  const tick = () => { if (clock) clock.textContent = elapsed(Date.now() - began) }
  const follow = () => mark(place, data.way, remembered())
  /** @param {KeyboardEvent} event */
  const pressed = event => {
    if (!KEYS.includes(event.key)) return
    try { localStorage.setItem(TURNED, `${event.key} ${Date.now()}`) } catch { return }
    event.preventDefault()
  }
  clock?.addEventListener("click", () => { began = Date.now(); tick() })
  place.querySelector(".print")?.addEventListener("click", () => print())
  window.ldpNotes?.()
  const ticking = setInterval(tick, SECOND)
  addEventListener("storage", follow)
  document.addEventListener("keydown", pressed, true)
  window.ldpNotes = () => {
    clearInterval(ticking)
    removeEventListener("storage", follow)
    document.removeEventListener("keydown", pressed, true)
  }
  tick()
  follow()
}

/** What the other window has said last; nothing where a browser may remember nothing. */
const remembered = () => {
  try { return localStorage.getItem(HERE) ?? "" } catch { return "" }
}

/**
 * Minutes and seconds.
 * @param {number} ms
 */
export const elapsed = ms => {
  const seconds = Math.max(0, Math.floor(ms / SECOND))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/**
 * The step at which the other window is, on this way, and whether the truth is hidden there; the first one before it says.
 * @param {string} way
 * @param {string} signal
 */
export const heard = (way, signal) => {
  const [slug, step, truth] = signal.split(" ")
  return slug === way && /^\d+$/.test(step ?? "") ? { step, hidden: truth === "hidden" } : { step: "1", hidden: true }
}

/**
 * @param {HTMLElement} place
 * @param {string} way
 * @param {string} signal
 */
const mark = (place, way, signal) => {
  const { step, hidden } = heard(way, signal)
  place.classList.toggle("ldp-hidden", hidden)
  for (const section of place.querySelectorAll("section")) section.classList.toggle("now", section.dataset.step === step)
}
