// One line of views: as many as fit stand in the row, as radio buttons; the others in a menu, none is cut.
class Views {
  constructor(line, choose) {
    this.row = build("div", { className: "ldp-views-row", role: "radiogroup" })
    this.title = build("span")
    this.button = build("button", { type: "button", className: "ldp-view" }, this.title, symbol("expand_more"))
    this.list = build("div", { className: "ldp-menu" })
    this.rest = build("span", { className: "ldp-menued" }, this.button, this.list)
    this.menu = new Menu(this.button, this.list, slug => this.pick(slug))
    this.choose = choose
    this.line = line
    line.append(this.row, this.rest)
    this.row.onclick = event => {
      const button = event.target.closest("button")
      if (button) this.pick(button.value)
    }
    this.row.onkeydown = event => this.step(event)
  }

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
    for (let count = this.views.length; count > 0; count--) {
      this.place(count)
      if (this.row.scrollWidth <= this.row.clientWidth + 1) return
    }
  }

  place(count) {
    if (this.placed === `${count} ${this.shape}`) return
    this.placed = `${count} ${this.shape}`
    const made = (options, role) => options.map(({ slug, title }) =>
      build("button", { type: "button", role, value: slug, textContent: title, tabIndex: -1, className: role === "radio" ? "ldp-view" : "" }))
    const behind = [...this.views.slice(count), ...this.more], focused = document.activeElement?.value
    this.row.replaceChildren(...made(this.views.slice(0, count), "radio"))
    this.list.replaceChildren(...made(behind, "menuitemradio"))
    this.rest.hidden = !behind.length
    this.mark(this.chosen)
    if (focused) [...this.row.children].find(button => button.value === focused)?.focus()
  }

  mark(slug) {
    this.chosen = slug
    for (const button of [...this.row.children, ...this.list.children]) {
      button.setAttribute("aria-checked", button.value === slug)
    }
    const here = [...this.row.children].find(button => button.value === slug)
    for (const button of this.row.children) button.tabIndex = button === (here ?? this.row.firstChild) ? 0 : -1
    const other = [...this.list.children].find(button => button.value === slug)
    this.title.textContent = other?.textContent ?? this.labels.more
    this.button.classList.toggle("ldp-chosen", Boolean(other))
    this.button.setAttribute("aria-label", other ? `${this.labels.more}: ${other.textContent}` : this.labels.more)
  }

  pick(slug) {
    if (slug === this.chosen) return
    this.mark(slug)
    this.fit()
    this.choose(slug)
  }

  step(event) {
    const items = [...this.row.children], place = items.indexOf(document.activeElement)
    const forth = getComputedStyle(this.row).direction === "rtl" ? -1 : 1
    const next = {
      ArrowRight: place + forth, ArrowLeft: place - forth, ArrowDown: place + 1, ArrowUp: place - 1, Home: 0,
      End: items.length - 1,
    }[event.key]
    if (next === undefined || place < 0) return
    event.preventDefault()
    const button = items[(next + items.length) % items.length]
    button.focus()
    this.pick(button.value)
  }
}
