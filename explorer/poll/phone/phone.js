// The phone's page inside an element: it joins, shows the question, tosses, sends and waits for what comes next.
// `transport` asks the room (join, report, state), each a promise of { status, body }; `memory` keeps texts by name on
// this phone: the ticket and what was sent, never an answer. `transport.written` is the request that a report becomes.
const build = (tag, properties = {}, ...inside) => {
  const { attributes = {}, ...others } = properties
  const node = Object.assign(document.createElement(tag), others)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...inside)
  return node
}

const pause = seconds => new Promise(done => setTimeout(done, 1000 * seconds))
const DAY = 24 * 3600 * 1000, SHOW = 2.2, LONGEST_PAUSE = 8

const remembered = (memory, code) => {
  const name = `ldp-room-${code}`, fresh = { until: Date.now() + DAY, ticket: "", first: {}, sent: {}, pending: null }
  let kept = fresh
  try {
    const read = JSON.parse(memory.getItem(name) ?? "null")
    if (read && read.until > Date.now()) kept = read
    for (const other of Object.keys(memory))
      if (other.startsWith("ldp-room-") && !(JSON.parse(memory.getItem(other)).until > Date.now())) memory.removeItem(other)
  } catch { /* a browser that keeps nothing for this page: then it forgets with the page */ }
  const keep = () => {
    try { memory.setItem(name, JSON.stringify(kept)) } catch { /* as above */ }
  }
  const forget = () => {
    try { memory.removeItem(name) } catch { /* as above */ }
  }
  return { kept, keep, forget }
}

const openPhone = (root, { card, words, language, transport, memory, source, calm = false, home = "" }) => {
  const { kept, keep, forget } = remembered(memory, card.code)
  const title = build("h1", { attributes: { lang: "", tabindex: "-1" } }), main = build("div", { className: "main" })
  const status = build("p", { className: "status", attributes: { role: "status" } })
  const below_ = build("div", { className: "below" })
  root.replaceChildren(title, main, status, below_)
  const say = text => { if (status.textContent !== text) status.textContent = text }
  let alive = true, busy = false, drawn = ""
  // The room's own words are in a language that nobody knows; a page is never without a heading.
  const head = (text, own = language) => {
    title.hidden = false
    if (title.textContent !== text) title.textContent = text
    title.lang = own
  }

  const written = value => {
    const { low, high, steps } = card.question
    const digits = Math.max(0, Math.min(6, Math.ceil(0.3 - Math.log10((high - low) / steps))))
    return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
  }

  const inWords = report => {
    const { kind, answers, toss, decoded } = card.question
    if (toss.kind === "sets") return report.map(answer => answers[answer]).join(kind === "yesno" ? "" : " · ")
    if (toss.kind === "bit") return report ? words.high : words.low
    return written(decoded[0] + decoded[1] * report)
  }

  const request = report => transport.written({ ticket: kept.ticket, round: card.serial, report })

  const more = (summary, ...inside) => build("details", {}, build("summary", { textContent: summary }), ...inside)

  const explained = () => {
    const { question } = card, sent = kept.sent[card.serial]
    const bytes = sent === undefined ? request(0).replace(/0}$/, "…}") : request(sent)
    const open = [...below_.querySelectorAll("details")].map(part => part.open)
    below_.replaceChildren()
    if (question) below_.append(
      more(words.exactly,
        build("p", { textContent: sent === undefined ? words.nothing : words.request }),
        build("pre", { textContent: bytes, attributes: { tabindex: "0" } })),
      more(words.why, build("p", { textContent: question.why })),
    )
    if (card.screen) below_.append(build("p", {}, build("a", { textContent: words.screen, href: home + card.screen })))
    below_.querySelectorAll("details").forEach((part, place) => { part.open = open[place] ?? false })
  }

  // Until the server has acknowledged it; what was sent twice counts once.
  const deliver = async () => {
    const { serial, report } = kept.pending
    for (let wait = 1; alive; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      say(words.sending)
      const answer = await transport.report({ ticket: kept.ticket, round: serial, report }).catch(() => ({ status: 0 }))
      const counted = answer.status === 200 || answer.body?.problem === "used"
      if (counted || answer.status === 404 || [400, 403, 405, 409, 413, 422].includes(answer.status)) {
        kept.pending = null
        kept.late = counted ? null : serial  // what has left this phone stays its report of this round, counted or not
        keep()
        draw()
        return say(counted ? words.counted : answer.body?.problem === "closed" ? words.late : answer.body?.sentence ?? "")
      }
      say(words.unsent)
      await pause(wait + whole(source) / 2 ** 53)
    }
  }

  const send = report => {
    kept.first[card.number] ??= report
    kept.sent[card.serial] = report
    kept.pending = { serial: card.serial, report }
    keep()
    return deliver()
  }

  // The bar shows all weights side by side, and the number that was drawn among them.
  const shown = async ({ at, own }) => {
    const { toss } = card.question
    const names = { sets: [words.own, words.other], bit: [words.high, words.low], piece: [words.near, words.any] }[toss.kind]
    const skip = build("button", { type: "button", className: "quiet", textContent: words.skip })
    const bar = build("div", { className: "bar", attributes: { "aria-hidden": "true" } },
      build("span", { className: "own", textContent: names[0] }), build("span", { textContent: names[1] }),
      build("i", {}))
    bar.style.setProperty("--own", own)
    bar.style.setProperty("--at", at)
    main.replaceChildren(bar, skip)
    say(words.tossing)
    await Promise.race([pause(SHOW), new Promise(done => { skip.onclick = done })])
  }

  const toss = async answer => {
    if (busy || !kept.ticket) return
    busy = true
    const made = tossed(card.question.toss, answer, source)
    if (!calm) await shown(made)
    busy = false
    const delivered = send(made.report)
    draw()
    title.focus()
    await delivered
  }

  const choices = () => {
    const { answers } = card.question
    const group = build("div", { className: answers.length > 4 ? "many" : "few", attributes: { role: "group", "aria-label": words.choose } })
    answers.forEach((text, answer) => group.append(build("button",
      { type: "button", textContent: text, onclick: () => toss(answer), attributes: { lang: "" } })))
    return [group]
  }

  const dial = () => {
    const { low, high, steps } = card.question
    const at = step => written(low + (high - low) * step / steps)
    const input = build("input", { type: "range", min: 0, max: steps, value: Math.floor(steps / 2), id: "number" })
    const output = build("output", { attributes: { for: "number" } })
    const tell = () => {
      output.textContent = at(input.valueAsNumber)
      input.setAttribute("aria-valuetext", output.textContent)
    }
    input.oninput = tell
    tell()
    return [
      build("label", { textContent: words.number, htmlFor: "number" }), output, input,
      build("div", { className: "ends", attributes: { "aria-hidden": "true" } },
        build("span", { textContent: at(0) }), build("span", { textContent: at(steps) })),
      build("button", { type: "button", textContent: words.toss, onclick: () => toss(input.valueAsNumber) }),
    ]
  }

  const result = () => [
    ...(card.round > 1 && card.question.kept && kept.first[card.number] !== undefined
      ? [build("p", { textContent: card.question.again })] : []),
    build("p", { className: "label", textContent: words.sent }),
    build("p", { className: "sent", textContent: inWords(kept.sent[card.serial]), attributes: { lang: "" } }),
    build("p", { textContent: words.stays }),
    build("p", { className: "label", textContent: card.stage === "closed" ? `${words.closed} ${words.next}` : words.next }),
  ]

  const question = () => [
    build("p", { className: "before", textContent: card.question.before }),
    ...(card.round > 1 && !card.question.kept ? [build("p", { textContent: card.question.again })] : []),
    ...(card.question.kind === "number" ? dial() : choices()),
  ]

  const parts = () => {
    if (!card.question) return []
    if (kept.sent[card.serial] !== undefined) return result()
    if (card.stage === "closed") return [build("p", { textContent: `${words.closed} ${words.next}` })]
    return question()
  }

  // What stands is left alone, so that neither the focus nor a half-turned dial is lost.
  const draw = () => {
    if (busy || !kept.ticket) return
    const state = JSON.stringify([card.serial, card.stage, card.round, kept.sent[card.serial] ?? null])
    card.question ? head(card.question.text, "") : head(words.waiting)
    if (state !== drawn) main.replaceChildren(...parts())
    drawn = state
    explained()
  }

  const repeat = () => {
    const first = kept.first[card.number]
    const sent = kept.sent[card.serial], late = sent !== undefined && kept.late === card.serial
    const due = late || (card.question.kept && first !== undefined && sent === undefined)
    if (card.stage === "open" && due && !kept.pending) return send(sent ?? first)
  }

  const entered = async pin => {
    for (let wait = 1; alive; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      say(words.joining)
      const slow = setTimeout(() => say(words.queue), 2000)
      const answer = await transport.join({ pin }).catch(() => ({ status: 0 }))
      clearTimeout(slow)
      if (answer.status === 200) return answer.body.ticket
      if ([403, 404].includes(answer.status) || answer.body?.problem === "full") { say(answer.body?.sentence ?? ""); return "" }
      say(answer.body?.sentence ?? words.lost)
      await pause(wait + whole(source) / 2 ** 53)
    }
  }

  const pinned = () => new Promise(done => {
    const input = build("input", { id: "pin", inputMode: "numeric", autocomplete: "off", maxLength: 12, required: true })
    const form = build("form", { onsubmit: event => { event.preventDefault(); done(input.value) } },
      build("label", { textContent: words.pin, htmlFor: "pin" }), input,
      build("button", { type: "submit", textContent: words.join }))
    head(words.join)
    main.replaceChildren(form)
    input.focus()
  })

  const ended = () => {
    alive = false
    forget()
    head(words.gone)
    below_.replaceChildren()
    main.replaceChildren()
    say("")
  }

  const follow = async () => {
    for (let wait = 1; alive;) {
      const answer = await transport.state(card.version).catch(() => ({ status: 0 }))
      if (answer.status === 404) return ended()
      if (answer.status !== 200) {
        if (!busy && !kept.pending) say(words.lost)
        await pause(wait + whole(source) / 2 ** 53)
        wait = Math.min(2 * wait, LONGEST_PAUSE)
        continue
      }
      if (status.textContent === words.lost) say("")
      wait = 1
      if (answer.body.version === card.version) continue
      while (busy) await pause(0.2)
      if (answer.body.serial !== card.serial) say("")
      card = answer.body
      draw()
      await repeat()
    }
  }

  const live = async () => {
    title.hidden = true
    while (alive && !kept.ticket) {
      kept.ticket = await entered(card.pin ? await pinned() : "") || ""
      if (!kept.ticket && !card.pin) return
    }
    keep()
    say("")
    draw()
    if (kept.pending) deliver().then(repeat)
    else if (card.question) repeat()
    await follow()
  }
  live()
  return () => { alive = false }
}

// The same in a browser as it is: with what it remembers and how it wants things to move. One that cannot toss says so.
const mountPhone = (root, given) => {
  if (!window.crypto?.getRandomValues) { root.textContent = given.words.old; return }
  let memory = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
  try { memory = window.localStorage ?? memory } catch { /* a browser that keeps nothing for this page */ }
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
  openPhone(root, { ...given, memory, source: crypto, calm })
}
