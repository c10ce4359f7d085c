// Keys that a button of the stage declares for itself.

/**
 * Presses the button in sight within a place that a key is declared for, and says whether there is one.
 * @param {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean }} event
 * @param {ParentNode} within
 */
export const press = ({ key, ctrlKey, metaKey, altKey }, within) => {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return false
  const buttons = [...within.querySelectorAll("button[aria-keyshortcuts]")]
  const button = buttons.find(each => each.getAttribute("aria-keyshortcuts") === key.toUpperCase() && each.checkVisibility())
  button?.dispatchEvent(new MouseEvent("click", { bubbles: true }))
  return Boolean(button)
}
