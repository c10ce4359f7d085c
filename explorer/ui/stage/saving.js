// Pictures to keep: Plotly draws its own, in the size it has on screen (PNG twice as fine); a drawing made of boxes is
// copied with the styles it has on screen into an SVG that holds HTML.
import { build } from "./nodes.js"

/**
 * @param {string} href
 * @param {string} name
 */
const keep = (href, name) => build("a", { href, download: name }).click()

/**
 * @param {Element} node
 * @returns {Node}
 */
const styled = node => {
  const copy = /** @type {Element} */ (node.cloneNode(false))
  const style = getComputedStyle(node)
  if (style.display === "none") return document.createTextNode("")
  copy.setAttribute("style", [...style].map(name => `${name}:${style.getPropertyValue(name)}`).join(";"))
  if (node.localName === "svg") copy.innerHTML = node.innerHTML
  else for (const part of node.childNodes) copy.append(part instanceof Element ? styled(part) : part.cloneNode(false))
  return copy
}

/**
 * @param {HTMLElement} node
 * @param {string} origin
 */
const pictured = (node, origin) => {
  const { width, height: drawn } = node.getBoundingClientRect(), height = drawn + 48  // another font may need more
  const page = getComputedStyle(node).getPropertyValue("--st-background-color")
  const line = build("div", { textContent: origin })
  line.setAttribute("style", `font: 12px Arial, sans-serif; color: ${getComputedStyle(node).color}; padding: 4px 8px`)
  const inside = [styled(node), line].map(part => new XMLSerializer().serializeToString(part)).join("")
  const all = 'width="100%" height="100%"'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`
    + `<rect ${all} fill="${page}"/><foreignObject ${all}>${inside}</foreignObject></svg>`
  return { width, height, svg }
}

/**
 * Saves a picture as PNG or SVG under a name, above the line that says where it comes from.
 * @param {import("./picture.js").Picture} picture
 * @param {string} format
 * @param {string} name
 * @param {string} origin
 */
export const save = async (picture, format, name, origin) => {
  if (picture.drawn) {
    const printed = picture.printable(origin), scale = format === "png" ? 2 : 1
    const { width, height } = printed.layout
    await (await picture.library())?.downloadImage(printed, { format, filename: name, width, height, scale })
    return
  }
  const { width, height, svg } = pictured(picture.drawing, origin)
  const address = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg)
  if (format === "svg") return keep(address, `${name}.svg`)
  const canvas = build("canvas", { width: 2 * width, height: 2 * height })
  const image = new Image(canvas.width, canvas.height)
  image.src = address
  await image.decode()
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
  keep(canvas.toDataURL("image/png"), `${name}.png`)
}
