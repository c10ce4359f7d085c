import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { enlarged } from "../../explorer/ui/stage/sizes.js"

test("in a lecture a picture grows with the smaller side of its window, and never shrinks", () => {
  const windows = [[1280, 720], [1920, 1080], [2560, 1440], [2560, 1080], [1024, 768], [640, 360]]
  deepStrictEqual(windows.map(([width, height]) => enlarged(true, false, width, height)), [1, 1.5, 2, 1.5, 1, 1])
})

test("at a desk it is as large in every window, and beside its words a little smaller", () => {
  strictEqual(enlarged(false, false, 2560, 1440), 1)
  for (const lecture of [true, false]) strictEqual(enlarged(lecture, true, 844, 390), enlarged(false, true, 667, 375))
})
