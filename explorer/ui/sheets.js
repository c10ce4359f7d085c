// Print and save without the server: the file is made here, from what the page has been sent.
export default function ({ data, parentElement }) {
  const [print, save] = parentElement.querySelectorAll("button"), said = parentElement.querySelector("p")
  print.textContent = data.print
  save.textContent = data.save
  said.textContent = data.blocked
  print.onclick = () => {
    const paper = window.open("", "_blank")
    said.hidden = Boolean(paper)
    if (!paper) return
    paper.document.write(data.html)
    paper.document.close()
    paper.setTimeout(() => paper.print(), 200)
  }
  save.onclick = () => {
    const href = URL.createObjectURL(new Blob([data.html], { type: "text/html" }))
    Object.assign(document.createElement("a"), { href, download: data.name }).click()
    setTimeout(() => URL.revokeObjectURL(href), 60000)
  }
}
