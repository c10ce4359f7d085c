// The page of its own: the card stands in it, the room is asked over HTTP, and this browser keeps what must be kept.
(() => {
  const { card, words, language } = JSON.parse(document.getElementById("card").textContent)
  const root = document.getElementById("room")
  if (!card) return
  const address = `${location.pathname.replace(/\/+$/, "")}/`
  const asked = async (path, body) => {
    const options = { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" }
    if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } })
    const answer = await fetch(address + path, options)
    return { status: answer.status, body: await answer.json().catch(() => null) }
  }
  const transport = {
    join: body => asked("join", body),
    report: body => asked("report", body),
    state: since => asked(`state?since=${since}`),
  }
  let memory = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
  try { memory = window.localStorage ?? memory } catch { /* a browser that keeps nothing for this page */ }
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
  if (!window.crypto?.getRandomValues) { root.textContent = words.old; return }
  const home = address.replace(/\/room\/[^/]*\/$/, "")
  openPhone(root, { card, words, language, transport, memory, source: crypto, calm, home })
})()
