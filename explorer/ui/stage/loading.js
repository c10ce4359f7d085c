const build = (tag, properties = {}, ...inside) => {
  const { role, label, ...others } = properties
  const node = Object.assign(document.createElement(tag), others)
  if (role) node.setAttribute("role", role)
  if (label) node.setAttribute("aria-label", label)
  node.append(...inside)
  return node
}

// What is written again as it stands would be laid out again, under the finger.
const write = (node, html) => {
  if (node.written !== html) node.innerHTML = node.written = html
}

const turn = (node, property, value) => {
  if (node[property] !== value) node[property] = value
}

const mark = (node, attribute, value) => {
  if (node.getAttribute(attribute) !== String(value)) node.setAttribute(attribute, value)
}

const symbol = name => {
  const node = build("span", { textContent: name, translate: false, className: "ldp-symbol" })  // its font draws it
  node.setAttribute("aria-hidden", "true")
  return node
}

// The app's own address: its scripts lie below it, also where a link leads deep into it or a proxy has moved it.
const bases = () => {
  const script = document.querySelector('script[src*="static/js/"]')?.src
  const addresses = [script && new URL("../../", script), new URL("./", location.href), new URL("/", location.href)]
  return [...new Set(addresses.filter(Boolean).map(String))]
}

const fetched = async path => {
  for (const base of bases()) {
    // The name carries the version: whatever the browser has kept under it is right, however old.
    const answer = await fetch(new URL(path, base), { cache: "force-cache" }).catch(() => null)
    if (answer?.ok && !/html/.test(answer.headers.get("content-type"))) return answer
  }
  throw new Error(`${path} must be served below one of ${bases()}`)
}

const AGAIN = 30000

const executed = code => new Promise((done, failed) => {
  const script = build("script", { src: URL.createObjectURL(code), onload: done, onerror: failed })
  document.head.append(script)
})

const unpacked = async answer => {
  const bytes = await answer.arrayBuffer(), [first, second] = new Uint8Array(bytes)
  if (first !== 0x1f || second !== 0x8b) return bytes  // plain, or a proxy has had it unpacked on the way
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob()
}

// Once for the page; a load that failed may be tried again after a while.
const load = ({ packed, plain }) => shared.plotly ??= (async () => {
  if (!window.Plotly) {
    const answer = await fetched(window.DecompressionStream ? packed : plain)
    await executed(new Blob([await unpacked(answer)], { type: "text/javascript" }))
  }
  return window.Plotly
})().catch(problem => {
  console.warn(problem)
  setTimeout(() => { shared.plotly = null }, AGAIN)
  return null
})
