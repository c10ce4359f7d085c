// How the server packs what it sends.
const ARRAYS = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array,
  u1: Uint8Array,
}

/**
 * Numbers as the server packs them, unpacked; whatever else stands in their place is returned as it is.
 * @param {any} values
 */
export const unpack = values => {
  if (values?.bdata === undefined) return values
  const { dtype, bdata } = /** @type {Packed} */ (values)
  const bytes = Uint8Array.from(atob(bdata), letter => letter.charCodeAt(0))
  return new ARRAYS[dtype](bytes.buffer)
}

/**
 * The lines of a message: heads and scenes, in JSON without line breaks.
 * @param {Uint8Array} data
 */
export const lines = data => new TextDecoder().decode(data).split("\n")

/**
 * What a strip says of itself: its stage, its token and its stops, which stand in its first line.
 * @param {Uint8Array} data
 * @returns {StripHead}
 */
export const headOf = data => JSON.parse(new TextDecoder().decode(data.subarray(0, data.indexOf(10))))

/**
 * What stands after the head of a strip, unpacked.
 * @param {Uint8Array} data
 */
export const restOf = async data => {
  const rest = new Blob([data.slice(data.indexOf(10) + 1)]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Uint8Array(await new Response(rest).arrayBuffer())
}

/**
 * The scenes of a strip by their stops: two lines each.
 * @param {Uint8Array} rest
 * @param {number[]} stops
 * @returns {Map<number, EncodedScene>}
 */
export const scenesOf = (rest, stops) => {
  const parts = lines(rest)
  return new Map(stops.map((stop, place) => [stop, [parts[2 * place], parts[2 * place + 1]]]))
}
