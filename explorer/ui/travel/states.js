// The states that a file holds: a view's head, and its scenes at every stop, in the colors of light and of dark paper.
const COLOR = /#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b|rgba?\([^)]*\)/g

/**
 * A state from its lines: the head, and for each stop words, figure, texts below, and unusual colors.
 * @param {string} text
 * @returns {TravelState}
 */
export const stateOf = text => {
  const [head, ...lines] = text.split("\n"), scenes = []
  for (let place = 0; place < lines.length; place += 4) {
    const [words, figure, below, unusual] = lines.slice(place, place + 4)
    scenes.push({ words, figure, below, unusual: JSON.parse(unusual) })
  }
  return { head: JSON.parse(head), scenes }
}

/**
 * A scene on dark paper: each color gives way to its usual one, or to the one that is told for its place.
 * @param {TravelScene} scene
 * @param {Record<string, string>} colors
 * @returns {TravelScene}
 */
export const darkened = ({ words, figure, below, unusual }, colors) => {
  /** @type {Map<number, string>} */
  const told = new Map()
  for (let place = 0; place < unusual.length; place += 2) told.set(Number(unusual[place]), String(unusual[place + 1]))
  let place = -1
  /** @param {string} text */
  const dark = text => text.replace(COLOR, color => told.get(++place) ?? colors[color] ?? color)
  return { words: dark(words), figure: dark(figure), below: dark(below), unusual: [] }
}
