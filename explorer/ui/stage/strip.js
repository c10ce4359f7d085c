// The strip: the scenes at all stops, handed to the stage of the same key, whichever of the two comes first.
export default function ({ data }) {
  const shared = (window.ldpStages ??= { strips: new Map(), stages: new Map(), plotly: null })
  const [head, ...rest] = new TextDecoder().decode(data).split("\n")
  const { key, token, stops } = JSON.parse(head)
  const scenes = new Map(stops.map((stop, place) => [stop, rest.slice(2 * place, 2 * place + 2)]))
  shared.strips.set(key, { token, scenes })
  shared.stages.get(key)?.refresh()
}
