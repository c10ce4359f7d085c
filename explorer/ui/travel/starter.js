// The first script of a file that travels: it unpacks the others, in browsers that can.
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~"
const WORTH = new Uint8Array(128)
for (let place = 0; place < LETTERS.length; place++) WORTH[LETTERS.charCodeAt(place)] = place

/** @param {string} text four bytes in five letters each */
const bytesOf = text => {
  const short = (5 - text.length % 5) % 5, whole = text + "~".repeat(short), bytes = new DataView(new ArrayBuffer(whole.length / 5 * 4))
  for (let at = 0; at < whole.length; at += 5) {
    let sum = 0
    for (let place = at; place < at + 5; place++) sum = 85 * sum + WORTH[whole.charCodeAt(place)]
    bytes.setUint32(at / 5 * 4, sum)
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - short)
}
window.ldpUnpack = id => {
  const bytes = bytesOf(document.getElementById(id)?.textContent ?? "")
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
}
window.ldpRun = async id => {
  const script = document.createElement("script")
  script.textContent = await window.ldpUnpack(id)
  document.head.append(script)
}
if ("DecompressionStream" in window) window.ldpRun("engine")
