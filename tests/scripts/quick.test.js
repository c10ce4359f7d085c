import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { alone, differences, surroundings } from "../../explorer/ui/stage/quick.js"

const line = { type: "scatter", mode: "lines", fill: "none", showlegend: true }

test("two traces differ where their values do, and inside of what is nested", () => {
  const before = { x: [1, 2], name: "a", line: { color: "red", dash: "dot" }, marker: { size: 3 } }
  const now = { x: [1, 3], name: "a", line: { color: "blue", dash: "dot" }, text: ["t"] }
  deepStrictEqual(differences(before, now), [
    { path: "x", one: [1, 2], other: [1, 3] },
    { path: "line.color", one: "red", other: "blue" },
    { path: "marker", one: { size: 3 }, other: undefined },
    { path: "text", one: undefined, other: ["t"] },
  ])
})

test("equal traces differ nowhere", () => {
  deepStrictEqual(differences({ x: [1], marker: { size: [2] } }, { x: [1], marker: { size: [2] } }), [])
})

test("numbers that are packed differ as a whole", () => {
  const one = { dtype: "u1", bdata: "AQ==" }, other = { dtype: "u1", bdata: "Ag==" }
  deepStrictEqual(differences({ y: one }, { y: other }), [{ path: "y", one, other }])
})

test("the numbers of a trace may be drawn alone, as long as there are some before and after", () => {
  ok(alone(line, { path: "y", one: [1], other: [2, 3] }))
  ok(!alone(line, { path: "y", one: [], other: [2, 3] }))
  ok(!alone(line, { path: "y", one: [1], other: [] }))
  ok(!alone(line, { path: "y", one: undefined, other: [1] }))
  ok(!alone(line, { path: "y", one: [1], other: 1 }))
})

test("what a legend shows is drawn with the legend", () => {
  ok(!alone(line, { path: "name", one: "a", other: "b" }))
  ok(alone({ ...line, showlegend: false }, { path: "name", one: "a", other: "b" }))
  ok(!alone({ ...line, mode: "markers" }, { path: "marker.size", one: [1], other: [2] }))
  const dots = { type: "scatter", mode: "markers", fill: "none", showlegend: true }
  ok(alone(dots, { path: "marker.color", one: ["red", "red"], other: ["red", "blue"] }))
  ok(!alone(dots, { path: "marker.color", one: ["red", "red"], other: ["blue", "red"] }))
})

test("a color from which Plotly derives others is Plotly's own", () => {
  const still = { ...line, showlegend: false }
  ok(alone(still, { path: "line.color", one: "red", other: "blue" }))
  ok(!alone({ ...still, fill: "tozeroy" }, { path: "line.color", one: "red", other: "blue" }))
  ok(!alone({ ...still, mode: "lines+markers" }, { path: "line.color", one: "red", other: "blue" }))
  ok(!alone({ ...still, mode: "lines+markers" }, { path: "marker.color", one: "red", other: "blue" }))
  ok(!alone({ ...still, mode: "markers", error_y: { visible: true } }, { path: "marker.color", one: "red", other: "blue" }))
})

test("whatever else differs is Plotly's own", () => {
  for (const path of ["type", "mode", "visible", "opacity", "hoverinfo", "line.dash"]) {
    ok(!alone({ ...line, showlegend: false }, { path, one: "a", other: "b" }), path)
  }
})

test("a template and what \"Fit\" would show are no surroundings, and a range is", () => {
  const layout = { xaxis: { range: [0, 1] }, meta: { fit: { xaxis: [0, 2] } }, template: { layout: {} } }
  strictEqual(surroundings(layout), surroundings({ xaxis: { range: [0, 1] }, meta: { fit: 3 } }))
  ok(surroundings(layout) !== surroundings({ ...layout, xaxis: { range: [0, 2] } }))
})
