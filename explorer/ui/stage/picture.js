// The picture: a figure that Plotly draws into a place that stays, or a drawing; painted one at a time, newest first.
const CONFIG = { displayModeBar: false, scrollZoom: false, doubleClick: false }
const PATIENCE = 10000
const MOUSE = matchMedia("(hover: hover) and (pointer: fine)")
const STILL = matchMedia("(prefers-reduced-motion: reduce)")
const AXIS = /^[xy]axis\d*$/

const withRange = (layout, path, range) => {
  const steps = path.replace(/\.range$/, "").split("."), axis = steps.pop()
  const place = steps.reduce((inside, step) => inside[step] ??= {}, layout)
  place[axis] = { ...place[axis], range, autorange: false }
}

class Picture {
  constructor(box, changed) {
    this.place = build("div", { className: "ldp-figure", role: "figure", dir: "ltr", hidden: true })
    this.drawing = build("div", { className: "ldp-drawing", role: "figure", hidden: true })
    this.told = build("div", { className: "ldp-failed", hidden: true })
    box.append(this.place, this.drawing, this.told)
    Object.assign(this, { box, changed, wanted: 0, painted: 0, figure: null, fitted: false, zoomed: {}, width: 0, height: 0 })
  }

  open({ plotly, template, labels }) {
    const before = this.template
    Object.assign(this, { template, labels })
    this.source = plotly
    if (JSON.stringify(before) !== JSON.stringify(template)) this.wanted++
  }

  // The figure as its JSON, so that the same one is known without looking into it.
  show(words, figure) {
    const drawn = figure !== "null"
    if (this.alt !== words.alt) {
      this.alt = words.alt
      for (const node of [this.place, this.drawing]) node.setAttribute("aria-label", words.alt)
    }
    if (this.place.hidden === drawn) this.place.hidden = !drawn
    this.drawing.hidden = drawn || !words.drawing
    if (!drawn) {
      this.told.hidden = true
      if (this.drawing.drawn !== words.drawing) this.drawing.innerHTML = this.drawing.drawn = words.drawing ?? ""
      this.squeeze()
    }
    if (this.figure !== figure) {
      this.figure = figure
      this.wanted++
    }
    this.draw()
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
    const needed = this.drawing.scrollHeight
    this.drawing.style.zoom = needed > this.height ? Math.max(0.6, this.height / needed) : 1
  }

  forget() {
    Object.assign(this, { zoomed: {} })
  }

  margins() {
    const { t = 100, b = 80 } = { ...this.template?.layout?.margin, ...this.described?.layout.margin }
    return this.drawn ? t + b : 0
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
    layout.template ??= this.template
    Object.assign(layout, { width: this.width, height: this.height, dragmode: MOUSE.matches ? "zoom" : false })
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

  async draw() {
    const { place } = this
    if (place.busy || !this.drawn || !this.width) return
    place.busy = true
    try {
      const Plotly = await this.library()
      this.told.hidden = true
      place.hidden = !this.drawn
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
    const { place } = this, { data, layout, frames } = this.describe()
    if (place._transitionData?._frames.length) {  // a replay would go on with the old frames
      Plotly.purge(place)
      this.listening = false
    }
    await Plotly.react(place, { data, layout, frames, config: CONFIG })
    if (this.listening) return
    this.listening = true
    place.on("plotly_relayout", change => this.zoom(change))
    place.on("plotly_doubleclick", () => { if (MOUSE.matches) this.whole() })
  }

  zoom(change) {
    const ends = Object.keys(change).filter(name => /^[xy]axis\d*\.range\[[01]\]$/.test(name))
    for (const name of new Set(ends.map(end => end.split(".")[0]))) {
      this.zoomed[name] = [change[`${name}.range[0]`], change[`${name}.range[1]`]]
    }
    if (ends.length) this.changed()
  }

  async library() {
    const loading = load(this.source)
    const clock = setTimeout(() => this.fail(), PATIENCE)
    return loading.catch(problem => {
      this.fail()
      throw problem
    }).finally(() => clearTimeout(clock))
  }

  fail() {
    if (!this.drawn) return
    this.failed = true
    this.place.hidden = true
    this.told.hidden = false
    const said = build("p", { role: "status", textContent: this.labels.plotly_failed })
    const table = build("div", { className: "ldp-numbers", tabIndex: 0, role: "region", label: this.alt })
    table.append(numbers(this.describe(), this.alt))
    this.told.replaceChildren(said, table)
  }

  leave() {
    if (this.place.isConnected || this.place.busy) return
    window.Plotly?.purge(this.place)
  }
}
