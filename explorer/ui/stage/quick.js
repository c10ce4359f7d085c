// Where two figures differ in the numbers of their traces alone, the traces are drawn anew by Plotly's own code, and
// axes, legend and labels stand as they are: a quarter of the work of drawing all. Any other change is Plotly's own.
const KINDS = new Set(["scatter", "bar"])
const SCALES = new Set(["linear", "log"])
const WHISKERS = new Set(["data", "constant"])
const NESTED = new Set(["marker", "line", "error_x", "error_y"])
const MOVING = new Set(["name", "x", "y", "base", "width", "customdata", "text", "hovertemplate", "marker.symbol", "marker.size", "marker.color",
  "error_x.array", "error_x.arrayminus", "error_y.array", "error_y.arrayminus", "error_y.value", "line.color", "line.width"])
const ALONE = new Set(["hovertemplate", "error_y.value"]), LEGEND = new Set(["name", "line.color", "line.width", "marker.symbol", "marker.color"])
const PACKED = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array }

const unfolded = value => value?.bdata === undefined ? value
  : new PACKED[value.dtype](Uint8Array.from(atob(value.bdata), each => each.charCodeAt()).buffer)

// What of a figure is not its traces, as text; what "Fit" would show is not on screen.
const surroundings = layout => JSON.stringify(layout, (name, value) => name === "template" || name === "fit" ? undefined : value)

const differences = (before, now, within = "") => [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap(name => {
  const [one, other, path] = [before[name], now[name], within + name]
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  return NESTED.has(path) && one && other ? differences(one, other, `${path}.`) : [{ path, one, other }]
})

const list = value => Array.isArray(value) || value?.bdata !== undefined

const moves = (full, { path, one, other }) => {
  if (!MOVING.has(path) || one === undefined || other === undefined) return false
  const [before, now] = [unfolded(one), unfolded(other)]
  if (ALONE.has(path)) return !list(one) && !list(other)
  if (LEGEND.has(path)) return !full.showlegend || list(one) && list(other) && before[0] === now[0]  // it shows the first
  if (path === "marker.size" && full.showlegend) return false  // and the mean of all sizes
  return list(one) && list(other) && before.length > 0 && now.length > 0
}

const axisOf = (layout, name) => layout[`${name[0]}axis${name.slice(1)}`]

const still = (layout, full) => KINDS.has(full.type) && ["x", "y"].every(letter => {
  const { type, autorange } = axisOf(layout, full[`${letter}axis`]), error = full[`error_${letter}`]
  return SCALES.has(type) && !autorange && (!error?.visible || WHISKERS.has(error.type))
})

const put = (full, path, value) => {
  const steps = path.split("."), last = steps.pop()
  steps.reduce((inside, step) => inside[step], full)[last] = unfolded(value)
}

const reckoned = (place, full) => {
  full._length = Math.min(full.x.length, full.y.length)
  full._extremes = {}
  const points = full._module.calc(place, full)
  Object.assign(points[0], { t: points[0].t ?? {}, trace: full })
  return points
}

// How far the whiskers along one axis reach, written beside each point; Plotly does this for all traces at once.
const whiskers = (points, letter, axis, { visible, type, value, array, arrayminus, symmetric }) => {
  if (!visible) return
  points.forEach((point, place) => {
    const up = type === "data" ? Number(array[point.i ?? place]) : value
    const down = symmetric || !arrayminus ? up : Number(arrayminus[point.i ?? place])
    if (![axis.c2l(point[letter]), up, down].every(Number.isFinite)) return
    Object.assign(point, { [`${letter}s`]: point[letter] - down, [`${letter}h`]: point[letter] + up })
  })
}

// What differs, trace by trace, if Plotly could draw it so; else nothing.
const movable = ({ _fullData: all, _fullLayout: layout, calcdata }, before, now) => {
  if (!calcdata || all.length !== now.data.length || before.data.length !== now.data.length) return null
  const parts = now.data.map((trace, index) => differences(before.data[index], trace))
  const fits = (full, part) => !part.length || full.visible && full.x && full.y && still(layout, full) && part.every(each => moves(full, each))
  return all.every((full, index) => full.visible !== "legendonly" && fits(full, parts[index])) ? parts : null
}

// Whether the figure in its place could be redrawn so; `before` is the one that stands there.
const redrawn = (place, before, now) => {
  const { _fullData: all, _fullLayout: layout } = place, parts = movable(place, before, now)
  if (!parts) return false
  const kinds = new Set(all.filter(({ index }) => parts[index].length).map(({ type }) => type))
  const together = ({ visible, type }) => visible && type === "bar" && kinds.has("bar")  // each bar has its place among all
  const anew = all.filter(full => parts[full.index].length || together(full))
  for (const full of all) {
    for (const { path, other } of parts[full.index]) put(full, path, other)
    place.data[full.index] = now.data[full.index]
  }
  for (const full of anew) place.calcdata[full.index] = reckoned(place, full)
  for (const module of layout._modules.filter(({ name }) => kinds.has(name))) {
    for (const name of layout._subplots.cartesian) module.crossTraceCalc?.(place, layout._plots[name])
  }
  for (const full of anew) for (const letter of ["x", "y"]) {
    whiskers(place.calcdata[full.index], letter, axisOf(layout, full[`${letter}axis`]), full[`error_${letter}`] ?? {})
  }
  for (const base of layout._basePlotModules) base.plot(place)
  const drawing = full => full.error_x?.visible || full.error_y?.visible || parts[full.index].some(({ path }) => path.startsWith("line."))
  for (const module of layout._modules) {
    if (module.name !== "scatter" || all.some(drawing)) module.style?.(place)  // points have their style from where they are placed
  }
  layout._rehover?.()
  place.emit("plotly_afterplot")
  return true
}
