import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { led, legend, standing, ways } from "../../explorer/ui/stage/sketch.js"

test("the plot is stretched to its ends, and what stands around it stays as far from it as it was", () => {
  const { inside, around } = ways(80, 480, 60, 860)
  deepStrictEqual([80, 280, 480, 0].map(inside), [60, 460, 860, -100])
  deepStrictEqual([80, 280, 480, 0, 500].map(around), [60, 460, 860, -20, 880])
  strictEqual(ways(80, 480, 60, 860, 1.5).around(70), 45)
})

test("places of a path are led elsewhere and its lengths stay", () => {
  const double = at => 2 * at, up = at => at - 1
  strictEqual(led("M1.5,2L-3,4Z", double, up), "M3,1L-6,3Z")
  strictEqual(led("M10,20v5M1,2H7V9h-4", double, up), "M20,19v5M2,1H14V8h-4")
})

test("a legend stands in one row where it has room, else in columns as wide as the widest", () => {
  deepStrictEqual(legend([], 300, 21), { places: [], height: 0 })
  deepStrictEqual(legend([100, 50], 300, 21.2), { places: [[0, 15.6], [105, 15.6]], height: 32 })
  const { places, height } = legend([100, 50, 60], 215, 21.2)
  deepStrictEqual([places.map(([across]) => across), height], [[0, 105, 0], 53])
  deepStrictEqual(legend([400], 300, 20).places, [[0, 15]])
})

test("of texts that would lie on each other every one stands that has room", () => {
  deepStrictEqual(standing([[0, 10], [8, 18], [14, 24], [20, 30]], 3), [true, false, true, false])
})
