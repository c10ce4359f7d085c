// From where to where the axes of a figure go, where the reader has asked for something else than the figure says.
export const AXIS = /^[xy]axis\d*$/

/**
 * @param {Layout} layout
 * @param {string} path
 * @param {number[]} range
 */
export const withRange = (layout, path, range) => {
  const steps = path.replace(/\.range$/, "").split("."), axis = steps.splice(-1)[0]
  const place = steps.reduce((inside, step) => inside[step] ??= {}, layout)
  place[axis] = { ...place[axis], range, autorange: false }
}

/**
 * Adapts the axes to the present level: as the figure says, or as what is drawn asks for.
 * @param {Layout} layout
 */
export const fit = layout => {
  const ranges = layout.meta?.fit
  if (ranges) for (const path in ranges) withRange(layout, path, ranges[path])
  else for (const name of Object.keys(layout)) {
    if (!AXIS.test(name) || layout[name].fixedrange) continue
    layout[name] = { ...layout[name], autorange: true }
    delete layout[name].range
  }
}
