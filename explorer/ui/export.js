// A button that copies a link, and says for a while that it did.
const SAID = 2000  // ms

/** @param {Component<{ link: string, copy: string, copied: string }>} component */
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button")
  if (!button) return
  button.textContent = data.copy
  button.onclick = async () => {
    await navigator.clipboard.writeText(data.link)
    button.textContent = data.copied
    setTimeout(() => { button.textContent = data.copy }, SAID)
  }
}
