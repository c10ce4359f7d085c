import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { filled, heightAfter, near, shares } from "../../explorer/ui/parts/bars.js"

test("a bar stands on one of twenty steps between nothing and full", () => {
  deepStrictEqual([-3, 0, 0.2, 0.26, 9.9, 12].map(height => near(height, 10)), [0, 0, 0, 0.5, 10, 10])
  strictEqual(near(0.0163, 0.1), 0.015)
})

test("arrows move a bar by a step, pages by four, and the ends lead to the ends", () => {
  const keys = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]
  deepStrictEqual(keys.map(key => heightAfter(key, 5, 10)), [5.5, 4.5, 7, 3, 0, 10])
  strictEqual(heightAfter("ArrowUp", 10, 10), 10)
  strictEqual(heightAfter("ArrowDown", 0, 10), 0)
  for (const key of ["ArrowLeft", "a", "constructor"]) strictEqual(heightAfter(key, 5, 10), undefined)
})

test("shares add up to a hundred, and nothing has no share in nothing", () => {
  deepStrictEqual(shares([1, 1, 2]), [25, 25, 50])
  deepStrictEqual(shares([0, 0]), [0, 0])
  ok(Math.abs(shares([1, 1, 1]).reduce((sum, share) => sum + share) - 100) < 0.2)
})

test("a sentence is filled wherever a value is named, also twice", () => {
  strictEqual(filled("@{k} bars, @{k} heights", { k: 3 }), "3 bars, 3 heights")
})
