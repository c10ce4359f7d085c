// The handle: a native range input over the stops. What moves it paints at once; the server hears of it when it rests.
const REST = 400
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]

class Handle {
  constructor(node, { moved, rested }) {
    const id = `ldp-handle-${crypto.getRandomValues(new Uint32Array(1))[0]}`
    this.name = build("span", { className: "ldp-name" })
    this.level = build("b")
    this.note = build("span", { className: "ldp-note" })
    this.input = build("input", { type: "range", id, min: 0, step: 1, dir: "ltr" })
    this.ends = [build("span"), build("span")]
    node.append(
      build("label", { htmlFor: id }, this.name, " ", this.level), this.note, this.input,
      build("div", { className: "ldp-stops", dir: "ltr" }, ...this.ends),
    )
    Object.assign(this, { node, moved, rested, index: 0, dragging: false })
    this.listen()
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

  // Whether it is another handle than before.
  show(described) {
    this.node.hidden = !described
    if (!described) return false
    const { name, stops, spoken, written, notes, ends, index } = described
    const shape = JSON.stringify([name, stops, written, notes]), other = this.shape !== shape
    Object.assign(this, { written, spoken, notes, shape })
    this.name.textContent = name
    this.input.max = stops.length - 1
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
    const said = (tag, text) => build(tag, { textContent: text })
    const sizes = build("div", { className: "ldp-measured" }, ...this.written.map((text, place) => build("div", {},
      build("label", {}, this.name.textContent, " ", said("b", text)), build("br"),
      build("span", { className: "ldp-note", textContent: this.notes?.[place] ?? "" }))))
    this.node.append(sizes)
    const most = Math.max(...[...sizes.children].map(each => each.getBoundingClientRect().width))
    sizes.remove()
    this.node.style.setProperty("--ldp-words", `${Math.ceil(most)}px`)
  }

  set(index, tell) {
    const changed = this.index !== index
    this.index = index
    if (Number(this.input.value) !== index) this.input.value = index
    if (tell && changed) this.moved(index)
    else this.say()
  }

  // The words at the handle's place; while it is dragged they follow the figure, which is drawn on a page laid out once.
  say() {
    const { index } = this
    this.level.textContent = this.written[index]
    this.note.textContent = this.notes?.[index] ?? ""
    this.input.setAttribute("aria-valuetext", this.spoken[index])
    this.input.style.setProperty("--part", this.input.max > 0 ? index / this.input.max : 0)
  }
}
