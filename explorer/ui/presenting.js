// The key of a room that is presented from here: this window remembers it, so that a page loaded anew goes on with it.
// A link brings it behind its #, which no browser sends to a server, and the address forgets it at once.
const ROOM = "ldpRoom", LINKED = /^#key=(.+)$/

/** @param {Component<{ held: string, drop: boolean }>} component */
export default function ({ data, setTriggerValue }) {
  const linked = LINKED.exec(location.hash)?.[1]
  if (linked) history.replaceState(history.state, "", location.pathname + location.search)
  if (linked && linked !== data.held) {
    setTriggerValue("back", linked)
    return
  }
  try {
    if (data.held) sessionStorage.setItem(ROOM, data.held)
    else if (data.drop) sessionStorage.removeItem(ROOM)
    else if (sessionStorage.getItem(ROOM)) setTriggerValue("back", sessionStorage.getItem(ROOM))
  } catch { /* inside a frame of another site a browser may remember nothing */ }
}
