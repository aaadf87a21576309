/** A clock and timers that move only when a test moves them. */
export type ManualTime = {
  /** Milliseconds. */
  elapsed(): number
  after(ms: number, fire: () => void): Disposable
  /** Returns how many timers are set. */
  pending(): number
  /** Moves the clock to the time of the next timer and fires it. */
  fireNext(): void
}

export const manualTime = (): ManualTime => {
  const timers = new Set<{ at: number; fire: () => void }>()
  let time = 0
  return {
    elapsed: () => time,
    after: (ms, fire) => {
      const timer = { at: time + ms, fire }
      timers.add(timer)
      return { [Symbol.dispose]: () => void timers.delete(timer) }
    },
    pending: () => timers.size,
    fireNext: () => {
      const [next] = [...timers].toSorted((a, b) => a.at - b.at)
      if (!next) throw new Error('no timer is set')
      timers.delete(next)
      time = next.at
      next.fire()
    },
  }
}
