// Plotly: fetched once, from wherever this app is served, unless the host has promised one of its own (`shared.plotly`).
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

/** @param {string} address */
const executed = address => new Promise((done, failed) => {
  const script = build("script", { src: address, onload: done, onerror: failed })
  // A network that asks to sign in answers with a page of its own, which is no script: that is said once, as a warning.
  const foreign = (/** @type {ErrorEvent} */ event) => { if (event.filename === address) event.preventDefault() }
  window.addEventListener("error", foreign)
  for (const end of ["load", "error"]) script.addEventListener(end, () => window.removeEventListener("error", foreign))
  document.head.append(script)
})

/** Plotly, where it has come. */
export const come = () => shared.Plotly ?? window.Plotly

/**
 * Plotly, or nothing where it cannot be had: once for the page, and again after a while where a load has failed. The
 * browser keeps the script under its own name, parsed too.
 * @param {string} path
 */
export const load = async path => {
  shared.plotly ??= fetched(path)
  const plotly = await shared.plotly
  if (plotly) shared.Plotly = plotly
  return plotly
}

/**
 * @param {string} path
 * @returns {Promise<Plotly | null>}
 */
const fetched = path => (async () => {
  for (const base of bases()) {
    if (window.Plotly) break
    await executed(String(new URL(path, base))).catch(() => null)
  }
  if (!window.Plotly) throw new Error(`${path} must be served below one of ${bases()}`)
  return window.Plotly
})().catch(problem => {
  console.warn(problem)
  setTimeout(() => { shared.plotly = null }, AGAIN)
  return null
})
