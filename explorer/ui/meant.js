// What the presenter's keys mean, in the app and in a file that travels.
export const TYPED = 'input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]'
/** @type {Record<string, string>} */
export const TURNS = { PageDown: "next", PageUp: "previous" }
/** @type {Record<string, string>} */
const ON_WAY = { ArrowRight: "view", ArrowLeft: "back", Escape: "home" }
/** @type {Record<string, string>} */
const ROOM = { h: "hide", d: "draw", q: "code" }

/**
 * What a key asks for, or nothing: `code` and `close` turn the code of this view, all else the server answers.
 * `covered` says whether the code lies over the page, `way` whether the keys of a way are free.
 * @param {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean }} event
 * @param {{ lecture: boolean, covered: boolean, way: boolean }} room
 */
export const meant = ({ key, ctrlKey, metaKey, altKey }, { lecture, covered, way }) => {
  if (ctrlKey || metaKey || altKey) return undefined
  const letter = key.length === 1 ? key.toLowerCase() : key
  if (letter === "Escape" && covered) return "close"
  if (way && Object.hasOwn(ON_WAY, letter)) return ON_WAY[letter]
  if (Object.hasOwn(TURNS, letter)) return TURNS[letter]
  if (!lecture) return undefined
  return Object.hasOwn(ROOM, letter) ? ROOM[letter] : undefined
}
