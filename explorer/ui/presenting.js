// The key of a room that is presented from here: this window remembers it, so that a page loaded anew goes on with it.
const ROOM = "ldpRoom"

/** @param {Component<{ held: string, drop: boolean }>} component */
export default function ({ data, setTriggerValue }) {
  try {
    if (data.held) sessionStorage.setItem(ROOM, data.held)
    else if (data.drop) sessionStorage.removeItem(ROOM)
    else if (sessionStorage.getItem(ROOM)) setTriggerValue("back", sessionStorage.getItem(ROOM))
  } catch { /* inside a frame of another site a browser may remember nothing */ }
}
