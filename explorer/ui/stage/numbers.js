// The numbers of a figure as a table, for where Plotly cannot draw them.
import { build } from "./nodes.js"
import { unpack } from "./packed.js"

const MOST_ROWS = 400

/**
 * @param {unknown} values
 * @returns {any[]}
 */
const column = values => [...unpack(values) ?? []]

/** @param {unknown} text */
const plain = text => {
  const spaced = String(text ?? "").replace(/<br>/g, " ")
  return new DOMParser().parseFromString(spaced, "text/html").body.textContent ?? ""
}

/** @param {unknown} value */
const cellText = value => typeof value === "number" ? String(Number(value.toPrecision(6))) : plain(value)

/**
 * The rows of a trace under its name: what stands across, what stands up, and of a map of colors its value.
 * @param {Trace} trace
 * @param {string} name
 * @returns {unknown[][]}
 */
export const rowsOf = (trace, name) => {
  const x = column(trace.x), y = column(trace.y)
  if (trace.z) {
    const lines = column(trace.z).map(column)
    return lines.flatMap((line, down) => line.map((z, across) => [name, x[across] ?? across, y[down] ?? down, z]))
  }
  return Array.from({ length: Math.max(x.length, y.length) }, (_, place) => [name, x[place], y[place]])
}

/**
 * The table of a figure's numbers, called `label`.
 * @param {Figure} figure
 * @param {string} label
 */
export const numbers = ({ data, layout }, label) => {
  const traces = data.filter(trace => trace.meta !== "decoration")
  const rows = traces.flatMap(trace => rowsOf(trace, plain(trace.name))).slice(0, MOST_ROWS)
  const wide = Math.max(3, ...rows.map(row => row.length))
  const heads = ["", layout.xaxis?.title?.text ?? "x", layout.yaxis?.title?.text ?? "y", ""].slice(0, wide)
  const table = build("table", { label })
  table.createTHead().insertRow().append(...heads.map(head => build("th", { scope: "col", textContent: plain(head) })))
  const body = table.createTBody()
  for (const row of rows) body.insertRow().append(...row.map(cell => build("td", { textContent: cellText(cell) })))
  return table
}
