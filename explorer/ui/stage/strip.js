// The strip: the scenes at all stops, handed to the stage of the same key, whichever of the two comes first.
export default function ({ data }) {
  const end = data.indexOf(10), read = bytes => new TextDecoder().decode(bytes)
  const { key, token, stops } = JSON.parse(read(data.subarray(0, end)))
  const before = shared.strips.get(key)
  if (stops.length && (before?.token !== token || before.size !== data.length)) {  // without stops: it has been sent
    const parts = read(data.subarray(end + 1)).split("\n")
    const scenes = new Map(stops.map((stop, place) => [stop, parts.slice(2 * place, 2 * place + 2)]))
    shared.strips.set(key, { token, scenes, size: data.length })
  }
  shared.stages.get(key)?.refresh()
}
