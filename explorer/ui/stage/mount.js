// A stage comes with every answer of the server; the engine that drives it is too large for that and comes once.
export default function (component) {
  const root = component.parentElement.querySelector(".ldp-stage")
  const begin = () => (root.stage ??= new shared.Stage(root)).receive(component)
  shared.Stage ? begin() : shared.waiting.push(begin)
  return () => root.stage?.leave()
}
