// Two rows of bars that a finger paints, or arrow keys move: painted here, told to the server when the hand rests.

/**
 * @typedef {object} Bars
 * @property {number[][]} rows
 * @property {number} top the height of a full bar
 * @property {number} least how few bars there may be
 * @property {number} most
 * @property {string[]} colors
 * @property {string} decimal
 * @property {Record<string, string> & { worlds: string[] }} words
 */
/** @typedef {{ rows: number[][], top: number, at: number[], painting: boolean, later?: number }} State */

const STEPS = 20  // in a full bar
const MANY = 4  // of them, for a page up or down
const REST = 400  // ms after which several presses are told at once
/** @type {WeakMap<Element, State>} */
const memory = new WeakMap()

/**
 * A sentence of the catalogue with its values: `@{name}` is replaced.
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
export const filled = (template, values) => template.replace(/@\{(\w+)\}/g, (_, name) => String(values[name]))

/**
 * The step that is nearest to a height, between nothing and a full bar.
 * @param {number} height
 * @param {number} top
 */
export const near = (height, top) => {
  const step = top / STEPS, inside = Math.min(Math.max(height, 0), top)
  return Number((Math.round(inside / step) * step).toPrecision(6))
}

/**
 * The height to which a key moves a bar; nothing where it moves none.
 * @param {string} key
 * @param {number} height
 * @param {number} top
 */
export const heightAfter = (key, height, top) => {
  const step = top / STEPS
  const heights = new Map([
    ["ArrowUp", height + step], ["ArrowDown", height - step], ["PageUp", height + MANY * step],
    ["PageDown", height - MANY * step], ["Home", 0], ["End", top],
  ])
  const asked = heights.get(key)
  return asked === undefined ? undefined : near(asked, top)
}

/**
 * The share of each height in their sum, in tenths of a percent; nothing has no share in nothing.
 * @param {number[]} row
 */
export const shares = row => {
  const total = row.reduce((sum, height) => sum + height, 0)
  return row.map(height => total ? Math.round(1000 * height / total) / 10 : 0)
}

/** @param {Component<[Bars]>} component */
export default function ({ data: [data], parentElement, setStateValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".ldp-bars")), { words } = data
  const state = memory.get(root) ?? { rows: [], top: data.top, painting: false, at: [0, 0] }
  memory.set(root, state)
  if (!state.painting) Object.assign(state, { rows: data.rows.map(row => [...row]), top: data.top })
  const tell = () => setStateValue("rows", state.rows)
  const paint = () => show(root, data, state)
  root.querySelectorAll(".world").forEach((world, place) => {
    const row = /** @type {HTMLElement} */ (world.querySelector(".row"))
    const name = /** @type {HTMLElement} */ (world.querySelector(".name"))
    name.textContent = words.worlds[place]
    row.setAttribute("aria-label", words.worlds[place])
    listen(row, place, state, paint, tell)
  })
  const hint = /** @type {HTMLElement} */ (root.querySelector(".hint")), [fewer, more] = root.querySelectorAll("button")
  hint.textContent = words.hint
  fewer.setAttribute("aria-label", words.fewer)
  more.setAttribute("aria-label", words.more)
  /** @param {(row: number[]) => void} change */
  const all = change => () => {
    state.rows.forEach(change)
    paint()
    tell()
  }
  fewer.onclick = all(row => row.pop())
  more.onclick = all(row => row.push(near(state.top / 4, state.top)))
  paint()
}

/**
 * @param {HTMLElement} row
 * @param {number} place
 * @param {State} state
 * @param {() => void} paint
 * @param {() => void} tell
 */
const listen = (row, place, state, paint, tell) => {
  /** @param {PointerEvent} event */
  const follow = event => {
    const box = row.getBoundingClientRect(), k = state.rows[place].length
    const bar = Math.min(Math.max(Math.floor((event.clientX - box.left) / box.width * k), 0), k - 1)
    state.at[place] = bar
    state.rows[place][bar] = near((box.bottom - event.clientY) / box.height * state.top, state.top)
    paint()
  }
  row.onpointerdown = event => {
    row.setPointerCapture(event.pointerId)
    state.painting = true
    follow(event)
  }
  row.onpointermove = event => { if (state.painting && event.buttons) follow(event) }
  const rest = () => {
    if (!state.painting) return
    state.painting = false
    tell()
  }
  row.onpointerup = row.onpointercancel = rest
  row.onkeydown = event => {
    const bar = state.at[place], height = heightAfter(event.key, state.rows[place][bar], state.top)
    const aside = new Map([["ArrowLeft", -1], ["ArrowRight", 1]]).get(event.key)
    if (aside === undefined && height === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (height !== undefined) state.rows[place][bar] = height
    else state.at[place] = Math.min(Math.max(bar + (aside ?? 0), 0), state.rows[place].length - 1)
    paint()
    const next = /** @type {HTMLElement} */ (row.children[state.at[place]])
    next.focus()
    if (height === undefined) return
    clearTimeout(state.later)
    state.painting = true
    state.later = setTimeout(rest, REST)
  }
}

/**
 * @param {HTMLElement} root
 * @param {Bars} data
 * @param {State} state
 */
const show = (root, { words, colors, decimal, least, most }, state) => {
  const k = state.rows[0].length, [fewer, more] = root.querySelectorAll("button")
  const count = /** @type {HTMLElement} */ (root.querySelector(".count"))
  /** @param {number} value */
  const written = value => String(value).replace(".", decimal)
  count.textContent = filled(words.count, { k })
  fewer.disabled = k <= least
  more.disabled = k >= most
  root.querySelectorAll(".row").forEach((row, world) => {
    while (row.childElementCount > k) row.lastElementChild?.remove()
    while (row.childElementCount < k) row.append(bar())
    state.at[world] = Math.min(state.at[world], k - 1)
    const parts = shares(state.rows[world])
    ;[...row.children].forEach((each, place) => {
      const height = state.rows[world][place], share = parts[place], node = /** @type {HTMLElement} */ (each)
      const filling = /** @type {HTMLElement} */ (node.firstElementChild)
      node.tabIndex = place === state.at[world] ? 0 : -1
      filling.style.height = `${100 * height / state.top}%`
      filling.style.background = colors[world]
      node.setAttribute("aria-valuemax", String(state.top))
      node.setAttribute("aria-valuenow", String(height))
      node.setAttribute("aria-valuetext", filled(words.value, { height: written(height), share: written(share) }))
      node.setAttribute("aria-label", filled(words.bar, { world: words.worlds[world], place: place + 1 }))
    })
  })
}

const bar = () => {
  const node = document.createElement("div")
  node.className = "bar"
  node.setAttribute("role", "slider")
  node.setAttribute("aria-orientation", "vertical")
  node.setAttribute("aria-valuemin", "0")
  node.append(document.createElement("i"))
  return node
}
