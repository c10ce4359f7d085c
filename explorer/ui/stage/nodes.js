// Making and changing the nodes of a page.

/**
 * A node with its properties and what stands inside it; `role` and `label` are written as attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} properties
 * @param {(Node | string)[]} inside
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const build = (tag, properties = {}, ...inside) => {
  const { role, label, ...others } = properties
  const node = Object.assign(document.createElement(tag), others)
  if (role) node.setAttribute("role", String(role))
  if (label) node.setAttribute("aria-label", String(label))
  node.append(...inside)
  return node
}

/**
 * Writes HTML that differs from what was written last: the rest would be laid out again, under the finger.
 * @param {HTMLElement} node
 * @param {string} html
 */
export const write = (node, html) => {
  if (node.written !== html) node.innerHTML = node.written = html
}

/**
 * Sets a property that is not so already.
 * @template {Node} Kind
 * @template {keyof Kind} Name
 * @param {Kind} node
 * @param {Name} property
 * @param {Kind[Name]} value
 */
export const turn = (node, property, value) => {
  if (node[property] !== value) node[property] = value
}

/**
 * Sets an attribute that is not so already.
 * @param {Element} node
 * @param {string} attribute
 * @param {unknown} value
 */
export const mark = (node, attribute, value) => {
  if (node.getAttribute(attribute) !== String(value)) node.setAttribute(attribute, String(value))
}

/**
 * The buttons inside a node.
 * @param {Element} node
 */
export const buttonsIn = node => [...node.querySelectorAll("button")]
