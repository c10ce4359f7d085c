import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { meant } from "../../explorer/ui/meant.js"

/** @param {string} key */
const pressed = (key, { lecture = true, covered = false, way = false, ...held } = {}) =>
  meant({ key, ctrlKey: false, metaKey: false, altKey: false, ...held }, { lecture, covered, way })

test("a presenter's remote turns the views on every screen", () => {
  for (const lecture of [true, false]) {
    strictEqual(pressed("PageDown", { lecture }), "next")
    strictEqual(pressed("PageUp", { lecture }), "previous")
  }
})

test("letters are heard in a lecture alone, large and small", () => {
  const letters = ["h", "d", "q"], meant = ["hide", "draw", "code"]
  deepStrictEqual([...letters, ...letters.map(key => key.toUpperCase())].map(key => pressed(key)), [...meant, ...meant])
  for (const key of letters) strictEqual(pressed(key, { lecture: false }), undefined)
})

test("Escape closes the code where it is open, and is else left to the page", () => {
  strictEqual(pressed("Escape", { covered: true }), "close")
  strictEqual(pressed("Escape"), undefined)
})

test("on a way the arrows go through the views and Escape to its first page, once the code is closed", () => {
  deepStrictEqual(["ArrowRight", "ArrowLeft", "Escape"].map(key => pressed(key, { way: true })), ["view", "back", "home"])
  deepStrictEqual(["PageDown", "h"].map(key => pressed(key, { way: true })), ["next", "hide"])
  strictEqual(pressed("Escape", { way: true, covered: true }), "close")
  strictEqual(pressed("ArrowRight", { way: true, altKey: true }), undefined)
})

test("a key that is held with another is the browser's", () => {
  for (const held of ["ctrlKey", "metaKey", "altKey"]) strictEqual(pressed("PageDown", { [held]: true }), undefined)
})

test("no key is taken for the name of something else", () => {
  for (const key of ["constructor", "toString", "a", "Tab", "ArrowLeft"]) strictEqual(pressed(key), undefined)
})
