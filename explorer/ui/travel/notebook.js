// A view in a cell of a notebook: the stage on the notebook's light or dark paper, and a level that its kernel shares.
import { mount } from "../stage/host.js"
import { build } from "../stage/nodes.js"
import { shared } from "../stage/shared.js"
import { darkened, stateOf } from "./states.js"

const KEYS = /** @type {const} */ (["keydown", "keyup", "keypress"])
const SETTLED = 300  // ms in which a notebook fetches the styles of another theme
const DARK = matchMedia("(prefers-color-scheme: dark)")
const NAMED = /^rgba?\((.*)\)$/

/**
 * What was packed, as text.
 * @param {DataView} packed
 */
const unpacked = packed => {
  const bytes = new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength)
  return new Response(new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
}

/**
 * Plotly from its script, run as a module of its own: it neither meets what loads the page's other scripts, nor takes the
 * place of a Plotly that the notebook has already.
 * @param {DataView} packed
 * @returns {Promise<Plotly | null>}
 */
const plotlyOf = async packed => {
  const text = await unpacked(packed), before = window.Plotly
  const parts = ["const module = { exports: {} };\n", text, "\nexport default module.exports\n"]
  const address = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }))
  try {
    return shared.Plotly = (await import(address)).default
  } catch (problem) {
    console.warn(problem)
    return null
  } finally {
    URL.revokeObjectURL(address)
    before ? window.Plotly = before : delete window.Plotly
  }
}

/**
 * Whether a place is dark: by the nearest paper below it, or as the whole system is.
 * @param {Element | null} place
 */
const dark = place => {
  for (let here = place; here; here = here.parentElement ?? hostOf(here)) {
    const [red, green, blue, solid = 1] = NAMED.exec(getComputedStyle(here).backgroundColor)?.[1].split(/[ ,/]+/).map(Number) ?? [0, 0, 0, 0]
    if (solid > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128
  }
  return DARK.matches
}

/** @param {Element} node */
const hostOf = node => {
  const root = node.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

class NotebookCell {
  key = `cell-${crypto.getRandomValues(new Uint32Array(1))[0]}`
  dark = false
  index = 0
  /** @type {TravelState | undefined} */ state
  leave = () => {}

  /**
   * @param {NotebookModel} model
   * @param {HTMLElement} place
   */
  constructor(model, place) {
    this.model = model
    this.place = place
    this.frame = build("div")
    this.settings = build("p", { className: "ldp-cell-note" })
    const question = model.get("question")
    this.root = build("div", { className: "ldp-cell", lang: model.get("language"), role: "group", label: question },
      build("p", { className: "ldp-cell-question", textContent: question }), this.frame, this.settings,
      build("p", { className: "ldp-cell-note", textContent: model.get("origin") }))
    this.root.setAttribute("data-lm-suppress-shortcuts", "true")  // JupyterLab hears keys before anybody inside
    for (const name of KEYS) this.root.addEventListener(name, event => event.stopPropagation())
    this.follows = () => this.follow()
    this.repaints = () => {
      this.repaint()
      setTimeout(() => this.repaint(), SETTLED)
    }
    this.observer = new MutationObserver(this.repaints)
  }

  async begin() {
    const { model, place } = this, packed = model.get("plotly")
    if (packed.byteLength) await (shared.plotly ??= plotlyOf(packed))
    this.state = stateOf(await unpacked(model.get("state")))
    this.dark = dark(place)
    this.index = this.stop
    place.append(this.root)
    this.root.dir = this.state.head.direction
    this.settings.textContent = this.state.head.settings
    this.paint()
    model.on("change:level", this.follows)
    DARK.addEventListener("change", this.repaints)
    for (const node of [document.documentElement, document.body]) this.observer.observe(node, { attributes: true })
  }

  end() {
    this.model.off("change:level", this.follows)
    DARK.removeEventListener("change", this.repaints)
    this.observer.disconnect()
    this.root.remove()
    this.leave()
  }

  /** The place of the model's level among the stops. */
  get stop() {
    return Math.max(0, this.state?.head.handle?.stops.indexOf(this.model.get("level")) ?? 0)
  }

  follow() {
    if (this.index === this.stop) return
    this.index = this.stop
    this.paint()
  }

  repaint() {
    if (this.dark === dark(this.place)) return
    this.dark = !this.dark
    this.paint()
  }

  paint() {
    const { state, key, index } = this
    if (!state) return
    const { head, scenes } = state, { handle } = head, token = `${key} ${this.dark}`
    const painted = scenes.map(scene => this.dark ? darkened(scene, head.colors) : scene)
    /** @type {EncodedScene[]} */
    const encoded = painted.map(({ words, figure }) => [words, figure])
    this.root.toggleAttribute("data-dark", this.dark)
    shared.strips.set(key, { token, scenes: new Map(encoded.entries()), size: 1 })
    const sent = {
      ...head, key, token, heard: Date.now(), plotly: this.model.get("plotly").byteLength ? "here" : "",
      template: this.dark ? head.dark : head.template, handle: handle && { ...handle, index },
    }
    const data = new TextEncoder().encode([JSON.stringify(sent), ...encoded[index]].join("\n"))
    this.leave = mount({ data, parentElement: this.frame, setStateValue: (_, value) => this.rest(value) })
  }

  /** @param {unknown} value */
  rest(value) {
    const { level } = /** @type {{ level: number }} */ (value)
    this.index = this.state?.head.handle?.stops.indexOf(level) ?? 0
    this.model.set("level", level)
    this.model.save_changes()
  }
}

/**
 * Shows a widget's view; what comes back takes it away.
 * @param {{ model: NotebookModel, el: HTMLElement }} widget
 */
export const render = async ({ model, el }) => {
  const cell = new NotebookCell(model, el)
  await cell.begin()
  return () => cell.end()
}
