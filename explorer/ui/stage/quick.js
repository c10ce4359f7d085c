// Where two figures differ only in their traces, the traces are drawn anew by Plotly's own code, the legend where it shows
// what differs, and axes and titles stand as they are: a tenth to a third of the work of drawing all. Any other change is
// Plotly's own.
import { unpack } from "./packed.js"
import { led } from "./points.js"

// It leans on parts of Plotly that are nobody's promise. Another version is drawn whole, slowly and never wrongly, until
// every view has been compared with it (tests/browser/test_walks.py) and its name stands here.
export const TESTED = "4.1.1"

const KINDS = new Set(["scatter", "bar", "heatmap"])
const SCALES = new Set(["linear", "log"])
const NESTED = new Set(["marker", "line", "error_x", "error_y"])
const LISTS = new Set(["x", "y", "base", "width", "customdata", "text", "marker.size", "error_x.array", "error_x.arrayminus",
  "error_y.array", "error_y.arrayminus"])
const SINGLE = new Set(["hovertemplate", "error_x.value", "error_y.value"])
/** @type {Difference} */
const WHOLE = { path: "", one: undefined, other: null }  // of a trace that was not there
const IN_LEGEND = new Set(["name", "line.color", "line.width", "marker.symbol", "marker.color"])

/**
 * What of a figure is not its traces, as text; what "Fit" would show is not on screen.
 * @param {Layout} layout
 */
export const surroundings = layout => JSON.stringify(layout, (name, value) => name === "template" || name === "fit" ? undefined : value)

/**
 * The paths at which two traces differ, with what stands there before and now.
 * @param {Trace} before
 * @param {Trace} now
 * @param {string} within
 * @returns {Difference[]}
 */
export const differences = (before, now, within = "") => [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap(name => {
  const [one, other, path] = [before[name], now[name], within + name]
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  return NESTED.has(path) && one && other ? differences(one, other, `${path}.`) : [{ path, one, other }]
})

/** @param {any} value */
const list = value => Array.isArray(value) || value?.bdata !== undefined

/** @param {Trace} full */
const whiskered = full => full.error_x?.visible || full.error_y?.visible

/**
 * Whether Plotly derives nothing else from what differs: a legend's entry, another color.
 * @param {Trace} full
 * @param {Difference} difference
 * @returns {boolean}
 */
export const alone = (full, { path, one, other }) => {
  if (one === undefined || other === undefined) return false
  if (SINGLE.has(path)) return !list(one) && !list(other)
  if (path === "line.color" && (full.mode !== "lines" || full.fill !== "none")) return false
  if (path === "marker.color" && (full.mode?.includes("lines") || whiskered(full))) return false
  if (IN_LEGEND.has(path)) {
    return !full.showlegend || list(one) && list(other) && unpack(one)[0] === unpack(other)[0]  // it shows the first
  }
  if (path === "marker.size" && full.showlegend) return false  // and the mean of all sizes
  return LISTS.has(path) && list(one) && list(other) && unpack(one).length > 0 && unpack(other).length > 0
}

/**
 * @param {Layout} layout
 * @param {string} name
 */
const axisOf = (layout, name) => layout[`${name[0]}axis${name.slice(1)}`]

/** @param {Trace} whiskers */
const plainWhiskers = ({ visible, type, symmetric }) => !visible || type === "data" || type === "constant" && symmetric

/**
 * Whether it is a trace that is known here, on axes that hold still.
 * @param {Layout} layout
 * @param {Trace} full
 * @returns {boolean}
 */
const known = (layout, full) => KINDS.has(full.type) && full.x && full.y && ["x", "y"].every(letter => {
  const { type, autorange } = axisOf(layout, full[`${letter}axis`])
  return SCALES.has(type) && !autorange && plainWhiskers(full[`error_${letter}`] ?? {})
})

/**
 * @param {Trace} full
 * @param {string} path
 * @param {unknown} value
 */
const put = (full, path, value) => {
  const steps = path.split("."), last = steps.splice(-1)[0]
  steps.reduce((inside, step) => inside[step], full)[last] = unpack(value)
}

/**
 * @param {PlotlyPlace} figure
 * @param {Trace} full
 */
const reckoned = (figure, full) => {
  full._extremes = {}
  const points = full.visible === true && full._length !== 0 ? full._module.calc(figure, full) : [{ x: undefined, y: undefined }]
  Object.assign(points[0], { t: points[0].t ?? {}, trace: full })
  return points
}

/**
 * Writes beside each point how far the whiskers along one axis reach; Plotly does this for all traces at once.
 * @param {Trace[]} points
 * @param {string} letter
 * @param {Layout} axis
 * @param {Trace} described
 */
const whiskers = (points, letter, axis, { visible, type, value, array, arrayminus, symmetric }) => {
  if (!visible) return
  points.forEach((point, index) => {
    const at = point.i ?? index, up = type === "data" ? Number(array[at]) : Math.abs(value)
    const down = symmetric || !arrayminus ? up : Number(arrayminus[at])
    if (!Number.isFinite(axis.c2l(point[letter])) || Number.isNaN(up) && Number.isNaN(down)) return
    Object.assign(point, { [`${letter}s`]: point[letter] - (down || 0), [`${letter}h`]: point[letter] + (up || 0) })
  })
}

/**
 * What of the traces differs, and whether that changes what Plotly derives from it; nothing where a trace that is taken
 * away by the legend would come back.
 * @param {PlotlyPlace} place
 * @param {Drawn} before
 * @param {Drawn} now
 */
const changes = ({ _fullData: all, _fullLayout: layout, calcdata }, before, now) => {
  if (!calcdata || all.length !== before.data.length || all.some(({ visible }) => visible === "legendonly")) return null
  const parts = now.data.map((trace, index) => index < all.length ? differences(before.data[index], trace) : [WHOLE])
  /** @param {Trace} full */
  const plain = full => {
    const part = parts[full.index]
    return !part.length || full.visible && known(layout, full) && part.every(each => alone(full, each))
  }
  return { parts, derives: parts.length !== all.length || !all.every(plain) }
}

/**
 * Has Plotly derive all of the traces anew, and says whether they are of kinds that are known here.
 * @param {Plotly} Plotly
 * @param {PlotlyPlace} figure
 */
const derive = (Plotly, figure) => {
  Plotly.restyle(figure, {}, [])
  const { _fullData: all, _fullLayout: layout } = figure
  return all.every(full => !full.visible || known(layout, full))
}

/**
 * Does something while traces and parts of Plotly are other than they are: each of `others` holds one, a name and what it is
 * meanwhile.
 * @param {[Trace, string, unknown][]} others
 * @param {() => void} something
 */
const meanwhile = (others, something) => {
  const kept = others.map(([object, name]) => object[name])
  for (const [object, name, value] of others) object[name] = value
  try {
    something()
  } finally {
    others.forEach(([object, name], index) => { object[name] = kept[index] })
  }
}

const nothing = () => {}

/**
 * The traces of points and lines that need not be drawn, for nothing of them differs or they have been; where what lies
 * between two lines is filled, both are drawn.
 * @param {Trace[]} all
 * @param {(full: Trace) => boolean} done
 */
const still = (all, done) => {
  const lines = all.filter(({ type, visible }) => type === "scatter" && visible === true)
  return lines.filter((full, place) => done(full) && full.fill === "none" && !full.stackgroup && !lines[place + 1]?.fill.startsWith("tonext"))
}

/**
 * Has Plotly draw the traces of these kinds: those of others stand as they are, for they are drawn by nothing meanwhile. Nor
 * are those that are held: Plotly passes over what cannot be seen, once it has put it in its place.
 * @param {PlotlyPlace} figure
 * @param {Set<string>} kinds
 * @param {Trace[]} held
 */
const plot = (figure, kinds, held) => {
  const { _modules: modules, _basePlotModules: bases } = figure._fullLayout
  meanwhile(/** @type {Trace[]} */ (modules).map(module => {
    const { name, plot: own } = module
    /** @param {unknown[]} given */
    const passing = (...given) => meanwhile(held.map(full => [full, "visible", "held"]), () => own(...given))
    return [module, "plot", !kinds.has(name) ? nothing : name === "scatter" ? passing : own]
  }), () => {
    for (const base of bases) base.plot(figure)
  })
}

/** @param {Layout} layout */
const margins = ({ _pushmargin, _reservedMargin, legend }) => JSON.stringify([_pushmargin, _reservedMargin, legend?._height])

/**
 * Draws the legend anew, and says whether it takes the place that it took; the traces have their style, but for what is
 * filled, which Plotly gives a part of it only with the legend.
 * @param {Plotly} Plotly
 * @param {PlotlyPlace} figure
 */
const explained = (Plotly, figure) => {
  const place = figure.data.findIndex(({ name }) => name !== undefined), before = margins(figure._fullLayout)
  const styled = figure._fullData.every(({ fill = "none" }) => fill === "none") ? figure._fullLayout._modules : []
  meanwhile(/** @type {Trace[]} */ (styled).map(module => [module, "style", nothing]), () => {
    Plotly.restyle(figure, { name: figure.data[place]?.name }, [place])
  })
  return before === margins(figure._fullLayout)
}

/**
 * Reckons and draws what differs: the points and lines of such traces, and all bars, each of which has its place among all.
 * @param {PlotlyPlace} figure
 * @param {Difference[][]} parts
 * @param {Set<string>} kinds
 * @param {Trace[]} before
 */
const drawn = (figure, parts, kinds, before) => {
  const { _fullData: all, _fullLayout: layout, data, calcdata } = figure
  /** @param {Trace} full */
  const together = ({ visible, type }) => visible && type === "bar" && kinds.has("bar")
  const anew = all.filter(full => parts[full.index].length || together(full)), stood = [...calcdata]
  calcdata.length = all.length
  for (const full of anew) calcdata[full.index] = reckoned(figure, full)
  for (const module of layout._modules) {
    if (!kinds.has(module.name)) continue
    for (const name of layout._subplots.cartesian) module.crossTraceCalc?.(figure, layout._plots[name])
  }
  for (const full of anew) for (const letter of full.visible ? ["x", "y"] : []) {
    whiskers(calcdata[full.index], letter, axisOf(layout, full[`${letter}axis`]), full[`error_${letter}`] ?? {})
  }
  plot(figure, kinds, still(all, full => {
    const { index, xaxis, yaxis } = full, part = parts[index]
    return !part.length || index < before.length && led(layout._plots[xaxis + yaxis], full, part, [before[index], data[index]], [stood[index], calcdata[index]])
  }))
  for (const module of layout._modules) {  // lines and points have their style from where they are placed
    if (module.name !== "scatter" || all.some(whiskered)) module.style?.(figure)
  }
}

/**
 * The kinds of those traces of which something differs.
 * @param {Trace[]} all
 * @param {Difference[][]} parts
 */
const kindsOf = (all, parts) => new Set(all.filter(({ index }) => parts[index]?.length ?? true).map(({ type }) => type))

/**
 * Draws what differs in values of which Plotly derives nothing else.
 * @param {PlotlyPlace} figure
 * @param {Difference[][]} parts
 * @param {Drawn} before
 * @param {Drawn} now
 */
const valued = (figure, parts, before, now) => {
  const { _fullData: all, _fullLayout: layout } = figure
  for (const full of all.filter(({ index }) => parts[index].length)) {
    for (const { path, other } of parts[full.index]) put(full, path, other)
    figure.data[full.index] = full._input = structuredClone(now.data[full.index])
    full._length = Math.min(full.x.length, full.y.length)
  }
  drawn(figure, parts, kindsOf(all, parts), before.data)
  layout._rehover?.()
  figure.emit("plotly_afterplot")
  return true
}

/**
 * Draws what differs after Plotly has derived the traces anew, and the legend where it shows any of that; says whether that
 * was enough.
 * @param {Plotly} Plotly
 * @param {PlotlyPlace} figure
 * @param {Difference[][]} parts
 * @param {Drawn} before
 * @param {Drawn} now
 */
const derived = (Plotly, figure, parts, before, now) => {
  const listed = figure._fullData
  figure.data = now.data.map((trace, index) => parts[index].length ? structuredClone(trace) : figure.data[index])
  if (!derive(Plotly, figure)) return false
  const { _fullData: all, _fullLayout: layout } = figure
  drawn(figure, parts, kindsOf([...all, ...listed], parts), before.data)
  if ([...listed, ...all].some(({ index, showlegend }) => showlegend && (parts[index]?.length ?? true))) return explained(Plotly, figure)
  layout._rehover?.()
  figure.emit("plotly_afterplot")
  return true
}

/**
 * Redraws a figure's traces, if that is enough, and says whether it was; `before` is what stands there.
 * @param {Plotly} Plotly
 * @param {PlotlyPlace} figure
 * @param {Drawn} before
 * @param {Drawn} now
 */
export const redraw = (Plotly, figure, before, now) => {
  const apart = changes(figure, before, now)
  if (!apart) return false
  return apart.derives ? derived(Plotly, figure, apart.parts, before, now) : valued(figure, apart.parts, before, now)
}
