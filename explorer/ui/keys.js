// What the whole document hears: the presenter's keys, the way back of a lost connection, and which page is shown.
import { go } from "./going.js"
import { meant, TURNS, TYPED } from "./meant.js"
import { HERE, TURNED } from "./signals.js"
import { press } from "./stage/shortcuts.js"

const MOVED = "input, [role=radio], [role=slider], [role=tab], [role=option], [role=combobox], [role=menuitemradio]"
const OPEN = '[data-testid="stPopoverBody"], [role=dialog]:not(.ldp-keys), [role=listbox], .ldp-menued [aria-expanded=true]'
const BUTTONS = { ".st-key-next, .st-key-task_next": "next", ".st-key-previous": "previous" }
const OWN = "ldpOwn"
const NARROW = 768  // px: Streamlit's own limit, at which the list of pages lies over the page, and gives way
const ON_ITS_SIDE = "(max-height: 480px) and (min-aspect-ratio: 3/2)"  // a phone, where style.py lays that list over the page too

/** @typedef {{ page: string, lecture: boolean, label: string, code: string, lang: string, dir: string, own: boolean,
 * signal: string, turns: Record<string, string> }} Room */

/** @param {Component<[Room]>} component */
export default function ({ data: [data], parentElement, setTriggerValue }) {
  const cover = parentElement.querySelector(".ldp-keys"), app = document.querySelector('[data-testid="stApp"]')
  if (!(cover instanceof HTMLElement && app instanceof HTMLElement)) return
  document.documentElement.lang = data.lang
  document.documentElement.dir = data.dir
  try { void top?.document } catch { document.documentElement.setAttribute("data-ldp-framed", "") }  // another site's
  cover.innerHTML = data.code
  cover.setAttribute("aria-label", data.label)
  cover.onclick = () => cover.removeAttribute("open")
  remember(data.own, () => setTriggerValue("pressed", "gone"))
  arrive(data.page)
  tell(data.signal)
  /** @param {string} asked */
  const turn = asked => data.turns[asked] ? go(data.turns[asked]) : setTriggerValue("pressed", asked)
  /** @param {MouseEvent} event */
  const clicked = event => {
    const button = event.target instanceof Element ? event.target : null
    const asked = Object.entries(BUTTONS).find(([place]) => button?.closest(place) && button.closest("button"))?.[1]
    if (!asked || !data.turns[asked]) return
    turn(asked)
    event.preventDefault()
    event.stopPropagation()
  }
  /** @param {KeyboardEvent} event */
  const pressed = event => {
    if (event.target instanceof Element && event.target.closest(TYPED)) return
    const asked = meant(event, { lecture: data.lecture, covered: cover.hasAttribute("open"), way: free(event.target, data.signal) })
    const open = data.lecture && !event.repeat && !cover.hasAttribute("open")  // nothing that is covered is pressed
    if (asked === undefined && !(open && press(event, document))) return
    if (asked === "code") cover.toggleAttribute("open")
    else if (asked === "close") cover.removeAttribute("open")
    else if (asked) turn(asked)
    event.preventDefault()
    event.stopPropagation()
  }
  /** @param {StorageEvent} event */
  const turned = ({ key, newValue }) => {
    const asked = key === TURNED && data.signal ? TURNS[newValue?.split(" ")[0] ?? ""] : undefined
    if (asked) turn(asked)
  }
  const line = watched(app, () => setTriggerValue("pressed", "again"))
  // Called with every answer of the server and on every page: only the last one listens, or a key would be heard twice.
  window.ldpKeys?.()
  document.addEventListener("keydown", pressed, true)
  document.addEventListener("click", clicked, true)
  addEventListener("storage", turned)
  window.ldpKeys = () => {
    line.disconnect()
    document.removeEventListener("keydown", pressed, true)
    document.removeEventListener("click", clicked, true)
    removeEventListener("storage", turned)
  }
}

/**
 * A table of the reader's own dies with its session; the browser remembers that there was one, and nothing of it.
 * @param {boolean} own
 * @param {() => void} gone
 */
const remember = (own, gone) => {
  try {
    if (own) sessionStorage.setItem(OWN, "1")
    else if (sessionStorage.getItem(OWN)) {
      sessionStorage.removeItem(OWN)
      gone()
    }
  } catch { /* inside a frame of another site a browser may remember nothing */ }
}

/**
 * The window of the speaker's notes, on another screen of the same browser, hears where this one is.
 * @param {string} signal
 */
const tell = signal => {
  try {
    if (signal) localStorage.setItem(HERE, signal)
  } catch { /* as above */ }
}

/**
 * Whether the arrows and Escape are the way's: nothing is open that they close, and no control has the focus that they move.
 * @param {EventTarget | null} target
 * @param {string} signal
 */
const free = (target, signal) => Boolean(signal) && !document.fullscreenElement && !document.querySelector(OPEN)
  && !(target instanceof Element && target.closest(MOVED))

/**
 * Each page begins at its top, and a list of pages that covers it is closed.
 * @param {string} page
 */
const arrive = page => {
  if (window.ldpPage === page) return
  const low = matchMedia(ON_ITS_SIDE)
  if (low.matches || window.ldpPage && innerWidth <= NARROW) fold()
  if (!window.ldpPage) low.onchange = ({ matches }) => { if (matches) fold() }  // Streamlit opens it where a phone is turned
  window.ldpPage = page
  document.documentElement.setAttribute("data-ldp-arrived", "")
  document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 })
}

const fold = () => {
  const list = document.querySelector('[data-testid="stSidebarCollapseButton"] button')
  if (list instanceof HTMLElement) list.click()
}

/**
 * A connection that was lost may come back to a new session, which knows nothing of this page until it has run once.
 * @param {HTMLElement} app
 * @param {() => void} back
 */
const watched = (app, back) => {
  const connected = () => app.dataset.testConnectionState
  let before = connected()
  const line = new MutationObserver(() => {
    const now = connected()
    if (now === "CONNECTED" && before !== now) back()
    before = now
  })
  line.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  return line
}
