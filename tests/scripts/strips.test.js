import { strictEqual } from "node:assert/strict"
import { test } from "node:test"

const window = /** @type {Record<string, unknown>} */ ({ DecompressionStream })
Object.assign(globalThis, { window })
const { missed } = await import("../../explorer/ui/stage/strips.js")

/**
 * @param {string} key
 * @param {number} late
 */
const sent = (key, late) => new TextEncoder().encode(JSON.stringify({ key, late, token: "t", stops: [] }) + "\n")

test("a late strip is asked for once, and once more where it is late again", () => {
  strictEqual(missed(sent("a", 1.5)), true)
  strictEqual(missed(sent("a", 1.5)), false)
  strictEqual(missed(sent("b", 1.5)), true)
  strictEqual(missed(sent("a", 2.5)), true)
})

test("a strip that was sent before is not asked for, and no browser asks for what it cannot unpack", () => {
  strictEqual(missed(sent("c", 0)), false)
  delete window.DecompressionStream
  strictEqual(missed(sent("c", 1)), false)
})
