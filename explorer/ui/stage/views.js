// One line of views, as radio buttons: under a finger all of them, in a row that is swiped; beside a mouse as many as fit,
// and the others in a menu, none is cut.
import { symbol } from "./icons.js"
import { build, buttonsIn } from "./nodes.js"
import { MOUSE } from "./picture.js"
import { Menu } from "./tools.js"

export class Views {
  chosen = ""
  /** @type {Option[]} */ views = []
  /** @type {Option[]} */ more = []
  /** @type {Pick<Labels, "views" | "more">} */ labels = { views: "", more: "" }
  /** @type {string | undefined} */ shape
  /** @type {string | undefined} */ wide
  /** @type {string | undefined} */ placed

  /**
   * @param {HTMLElement} line
   * @param {(slug: string) => void} choose
   */
  constructor(line, choose) {
    this.row = build("div", { className: "ldp-views-row", role: "radiogroup" })
    this.title = build("span")
    this.button = build("button", { type: "button", className: "ldp-view" }, this.title, symbol("open"))
    this.list = build("div", { className: "ldp-menu" })
    this.rest = build("span", { className: "ldp-menued" }, this.button, this.list)
    this.menu = new Menu(this.button, this.list, slug => this.pick(slug))
    this.choose = choose
    this.line = line
    line.append(this.row, this.rest)
    this.row.onclick = event => {
      const button = /** @type {Element} */ (event.target).closest("button")
      if (button) this.pick(button.value)
    }
    this.row.onkeydown = event => this.step(event)
    this.row.onscroll = () => this.fade()
  }

  /** @param {Head} head */
  show({ views, more, chosen, labels }) {
    const shape = JSON.stringify([views, more, labels.more])
    Object.assign(this, { views, more, labels, chosen })
    this.row.setAttribute("aria-label", labels.views)
    this.line.hidden = views.length + more.length < 2
    if (this.shape !== shape) this.shape = this.wide = undefined
    this.shape = shape
    this.mark(chosen)
    this.fit()
  }

  // As many in the row as its width has room for; the width of the menu's button follows the view that is chosen in it.
  fit() {
    const width = this.line.clientWidth, state = `${width} ${this.chosen}`
    if (!width) return this.place(this.views.length)
    if (this.wide === state) return
    this.wide = state
    if (!MOUSE.matches) return this.swipe()
    for (let count = this.views.length; count > 0; count--) {
      this.place(count)
      if (this.row.scrollWidth <= this.row.clientWidth + 1) return
    }
  }

  // The chosen view comes into the middle of the row, which fades where it goes on.
  swipe() {
    const { row } = this
    this.place(this.views.length)
    const here = buttonsIn(row).find(button => button.value === this.chosen)
    if (here) row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2
    this.fade()
  }

  fade() {
    const { row } = this, most = MOUSE.matches ? 0 : row.scrollWidth - row.clientWidth, at = Math.abs(row.scrollLeft)
    row.classList.toggle("ldp-before", most > 1 && at > 1)
    row.classList.toggle("ldp-after", most > 1 && at < most - 1)
  }

  /** @param {number} count */
  place(count) {
    if (this.placed === `${count} ${this.shape}`) return
    this.placed = `${count} ${this.shape}`
    /**
     * @param {Option[]} options
     * @param {string} role
     */
    const made = (options, role) => options.map(({ slug, title }) =>
      build("button", { type: "button", role, value: slug, textContent: title, tabIndex: -1, className: role === "radio" ? "ldp-view" : "" }))
    const behind = [...this.views.slice(count), ...this.more]
    const active = document.activeElement, focused = active instanceof HTMLButtonElement ? active.value : ""
    this.row.replaceChildren(...made(this.views.slice(0, count), "radio"))
    this.list.replaceChildren(...made(behind, "menuitemradio"))
    this.rest.hidden = !behind.length
    this.mark(this.chosen)
    if (focused) buttonsIn(this.row).find(button => button.value === focused)?.focus()
  }

  /** @param {string} slug */
  mark(slug) {
    this.chosen = slug
    for (const button of [...buttonsIn(this.row), ...buttonsIn(this.list)]) {
      button.setAttribute("aria-checked", String(button.value === slug))
    }
    const here = buttonsIn(this.row).find(button => button.value === slug)
    for (const button of buttonsIn(this.row)) button.tabIndex = button === (here ?? this.row.firstChild) ? 0 : -1
    const other = buttonsIn(this.list).find(button => button.value === slug)
    this.title.textContent = other?.textContent ?? this.labels.more
    this.button.classList.toggle("ldp-chosen", Boolean(other))
    this.button.setAttribute("aria-label", other ? `${this.labels.more}: ${other.textContent}` : this.labels.more)
  }

  /** @param {string} slug */
  pick(slug) {
    if (slug === this.chosen) return
    this.mark(slug)
    this.fit()
    this.choose(slug)
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const items = buttonsIn(this.row), place = items.findIndex(item => item === document.activeElement)
    const forth = getComputedStyle(this.row).direction === "rtl" ? -1 : 1
    /** @type {Record<string, number>} */
    const places = {
      ArrowRight: place + forth, ArrowLeft: place - forth, ArrowDown: place + 1, ArrowUp: place - 1, Home: 0,
      End: items.length - 1,
    }
    const next = places[event.key]
    if (next === undefined || place < 0) return
    event.preventDefault()
    const button = items[(next + items.length) % items.length]
    button.focus()
    this.pick(button.value)
  }
}
