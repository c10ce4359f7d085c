// The stage's own symbols, each one line drawn on a field of 24 by 24: no font has to come before a button can be read.
const SVG = "http://www.w3.org/2000/svg"

const LINES = {
  done: "M5 12.5l4.5 4.5L19 7.5",
  onward: "M4 12h15.5M13 5.5l6.5 6.5l-6.5 6.5",
  open: "M7 10l5 5l5-5",
  write: "M4.5 19.5l.8-3.6L16 5.2a1.3 1.3 0 0 1 1.9 0l.9.9a1.3 1.3 0 0 1 0 1.9L8.1 18.7zM14 7.2l2.8 2.8",
  whole: "M9.5 4H4v5.5M4 4l6 6M14.5 4H20v5.5M20 4l-6 6M9.5 20H4v-5.5M4 20l6-6M14.5 20H20v-5.5M20 20l-6-6",
  fit: "M3 5v14M21 5v14M6.5 12h11M9.5 9l-3 3l3 3M14.5 9l3 3l-3 3",
  save: "M12 4v11M7 10.5l5 5l5-5M5 16v3.5h14V16",
  full: "M4 8.5V4h4.5M15.5 4H20v4.5M20 15.5V20h-4.5M8.5 20H4v-4.5",
  leave: "M9.5 4.5v5h-5M14.5 4.5v5h5M19.5 14.5h-5v5M4.5 14.5h5v5",
}

/** @typedef {keyof typeof LINES} Icon */

/**
 * A symbol by its name, as high as the type around it and in its color; nobody reads it aloud.
 * @param {Icon} name
 */
export const symbol = name => {
  const icon = document.createElementNS(SVG, "svg"), line = document.createElementNS(SVG, "path")
  icon.setAttribute("class", "ldp-symbol")
  icon.setAttribute("viewBox", "0 0 24 24")
  icon.setAttribute("aria-hidden", "true")
  line.setAttribute("d", LINES[name])
  icon.append(line)
  return icon
}
