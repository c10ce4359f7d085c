// The handle: a native range input over the stops. What moves it paints at once; the server hears of it when it rests.
import { symbol } from "./icons.js"
import { build, turn } from "./nodes.js"

const REST = 400
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]

/** Who hears that the handle moves, where it rests, and what is typed in its place. */
/** @typedef {{ moved: (index: number) => void, rested: (index: number) => void, typed: (text: string) => void }} Hearers */

export class Handle {
  index = 0
  dragging = false
  /** @type {number | undefined} */ resting
  /** @type {number | undefined} */ clock
  /** @type {string | undefined} */ shape
  /** @type {string[]} */ written = []
  /** @type {string[]} */ spoken = []
  /** @type {string[]} */ notes = []

  /**
   * @param {HTMLElement} node
   * @param {Hearers} hearers
   */
  constructor(node, { moved, rested, typed }) {
    const id = `ldp-handle-${crypto.getRandomValues(new Uint32Array(1))[0]}`
    this.name = build("span", { className: "ldp-name" })
    this.level = build("b")
    this.pen = build("button", { type: "button", className: "ldp-pen" }, symbol("write"))
    this.box = build("input", { type: "text", className: "ldp-exact", inputMode: "decimal", maxLength: 24, hidden: true })
    this.note = build("span", { className: "ldp-note" })
    this.input = build("input", { type: "range", id, min: 0, step: 1, dir: "ltr" })
    this.ends = [build("span"), build("span")]
    const label = build("label", { htmlFor: id }, this.name, " ", this.level)
    node.append(
      this.note, this.input, build("div", { className: "ldp-stops", dir: "ltr" }, ...this.ends),
      build("div", { className: "ldp-which" }, label, this.box, this.pen),
    )
    this.node = node
    this.moved = moved
    this.rested = rested
    this.typed = typed
    this.listen()
    this.write()
  }

  // An exact value is typed in place of the level: Enter takes it, Escape and leaving the box do not.
  write() {
    /** @param {boolean} on */
    const open = on => {
      turn(this.box, "hidden", !on)
      turn(this.level, "hidden", on)
      turn(this.pen, "hidden", on || !this.pen.title)
    }
    this.pen.onclick = () => {
      this.box.value = this.written[this.index]
      open(true)
      this.box.select()
    }
    this.box.onblur = () => open(false)
    this.box.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== "Escape") return
      event.preventDefault()
      if (event.key === "Enter" && this.box.value.trim()) this.typed(this.box.value)
      open(false)
      this.pen.focus()
    }
  }

  listen() {
    const { input } = this
    let keyed = false, start = 0
    input.oninput = () => this.set(Number(input.value), true)
    input.onchange = () => {
      if (keyed) return this.later()
      this.dragging = false
      this.rest()
    }
    input.onkeydown = event => {
      keyed = MOVES.includes(event.key)
      if (event.key === "PageUp" || event.key === "PageDown") event.preventDefault()  // these turn the page
    }
    input.onblur = () => this.rest()
    input.onpointerdown = () => {
      keyed = false
      start = this.resting ?? this.index
      this.dragging = true
    }
    input.onpointerup = () => setTimeout(() => {
      this.dragging = false
      this.rest()
    })
    input.onpointercancel = () => {  // the finger scrolls the page: as if the handle had not been touched
      this.dragging = false
      this.set(start, true)
    }
  }

  get moving() {
    return this.dragging || this.clock !== undefined
  }

  later() {
    clearTimeout(this.clock)
    this.clock = setTimeout(() => this.rest(), REST)
  }

  rest() {
    clearTimeout(this.clock)
    this.clock = undefined
    if (this.index === this.resting) return
    this.resting = this.index
    this.rested(this.index)
  }

  /**
   * Shows a handle, or none, and says whether it is another one than before.
   * @param {HandleWords | null} described
   */
  show(described) {
    this.node.hidden = !described
    if (!described) return false
    const { name, stops, spoken, written, notes, ends, index, exact } = described
    const shape = JSON.stringify([name, stops, written, notes]), other = this.shape !== shape
    Object.assign(this, { written, spoken, notes, shape })
    this.name.textContent = name
    for (const each of [this.pen, this.box]) each.setAttribute("aria-label", exact)
    this.pen.title = exact
    this.pen.hidden = !exact
    this.input.max = String(stops.length - 1)
    this.input.disabled = stops.length < 2
    this.ends.forEach((end, place) => { end.textContent = ends[place] })
    if (other || !this.moving) {
      this.resting = index
      this.set(index, false)
    }
    return other
  }

  // Room for the longest words beside the handle, so that it does not move while they change.
  reserve() {
    if (!this.shape || !this.node.clientWidth) return
    const sizes = build("div", { className: "ldp-measured" }, ...this.written.map((text, place) => build("div", {},
      build("div", { className: "ldp-which" }, build("label", {}, this.name.textContent, " ", build("b", { textContent: text })),
        build("span", { className: "ldp-pen" }, symbol("write"))),
      build("span", { className: "ldp-note", textContent: this.notes?.[place] ?? "" }))))
    this.node.append(sizes)
    const most = Math.max(...[...sizes.children].map(each => each.getBoundingClientRect().width))
    sizes.remove()
    this.node.style.setProperty("--ldp-words", `${Math.ceil(most)}px`)
    this.hold()
  }

  // And for the highest, which is where the words are longest.
  hold() {
    const { node, level, note } = this
    /** @param {string[]} texts */
    const longest = texts => texts?.reduce((one, other) => other.length > one.length ? other : one, "")
    node.classList.remove("ldp-still")
    node.style.height = ""
    level.textContent = longest(this.written)
    note.textContent = longest(this.notes) ?? ""
    const size = parseFloat(getComputedStyle(node).fontSize)
    node.style.height = `${node.getBoundingClientRect().height / size}em`
    node.classList.add("ldp-still")
    this.say()
  }

  /**
   * @param {number} index
   * @param {boolean} tell
   */
  set(index, tell) {
    const changed = this.index !== index
    this.index = index
    if (Number(this.input.value) !== index) this.input.value = String(index)
    if (tell && changed) this.moved(index)
    else this.say()
  }

  // The words at the handle's place; while it is dragged they follow the figure, which is drawn on a page laid out once.
  say() {
    const { index } = this
    this.level.textContent = this.written[index]
    this.note.textContent = this.notes?.[index] ?? ""
    this.input.setAttribute("aria-valuetext", this.spoken[index])
    this.input.style.setProperty("--part", String(Number(this.input.max) > 0 ? index / Number(this.input.max) : 0))
  }
}
