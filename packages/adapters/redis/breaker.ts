/** Failures in a row after which nobody is sent to wait any more. */
const mostFailures = 3

export type Breaker = Disposable & {
  /** @returns null: the ask failed, or nobody asks just now */
  ask<T>(work: () => Promise<T>): Promise<T | null>
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/**
 * Stops asking a server that fails, so that its silence costs a few asks and not each. While it is open a probe asks again
 * and again, with nobody waiting for it.
 * @param changed is told of each opening with its reason, and null when asking goes on
 */
export const breaker = ({
  probe,
  probeEveryMs,
  changed,
}: {
  probe: () => Promise<unknown>
  probeEveryMs: number
  changed: (reason: string | null) => void
}): Breaker => {
  let failures = 0
  let open = false
  let ended = false
  let timer: NodeJS.Timeout | undefined

  const probeLater = (): void => {
    if (ended) return
    timer = setTimeout(() => void probe().then(close, probeLater), probeEveryMs).unref()
  }

  const close = (): void => {
    if (ended) return
    failures = 0
    open = false
    changed(null)
  }

  /** Asks that were under way together fail together: they count as one failure. */
  const countFailure = (before: number, thrown: unknown): void => {
    if (open || failures !== before) return
    failures += 1
    if (failures < mostFailures) return
    open = true
    changed(reasonOf(thrown))
    probeLater()
  }

  return {
    ask: async (work) => {
      if (open) return null
      const before = failures
      try {
        const answer = await work()
        if (!open) failures = 0
        return answer
      } catch (thrown) {
        countFailure(before, thrown)
        return null
      }
    },
    [Symbol.dispose]: () => {
      ended = true
      clearTimeout(timer)
    },
  }
}
