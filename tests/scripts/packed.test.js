import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { test } from "node:test"
import { headOf, lines, restOf, scenesOf, unpack } from "../../explorer/ui/stage/packed.js"

/** @param {ArrayBufferView} numbers */
const packed = numbers => btoa(String.fromCharCode(...new Uint8Array(numbers.buffer)))

test("numbers come out of their bytes as they went in, in every width", () => {
  const kinds = {
    f8: new Float64Array([0.1, -1e300, NaN]), f4: new Float32Array([0.5, -2]), i4: new Int32Array([-70000, 3]),
    u4: new Uint32Array([4e9]), i2: new Int16Array([-300]), u2: new Uint16Array([60000]), i1: new Int8Array([-7]),
    u1: new Uint8Array([200]),
  }
  for (const [dtype, numbers] of Object.entries(kinds)) {
    deepStrictEqual(unpack({ dtype, bdata: packed(numbers) }), numbers, dtype)
  }
})

test("what is not packed stays what it is", () => {
  const names = ["yes", "no"]
  strictEqual(unpack(names), names)
  strictEqual(unpack(undefined), undefined)
  strictEqual(unpack(3), 3)
})

test("a strip says its stage, its token and its stops, and holds two lines for each of them, packed", async () => {
  const head = new TextEncoder().encode('{"key":"stage_shapes","token":"é","stops":[0,18]}\n')
  const scenes = ['{"answer":"ä"}', "null", '{"answer":"z"}', '{"data":[]}']
  const packing = new Blob([scenes.join("\n")]).stream().pipeThrough(new CompressionStream("gzip"))
  const data = new Uint8Array([...head, ...new Uint8Array(await new Response(packing).arrayBuffer())])
  const { key, token, stops } = headOf(data)
  deepStrictEqual({ key, token, stops }, { key: "stage_shapes", token: "é", stops: [0, 18] })
  const rest = await restOf(data)
  deepStrictEqual(scenesOf(rest, stops), new Map([[0, ['{"answer":"ä"}', "null"]], [18, ['{"answer":"z"}', '{"data":[]}']]]))
  deepStrictEqual(lines(rest), scenes)
})

test("a strip without stops has been sent before", () => {
  const data = new TextEncoder().encode('{"key":"a","token":"b","stops":[]}\n')
  deepStrictEqual(headOf(data).stops, [])
})
