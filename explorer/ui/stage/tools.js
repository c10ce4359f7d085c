// The small buttons on the picture, and the menus that open from a button.
import { symbol } from "./icons.js"
import { build, buttonsIn, mark, turn } from "./nodes.js"
import { save } from "./saving.js"
import { press } from "./shortcuts.js"

export class Menu {
  /**
   * @param {HTMLButtonElement} button
   * @param {HTMLElement} list
   * @param {(value: string) => void} choose
   */
  constructor(button, list, choose) {
    this.button = button
    this.list = list
    button.setAttribute("aria-haspopup", "menu")
    list.setAttribute("role", "menu")
    this.open(false)
    button.onclick = () => this.open(Boolean(list.hidden))
    button.onkeydown = event => {
      if (event.key !== "ArrowDown") return
      event.preventDefault()
      this.open(true)
    }
    list.onclick = event => {
      const item = /** @type {Element} */ (event.target).closest("button")
      if (!item) return
      this.open(false)
      button.focus()
      choose(item.value)
    }
    list.onkeydown = event => this.step(event)
    list.parentElement?.addEventListener("focusout", event => {
      const next = /** @type {Node | null} */ (event.relatedTarget)
      if (!list.hidden && !list.contains(next) && next !== button) this.open(false)
    })
  }

  /** @param {boolean} on */
  open(on) {
    this.list.hidden = !on
    this.button.setAttribute("aria-expanded", String(on))
    const items = on ? buttonsIn(this.list) : []
    void (items.find(item => item.getAttribute("aria-checked") === "true") ?? items[0])?.focus()
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const items = buttonsIn(this.list), place = items.findIndex(item => item === document.activeElement)
    /** @type {Record<string, number>} */
    const places = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }
    const next = places[event.key]
    if (event.key === "Escape") {
      this.open(false)
      this.button.focus()
    } else if (next === undefined) return
    items[(next + items.length) % items.length]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
}

export class Tools {
  stem = ""
  filling = false
  origin = () => ""
  /** @type {Labels | undefined} */ labels

  /**
   * @param {HTMLElement} box
   * @param {import("./picture.js").Picture} picture
   * @param {HTMLElement} stage
   */
  constructor(box, picture, stage) {
    /**
     * @param {import("./icons.js").Icon} icon
     * @param {() => void} [act]
     */
    const tool = (icon, act) => build("button", { type: "button", onclick: act ?? null }, symbol(icon))
    this.whole = tool("whole", () => {
      picture.whole()
      this.full.focus()
    })
    this.whole.className = "ldp-back"
    this.fit = tool("fit", () => picture.fit(!picture.fitted))
    this.fit.className = "ldp-fit"
    this.fit.setAttribute("aria-keyshortcuts", "F")
    stage.addEventListener("keydown", event => {  // while the focus is in the stage; in a lecture wherever it is (keys.js)
      const typed = event.target instanceof HTMLInputElement && event.target.type === "text"
      if (!typed) press(event, stage)
    })
    this.keep = tool("save")
    this.full = tool("full", () => void (document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen()))
    this.full.hidden = !document.fullscreenEnabled
    this.formats = build("div", { className: "ldp-menu" }, ...["png", "svg"].map(value =>
      build("button", { type: "button", role: "menuitem", tabIndex: -1, value })))
    this.kept = build("span", { className: "ldp-menued" }, this.keep, this.formats)
    this.bar = build("div", { className: "ldp-tools", role: "group" }, this.whole, this.kept, this.full, this.fit)
    this.menu = new Menu(this.keep, this.formats, format => save(picture, format, this.stem, this.origin()))
    this.picture = picture
    box.append(this.bar)
  }

  /**
   * @param {Labels} labels
   * @param {string} stem
   * @param {() => string} origin
   */
  name(labels, stem, origin) {
    Object.assign(this, { stem, origin, labels })
    this.say(this.whole, labels.whole)
    this.say(this.fit, labels.fit)
    turn(this.fit, "title", `${labels.fit} (F)`)
    this.say(this.keep, labels.save)
    this.bar.setAttribute("aria-label", labels.tools)
    for (const item of buttonsIn(this.formats)) item.textContent = item.value === "png" ? labels.png : labels.svg
    this.refresh()
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} text
   */
  say(button, text) {
    turn(button, "title", text)
    mark(button, "aria-label", text)
  }

  refresh() {
    const { picture, labels } = this, full = Boolean(document.fullscreenElement)
    if (!labels) return
    const zoomed = picture.drawn && Object.keys(picture.zoomed).length > 0
    turn(this.whole, "hidden", !zoomed)
    this.bar.classList.toggle("ldp-changed", zoomed || picture.fitted)  // `:has` would be asked for all that is drawn
    turn(this.fit, "hidden", !picture.adaptable)
    turn(this.kept, "hidden", picture.drawn && picture.sketched)  // Plotly alone draws a figure for a file
    mark(this.fit, "aria-pressed", picture.fitted)
    turn(this.bar, "hidden", !picture.drawn && picture.drawing.hidden)
    this.say(this.full, full ? labels.leave : labels.full)
    if (this.filling === full) return
    this.filling = full
    this.full.replaceChildren(symbol(full ? "leave" : "full"))
  }
}
