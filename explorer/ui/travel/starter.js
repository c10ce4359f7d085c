// The first script of a file that travels: it unpacks the others, in browsers that can.
window.ldpUnpack = id => {
  const text = document.getElementById(id)?.textContent ?? ""
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
}
window.ldpRun = async id => {
  const script = document.createElement("script")
  script.textContent = await window.ldpUnpack(id)
  document.head.append(script)
}
if ("DecompressionStream" in window) window.ldpRun("engine")
