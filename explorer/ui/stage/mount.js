// A stage comes with every answer of the server; the engine that drives it is too large for that and comes once.
import { shared } from "./shared.js"

/** @param {Component<Uint8Array>} component */
export default function (component) {
  const root = component.parentElement.querySelector(".ldp-stage")
  if (!(root instanceof HTMLElement)) return
  const begin = () => {
    if (shared.Stage) (root.stage ??= new shared.Stage(root)).receive(component)
  }
  shared.Stage ? begin() : shared.waiting.push(begin)
  return () => root.stage?.leave()
}
