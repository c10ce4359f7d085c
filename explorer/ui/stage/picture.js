// The picture: a figure that Plotly draws into a place that stays, or a drawing; painted one at a time, newest first.
import { come, load, whenIdle } from "./loading.js"
import { build, mark, turn, write } from "./nodes.js"
import { numbers } from "./numbers.js"
import { fill, pointed } from "./pointing.js"
import { redraw, surroundings, TESTED } from "./quick.js"
import { AXIS, fit, withRange } from "./ranges.js"
import { Sketch } from "./sketch.js"
import { plotted, together, wrapped } from "./wrapping.js"

const CONFIG = { displayModeBar: false, scrollZoom: false, doubleClick: false, showTips: false }  // its tips are English
const PATIENCE = 10000
export const MOUSE = matchMedia("(hover: hover) and (pointer: fine)")
const STILL = matchMedia("(prefers-reduced-motion: reduce)")
/** @type {KeyframeAnimationOptions} */
const FALL = { duration: 350, easing: "cubic-bezier(.5, 0, 1, .7)", fill: "backwards" }
const TOUCHED = ["pointerover", "pointerdown", "keydown", "focusin"]
const APART = 14  // ms between two that fall

export class Picture {
  wanted = 0
  painted = 0
  width = 0
  height = 0
  times = 1
  headroom = 0
  fitted = false
  fresh = true
  failed = false
  listening = false
  quickly = false
  thorough = false
  awake = false
  alt = ""
  chosen = ""
  /** @type {string | null} */ figure = null
  /** @type {string | undefined} */ listed
  /** @type {Record<string, number[]>} */ zoomed = {}
  /** @type {Set<string>} */ titles = new Set()
  /** @type {Drawn | null} */ stands = null
  /** @type {Figure | undefined} */ described
  /** @type {Layout | undefined} */ heading
  /** @type {Template | null | undefined} */ template
  /** @type {number | undefined} */ bottom
  /** @type {Pick<Labels, "plotly_failed">} */ labels = { plotly_failed: "" }
  source = ""
  /** @type {(view: string, value: string) => void} */ picked = () => {}
  /** @type {(settings: Take["settings"]) => void} */ taken = () => {}

  /**
   * @param {HTMLElement} box
   * @param {() => void} changed
   */
  constructor(box, changed) {
    this.title = build("p", { className: "ldp-title", hidden: true })
    /** @type {PlotlyPlace} */
    this.place = Object.assign(build("div", { className: "ldp-figure", role: "figure", dir: "ltr", hidden: true }))
    this.drawing = build("div", { className: "ldp-drawing", role: "figure", hidden: true })
    this.failure = build("div", { className: "ldp-failed", hidden: true })
    box.append(this.title, this.place, this.drawing, this.failure)
    this.sketch = new Sketch(this.place)
    this.drawing.onclick = event => this.point(event)
    this.box = box
    this.changed = changed
  }

  /** @param {Head} head */
  open({ plotly, template, labels, chosen }) {
    Object.assign(this, { labels, chosen, source: plotly })
    if (JSON.stringify(this.template) === JSON.stringify(template)) return
    this.template = template
    this.wanted++
  }

  /**
   * Shows a figure as its JSON, so that the same one is known without looking into it, or the drawing of its words.
   * @param {WordsOfScene} words
   * @param {string} figure
   */
  show(words, figure) {
    const drawn = figure !== "null"
    this.alt = words.alt
    if (this.sketched) this.outline(figure, words.sketch ?? "")
    else if (words.sketch && !come()) this.begin(figure, words.sketch)
    turn(this.drawing, "hidden", drawn || !words.drawing)
    if (!drawn) turn(this.title, "hidden", true)
    if (!drawn) {
      fill(this.drawing, words.drawing ?? "")
      this.squeeze()
      this.changed()
    }
    if (this.figure !== figure) {
      this.figure = figure
      this.wanted++
    }
    this.uncover()
    return this.draw().finally(() => {
      for (const node of [this.place, this.drawing]) mark(node, "aria-label", this.alt)
    })
  }

  /** @param {boolean} on */
  stale(on) {
    this.box.classList.toggle("ldp-stale", on)
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} times so large are type and dots, of what they are on a desk
   */
  size(width, height, times) {
    if (this.width === width && this.height === height && this.times === times) return
    Object.assign(this, { width, height, times })
    this.wanted++
    this.squeeze()
    this.draw()
  }

  squeeze() {  // a drawing that is higher than its place is made smaller, as long as it can be read
    if (this.drawing.hidden || !this.height) return
    this.drawing.style.zoom = "1"
    const needed = this.drawing.scrollHeight + 12  // and the line that a smaller size may break
    this.drawing.style.zoom = String(needed > this.height ? Math.max(0.5, this.height / needed) : 1)
  }

  forget() {
    Object.assign(this, { zoomed: {}, bottom: undefined, fresh: true })
  }

  get drawn() {
    return Boolean(this.figure) && this.figure !== "null"
  }

  // Whether the server's drawing of each stop is the figure for good.
  get sketched() {
    return this.source === ""
  }

  get adaptable() {
    if (!this.drawn || !this.described || this.sketched) return false
    const { layout } = this.described
    return Boolean(layout.meta?.fit) || Object.keys(layout).some(name => AXIS.test(name) && !layout[name].fixedrange)
  }

  /** @param {boolean} on */
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
    const figure = /** @type {Figure} */ (JSON.parse(this.figure ?? "null")), { layout } = figure
    this.described = figure
    this.heading = layout.title
    delete layout.title
    const text = this.heading?.text
    if (text && !this.titles.has(text)) this.measure([text])
    layout.template ??= { ...this.template }  // were it the same one, Plotly would compare all the rest of the layout
    const [width, height] = [this.width, this.height - (text ? this.headroom : 0)].map(each => Math.floor(each / this.times))
    Object.assign(layout, { width, height, dragmode: MOUSE.matches ? "zoom" : false })
    const { times, place } = this, transform = times === 1 ? "" : `scale(${times})`
    Object.assign(place.style, { flex: `0 0 ${height}px`, width: `${width}px`, transform })
    if (layout.meta?.below !== undefined && this.bottom) layout.margin = { ...layout.margin, b: this.bottom }
    if (STILL.matches) delete layout.transition
    if (this.fitted) fit(layout)
    for (const name in this.zoomed) withRange(layout, name, this.zoomed[name])
    return figure
  }

  // The title stands above the figure as text, which can wrap; it is Plotly's again in a picture that is saved.
  entitle() {
    const text = this.heading?.text ?? ""
    write(this.title, together(text))
    turn(this.title, "hidden", !text || !this.drawn)  // a drawing may have come while the figure was being drawn
  }

  // Room for the longest title: what stands below must not move while titles change, nor be measured while they do.
  /** @param {string[]} figures */
  reserve(figures) {
    const before = this.headroom
    this.titles.clear()
    this.headroom = 0
    this.measure(figures.map(figure => JSON.parse(figure)?.layout.title?.text ?? ""))
    if (this.drawn && before !== this.headroom) this.again()
  }

  /** @param {string[]} titles */
  measure(titles) {
    const sizes = build("div", { className: "ldp-measured" }, ...titles.map(title => build("p", { className: "ldp-title", innerHTML: together(title) })))
    sizes.style.width = `${this.box.clientWidth}px`
    this.box.append(sizes)
    this.headroom = Math.max(this.headroom, ...[...sizes.querySelectorAll("p")].map(each => each.offsetHeight))
    sizes.remove()
    this.title.style.minHeight = `${this.headroom}px`
    for (const title of titles) this.titles.add(title)
  }

  // The figure with its title, and one line below the legend that says where it comes from. A saved picture knows no
  // font of the page, so that all of it is laid out anew in one that every screen has.
  /** @param {string} origin */
  printable(origin) {
    const { data, layout } = this.describe(), size = layout.template?.layout?.font?.size ?? 14
    const { width = 0 } = layout, lines = wrapped(origin, Math.floor(width / (0.45 * size))), room = Math.ceil(lines.length * size)
    const heading = wrapped(together(this.heading?.text ?? ""), Math.floor(width / (0.5 * (size + 3))))
    const top = (1.5 + 1.5 * heading.length) * size
    const margin = { ...layout.margin, t: top, b: (layout.margin?.b ?? 0) + room + size }
    const height = this.height / this.times + top - 3 * size + room + size
    const line = {
      text: lines.map(plotted).join("<br>"), showarrow: false, align: "left", font: { size: 0.75 * size },
      xref: "paper", yref: "paper", x: 0, xanchor: "left", y: 0, yanchor: "top", yshift: room - margin.b,
    }
    const legend = { ...layout.legend, y: (room + 4) / height }
    const font = { ...layout.font, family: "Arial, Helvetica, sans-serif" }
    const annotations = [...(layout.annotations ?? []), line]
    const title = { ...this.heading, text: heading.join("<br>") }
    return { data, layout: { ...layout, width, title, margin, height, legend, font, annotations } }
  }

  // The server's drawing stands until Plotly has drawn, which is fetched when the page has nothing else to do or somebody
  // comes near the stage.
  /**
   * @param {string} figure
   * @param {string} svg
   */
  begin(figure, svg) {
    this.sketch.know(figure, svg)
    const wake = () => {
      this.awake = true
      this.draw()
    }
    for (const name of TOUCHED) this.box.parentElement?.addEventListener(name, wake, { once: true, passive: true })
    document.fonts.ready.then(() => this.draw())
    whenIdle(wake)
  }

  // Where Plotly never comes, each stop brings its own drawing; the numbers stand where one has none.
  /**
   * @param {string} figure
   * @param {string} svg
   */
  outline(figure, svg) {
    if (!this.awake) document.fonts.ready.then(() => this.draw())
    this.awake = true
    svg ? this.sketch.know(figure, svg) : this.sketch.away()
    this.give(figure !== "null" && !svg)
  }

  async draw() {
    const { place, sketch } = this
    if (this.failed) this.tell()
    if (!this.drawn || !this.width) return
    if (this.sketched) {
      const { layout } = this.describe()
      if (sketch.stands) sketch.lay(this.figure, layout)
      this.entitle()
      return this.changed()
    }
    if (!come() && sketch.stands) {
      sketch.lay(this.figure, this.describe().layout)
      this.entitle()
      if (!this.awake) return
    }
    if (place.busy) return
    place.busy = true
    try {
      const Plotly = come() ?? await this.library()
      if (!Plotly) return
      this.give(false)
      while (this.painted !== this.wanted && place.isConnected && this.drawn) {
        this.painted = this.wanted
        await this.paint(Plotly)
      }
      if (this.painted === this.wanted && this.drawn) sketch.away()
    } finally {
      place.busy = false
      this.changed()
    }
  }

  /** @param {Plotly} Plotly */
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
    if (place._fullLayout) place._fullLayout._reservedMargin = {}  // a legend that is gone would push an axis' title away
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

  /**
   * Draws the traces alone where that is enough, and only with the Plotly that was tested: where a part of it is missing
   * all the same, all is drawn whole from then on.
   * @param {Plotly} Plotly
   * @param {Drawn | null} stands
   * @param {Drawn} drawn
   */
  hurry(Plotly, stands, drawn) {
    if (this.thorough || Plotly.version !== TESTED) return false
    if (stands?.around !== drawn.around || stands.template !== drawn.template) return false
    if (stands.replayed || drawn.replayed) return false
    try {
      return redraw(Plotly, this.place, stands, drawn)
    } catch (problem) {
      console.warn(problem)
      Plotly.purge(this.place)
      this.listening = false
      this.thorough = true
      return false
    }
  }

  // A row of a figure that says what its rows are can be opened, such a person's report; a column above a number too.
  /** @param {{ x: number, y: number } | undefined} point */
  pick(point) {
    const { rows, columns } = this.described?.layout.meta ?? {}
    const value = rows ? rows.values[Math.round(point?.y ?? NaN)] : columns?.values[Math.round(point?.x ?? NaN) - 1]
    if (value != null) this.picked((rows ?? columns).view, value)
  }

  /** @param {MouseEvent} event */
  point(event) {
    const { take, value } = pointed(event)
    if (take) this.taken(take)
    else if (value !== undefined) this.picked(this.chosen, String(value))
  }

  // Releases fall one by one when their pile is new; the handle moves them without a fall.
  fall() {
    const pile = this.fresh && !STILL.matches && !this.sketch.stands ? this.place.querySelectorAll("[class*=tracefalling] .point") : []
    this.fresh = false
    pile.forEach((point, place) => point.animate({ translate: ["0 -60rem", "0 0"] }, { ...FALL, delay: APART * place }))
  }

  // Where the figure says how much stands below its plot without the legend, the legend gets what it takes at this width.
  /** @param {number | undefined} below */
  settle(below) {
    if (below === undefined) return
    const { legend } = this.place._fullLayout, taken = below + Math.ceil(legend?._height ?? 0)
    if (Math.abs(taken - (this.bottom ?? Infinity)) < 2) return
    this.bottom = taken
    this.wanted++
  }

  /** @param {Emitted} change */
  zoom(change) {
    const ends = Object.keys(change).filter(name => /^[xy]axis\d*\.range\[[01]\]$/.test(name))
    for (const name of new Set(ends.map(end => end.split(".")[0]))) {
      this.zoomed[name] = [change[`${name}.range[0]`], change[`${name}.range[1]`]]
    }
    if (ends.length) this.changed()
  }

  async library() {
    const clock = setTimeout(() => this.give(!this.outlined), PATIENCE), Plotly = await load(this.source)
    clearTimeout(clock)
    if (!Plotly) this.give(true)
    return Plotly
  }

  // Whether the server's drawing shows what the figure would.
  get outlined() {
    return this.sketch.of === this.figure
  }

  // Whether the numbers stand in the figure's place, or below the stage where the server's drawing has it.
  /** @param {boolean} failed */
  give(failed) {
    this.failed = failed
    this.uncover()
    if (failed) this.tell()
  }

  uncover() {
    const { failed, failure, drawn, outlined, box } = this, around = outlined ? box.parentElement ?? box : box
    turn(this.place, "hidden", !drawn || failed && !outlined)
    turn(failure, "hidden", !drawn || !failed)
    if (failed && failure.parentElement !== around) around.append(failure)
    box.toggleAttribute("data-plotted", !this.place.hidden)
  }

  tell() {
    if (!this.drawn || this.figure === null || this.listed === this.figure) return
    this.listed = this.figure
    const table = build("div", { className: "ldp-numbers", tabIndex: 0, role: "region", label: this.alt })
    table.append(numbers(JSON.parse(this.figure), this.alt))
    this.failure.replaceChildren(build("p", { role: "status", textContent: this.labels.plotly_failed }), table)
  }

  leave() {
    if (this.place.isConnected || this.place.busy) return
    come()?.purge(this.place)
  }
}
