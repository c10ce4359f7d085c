// Plotly's script, fetched once, from wherever this app is served.
import { build } from "./nodes.js"
import { shared } from "./shared.js"

const IDLE = 2000  // ms after which a page that is never idle counts as such
const AGAIN = 30000  // ms after which a load that failed may be tried again

/**
 * Calls when the browser has nothing to do; never where the reader has asked it to save data.
 * @param {() => void} then
 */
export const whenIdle = then => {
  if (navigator.connection?.saveData) return
  "requestIdleCallback" in window ? requestIdleCallback(then, { timeout: IDLE }) : setTimeout(then, IDLE)
}

// The app's own address: its scripts lie below it, also where a link leads deep into it or a proxy has moved it.
const bases = () => {
  const script = /** @type {HTMLScriptElement | null} */ (document.querySelector('script[src*="static/js/"]'))?.src
  const addresses = [script && new URL("../../", script), new URL("./", location.href), new URL("/", location.href)]
  return [...new Set(addresses.filter(Boolean).map(String))]
}

/** @param {string} path */
const fetched = async path => {
  for (const base of bases()) {
    // The name carries the version: whatever the browser has kept under it is right, however old.
    const answer = await fetch(new URL(path, base), { cache: "force-cache" }).catch(() => null)
    if (answer?.ok && !/html/.test(answer.headers.get("content-type") ?? "")) return answer
  }
  throw new Error(`${path} must be served below one of ${bases()}`)
}

/** @param {Blob} code */
const executed = code => new Promise((done, failed) => {
  const script = build("script", { src: URL.createObjectURL(code), onload: done, onerror: failed })
  document.head.append(script)
})

/** @param {Response} answer */
const unpacked = async answer => {
  const bytes = await answer.arrayBuffer(), [first, second] = new Uint8Array(bytes)
  if (first !== 0x1f || second !== 0x8b) return bytes  // plain, or a proxy has had it unpacked on the way
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob()
}

/**
 * Plotly, or nothing where it cannot be had: once for the page, and again after a while where a load has failed.
 * @param {Sources} sources
 */
export const load = ({ packed, plain }) => shared.plotly ??= (async () => {
  if (!window.Plotly) {
    const answer = await fetched("DecompressionStream" in window ? packed : plain)
    await executed(new Blob([await unpacked(answer)], { type: "text/javascript" }))
  }
  return window.Plotly ?? null
})().catch(problem => {
  console.warn(problem)
  setTimeout(() => { shared.plotly = null }, AGAIN)
  return null
})
