// The phone's page inside a page of Streamlit: what would be a request is a message of this page, one after the other.
// Streamlit keeps of two messages the last, so that each waits for the answer to the one before; a lost one counts as no
// connection, and the phone's page sends it again.
const PATIENCE = 15, AT_THE_DOOR = 45 // seconds after which a message counts as lost
const OFTEN = 2.5 // seconds between two looks at the room
/** @typedef {{ status: number, body?: Record<string, any> | null }} Answer */
/** @typedef {{ asked: string, id: number, [field: string]: unknown }} Message */

/** @type {WeakMap<Element, (answer: Answer & { id: number } | null) => void>} */
const hearing = new WeakMap()

/**
 * What the server sends: the card of the room, all words, and the answer to the last message.
 * @typedef {{ card: { code: string } | null, words: Record<string, string>, language: string, heading: [string, string],
 *   answer: Answer & { id: number } | null }} Sent
 */

/** @param {Component<Sent>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".ldp-phone > div")
  if (!(place instanceof HTMLElement)) return
  const heard = hearing.get(place)
  if (heard) return heard(data.answer)
  if (!data.card) return
  const [room, code] = data.heading, bold = document.createElement("b")
  bold.translate = false
  bold.textContent = code
  place.previousElementSibling?.replaceChildren(`${room} `, bold)
  const { card, words, language } = data, messages = new Messages(message => setTriggerValue("asked", message))
  hearing.set(place, answer => messages.hear(answer))
  const transport = {
    join: (/** @type {object} */ fields) => messages.ask("join", fields, AT_THE_DOOR),
    report: (/** @type {object} */ fields) => messages.ask("report", fields),
    state: async () => {
      await new Promise(done => setTimeout(done, 1000 * OFTEN))
      return messages.ask("state", {})
    },
    written: (/** @type {object} */ fields) => `WebSocket _stcore/stream\n${JSON.stringify(fields)}`,
  }
  mountPhone(place, { card, words, language, transport, home: location.pathname.replace(/\/room\/?$/, "") })
}

/** Messages to the server, one at a time, each with its answer. */
export class Messages {
  next = 1
  /** @type {Promise<unknown>} */ last = Promise.resolve()
  /** @type {((answer: Answer & { id: number }) => void) | null} */ waiting = null

  /** @param {(message: Message) => void} send */
  constructor(send) { this.send = send }

  /**
   * The answer to a message, which is sent as soon as all before it have been answered or are lost.
   * @param {string} asked
   * @param {object} fields
   * @returns {Promise<Answer>}
   */
  ask(asked, fields, patience = PATIENCE) {
    const answer = this.last.then(() => this.sent({ asked, id: this.next++, fields }, patience))
    this.last = answer
    return answer
  }

  /**
   * @param {Message} message
   * @param {number} patience
   * @returns {Promise<Answer>}
   */
  sent(message, patience) {
    return new Promise(done => {
      const lost = setTimeout(() => this.hear({ id: message.id, status: 0 }), 1000 * patience)
      this.waiting = answer => {
        if (answer.id !== message.id) return
        clearTimeout(lost)
        this.waiting = null
        done(answer)
      }
      this.send(message)
    })
  }

  /** @param {Answer & { id: number } | null} answer */
  hear(answer) {
    if (answer) this.waiting?.(answer)
  }
}
