// Texts inside a picture, where no browser breaks lines.

/**
 * The lines of a text, each of at most so many letters as long as its words allow.
 * @param {string} text
 * @param {number} most
 */
export const wrapped = (text, most) => {
  const lines = [""]
  for (const word of text.split(" ")) {
    if ((lines[lines.length - 1] + word).length > most) lines.push("")
    lines.push(`${lines.pop()}${word} `)
  }
  return lines.map(line => line.trim())
}

/**
 * A text in which no line ends within a short equation, as `ε = 0.5`.
 * @param {string} text
 */
export const together = text => text.replace(/(?<=\p{L}) = (?=[\d−])/gu, "\u00a0=\u00a0")

/**
 * A text as Plotly reads it, in which nothing is markup.
 * @param {string} text
 */
export const plotted = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
