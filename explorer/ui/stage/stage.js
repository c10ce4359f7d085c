// The stage: answer, views, picture and handle, and the scenes that they are painted from.
import { missing } from "./contract.js"
import { Handle } from "./handle.js"
import { symbol } from "./icons.js"
import { build, turn, write } from "./nodes.js"
import { lines } from "./packed.js"
import { MOUSE, Picture } from "./picture.js"
import { shared } from "./shared.js"
import { enlarged } from "./sizes.js"
import { Tools } from "./tools.js"
import { Views } from "./views.js"

const MOST = 900
const BELOW = 6  // px between the lowest part and the window's edge
const MEMORY = 10000  // ms after which an answer is no longer waited for
const LEAST = 260  // px of a picture that has words and handle beside it, as stage.css lays out a phone on its side

// Words that change under the finger, in a place with room for the longest of them: nothing around it is laid out anew.
class Words {
  /** @type {Set<string>} */ known = new Set()
  /** @type {number | undefined} */ most

  /** @param {string} className */
  constructor(className) {
    this.node = build("div", { className })
  }

  /** @param {string[]} texts */
  reserve(texts) {
    const { node } = this
    this.known = new Set(texts)
    const sizes = build("div", { className: `${node.className} ldp-measured` }, ...[...this.known].map(innerHTML => build("div", { innerHTML })))
    sizes.style.width = `${node.clientWidth || node.parentElement?.clientWidth}px`
    node.parentElement?.append(sizes)
    const size = parseFloat(getComputedStyle(sizes).fontSize)
    const heights = [...sizes.children].map(each => /** @type {HTMLElement} */ (each).offsetHeight)
    this.most = Math.max(...heights) / size
    sizes.remove()
    this.hold()
  }

  free() {
    this.known.clear()
    this.most = undefined
    this.hold()
  }

  /** @param {string} html */
  say(html) {
    write(this.node, html)
    this.hold()
  }

  hold() {
    const { node, most } = this, still = node.written !== undefined && this.known.has(node.written)
    node.classList.toggle("ldp-still", still)
    node.style.height = still ? `${most}em` : ""
    node.style.minHeight = most === undefined ? "" : `${most}em`
  }
}

export class Stage {
  sent = 0
  wideWindow = 0
  highWindow = 0
  stale = false
  high = 0
  wide = 0
  next = 0
  key = ""
  token = ""
  reserved = ""
  offered = ""
  /** @type {Take[]} */ spare = []
  paper = ""
  words = ""
  /** @type {WordsOfScene} */ worded = { answer: "", note: "", alt: "", drawing: null }
  /** @type {Map<number, EncodedScene>} */ scenes = new Map()
  /** @type {EncodedScene | undefined} */ own
  /** @type {Head | undefined} */ described
  /** @type {number | undefined} */ request
  /** @type {Tell} */ setStateValue = () => {}
  /** @type {Tell} */ setTriggerValue = () => {}

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root
    this.answer = new Words("ldp-answer")
    this.answer.node.setAttribute("aria-live", "polite")
    const views = build("div", { className: "ldp-views" })
    this.box = build("div", { className: "ldp-box" })
    this.grip = build("div", { className: "ldp-handle" })
    this.foot = new Words("ldp-below")
    this.takes = build("div", { className: "ldp-takes", hidden: true })
    root.append(this.answer.node, this.takes, views, this.box, this.grip, this.foot.node)
    this.picture = new Picture(this.box, () => this.tools?.refresh())
    this.picture.picked = (view, value) => this.pick(view, value)
    this.picture.taken = settings => this.takeUp(settings)
    this.tools = new Tools(this.box, this.picture, root)
    this.views = new Views(views, slug => this.leaveFor(slug))
    this.handle = new Handle(this.grip, { moved: index => this.move(index), rested: index => this.rest(index),
      typed: text => this.setTriggerValue("typed", text) })
    this.observer = new ResizeObserver(() => this.fit())
    this.resized = () => this.fit()
    this.filled = () => {
      this.fit()
      this.tools.refresh()
    }
  }

  /** @param {Component<Uint8Array>} component */
  receive({ data, parentElement, setStateValue, setTriggerValue }) {
    const [head, words, figure] = lines(data)
    const described = /** @type {Head} */ (JSON.parse(head)), without = missing(described)
    if (without.length) return console.error(`a stage must be sent a whole head; this one lacks ${without.join(", ")}`)
    const { key, token, handle, direction, lecture, heard, labels, stem, origin } = described
    Object.assign(this, { described, setStateValue, setTriggerValue })
    this.listen(key)
    const other = this.token !== token
    if (other) {
      Object.assign(this, { token, scenes: new Map() })
      this.picture.forget()
      this.answer.free()
      this.foot.free()
      this.box.style.minHeight = ""
      this.high = 0
    }
    this.take()
    if (handle) this.scenes.set(handle.index, [words, figure])
    this.root.dir = direction
    this.root.classList.toggle("ldp-lecture", lecture)
    this.views.show(described)
    this.picture.open(described)
    this.tools.name(labels, stem, () => {
      const level = handle && origin.symbol && `${origin.symbol} = ${this.handle.written[this.handle.index]}`
      return [origin.source, level, new Date().toISOString().slice(0, 10)].filter(Boolean).join(" · ")
    })
    this.notice(parentElement)
    const late = heard < this.sent && Date.now() - this.sent < MEMORY
    if (handle && late) {  // an answer to an earlier question: keep it, but stay where the finger was
      this.reserve()
      return this.paint(this.handle.index)
    }
    this.own = [words, figure]
    if (this.handle.show(handle) || other) this.reserve()
    this.paint(handle ? this.handle.index : null)
    this.fit()
  }

  /** @param {string} key */
  listen(key) {
    if (this.key === key) return
    this.key = key
    shared.stages.set(key, this)
    this.observer.observe(this.root)
    const page = this.root.closest('[data-testid="stMainBlockContainer"]')
    if (page) this.observer.observe(page)
    addEventListener("resize", this.resized)
    document.addEventListener("fullscreenchange", this.filled)
    document.fonts.ready.then(() => {
      this.views.wide = undefined
      this.reserve()
      this.fit()
    })
  }

  // The strip, if it is of this token: what the server has sent since for single stops stands above it.
  take() {
    const strip = shared.strips.get(this.key)
    if (strip?.token !== this.token) return
    for (const [index, scene] of strip.scenes) if (!this.scenes.has(index)) this.scenes.set(index, scene)
  }

  refresh() {
    this.take()
    this.reserve()
    if (this.stale && this.described?.handle) this.paint(this.handle.index)
  }

  /** @param {number} index */
  move(index) {
    this.next = index
    this.request ??= requestAnimationFrame(() => {
      this.request = undefined
      this.paint(this.next)
    })
  }

  /** @param {number | null} index */
  paint(index) {
    const scene = index === null ? this.own : this.scenes.get(index)
    this.stale = !scene
    this.picture.stale(!scene)
    if (scene) return this.show(...scene)
    this.answer.say(this.pending)
    this.handle.say()
  }

  // Words after the figure, once it is drawn: Plotly measures, and what stood written before would be laid out twice.
  /**
   * @param {string} words
   * @param {string} figure
   */
  show(words, figure) {
    if (this.words !== words) {
      this.words = words
      this.worded = JSON.parse(words)
    }
    const drawn = this.picture.show(this.worded, figure)
    if (this.picture.listening) drawn.finally(() => this.tell())
    else this.tell()
  }

  tell() {
    if (this.stale) return
    this.answer.say(this.worded.answer)
    this.offer(this.worded.takes ?? [])
    this.foot.say(this.worded.note)
    turn(this.foot.node, "hidden", !this.worded.note)
    if (this.described?.handle) this.handle.say()
    this.hold()
  }

  get pending() {
    return `<p>${this.described?.labels.pending ?? "…"}</p>`
  }

  // What a plan recommends: each button sets what it says. Where the page stands there already, it is only said. Where it
  // recommends nothing, but does at another stop, the room stays: the figure would be laid out anew under the finger.
  /** @param {Take[]} takes */
  offer(takes) {
    const shown = takes.length ? takes : this.spare, shape = JSON.stringify([takes, shown])
    if (this.offered === shape) return
    this.offered = shape
    turn(this.takes, "hidden", !shown.length)
    this.takes.style.visibility = takes.length ? "" : "hidden"
    this.takes.replaceChildren(...shown.map(({ text, set, settings }) => {
      const button = build("button", { type: "button", className: "ldp-take", disabled: set })
      button.append(symbol(set ? "done" : "onward"), text)
      button.onclick = () => this.takeUp(settings)
      return button
    }))
  }

  /** @param {Take["settings"]} settings */
  takeUp(settings) {
    this.picture.stale(true)
    this.setTriggerValue("take", settings)
  }

  hold() {  // drawings differ in height: what stands below them must not move under the finger
    if (this.picture.drawn || !this.high) return
    const height = Math.min(this.box.offsetHeight, this.high)  // never more than its place: it may still be squeezed
    if (height > (parseFloat(this.box.style.minHeight) || 0)) this.box.style.minHeight = `${height}px`
  }

  /** @param {number} index */
  rest(index) {
    const stops = this.described?.handle?.stops ?? []
    this.sent = Date.now()
    this.setStateValue("level", { level: stops[index], at: this.sent })
  }

  /**
   * @param {string} view
   * @param {string} value
   */
  pick(view, value) {
    this.leaveFor(`${view} ${value}`)
  }

  /** @param {string} slug */
  leaveFor(slug) {
    this.picture.stale(true)
    this.setTriggerValue("view", slug)
  }

  /** @param {Element} element */
  notice(element) {
    const paper = getComputedStyle(element).getPropertyValue("--st-background-color")
    if (this.paper && this.paper !== paper) this.setTriggerValue("paper", paper)
    this.paper = paper
  }

  // Room for the longest title, answer and note, so that none moves the figure or the handle while it changes.
  reserve() {
    const width = this.root.clientWidth
    this.handle.reserve()
    this.reserved = this.measure()
    if (!width) return
    const scenes = this.described?.handle ? [...this.scenes.values()] : this.own ? [this.own] : []
    this.picture.reserve(scenes.map(([, figure]) => figure))
    this.spare = []
    if (this.scenes.size < 2) return
    const worded = [...this.scenes.values()].map(([words]) => /** @type {WordsOfScene} */ (JSON.parse(words)))
    this.spare = worded.find(({ takes }) => takes?.length)?.takes ?? []
    this.answer.reserve([this.pending, ...worded.map(({ answer }) => answer)])
    this.foot.reserve(worded.map(({ note }) => note))
    if (!this.stale) this.offer(this.worded.takes ?? [])
  }

  // What the room for words depends on.
  measure() {
    return `${this.root.clientWidth} ${this.answer.node.clientWidth} ${getComputedStyle(this.answer.node).fontSize}`
  }

  fit() {
    const { root, box } = this, width = box.clientWidth
    if (!width || !this.described) return
    this.views.fit()
    if (this.reserved && this.reserved !== this.measure()) this.reserve()
    const { clientWidth, clientHeight } = document.documentElement  // innerHeight grows where a phone shows too wide a page
    const folding = !MOUSE.matches && this.wideWindow === clientWidth
      && Math.abs(this.highWindow - clientHeight) < 0.2 * clientHeight  // a phone's own bars come and go while one scrolls
    if (!folding) Object.assign(this, { wideWindow: clientWidth, highWindow: clientHeight })
    const full = document.fullscreenElement === root, high = this.highWindow
    const beside = getComputedStyle(root).display === "grid", narrow = clientWidth < 641, { lecture } = this.described
    const share = narrow ? 0.36 : lecture ? 0.5 : 0.45, times = enlarged(lecture, beside, clientWidth, high)
    const least = beside ? LEAST : narrow ? Math.max(share * high, this.described.least) : share * high
    const outline = root.getBoundingClientRect(), last = this.grip.hidden ? box : this.grip
    const others = beside ? 0 : last.getBoundingClientRect().bottom - outline.top - box.getBoundingClientRect().height
    const rest = high - (full ? 0 : outline.top + this.scrolled()) - others - BELOW
    const height = Math.floor(Math.max(least, full ? rest : Math.min(rest, MOST * times)))
    if (this.high !== height || this.wide !== width) {
      Object.assign(this, { high: height, wide: width })
      box.style.setProperty("--ldp-height", `${height}px`)
      box.style.minHeight = ""
      this.picture.size(width, height, times)
    }
    this.hold()
  }

  scrolled() {
    let sum = 0
    for (let node = this.root.parentElement; node; node = node.parentElement) sum += node.scrollTop
    return sum
  }

  leave() {
    setTimeout(() => {
      if (this.root.isConnected) return
      this.observer.disconnect()
      removeEventListener("resize", this.resized)
      document.removeEventListener("fullscreenchange", this.filled)
      if (shared.stages.get(this.key) === this) shared.stages.delete(this.key)
      this.picture.leave()
    })
  }
}
