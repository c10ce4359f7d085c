// The page of its own: the card stands in it, and the room is asked over HTTP.
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
    written: body => `POST /room/${card.code}/report\n${JSON.stringify(body)}`,
  }
  mountPhone(root, { card, words, language, transport, home: address.replace(/\/room\/[^/]*\/$/, "") })
})()
