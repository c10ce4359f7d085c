// The states that a file holds: a view's head, and its scenes at every stop, in the colors of light and of dark paper.
const COLOR = /#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b|rgba?\([^)]*\)/g

/**
 * A state from its lines: the head, and for each stop words, figure, unusual colors and the texts below.
 * @param {string} text
 * @returns {TravelState}
 */
export const stateOf = text => {
  const [head, ...lines] = text.split("\n"), scenes = []
  for (let place = 0; place < lines.length; place += 4) {
    const [words, figure, colors, below] = lines.slice(place, place + 4)
    scenes.push({ texts: /** @type {EncodedScene} */ ([words, figure]), unusual: JSON.parse(colors), below: JSON.parse(below) })
  }
  return { head: JSON.parse(head), scenes }
}

/**
 * A scene on dark paper: each color gives way to its usual one, or to the one that is told for its place.
 * @param {TravelScene} scene
 * @param {Record<string, string>} colors
 * @returns {EncodedScene}
 */
export const darkened = ({ texts, unusual }, colors) => {
  /** @type {Map<number, string>} */
  const told = new Map()
  for (let place = 0; place < unusual.length; place += 2) told.set(Number(unusual[place]), String(unusual[place + 1]))
  let place = -1
  const dark = texts.map(text => text.replace(COLOR, color => told.get(++place) ?? colors[color] ?? color))
  return /** @type {EncodedScene} */ (dark)
}
