// The picture: a figure that Plotly draws into a place that stays, or a drawing; painted one at a time, newest first.
const CONFIG = { displayModeBar: false, scrollZoom: false, doubleClick: false }
const PATIENCE = 10000
const MOUSE = matchMedia("(hover: hover) and (pointer: fine)")
const STILL = matchMedia("(prefers-reduced-motion: reduce)")
const AXIS = /^[xy]axis\d*$/
const FALL = { duration: 350, easing: "cubic-bezier(.5, 0, 1, .7)", fill: "backwards" }
const APART = 14  // ms between two that fall

const withRange = (layout, path, range) => {
  const steps = path.replace(/\.range$/, "").split("."), axis = steps.pop()
  const place = steps.reduce((inside, step) => inside[step] ??= {}, layout)
  place[axis] = { ...place[axis], range, autorange: false }
}

const wrapped = (text, most) => {
  const lines = [""]
  for (const word of text.split(" ")) {
    if ((lines.at(-1) + word).length > most) lines.push("")
    lines.push(`${lines.pop()}${word} `)
  }
  return lines.map(line => line.trim())
}

const plotted = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

class Picture {
  constructor(box, changed) {
    this.title = build("p", { className: "ldp-title", hidden: true })
    this.place = build("div", { className: "ldp-figure", role: "figure", dir: "ltr", hidden: true })
    this.drawing = build("div", { className: "ldp-drawing", role: "figure", hidden: true })
    this.failure = build("div", { className: "ldp-failed", hidden: true })
    box.append(this.title, this.place, this.drawing, this.failure)
    Object.assign(this, { box, changed, wanted: 0, painted: 0, figure: null, fitted: false, zoomed: {}, width: 0, height: 0, titles: new Set(), fresh: true })
  }

  open({ plotly, template, labels }) {
    Object.assign(this, { labels, source: plotly })
    if (JSON.stringify(this.template) === JSON.stringify(template)) return
    this.template = template
    this.wanted++
  }

  // The figure as its JSON, so that the same one is known without looking into it.
  show(words, figure) {
    const drawn = figure !== "null"
    this.alt = words.alt
    turn(this.place, "hidden", !drawn || Boolean(this.failed))
    turn(this.failure, "hidden", !drawn || !this.failed)
    turn(this.drawing, "hidden", drawn || !words.drawing)
    this.box.toggleAttribute("data-plotted", !this.place.hidden)
    if (!drawn) turn(this.title, "hidden", true)
    if (!drawn) {
      if (this.drawing.drawn !== words.drawing) this.drawing.innerHTML = this.drawing.drawn = words.drawing ?? ""
      this.squeeze()
      this.changed()
    }
    if (this.figure !== figure) {
      this.figure = figure
      this.wanted++
    }
    return this.draw().finally(() => {
      for (const node of [this.place, this.drawing]) mark(node, "aria-label", this.alt)
    })
  }

  stale(on) {
    this.box.classList.toggle("ldp-stale", on)
  }

  size(width, height) {
    if (this.width === width && this.height === height) return
    Object.assign(this, { width, height })
    this.wanted++
    this.squeeze()
    this.draw()
  }

  squeeze() {  // a drawing that is higher than its place is made smaller, as long as it can be read
    if (this.drawing.hidden || !this.height) return
    this.drawing.style.zoom = 1
    const needed = this.drawing.scrollHeight + 12  // and the line that a smaller size may break
    this.drawing.style.zoom = needed > this.height ? Math.max(0.5, this.height / needed) : 1
  }

  forget() {
    Object.assign(this, { zoomed: {}, bottom: undefined, fresh: true })
  }

  get drawn() {
    return Boolean(this.figure) && this.figure !== "null"
  }

  get adaptable() {
    if (!this.drawn || !this.described) return false
    const { layout } = this.described
    return Boolean(layout.meta?.fit) || Object.keys(layout).some(name => AXIS.test(name) && !layout[name].fixedrange)
  }

  fit(on) {
    this.fitted = on
    this.zoomed = {}
    this.again()
  }

  whole() {
    this.zoomed = {}
    this.again()
  }

  again() {
    this.wanted++
    this.draw()
    this.changed()
  }

  describe() {
    const figure = this.described = JSON.parse(this.figure), { layout } = figure
    this.heading = layout.title
    delete layout.title
    const text = this.heading?.text
    if (text && !this.titles.has(text)) this.measure([text])
    layout.template ??= { ...this.template }  // were it the same one, Plotly would compare all the rest of the layout
    const high = text ? this.headroom : 0
    Object.assign(layout, { width: this.width, height: this.height - high, dragmode: MOUSE.matches ? "zoom" : false })
    if (layout.meta?.below !== undefined && this.bottom) layout.margin = { ...layout.margin, b: this.bottom }
    if (STILL.matches) delete layout.transition
    if (this.fitted) {
      const ranges = layout.meta?.fit
      if (ranges) for (const path in ranges) withRange(layout, path, ranges[path])
      else for (const name of Object.keys(layout)) {
        if (AXIS.test(name) && !layout[name].fixedrange) {
          layout[name] = { ...layout[name], autorange: true }
          delete layout[name].range
        }
      }
    }
    for (const name in this.zoomed) withRange(layout, name, this.zoomed[name])
    return figure
  }

  // The title stands above the figure as text, which can wrap; it is Plotly's again in a picture that is saved.
  entitle() {
    const text = this.heading?.text ?? ""
    write(this.title, text)
    turn(this.title, "hidden", !text || !this.drawn)  // a drawing may have come while the figure was being drawn
  }

  // Room for the longest title: what stands below must not move while titles change, nor be measured while they do.
  reserve(figures) {
    const before = this.headroom
    this.titles.clear()
    this.headroom = 0
    this.measure(figures.map(figure => JSON.parse(figure)?.layout.title?.text ?? ""))
    if (this.drawn && before !== this.headroom) this.again()
  }

  measure(titles) {
    const sizes = build("div", { className: "ldp-measured" }, ...titles.map(innerHTML => build("p", { className: "ldp-title", innerHTML })))
    sizes.style.width = `${this.box.clientWidth}px`
    this.box.append(sizes)
    this.headroom = Math.max(this.headroom ?? 0, ...[...sizes.children].map(each => each.offsetHeight))
    sizes.remove()
    this.title.style.minHeight = `${this.headroom}px`
    for (const title of titles) this.titles.add(title)
  }

  // The figure with its title, and one line below the legend that says where it comes from. A saved picture knows no
  // font of the page, so that all of it is laid out anew in one that every screen has.
  printable(origin) {
    const { data, layout } = this.describe(), size = layout.template?.layout?.font?.size ?? 14
    const lines = wrapped(origin, Math.floor(this.width / (0.45 * size))), room = Math.ceil(lines.length * size)
    const heading = wrapped(this.heading?.text ?? "", Math.floor(this.width / (0.5 * (size + 3))))
    const top = (1.5 + 1.5 * heading.length) * size
    const margin = { ...layout.margin, t: top, b: (layout.margin?.b ?? 0) + room + size }
    const height = this.height + top - 3 * size + room + size
    const line = {
      text: lines.map(plotted).join("<br>"), showarrow: false, align: "left", font: { size: 0.75 * size },
      xref: "paper", yref: "paper", x: 0, xanchor: "left", y: 0, yanchor: "top", yshift: room - margin.b,
    }
    const legend = { ...layout.legend, y: (room + 4) / height }
    const font = { ...layout.font, family: "Arial, Helvetica, sans-serif" }
    const annotations = [...(layout.annotations ?? []), line]
    const title = { ...this.heading, text: heading.join("<br>") }
    return { data, layout: { ...layout, title, margin, height, legend, font, annotations } }
  }

  async draw() {
    const { place } = this
    if (this.failed) this.tell()
    if (place.busy || !this.drawn || !this.width) return
    place.busy = true
    try {
      const Plotly = window.Plotly ?? await this.library()
      if (!Plotly) return
      this.give(false)
      while (this.painted !== this.wanted && place.isConnected && this.drawn) {
        this.painted = this.wanted
        await this.paint(Plotly)
      }
    } finally {
      place.busy = false
      this.changed()
    }
  }

  async paint(Plotly) {
    const { place, stands } = this, { data, layout, frames } = this.describe()
    const drawn = { data, replayed: Boolean(frames?.length), around: surroundings(layout), template: this.template }
    this.stands = null
    this.quickly = !this.fresh && this.hurry(Plotly, stands, drawn)
    if (this.quickly) {
      this.stands = drawn
      return this.entitle()
    }
    if (place._transitionData?._frames.length) {  // a replay would go on with the old frames
      Plotly.purge(place)
      this.listening = false
    }
    if (this.fresh && place._fullLayout) place._fullLayout._reservedMargin = {}  // a legend that is gone would push an axis' title away
    await Plotly.react(place, { data: structuredClone(data), layout, frames, config: CONFIG })  // it writes into what it gets
    this.stands = drawn
    this.entitle()
    this.settle(layout.meta?.below)
    this.fall()
    if (this.listening) return
    this.listening = true
    place.on("plotly_relayout", change => this.zoom(change))
    place.on("plotly_click", event => this.pick(event.points?.[0]))
    place.on("plotly_doubleclick", () => { if (MOUSE.matches) this.whole() })
  }

  // Draws the traces alone where that is enough. It leans on parts of Plotly that are nobody's promise: where one is
  // missing, all is drawn whole from then on.
  hurry(Plotly, stands, drawn) {
    const same = stands?.around === drawn.around && stands.template === drawn.template
    if (this.thorough || !same || stands.replayed || drawn.replayed) return false
    try {
      return redraw(this.place, stands, drawn)
    } catch (problem) {
      console.warn(problem)
      Plotly.purge(this.place)
      this.listening = false
      this.thorough = true
      return false
    }
  }

  // A row of a figure that says what its rows are can be opened: one such person's report, for instance.
  pick(point) {
    const rows = this.described?.layout.meta?.rows, value = rows?.values[Math.round(point?.y)]
    if (value != null) this.picked?.(rows.view, value)
  }

  // Releases fall one by one when their pile is new; the handle moves them without a fall.
  fall() {
    const pile = this.fresh && !STILL.matches ? this.place.querySelectorAll("[class*=tracefalling] .point") : []
    this.fresh = false
    pile.forEach((point, place) => point.animate({ translate: ["0 -60rem", "0 0"] }, { ...FALL, delay: APART * place }))
  }

  // Where the figure says how much stands below its plot without the legend, the legend gets what it takes at this width.
  settle(below) {
    if (below === undefined) return
    const { legend } = this.place._fullLayout, taken = below + Math.ceil(legend?._height ?? 0)
    if (Math.abs(taken - (this.bottom ?? Infinity)) < 2) return
    this.bottom = taken
    this.wanted++
  }

  zoom(change) {
    const ends = Object.keys(change).filter(name => /^[xy]axis\d*\.range\[[01]\]$/.test(name))
    for (const name of new Set(ends.map(end => end.split(".")[0]))) {
      this.zoomed[name] = [change[`${name}.range[0]`], change[`${name}.range[1]`]]
    }
    if (ends.length) this.changed()
  }

  async library() {
    const clock = setTimeout(() => this.give(true), PATIENCE), Plotly = await load(this.source)
    clearTimeout(clock)
    if (!Plotly) this.give(true)
    return Plotly
  }

  // Whether the numbers stand in the figure's place.
  give(failed) {
    this.failed = failed
    turn(this.place, "hidden", failed || !this.drawn)
    turn(this.failure, "hidden", !failed || !this.drawn)
    this.box.toggleAttribute("data-plotted", !this.place.hidden)
    if (failed) this.tell()
  }

  tell() {
    if (!this.drawn || this.listed === this.figure) return
    this.listed = this.figure
    const table = build("div", { className: "ldp-numbers", tabIndex: 0, role: "region", label: this.alt })
    table.append(numbers(JSON.parse(this.figure), this.alt))
    this.failure.replaceChildren(build("p", { role: "status", textContent: this.labels.plotly_failed }), table)
  }

  leave() {
    if (this.place.isConnected || this.place.busy) return
    window.Plotly?.purge(this.place)
  }
}
