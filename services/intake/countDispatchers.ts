import type { Intake } from '@postrider/contracts/services.ts'
import { lanes } from '@postrider/domain/email/email.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { type WithTimeoutOptions, withTimeout } from '@postrider/kit/deadline.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import type { DoorbellListeners } from '@postrider/ports/doorbell.ts'

export type CountDispatchersDeps = Pick<WithTimeoutOptions, 'pause'> & {
  doorbell: DoorbellListeners
  /** A monotonic clock in milliseconds. */
  elapsed?: Monotonic
}

type Counted = { at: number; listeners: Awaited<ReturnType<DoorbellListeners['listeners']>> }

/** How long a count is returned again, and how long a caller waits for one. */
const [freshMs, waitMs] = [5_000, 1_500]

/**
 * Returns the method that counts the dispatchers, by who listens to the doorbell: leases exist only while mail is in
 * flight. One count runs at a time, because Kafka may need half a minute to fail; a caller that waited too long gets
 * none.
 */
export const countDispatchers = ({
  doorbell,
  elapsed = performance.now.bind(performance),
  ...options
}: CountDispatchersDeps): Intake['CountDispatchers'] => {
  let last: Counted | null = null
  const count = async (): Promise<void> => {
    try {
      const listeners = await doorbell.listeners()
      last = { at: elapsed(), listeners }
    } catch {
      // The adapter logs why; the caller gets no count.
    }
  }
  const counting = singleFlight(count)
  const fresh = (): Counted | null => (last !== null && elapsed() - last.at <= freshMs ? last : null)
  return async () => {
    if (fresh() === null) {
      await withTimeout(waitMs, counting.run(), options)
    }
    const known = fresh()
    return { lanes: known ? lanes.map((lane) => ({ lane, dispatchers: known.listeners[lane] })) : [] }
  }
}
