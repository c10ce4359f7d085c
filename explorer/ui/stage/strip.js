// The strip: the scenes at all stops, handed to the stage of the same key, whichever of the two comes first.
import { headOf, scenesOf } from "./packed.js"
import { shared } from "./shared.js"

/** @param {Component<Uint8Array>} component */
export default function ({ data }) {
  const { key, token, stops } = headOf(data), before = shared.strips.get(key)
  if (stops.length && (before?.token !== token || before.size !== data.length)) {  // without stops: it has been sent
    shared.strips.set(key, { token, scenes: scenesOf(data, stops), size: data.length })
  }
  shared.stages.get(key)?.refresh()
}
