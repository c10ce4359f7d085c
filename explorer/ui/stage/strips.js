// The strip: the scenes at all stops, handed to the stage of the same key, whichever of the two comes first.
import { headOf, restOf, scenesOf } from "./packed.js"
import { shared } from "./shared.js"

const STILL = "notRunning"  // as Streamlit writes it
const LOOKS = 50, RESTED = 4  // ms between two looks at that, and how many in a row find it

/** @type {Map<string, Uint8Array>} the strip that has come last, by its stage */
const last = new Map()
/** @type {Map<string, number>} the late strip that is about to be asked for, by its stage */
const awaited = new Map()
/** @type {Map<string, number>} the one that was asked for last */
const asked = new Map()

/**
 * Hands on what a strip holds, once it is unpacked; a browser that cannot asks for the stops one by one.
 * @param {Uint8Array} data
 */
const handOver = async data => {
  const { key, token, stops } = headOf(data)
  last.set(key, data)
  const scenes = scenesOf(await restOf(data), stops)
  if (last.get(key) !== data) return  // another one has come meanwhile
  shared.strips.set(key, { token, scenes, size: data.length })
  shared.stages.get(key)?.refresh()
}

/**
 * Takes in a strip as it is sent, which may be one that came before.
 * @param {Uint8Array} data
 */
export const takeIn = data => {
  const { key, token, stops } = headOf(data), before = shared.strips.get(key)
  if (stops.length && (before?.token !== token || before.size !== data.length)) {  // without stops: it has been sent
    if ("DecompressionStream" in window) handOver(data)
  }
  shared.stages.get(key)?.refresh()
}

/**
 * Asks for the scenes of a strip that are still to be made: once, where they can be unpacked, and once the app is at rest.
 * @param {Uint8Array} data
 * @param {() => boolean} tell says whether it could be told: a strip that has gone from the page asks no more
 */
export const ask = (data, tell) => {
  const { key, late } = headOf(data)
  if (!late || asked.get(key) === late || !("DecompressionStream" in window)) return
  const mark = document.documentElement
  awaited.set(key, late)
  mark.setAttribute("data-ldp-late", "")
  atRest(() => {
    if (awaited.get(key) !== late) return  // another one is waited for
    if (asked.get(key) !== late && tell()) asked.set(key, late)
    awaited.delete(key)
    if (!awaited.size) mark.removeAttribute("data-ldp-late")
  })
}

/**
 * Calls as soon as no run has been on its way for a while. Before, a control may not yet have taken what the server has put
 * into it: what the browser says of it with the next question would undo that.
 * @param {() => void} then
 * @param {number} rested
 */
const atRest = (then, rested = 0) => {
  if (rested === RESTED) return then()
  const state = document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state") ?? STILL
  setTimeout(() => atRest(then, state === STILL ? rested + 1 : 0), LOOKS)
}
