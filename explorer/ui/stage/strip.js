// A strip comes in a message of its own, after the scene that stands.
import { ask, takeIn } from "./strips.js"

/** @param {Component<Uint8Array>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  takeIn(data)
  ask(data, () => {
    if (parentElement.isConnected) setTriggerValue("late", true)
    return parentElement.isConnected
  })
}
