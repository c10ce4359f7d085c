// The numbers of a figure as a table, for where Plotly cannot draw them.
const ARRAYS = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array,
  u1: Uint8Array,
}
const MOST_ROWS = 400

// Numbers as the server packs them, or whatever stands in their place.
const unpack = values => {
  if (values?.bdata === undefined) return values
  const bytes = Uint8Array.from(atob(values.bdata), letter => letter.charCodeAt(0))
  return new ARRAYS[values.dtype](bytes.buffer)
}

const column = values => [...unpack(values) ?? []]

const plain = text => new DOMParser().parseFromString(String(text ?? "").replace(/<br>/g, " "), "text/html").body.textContent

const cellText = value => typeof value === "number" ? String(Number(value.toPrecision(6))) : plain(value)

const rowsOf = trace => {
  const x = column(trace.x), y = column(trace.y), name = plain(trace.name)
  if (trace.z) {
    const lines = column(trace.z).map(column)
    return lines.flatMap((line, down) => line.map((z, across) => [name, x[across] ?? across, y[down] ?? down, z]))
  }
  return Array.from({ length: Math.max(x.length, y.length) }, (_, place) => [name, x[place], y[place]])
}

const numbers = ({ data, layout }, label) => {
  const rows = data.filter(trace => trace.meta !== "decoration").flatMap(rowsOf).slice(0, MOST_ROWS)
  const wide = Math.max(3, ...rows.map(row => row.length))
  const heads = ["", layout.xaxis?.title?.text ?? "x", layout.yaxis?.title?.text ?? "y", ""].slice(0, wide)
  const table = build("table", { label })
  table.createTHead().insertRow().append(...heads.map(head => build("th", { scope: "col", textContent: plain(head) })))
  const body = table.createTBody()
  for (const row of rows) body.insertRow().append(...row.map(cell => build("td", { textContent: cellText(cell) })))
  return table
}
