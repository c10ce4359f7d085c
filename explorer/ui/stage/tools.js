// The small buttons on the picture, and the menus that open from a button.
class Menu {
  constructor(button, list, choose) {
    Object.assign(this, { button, list, choose })
    button.setAttribute("aria-haspopup", "menu")
    list.setAttribute("role", "menu")
    this.open(false)
    button.onclick = () => this.open(list.hidden)
    button.onkeydown = event => {
      if (event.key !== "ArrowDown") return
      event.preventDefault()
      this.open(true)
    }
    list.onclick = event => {
      const item = event.target.closest("button")
      if (!item) return
      this.open(false)
      button.focus()
      choose(item.value)
    }
    list.onkeydown = event => this.step(event)
    list.parentElement?.addEventListener("focusout", event => {
      if (!list.hidden && !list.contains(event.relatedTarget) && event.relatedTarget !== button) this.open(false)
    })
  }

  open(on) {
    this.list.hidden = !on
    this.button.setAttribute("aria-expanded", on)
    if (on) (this.list.querySelector("[aria-checked=true]") ?? this.list.querySelector("button"))?.focus()
  }

  step(event) {
    const items = [...this.list.querySelectorAll("button")], place = items.indexOf(document.activeElement)
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === "Escape") {
      this.open(false)
      this.button.focus()
    } else if (next === undefined) return
    items[(next + items.length) % items.length]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
}

class Tools {
  constructor(box, picture, stage) {
    const tool = (icon, act) => build("button", { type: "button", onclick: act }, symbol(icon))
    this.whole = tool("zoom_out_map", () => {
      picture.whole()
      this.full.focus()
    })
    this.whole.className = "ldp-back"
    this.fit = tool("fit_width", () => picture.fit(!picture.fitted))
    this.keep = tool("download")
    this.full = tool("fullscreen", () => document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen())
    this.full.hidden = !document.fullscreenEnabled
    this.formats = build("div", { className: "ldp-menu" }, ...["png", "svg"].map(value =>
      build("button", { type: "button", role: "menuitem", tabIndex: -1, value })))
    const kept = build("span", { className: "ldp-menued" }, this.keep, this.formats)
    this.bar = build("div", { className: "ldp-tools", role: "group" }, this.whole, this.fit, kept, this.full)
    this.menu = new Menu(this.keep, this.formats, format => save(picture, format, this.stem, this.origin()))
    this.picture = picture
    box.append(this.bar)
  }

  name(labels, stem, origin) {
    Object.assign(this, { stem, origin })
    this.labels = labels
    for (const name of ["whole", "fit"]) this.say(this[name], labels[name])
    this.say(this.keep, labels.save)
    this.bar.setAttribute("aria-label", labels.tools)
    for (const item of this.formats.children) item.textContent = labels[item.value]
    this.refresh()
  }

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
    mark(this.fit, "aria-pressed", picture.fitted)
    turn(this.bar, "hidden", !picture.drawn && picture.drawing.hidden)
    this.say(this.full, full ? labels.leave : labels.full)
    turn(this.full.firstChild, "textContent", full ? "fullscreen_exit" : "fullscreen")
  }
}
