// Print and save without the server: the file is made here, from what the page has been sent.
const OPENED = 200  // ms that a new window takes to lay out its page
const SAVED = 60000  // ms until a file is surely written

/** @param {Component<{ html: string, name: string, print: string, save: string, blocked: string, releases: boolean }>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const leaves = () => { if (data.releases) setTriggerValue("left", data.name) }
  const [print, save] = parentElement.querySelectorAll("button"), said = parentElement.querySelector("p")
  if (!said) return
  print.textContent = data.print
  save.textContent = data.save
  said.textContent = data.blocked
  print.onclick = () => {
    const paper = window.open("", "_blank")
    said.hidden = Boolean(paper)
    if (!paper) return
    paper.document.write(data.html)
    paper.document.close()
    paper.setTimeout(() => paper.print(), OPENED)
    leaves()
  }
  save.onclick = () => {
    const href = URL.createObjectURL(new Blob([data.html], { type: "text/html" }))
    Object.assign(document.createElement("a"), { href, download: data.name }).click()
    setTimeout(() => URL.revokeObjectURL(href), SAVED)
    leaves()
  }
}
