// One line of views: those in the row are radio buttons, the others stand in a menu.
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
    if (this.shape !== shape) {
      this.shape = shape
      const made = (options, role) => options.map(({ slug, title }) =>
        build("button", { type: "button", role, value: slug, textContent: title, tabIndex: -1, className: role === "radio" ? "ldp-view" : "" }))
      this.row.replaceChildren(...made(views, "radio"))
      this.list.replaceChildren(...made(more, "menuitemradio"))
    }
    this.line.hidden = views.length + more.length < 2
    this.rest.hidden = !more.length
    this.row.setAttribute("aria-label", labels.views)
    this.labels = labels
    this.mark(chosen)
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
    if (here && this.row.seen !== slug && this.row.scrollWidth > this.row.clientWidth) {
      const middle = here.offsetLeft - this.row.offsetLeft - (this.row.clientWidth - here.offsetWidth) / 2
      this.row.scrollTo({ left: middle })
    }
    this.row.seen = slug
  }

  pick(slug) {
    if (slug === this.chosen) return
    this.mark(slug)
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
