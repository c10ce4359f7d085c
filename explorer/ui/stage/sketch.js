// The server's own drawing of a figure, which stands in the figure's place until Plotly has drawn there: stretched, so
// that the plot has the size and the scale that it will have, while letters, dots and lines keep theirs.
import { build, turn } from "./nodes.js"

const FONT = 14  // px, for which the server has drawn what stands around the plot
const GAP = 5, SAMPLE = 30, LINE = 1.3  // of a legend, as Plotly lays it out
const APART = 8  // px between what is written along an upright axis and its title
const POWER = /[⁰¹²³⁴-⁹⁻]/

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Plot */
/** @typedef {(at: number) => number} Way */

/**
 * How one direction of a drawing is stretched: the plot to its new ends, or what stands around it beside them.
 * @param {number} low
 * @param {number} high
 * @param {number} first
 * @param {number} last
 * @param {number} size
 * @returns {{ inside: Way, around: Way }}
 */
export const ways = (low, high, first, last, size = 1) => {
  /** @type {Way} */
  const inside = at => first + (at - low) / (high - low) * (last - first)
  /** @type {Way} */
  const around = at => at < low ? first - size * (low - at) : at > high ? last + size * (at - high) : inside(at)
  return { inside, around }
}

/** @param {number} value */
const short = value => String(Math.round(10 * value) / 10)

/**
 * A path whose places are led elsewhere; lengths along a direction (`h`, `v`) stay.
 * @param {string} path
 * @param {Way} x
 * @param {Way} y
 */
export const led = (path, x, y) => path.replace(/([MLHV])([^A-Za-z]*)/g, (_, kind, rest) => {
  const [first, second] = rest.split(",").map(Number)
  if (kind === "H") return kind + short(x(first))
  return kind === "V" ? kind + short(y(first)) : `${kind}${short(x(first))},${short(y(second))}`
})

/**
 * Where the parts of a legend stand, as Plotly puts them: in one row, or in columns as wide as the widest.
 * @param {number[]} widths
 * @param {number} most
 * @param {number} high
 * @returns {{ places: [number, number][], height: number }}
 */
export const legend = (widths, most, high) => {
  if (!widths.length) return { places: [], height: 0 }
  const row = widths.reduce((sum, each) => sum + each, 0) + (widths.length - 1) * GAP < most, widest = Math.max(...widths)
  let across = 0, down = 0
  /** @type {[number, number][]} */
  const places = widths.map(each => {
    const step = (row ? each : widest) + GAP
    if (across && step + across - GAP >= most) [across, down] = [0, down + high]
    across += step
    return [across - step, down + high / 2 + GAP]
  })
  return { places, height: Math.ceil(down + high + 2 * GAP) }
}

/**
 * Which of some texts along an axis stand: those that do not lie on the one that stands before them.
 * @param {[number, number][]} ends
 * @param {number} apart
 */
export const standing = (ends, apart) => {
  let last = -Infinity
  return ends.map(([low, high]) => {
    const stands = low > last + apart
    if (stands) last = high
    return stands
  })
}

/**
 * @param {Element} node
 * @param {Way} x
 * @param {Way} y
 */
const lead = (node, x, y) => {
  /** @param {string} name */
  const number = name => Number(node.getAttribute(name))
  /** @param {Record<string, number | string>} values */
  const put = values => Object.entries(values).forEach(([name, value]) => node.setAttribute(name, typeof value === "number" ? short(value) : value))
  const turned = node.getAttribute("transform")
  if (node.localName === "text") put({ x: x(number("x")), y: y(number("y")) })
  if (turned) {
    put({ transform: turned.replace(/([-\d.]+)([, ])([-\d.]+)\)$/, (_, across, between, down) =>
      `${short(x(Number(across)))}${between}${short(y(Number(down)))})`) })
  } else if (node.localName === "path") put({ d: led(node.getAttribute("d") ?? "", x, y) })
  else if (node.localName === "circle") put({ cx: x(number("cx")), cy: y(number("cy")) })
  else if (node.localName === "rect" || node.localName === "svg") {
    const [left, top, width, height] = ["x", "y", "width", "height"].map(number)
    const [across, down] = [x(left), y(top)], size = [x(left + width) - across, y(top + height) - down]
    put({ x: across, y: down, width: size[0], height: size[1] })
    if (node.localName === "svg") put({ viewBox: [across, down, ...size].map(short).join(" ") })
  }
}

export class Sketch {
  svg = ""
  /** @type {string | null} */ of = null
  /** @type {number[]} */ plot = []

  /** @param {HTMLElement} place */
  constructor(place) {
    this.node = build("div", { className: "ldp-sketch", hidden: true })
    place.append(this.node)
  }

  /**
   * Remembers the drawing of a figure.
   * @param {string} figure
   * @param {string} svg
   */
  know(figure, svg) {
    Object.assign(this, { of: figure, svg })
  }

  /** Whether there is a drawing, be it of another stop. */
  get stands() {
    return this.of !== null
  }

  away() {
    this.know("", "")
    this.of = null
    this.node.replaceChildren()
    turn(this.node, "hidden", true)
  }

  /**
   * Lays the drawing out as Plotly will lay out the figure that is described by `layout`.
   * @param {string | null} figure
   * @param {Layout} layout
   */
  lay(figure, layout) {
    const { node } = this, font = layout.template?.layout?.font ?? {}, size = font.size ?? FONT
    turn(node, "hidden", false)
    node.classList.toggle("ldp-other", figure !== this.of)
    node.innerHTML = this.svg
    Object.assign(node.style, { fontFamily: font.family ?? "", fontSize: `${size}px` })
    const svg = /** @type {SVGSVGElement} */ (node.firstElementChild), { width, height, margin, meta } = layout
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    const [left, right, top, bottom] = (svg.dataset.plot ?? "").split(" ").map(Number)
    const to = { left: margin.l, right: width - margin.r, top: margin.t, bottom: height - (meta?.below ?? margin.b) }
    to.left = Math.max(to.left, this.needed(svg, layout, size))
    to.bottom -= this.explain(svg, to.right - to.left, to.left, height, size)
    const x = ways(left, right, to.left, to.right, size / FONT), y = ways(top, bottom, to.top, to.bottom, size / FONT)
    for (const part of svg.querySelectorAll(".data *")) lead(part, x.inside, y.inside)
    for (const part of svg.querySelectorAll(".x *, .y *")) lead(part, x.around, y.around)
    for (const axis of svg.querySelectorAll(".x, .y")) this.name(axis, node, size)
    this.plot = [to.left, to.top, to.right, to.bottom]
  }

  // Room for the names along an upright axis, where Plotly finds it by itself.
  /**
   * @param {SVGSVGElement} svg
   * @param {Layout} layout
   * @param {number} size
   */
  needed(svg, layout, size) {
    const upright = Object.keys(layout).filter(name => name.startsWith("yaxis") && layout[name].automargin)
    if (!upright.length) return 0
    const widths = [...svg.querySelectorAll(".y .tick text")].map(each => /** @type {SVGTextElement} */ (each).getComputedTextLength())
    const lines = svg.querySelectorAll(".y .title text").length
    return Math.max(0, ...widths) + 10 + (lines ? APART + size + 1.2 * LINE * size * (lines - 1) : 0)
  }

  // What the marks mean, from the figure's lower end up; says how high that is.
  /**
   * @param {SVGSVGElement} svg
   * @param {number} most
   * @param {number} left
   * @param {number} bottom
   * @param {number} size
   */
  explain(svg, most, left, bottom, size) {
    const entries = [...svg.querySelectorAll(".entry")], high = Math.max(LINE * size, 16) + 3
    const texts = entries.map(each => /** @type {SVGTextElement} */ (each.querySelector("text")))
    const { places, height } = legend(texts.map(each => each.getComputedTextLength() + SAMPLE + 2 * GAP), most, high)
    entries.forEach((each, index) => {
      const [across, down] = places[index]
      each.setAttribute("transform", `translate(${short(left + across)},${short(bottom - height + down)})`)
    })
    return height
  }

  // What is written along an axis, as far as it has room, and beside that the axis' title.
  /**
   * @param {Element} axis
   * @param {HTMLElement} frame
   * @param {number} size
   */
  name(axis, frame, size) {
    const times = frame.getBoundingClientRect().width / frame.offsetWidth || 1
    /** @param {Element} node */
    const place = node => {  // as it is drawn, before the picture is made larger for a hall
      const { left, right, top, bottom } = node.getBoundingClientRect()
      return { left: left / times, right: right / times, top: top / times, bottom: bottom / times }
    }
    const texts = [...axis.querySelectorAll(".tick text")], lying = axis.classList.contains("x")
    for (const text of texts) text.classList.toggle("power", POWER.test(text.textContent ?? ""))
    const boxes = texts.map(place)
    const ends = boxes.map(({ left, right }) => /** @type {[number, number]} */ ([left, right]))
    const stand = lying && !texts.some(each => each.hasAttribute("transform")) ? standing(ends, size / 3) : []
    stand.forEach((stands, index) => { if (!stands) texts[index].parentElement?.remove() })
    const titles = [...axis.querySelectorAll(".title text")], places = titles.map(place)
    if (!titles.length || !boxes.length || lying && boxes[0].top < places[0].top - 8 * size) return
    const wide = LINE * 1.2 * size * (titles.length - 1) + places[0].right - places[0].left
    const edge = Math.max(Math.min(...boxes.map(each => each.left)) - APART - wide, place(frame).left)
    titles.forEach((title, index) => {
      const line = LINE * 1.2 * size * (titles.length - 1 - index), { left, top } = places[index]
      const across = lying ? 0 : edge + line - left, down = lying ? Math.max(...boxes.map(each => each.bottom)) - top : 0
      title.parentElement?.setAttribute("transform", `translate(${short(across)},${short(down)})`)
    })
  }
}
