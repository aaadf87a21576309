import type { Clock } from './clock.ts'

/** One timer, set to the earliest of the times it was given. */
export type WakeTimer = {
  /** Makes the timer fire at `at` at the latest. */
  scheduleAt(at: number): void
  cancel(): void
}

/** The longest timer, so that a clock that was put forward is noticed. */
const maxTimerMs = 60_000

/** @param onDue called at the earliest scheduled time, or after `maxTimerMs` if that is sooner */
export const wakeTimer = (now: Clock, onDue: () => void): WakeTimer => {
  let timer: NodeJS.Timeout | undefined
  let earliest = Infinity
  const fire = (): void => {
    earliest = Infinity
    onDue()
  }
  return {
    scheduleAt: (at) => {
      if (at >= earliest) return
      clearTimeout(timer)
      earliest = at
      timer = setTimeout(fire, Math.min(Math.max(at - now(), 0), maxTimerMs))
    },
    cancel: () => {
      clearTimeout(timer)
      earliest = Infinity
    },
  }
}
