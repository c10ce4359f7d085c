// A file that travels: its steps, told by the keys of the app, with the stage that the app has and no server.
import { meant, TURNS, TYPED } from "../meant.js"
import { mount } from "../stage/host.js"
import { build, turn } from "../stage/nodes.js"
import { numbers } from "../stage/numbers.js"
import { shared } from "../stage/shared.js"
import { darkened, stateOf } from "./states.js"
import { completed } from "./scored.js"

const KEY = "file"
const CONTROLS = "input, select, [role=radio], [role=menuitemradio], summary"

class TravelFile {
  place = 0
  edition = 0
  usual = 0  // of the reader's browser
  dark = matchMedia("(prefers-color-scheme: dark)").matches
  large = false
  hidden = false
  /** @type {number[]} the chosen version of each step */ versions = []
  /** @type {Map<string, number>} the handle's place, by step and version */ stood = new Map()
  /** @type {Map<string, Promise<TravelState>>} */ states = new Map()
  /** @type {Window | null} */ speaker = null
  /** @type {TravelState | undefined} */ state
  /** @type {TravelScene[]} its scenes, in the colors of the paper */ scenes = []

  /**
   * @param {HTMLElement} root
   * @param {Travelling} said
   */
  constructor(root, said) {
    this.root = root
    this.said = said
    this.question = build("h1")
    this.bar = build("nav")
    this.task = build("p", { className: "task" })
    this.stage = build("div", { className: "ldp-stage" })
    this.frame = build("div", { className: "frame" }, this.stage)
    this.settings = build("p", { className: "settings" })
    this.below = build("div", { className: "below" })
    this.foot = build("footer")
    this.parts = ["numbers", "why", "tasks"].map(name => build("details", { name: "below" }, build("summary"), build("div", { className: name })))
    for (const part of this.parts) part.ontoggle = () => this.tellBelow()
    this.below.append(...this.parts)
    root.replaceChildren(this.bar, this.question, this.task, this.frame, this.settings, this.below, this.foot)
    document.addEventListener("keydown", event => this.pressed(event), true)
    addEventListener("hashchange", () => this.arrive())
    addEventListener("message", ({ data, source }) => this.hear(data, source))
    matchMedia("(prefers-color-scheme: dark)").onchange = ({ matches }) => this.paper(matches)
  }

  get told() {
    return this.said.editions[this.edition]
  }

  get step() {
    return this.told.steps[this.place]
  }

  get version() {
    return this.step.versions[this.versions[this.place] ?? 0]
  }

  /** Which of the two states is shown: the one asked for, or the only one. */
  get shows() {
    return this.version.states[this.hidden ? "hidden" : "shown"] ? this.hidden : !this.hidden
  }

  // The address says the step, by its name or its number, where the handle stands, and the language that was chosen.
  arrive() {
    const asked = new URLSearchParams(location.hash.slice(1)), name = [...asked.keys()].find(key => !asked.get(key)) ?? ""
    const { steps } = this.told, named = steps.findIndex(step => step.name === name), counted = Number(name) - 1
    const spoken = this.said.editions.findIndex(({ language }) => language === asked.get("lang"))
    if (spoken >= 0) this.edition = spoken
    const place = named >= 0 ? named : steps[counted] ? counted : 0
    const moved = place !== this.place
    this.place = place
    if (moved || !this.state) this.hidden = steps[place].predict
    if (asked.get("hide")) this.hidden = asked.get("hide") === "true"
    const level = Number(asked.get("level"))
    this.show(level > 0 ? level : undefined)
  }

  /** @param {number} [level] */
  async show(level) {
    const { version, step, said, told } = this, id = version.states[this.shows ? "hidden" : "shown"]
    document.documentElement.toggleAttribute("data-dark", this.dark)
    document.documentElement.toggleAttribute("data-large", this.large)
    Object.assign(document.documentElement, { lang: told.language, dir: told.direction })
    this.draw()
    const state = await this.load(id)
    if (this.version.states[this.shows ? "hidden" : "shown"] !== id) return  // turned meanwhile
    this.state = state
    this.redraw(this.settings, [state.head.settings, ...this.chooser()])
    const { head, scenes } = state, { handle } = head, spot = `${step.name} ${this.versions[this.place] ?? 0}`
    const nearest = level && handle ? near(handle.stops, level) : undefined
    const index = nearest ?? this.stood.get(spot) ?? handle?.index ?? 0
    const token = `${id} ${this.dark} ${told.language}`
    this.scenes = scenes.map(scene => this.dark ? darkened(scene, head.colors) : scene)
    /** @type {EncodedScene[]} */
    const encoded = this.scenes.map(({ words, figure }) => [words, figure])
    shared.strips.set(KEY, { token, scenes: new Map(encoded.entries()), size: 1 })
    const sent = {
      ...head, key: KEY, token, heard: Date.now(), plotly: said.drawn ? "" : "here", lecture: this.large,
      template: this.dark ? head.dark : head.template, handle: handle && { ...handle, index },
    }
    const data = new TextEncoder().encode([JSON.stringify(sent), ...encoded[index]].join("\n"))
    this.spot = spot
    this.index = index
    mount({ data, parentElement: this.frame, setStateValue: (_, value) => this.rest(value) })
    this.stage.stage?.refresh()
    this.stage.stage?.fit()
    this.tellBelow()
    this.tellSpeaker()
    this.ahead()
    if (this.place === told.steps.length - 1 && said.scored) completed()
  }

  /** @param {unknown} value */
  rest(value) {
    const { level } = /** @type {{ level: number }} */ (value), stops = this.state?.head.handle?.stops ?? []
    this.index = stops.indexOf(level)
    if (this.spot) this.stood.set(this.spot, this.index)
    this.write()
    this.tellBelow()
  }

  write() {
    const { step } = this, level = this.state?.head.handle?.stops[this.index ?? 0]
    const parts = [this.told.steps.length > 1 ? step.name : "", level === undefined ? "" : `level=${level}`, this.shows === step.predict ? "" : `hide=${this.shows}`,
      this.edition === this.usual ? "" : `lang=${this.told.language}`]
    history.replaceState(null, "", `#${parts.filter(Boolean).join("&")}`)
  }

  /** @param {string} id */
  load(id) {
    const known = this.states.get(id) ?? window.ldpUnpack(id).then(stateOf)
    this.states.set(id, known)
    return known
  }

  // The next state is unpacked while the room looks at this one.
  ahead() {
    const next = this.told.steps[this.place + 1]?.versions[0].states
    for (const id of Object.values({ ...next, ...this.version.states })) setTimeout(() => this.load(id), 300)
  }

  draw() {
    const { told, step, version } = this, { labels } = told, hidden = this.shows
    turn(document, "title", told.steps.length > 1 ? `${step.title} · ${told.title}` : step.question)
    turn(this.question, "textContent", step.question)
    const task = step.task[hidden || !step.task[1] ? 0 : 1]
    turn(this.task, "textContent", [step.remark, task].filter(Boolean).join(" "))
    turn(this.task, "hidden", !this.task.textContent)
    const more = this.parts.map(part => part.querySelector("summary"))
    ;["numbers", "why", "tasks"].forEach((name, place) => { if (more[place]) more[place].textContent = labels[name] })
    const link = /^https?:/.test(version.link) ? [" · ", build("a", { href: version.link, textContent: labels.link, rel: "noreferrer" })] : []
    this.foot.replaceChildren(version.source, ...link)
    this.bar.setAttribute("aria-label", labels.steps)
    this.redraw(this.bar, this.buttons())
  }

  /**
   * Puts new controls in the place of old ones; the one that has the focus keeps it.
   * @param {HTMLElement} place
   * @param {(Node | string)[]} parts
   */
  redraw(place, parts) {
    const name = place.contains(document.activeElement) ? nameOf(document.activeElement) : ""
    place.replaceChildren(...parts)
    const again = name && [...place.querySelectorAll("button, select")].find(each => nameOf(each) === name)
    if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }

  buttons() {
    const { told, said, version, place } = this, { labels, steps } = told
    /**
     * @param {string} name
     * @param {() => void} act
     * @param {{ key?: string, on?: boolean, off?: boolean }} [state]
     */
    const button = (name, act, { key, on, off } = {}) => {
      const made = build("button", { type: "button", textContent: labels[name], onclick: act, disabled: Boolean(off), title: key ? `${labels[name]} (${key})` : labels[name], value: name })
      if (on !== undefined) made.setAttribute("aria-pressed", String(on))
      return made
    }
    const made = []
    if (steps.length > 1) {
      const list = build("select", { label: labels.steps, name: "steps", onchange: () => this.go(list.selectedIndex) })
      list.append(...steps.map(({ title }, at) => build("option", { textContent: `${at + 1} · ${title}`, selected: at === place })))
      made.push(button("previous", () => this.back(), { key: "Page Up", off: place === 0 && (this.shows || !this.step.predict) }), list,
        button("next", () => this.next(), { key: "Page Down", off: place === steps.length - 1 && !(this.waits && this.step.predict) }))
    }
    if (Object.keys(version.states).length > 1) made.push(button("hide", () => this.hide(), { key: "H", on: this.shows }))
    made.push(button("dark", () => this.paper(!this.dark), { on: this.dark }), button("large", () => this.enlarge(), { key: "L", on: this.large }))
    if (told.notes) made.push(button("notes", () => this.openNotes(), { key: "N" }))
    if (said.editions.length > 1) {
      const list = build("select", { label: labels.language, name: "language", onchange: () => this.speak(list.selectedIndex) })
      list.append(...said.editions.map((each, at) => build("option", { textContent: each.labels.own_name, selected: at === this.edition, lang: each.language })))
      made.push(list)
    }
    return made
  }

  // The one setting that travels.
  chooser() {
    const { step, place } = this
    if (step.versions.length < 2) return []
    const list = build("select", { label: step.control, name: "version", onchange: () => {
      this.versions[place] = list.selectedIndex
      this.show()
    } })
    list.append(...step.versions.map(({ title }, at) => build("option", { textContent: title, selected: at === (this.versions[place] ?? 0) })))
    return [build("label", {}, ` ${step.control} `, list)]
  }

  /** Whether the truth is hidden here and can be shown. */
  get waits() {
    return this.shows && "shown" in this.version.states
  }

  /** @param {number} place */
  go(place) {
    this.place = place
    this.hidden = this.step.predict
    this.show().then(() => this.write())
    scrollTo({ top: 0 })
  }

  next() {
    if (this.waits && this.step.predict) this.hide()
    else if (this.place < this.told.steps.length - 1) this.go(this.place + 1)
  }

  back() {
    if (!this.shows && this.step.predict && this.version.states.hidden) return this.hide()
    if (this.place === 0) return
    this.go(this.place - 1)
    if (this.hidden && this.version.states.shown) this.hide()
  }

  hide() {
    this.hidden = !this.shows
    this.show().then(() => this.write())
  }

  /** @param {boolean} dark */
  paper(dark) {
    this.dark = dark
    this.show()
  }

  enlarge() {
    this.large = !this.large
    this.show()
  }

  /** @param {number} edition */
  speak(edition) {
    this.edition = edition
    this.show().then(() => this.write())
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const on = event.target instanceof Element ? event.target : null
    if (on?.closest(TYPED) && !(event.key in TURNS && on.closest("nav")) || document.body.classList.contains("told")) return
    const several = this.told.steps.length > 1, free = several && !document.fullscreenElement && !on?.closest(CONTROLS)
    const asked = meant(event, { lecture: true, covered: false, way: free }) ?? OWN[event.key.toLowerCase()]
    if (event.ctrlKey || event.metaKey || event.altKey || !asked) return
    /** @type {Record<string, () => void>} */
    const acts = { next: () => this.next(), view: () => this.next(), previous: () => this.back(), back: () => this.back(),
      hide: () => { if (Object.keys(this.version.states).length > 1) this.hide() }, large: () => this.enlarge(),
      notes: () => { if (this.told.notes) this.openNotes() }, home: () => this.go(0) }
    if (!acts[asked] || TURNING.includes(asked) && parent !== window && !this.said.scored) return  // a slide's own keys
    acts[asked]()
    event.preventDefault()
    event.stopPropagation()
  }

  tellBelow() {
    const scene = this.scenes[this.index ?? 0], [figures, why, tasks] = this.parts
    if (!scene) return
    const figure = JSON.parse(scene.figure), { labels } = this.told
    const below = /** @type {TravelBelow} */ (JSON.parse(scene.below))
    turn(figures, "hidden", !figure && !below.numbers)
    turn(why, "hidden", !below.why)
    turn(tasks, "hidden", !below.tasks.length)
    const [table, formula, list] = this.parts.map(part => /** @type {HTMLElement} */ (part.lastElementChild))
    if (figures.open) below.numbers ? table.innerHTML = below.numbers : table.replaceChildren(numbers(figure, labels.numbers))
    if (why.open) formula.innerHTML = below.why
    if (tasks.open) {
      list.replaceChildren(...below.tasks.map(([task, reveal]) => {
        const answer = build("details", {}, build("summary", { textContent: labels.reveal }), build("div", { innerHTML: reveal }))
        return build("div", {}, build("div", { innerHTML: task }), ...reveal ? [answer] : [])
      }))
    }
  }

  // The speaker's notes stand in a second window of this file, which follows this one and turns it.
  openNotes() {
    this.speaker = open(`${location.href.split("#")[0]}#notes`, "ldp-notes", "width=900,height=700")
    this.tellSpeaker()  // a window that is open already does not ask again
  }

  tellSpeaker() {
    this.speaker?.postMessage({ ldp: "at", place: this.place, hidden: this.shows, edition: this.edition }, "*")
  }

  /**
   * @param {any} data
   * @param {MessageEventSource | null} source
   */
  hear(data, source) {
    if (!data || data.ldp === undefined) return
    if (data.ldp === "turn" && source && source === this.speaker) data.way === "next" ? this.next() : this.back()
    if (data.ldp === "ready" && source && source === this.speaker) this.tellSpeaker()
    if (data.ldp === "at" && document.body.classList.contains("told") && source === opener) tell(this, data)
  }
}

const TURNING = ["next", "view", "previous", "back", "home"]
/** @type {Record<string, string>} */
const OWN = { l: "large", n: "notes" }

/**
 * What a control is called in every language.
 * @param {Element | null} control
 */
const nameOf = control => control instanceof HTMLButtonElement ? control.value : control instanceof HTMLSelectElement ? control.name : ""

/**
 * The place of the stop that is nearest to a level.
 * @param {number[]} stops
 * @param {number} level
 */
const near = (stops, level) => stops.reduce((best, stop, place) =>
  Math.abs(Math.log(stop / level)) < Math.abs(Math.log(stops[best] / level)) ? place : best, 0)

/**
 * The window of the notes: the section of the step that the other window shows.
 * @param {TravelFile} file
 * @param {{ place: number, hidden: boolean, edition: number }} at
 */
const tell = (file, { place, hidden, edition }) => {
  const { notes, language, direction } = file.said.editions[edition], told = document.querySelector(".ldp-notes")
  if (!(told instanceof HTMLElement)) return
  Object.assign(document.documentElement, { lang: language, dir: direction })
  if (told.lang !== language) Object.assign(told, { innerHTML: notes, lang: language })
  told.classList.toggle("ldp-hidden", hidden)
  told.querySelectorAll("section").forEach((section, at) => section.classList.toggle("now", at === place))
}

/** @param {TravelFile} file */
const speak = file => {
  const told = build("div", { className: "ldp-notes" }), began = Date.now()
  document.body.replaceChildren(told)
  document.body.classList.add("told")
  document.documentElement.toggleAttribute("data-dark", file.dark)
  tell(file, { place: 0, hidden: file.said.editions[0].steps[0].predict, edition: 0 })
  document.addEventListener("keydown", event => {
    const way = event.key === "PageDown" || event.key === "ArrowRight" ? "next" : event.key === "PageUp" || event.key === "ArrowLeft" ? "back" : ""
    if (!way) return
    opener?.postMessage({ ldp: "turn", way }, "*")
    event.preventDefault()
  }, true)
  document.addEventListener("click", event => { if (event.target instanceof Element && event.target.closest(".print")) print() })
  setInterval(() => {
    const clock = told.querySelector(".clock"), gone = Math.floor((Date.now() - began) / 1000)
    if (clock) clock.textContent = `${Math.floor(gone / 60)}:${String(gone % 60).padStart(2, "0")}`
  }, 1000)
  opener?.postMessage({ ldp: "ready" }, "*")
}

export default function () {
  const root = document.getElementById("file"), said = JSON.parse(document.getElementById("said")?.textContent ?? "{}")
  if (!root) return
  const file = new TravelFile(root, said)
  if (location.hash === "#notes") return speak(file)
  shared.plotly = said.drawn ? Promise.resolve(null) : window.ldpRun("plotly").then(() => window.Plotly ?? null)
  const spoken = said.editions.findIndex((/** @type {{ language: string }} */ each) => navigator.language.startsWith(each.language))
  file.edition = file.usual = Math.max(0, spoken)
  file.arrive()
}
