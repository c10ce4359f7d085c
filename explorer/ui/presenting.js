// The key of a room that is presented from here: this window remembers it, so that a page loaded anew goes on with it.
// A link brings it behind its #, which no browser sends to a server, and the address forgets it at once. This browser
// also tries whether rooms have an address of their own: some hosts show nothing but Streamlit's pages.
const ROOM = "ldpRoom", LINKED = /^#key=(.+)$/

/** @param {Component<{ held: string, drop: boolean, tried: string }>} component */
export default function ({ data, setTriggerValue }) {
  const linked = LINKED.exec(location.hash)?.[1]
  if (linked) history.replaceState(history.state, "", location.pathname + location.search)
  if (linked && linked !== data.held) {
    setTriggerValue("back", linked)
    return
  }
  if (data.tried) answers(data.tried).then(found => { if (found !== null) setTriggerValue("reached", found) })
  try {
    if (data.held) sessionStorage.setItem(ROOM, data.held)
    else if (data.drop) sessionStorage.removeItem(ROOM)
    else if (sessionStorage.getItem(ROOM)) setTriggerValue("back", sessionStorage.getItem(ROOM))
  } catch { /* inside a frame of another site a browser may remember nothing */ }
}

/**
 * Whether a room answers at an address in its own words; nothing where this browser may not ask there, or nobody answers.
 * @param {string} address
 */
const answers = async address => {
  if (new URL(address).origin !== location.origin) return null
  try {
    const answer = await fetch(address, { cache: "no-store", credentials: "omit" })
    return (answer.headers.get("Content-Type") ?? "").startsWith("application/json")
  } catch { return null }
}
