// The pure part: one random number, and what it makes of an answer. All weights come from the server's card; nothing
// here is a formula of privacy. Products and sums stay below 2^53, so that every step is exact.
const whole = source => {
  const [high, low] = source.getRandomValues(new Uint32Array(2))
  return (high >>> 11) * 2 ** 32 + low
}

const below = (total, source) => {
  for (;;) {
    const drawn = whole(source)
    if (drawn < total) return drawn
  }
}

const quotient = (dividend, divisor) => (dividend - dividend % divisor) / divisor

const chosen = (k, size, from) => {
  if (!size) return [[]]
  const found = []
  for (let first = from; first <= k - size; first++)
    for (const rest of chosen(k, size - 1, first + 1)) found.push([first, ...rest])
  return found
}

const listed = new Map()
const sets = (k, size) => {
  const name = `${size} of ${k}`
  if (!listed.has(name)) listed.set(name, chosen(k, size, 0))
  return listed.get(name)
}

// For each kind: the sum of all weights, the weight of what speaks for the answer, and the report that a number draws.
const KINDS = {
  sets: {
    total: ({ k, size, near, far }) => sets(k, size).reduce((sum, set) => sum + (set.includes(0) ? near : far), 0),
    own: ({ k, size, near }) => sets(k, size).filter(set => set.includes(0)).length * near,
    report: ({ k, size, near, far }, answer, draw) => {
      const all = sets(k, size)
      for (const [weight, own] of [[near, true], [far, false]])
        for (const set of all) {
          if (set.includes(answer) !== own) continue
          if (draw < weight) return set
          draw -= weight
        }
    },
  },
  bit: {
    total: ({ steps, least, step }) => 2 * least + steps * step,
    own: ({ least, step }, answer) => least + step * answer,
    report: ({ least, step }, answer, draw) => Number(draw < least + step * answer),
  },
  piece: {
    total: ({ steps, stride, width, near, far }) => width * near + steps * stride * far,
    own: ({ width, near }) => width * near,
    report: ({ stride, width, near, far }, answer, draw) => {
      const start = stride * answer, inside = width * near
      if (draw < inside) return start + quotient(draw, near)
      const cell = quotient(draw - inside, far)
      return cell < start ? cell : cell + width
    },
  },
}

// One toss: the number drawn, as a share of all weights, the share that speaks for the answer, and what is sent.
const tossed = (toss, answer, source) => {
  const kind = KINDS[toss.kind], total = kind.total(toss), draw = below(total, source)
  return { at: draw / total, own: kind.own(toss, answer) / total, report: kind.report(toss, answer, draw) }
}
