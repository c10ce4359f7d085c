// A strip comes in a message of its own, after the scene that stands.
import { takeIn } from "./strips.js"

/** @param {Component<Uint8Array>} component */
export default function ({ data }) {
  takeIn(data)
}
