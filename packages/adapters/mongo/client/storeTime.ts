/** What one look at the store's clock told. Steady times are of this machine's monotonic clock, in milliseconds. */
export type ClockLook = { askedAt: number; answeredAt: number; storeMs: number }

/** What to add to the steady clock to have the store's, and how wrong that may be. */
type Sample = { offsetMs: number; errorMs: number }

/** A minute of looks, in which steady clocks part by a few milliseconds. */
const mostSamples = 6
/** How far two looks may be apart beside their errors: clocks that run apart, or are brought together bit by bit. */
const driftMs = 50
/** By less than this the time rather stands still than goes back. */
const standsStillMs = 5_000

/**
 * The store's time by looks at its clock. Between them it ticks with the steady clock, so nothing that happens to this
 * machine's own clock changes it, and it goes on while the store is away. The look with the shortest way is the truest
 * of those that agree; one that contradicts those before it means that the store's clock was set, or that another
 * machine is the store now, and they are forgotten.
 *
 * Where the store's time went back it stands still until it is there again. By 5 s or more it goes back too: all others
 * live in that time, and who stood still for so long would hold leases beyond their end.
 */
export const storeTime = () => {
  let samples: Sample[] = []
  let offsetMs = 0
  let last = Number.NEGATIVE_INFINITY
  return {
    look: ({ askedAt, answeredAt, storeMs }: ClockLook): void => {
      const fresh = { offsetMs: storeMs - (askedAt + answeredAt) / 2, errorMs: (answeredAt - askedAt) / 2 }
      const agreeing = samples.filter((sample) => agree(sample, fresh))
      samples = [...(agreeing.length === samples.length ? samples : []), fresh].slice(-mostSamples)
      offsetMs = samples.reduce((best, sample) => (sample.errorMs < best.errorMs ? sample : best), fresh).offsetMs
    },
    at: (steadyMs: number): number => {
      const reading = Math.floor(steadyMs + offsetMs)
      last = last - reading < standsStillMs ? Math.max(last, reading) : reading
      return last
    },
  }
}

const agree = (one: Sample, other: Sample): boolean =>
  Math.abs(one.offsetMs - other.offsetMs) <= one.errorMs + other.errorMs + driftMs
