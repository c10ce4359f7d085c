// The stage for a host of its own, such as a file or a notebook, which brings what Streamlit would: a place, and what it
// is told.
import { Stage } from "./stage.js"
import { takeIn } from "./strips.js"

/**
 * Shows a scene, and its strip where it comes along, in the stage inside `parentElement`, which is made where none stands.
 * Called again it shows another one there; what comes back ends the stage, once it has been taken from the page.
 * @param {Hosted} component
 */
export const mount = ({ strip, ...component }) => {
  const { parentElement } = component
  let root = /** @type {HTMLElement | null} */ (parentElement.querySelector(".ldp-stage"))
  if (!root) {
    root = document.createElement("div")
    root.className = "ldp-stage"
    parentElement.append(root)
  }
  const stage = root.stage ??= new Stage(root)
  stage.receive({ setStateValue: () => {}, setTriggerValue: () => {}, ...component })
  if (strip) takeIn(strip)
  return () => stage.leave()
}
