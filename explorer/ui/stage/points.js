// Points that move, or that look as another did, are led there one by one: Plotly would style each of them anew.
import { unpack } from "./packed.js"

const LOOKS = new Set(["marker.symbol", "marker.size", "marker.color"])
const LED = new Set([...LOOKS, "x", "y", "text", "customdata", "hovertemplate"])
const STYLED = ["mrc", "om", "mcc", "mlcc"]  // what Plotly writes beside a point that it has styled

/** @typedef {{ point: Trace, d: string | null, style: string | null }} Look */

/**
 * A point's own value, or that of all points.
 * @param {any} values
 * @returns {(place: number) => unknown}
 */
const own = values => {
  const list = unpack(values)
  return Array.isArray(list) || ArrayBuffer.isView(list) ? place => /** @type {any} */ (list)[place] : () => list
}

/**
 * For each point of a trace, all that makes its look.
 * @param {Trace} trace
 * @param {number} length
 * @returns {string[]}
 */
export const looks = ({ marker = {} }, length) => {
  const { symbol, size, color, opacity, line = {} } = marker
  const parts = [symbol, size, color, opacity, line.color, line.width].map(own)
  return Array.from({ length }, (_, place) => parts.map(part => part(place)).join(" "))
}

/**
 * Whether a trace has nothing but points, each of which stands and looks for itself.
 * @param {Trace} full
 */
const lone = ({ type, mode, fill, ids, stackgroup, selectedpoints, marker, _needsCull }) => type === "scatter" && mode === "markers"
  && fill === "none" && !ids && !stackgroup && !selectedpoints && !_needsCull && !marker.maxdisplayed && !marker.colorscale
  && (marker.angleref ?? "up") === "up" && (marker.gradient?.type ?? "none") === "none"

/**
 * The looks that so many points have taken on, each from one that looked so before; nothing where one looks as none did.
 * @param {Trace} before
 * @param {Trace} now
 * @param {SVGElement[]} nodes
 * @param {Trace[]} stood
 * @param {number} length
 * @returns {(Look | undefined)[] | null}
 */
const taken = (before, now, nodes, stood, length) => {
  const had = looks(before, nodes.length), has = looks(now, length), known = new Map(had.map((look, place) => [look, place]))
  if (has.some(look => !known.has(look))) return null
  return has.map((look, place) => {
    if (look === had[place]) return undefined
    const from = /** @type {number} */ (known.get(look)), node = nodes[from]
    return { point: stood[from], d: node.getAttribute("d"), style: node.getAttribute("style") }
  })
}

/**
 * Leads the points of a trace to where they are now, if that is all that has changed, and says whether it was; `stood` and
 * `stand` are Plotly's points before and now.
 * @param {Layout} subplot
 * @param {Trace} full
 * @param {Difference[]} part
 * @param {[Trace, Trace]} traces
 * @param {[Trace[], Trace[]]} points
 */
export const led = ({ xaxis, yaxis, layerClipId }, full, part, [before, now], [stood, stand]) => {
  if (!lone(full) || !part.every(({ path }) => LED.has(path))) return false
  const place = stood?.[0]?.node3?.node()?.querySelector(".points")
  /** @type {SVGElement[]} */
  const nodes = [...place?.children ?? []]
  const ways = stand.map(({ x, y }) => [xaxis.c2p(x), yaxis.c2p(y)])
  if (!nodes.length || nodes.length !== stood?.length || !ways.flat().every(Number.isFinite)) return false
  if ([...stood, ...stand].some(({ data }) => (data == null) !== (stood[0].data == null))) return false
  const other = stand.length !== nodes.length || part.some(({ path }) => LOOKS.has(path))
  const turned = other ? taken(before, now, nodes, stood, stand.length) : []
  if (!turned) return false
  for (const node of nodes.splice(stand.length)) node.remove()
  while (nodes.length < stand.length) place.append(nodes[nodes.push(/** @type {SVGElement} */ (nodes[0].cloneNode())) - 1])
  place.__data__ = stand
  stand[0].node3 = stood[0].node3
  nodes.forEach((node, index) => {
    const point = stand[index], look = turned[index], was = look?.point ?? stood[index], [across, down] = ways[index], old = stood[index]
    for (const name of STYLED) if (name in was) point[name] = was[name]
    Object.assign(node, { __data__: point })
    if (look) {
      node.setAttribute("d", look.d ?? "")
      node.setAttribute("style", look.style ?? "")
    }
    if (old && point.x === old.x && point.y === old.y) return
    node.setAttribute("transform", across || down ? `translate(${across},${down})` : "")
    if (!layerClipId) return
    const inside = xaxis.isPtWithinRange(point, full.xcalendar) && yaxis.isPtWithinRange(point, full.ycalendar)
    inside ? node.removeAttribute("display") : node.setAttribute("display", "none")
  })
  return true
}
