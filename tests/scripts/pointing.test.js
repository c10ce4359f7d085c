import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { between } from "../../explorer/ui/stage/pointing.js"

test("what is pointed at is a round number between the two ends", () => {
  deepStrictEqual([0, 0.5, 2 / 3, 1].map(share => between(-2.5, 3.5, share)), [-2.5, 0.5, 1.5, 3.5])
  strictEqual(between(-2.5, 3.5, 0.341), -0.5)
  strictEqual(between(0, 1, 0.1234), 0.12)
})

test("nothing beyond an end is pointed at", () => {
  deepStrictEqual([-0.2, 1.7].map(share => between(-2.5, 3.5, share)), [-2.5, 3.5])
})
