// The line that says the settings; it opens and closes them by a mark on the whole document, which outlives an answer.
const OPEN = "data-ldp-settings"

/** @param {Component<{ label: string, line: string }>} component */
export default function ({ data, parentElement }) {
  const line = parentElement.querySelector("button"), root = document.documentElement
  if (!line?.lastElementChild) return
  line.lastElementChild.textContent = data.line
  line.setAttribute("aria-label", `${data.label}: ${data.line}`)
  const mark = () => line.setAttribute("aria-expanded", String(root.hasAttribute(OPEN)))
  mark()
  line.onclick = () => {
    root.toggleAttribute(OPEN)
    mark()
    if (!root.hasAttribute(OPEN)) return
    document.querySelector(".st-key-settings")?.scrollIntoView({ block: "nearest", behavior: "smooth" })
  }
}
