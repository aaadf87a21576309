import { every } from '@postrider/kit/every.ts'
import { reasonOf } from '@postrider/kit/rootCause.ts'

/** Failures in a row that open the breaker. */
const maxFailures = 3

export type Breaker = AsyncDisposable & {
  /** Runs a call. @returns null: it failed, or the breaker is open and the call was skipped */
  run<T>(call: () => Promise<T>): Promise<T | null>
}

export type BreakerOptions = {
  /** A call that succeeds once the server works again. */
  probe: () => Promise<unknown>
  probeEveryMs: number
  /** Called with the reason when the breaker opens, and with null when it closes. */
  onChange: (reason: string | null) => void
}

/**
 * Creates a circuit breaker, so that a server that does not respond delays a few calls and not each. While it is open,
 * calls are skipped and a probe runs periodically; the first probe that succeeds closes it.
 */
export const breaker = ({ probe, probeEveryMs, onChange }: BreakerOptions): Breaker => {
  let failures = 0
  let probing: AsyncDisposable | null = null
  let disposed = false

  const close = (): void => {
    // Not awaited: this runs inside the probe.
    void probing?.[Symbol.asyncDispose]()
    probing = null
    failures = 0
    if (!disposed) onChange(null)
  }

  const open = (reason: string): void => {
    probing = every(() => probe().then(close), { delayMs: () => probeEveryMs, onError: () => {} })
    onChange(reason)
  }

  return {
    run: async (call) => {
      if (probing) return null
      const before = failures
      try {
        const result = await call()
        if (!probing) failures = 0
        return result
      } catch (thrown) {
        // Calls that were in flight together count as one failure.
        if (!probing && !disposed && failures === before) {
          failures += 1
          if (failures === maxFailures) open(reasonOf(thrown))
        }
        return null
      }
    },
    [Symbol.asyncDispose]: async () => {
      disposed = true
      await probing?.[Symbol.asyncDispose]()
    },
  }
}
