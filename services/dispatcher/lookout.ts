import type { Clock } from '@postrider/kit/clock.ts'
import { alarm } from './alarm.ts'

/** Tells a worker when something comes due that nobody rings for: scheduled mail, retries, mail whose worker died. */
export type Lookout = AsyncDisposable & {
  /** Something is due at `at`. */
  by(at: number): void
  /** The store knows of mail that this worker doesn't. */
  lookSoon(): void
}

type LookoutDeps = {
  /** When the next is due, in milliseconds since the epoch; null: nothing waits. */
  nextDue(): Promise<number | null>
  now: Clock
  random: () => number
  /** Something is due and nobody rang. */
  due(): void
  /** Told at each look. */
  looked(): void
  failed(reason: unknown): void
}

/** How often the store is asked, more or less: whoever was told of a mail may have died since. */
const lookEveryMs = 3_000
const lookSoonMs = 200
/** What is due for less has a hint under way, likely to another worker. */
const hintUnderWayMs = 300
/** What is known beforehand is known to every worker of the lane; by so much they spread out. */
const spreadMs = 100
/** The longest timer, so that a clock that was put forward is noticed. */
const longestMs = 60_000

/** Between 3/4 and 5/4 of it, so that several workers don't ask at once. */
const roughly = (ms: number, random: () => number): number => ms * (0.75 + 0.5 * random())

export const lookout = ({ nextDue, now, random, due, looked, failed }: LookoutDeps): Lookout => {
  let looking: Promise<void> | null = null
  let closed = false

  const ask = async (): Promise<void> => {
    looked()
    try {
      const at = await nextDue()
      if (at !== null && !closed) rings.by(at > now() ? at + random() * spreadMs : at + hintUnderWayMs)
    } catch (thrown) {
      failed(thrown)
    } finally {
      looking = null
      if (!closed) looks.by(now() + roughly(lookEveryMs, random))
    }
  }

  const rings = alarm(now, longestMs, due)
  const looks = alarm(now, longestMs, () => {
    looking ??= ask()
  })
  looks.by(now() + lookSoonMs)
  return {
    by: rings.by,
    lookSoon: () => looks.by(now() + roughly(lookSoonMs, random)),
    [Symbol.asyncDispose]: async () => {
      closed = true
      rings.off()
      looks.off()
      await looking
    },
  }
}
