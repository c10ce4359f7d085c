// The strip: the scenes at all stops, handed to the stage of the same key, whichever of the two comes first.
import { headOf, restOf, scenesOf } from "./packed.js"
import { shared } from "./shared.js"

/** @type {Map<string, Uint8Array>} the strip that has come last, by its stage */
const last = new Map()
/** @type {Map<string, number>} the late strip that was asked for last, by its stage */
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
 * Whether the scenes of a strip are still to be made, and to be asked for: once, and only where they can be unpacked.
 * @param {Uint8Array} data
 */
export const missed = data => {
  const { key, late } = headOf(data)
  if (!late || asked.get(key) === late || !("DecompressionStream" in window)) return false
  asked.set(key, late)
  return true
}
