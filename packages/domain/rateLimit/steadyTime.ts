/** A clock that goes back by more than this was set; by less, two readings crossed. */
const crossedMs = 1_000

/**
 * Makes readings of a clock never go back, in the order given. Where the clock was set back, time goes on from where it
 * was, so nobody waits until the clock is there again.
 */
export const steadyTime = (): ((reading: number) => number) => {
  let last = Number.NEGATIVE_INFINITY
  let shift = 0
  return (reading) => {
    if (last - (reading + shift) > crossedMs) shift = last - reading
    last = Math.max(last, reading + shift)
    return last
  }
}
