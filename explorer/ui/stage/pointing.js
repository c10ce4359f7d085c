// Which number is pointed at.

/**
 * The number at a share of the way from one end to the other, to the hundredth part of it and never beyond an end.
 * @param {number} low
 * @param {number} high
 * @param {number} share
 */
export const between = (low, high, share) => {
  const step = 10 ** Math.ceil(Math.log10((high - low) / 100)), inside = Math.min(Math.max(share, 0), 1)
  return Number((Math.round((low + inside * (high - low)) / step) * step).toPrecision(6))
}
