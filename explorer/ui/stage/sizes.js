// How large type, dots and lines of a picture are: as drawn at a desk, larger in a hall, smaller on a phone on its side.
const HALL = [1280, 720]  // px of the window for which a lecture is drawn; style.py lets the page's type grow by the same
const BESIDE = 0.86

/**
 * By how much a picture is drawn larger than the server has described it; `beside` says whether words stand beside it.
 * @param {boolean} lecture
 * @param {boolean} beside
 * @param {number} width
 * @param {number} height
 */
export const enlarged = (lecture, beside, width, height) =>
  beside ? BESIDE : lecture ? Math.max(1, Math.min(width / HALL[0], height / HALL[1])) : 1
