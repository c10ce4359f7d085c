import { deepStrictEqual } from "node:assert/strict"
import { test } from "node:test"
import { rowsOf } from "../../explorer/ui/stage/numbers.js"
import { together, wrapped } from "../../explorer/ui/stage/wrapping.js"

test("a trace is a row for each of its points, packed or not", () => {
  deepStrictEqual(rowsOf({ x: ["yes", "no"], y: { dtype: "u1", bdata: "BQc=" } }, "reports"), [
    ["reports", "yes", 5],
    ["reports", "no", 7],
  ])
})

test("a point without a place keeps its number", () => {
  deepStrictEqual(rowsOf({ y: [1, 2] }, ""), [["", undefined, 1], ["", undefined, 2]])
})

test("a map of colors is a row for each of its fields", () => {
  deepStrictEqual(rowsOf({ x: ["a", "b"], y: ["c"], z: [[1, 2], [3, 4]] }, "m"), [
    ["m", "a", "c", 1], ["m", "b", "c", 2], ["m", "a", 1, 3], ["m", "b", 1, 4],
  ])
})

test("no line ends within a short equation", () => {
  deepStrictEqual(together("takes ε = 0.93, δ = −1 and x = y"), "takes ε\u00a0=\u00a00.93, δ\u00a0=\u00a0−1 and x = y")
  deepStrictEqual(wrapped(together("it takes ε = 0.5"), 9), ["it takes", "ε\u00a0=\u00a00.5"])
})

test("lines are as long as their words allow", () => {
  deepStrictEqual(wrapped("one two three", 8), ["one two", "three"])
  deepStrictEqual(wrapped("unbreakable", 4), ["", "unbreakable"])
  deepStrictEqual(wrapped("", 4), [""])
})
