import { deepStrictEqual } from "node:assert/strict"
import { mock, test } from "node:test"

const app = { state: "notRunning", getAttribute: () => app.state }
const marks = new Set()
const documentElement = {
  setAttribute: (/** @type {string} */ name) => marks.add(name),
  removeAttribute: (/** @type {string} */ name) => marks.delete(name),
}
const window = /** @type {Record<string, unknown>} */ ({ DecompressionStream })
Object.assign(globalThis, { window, document: { documentElement, querySelector: () => app } })
mock.timers.enable({ apis: ["setTimeout"] })
const { ask } = await import("../../explorer/ui/stage/strips.js")

/** @type {string[]} */
const told = []
/**
 * @param {string} key
 * @param {number} late
 * @param {boolean} stands
 */
const asked = (key, late, stands = true) => {
  const sent = new TextEncoder().encode(JSON.stringify({ key, late, token: "t", stops: [] }) + "\n")
  ask(sent, () => {
    if (stands) told.push(`${key} ${late}`)
    return stands
  })
}
/** @param {number} times */
const looks = times => { for (let done = 0; done < times; done++) mock.timers.tick(50) }
const taken = () => told.splice(0)

test("a late strip is asked for once, and once more where it is late again", () => {
  for (const [key, late] of /** @type {[string, number][]} */ ([["a", 1.5], ["a", 1.5], ["b", 1.5]])) asked(key, late)
  looks(4)
  asked("a", 2.5)
  looks(4)
  deepStrictEqual(taken(), ["a 1.5", "b 1.5", "a 2.5"])
})

test("nothing is asked for before the app has rested, nor what another one has replaced", () => {
  app.state = "running"
  asked("d", 1)
  looks(20)
  deepStrictEqual([taken(), marks.size], [[], 1])
  app.state = "notRunning"
  looks(3)
  asked("d", 2)
  looks(1)
  deepStrictEqual([taken(), marks.size], [[], 1])
  looks(4)
  deepStrictEqual([taken(), marks.size], [["d 2"], 0])
})

test("a strip that has gone from the page asks no more, and the one in its place does", () => {
  asked("e", 1, false)
  looks(4)
  asked("e", 1)
  looks(4)
  deepStrictEqual([taken(), marks.size], [["e 1"], 0])
})

test("a strip that was sent before is not asked for, and no browser asks for what it cannot unpack", () => {
  asked("c", 0)
  delete window.DecompressionStream
  asked("c", 1)
  looks(9)
  deepStrictEqual(taken(), [])
})
