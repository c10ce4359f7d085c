// A strip comes in a message of its own, after the scene that stands.
import { missed, takeIn } from "./strips.js"

/** @param {Component<Uint8Array>} component */
export default function ({ data, setTriggerValue }) {
  takeIn(data)
  if (missed(data)) setTriggerValue("late", true)
}
