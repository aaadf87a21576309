import { AsyncLocalStorage } from 'node:async_hooks'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Writes after the response, such as a time of last use, at most once for each `minute`. The write may be lost.
 * @param record names the record
 */
export type DeferWrite = (record: string, minute: number, write: () => Promise<void>) => void

/** Records remembered as written. One that is forgotten is written once more. */
const maxRemembered = 10_000

const ignoreFault = (thrown: unknown): void => {
  if (!(thrown instanceof Fault)) throw thrown
}

/**
 * These writes must not fail a request: while the store rejects writes, readers still get in. So they run
 * outside the request's async context and take no part in its commit.
 */
export const deferredWrites = (): DeferWrite => {
  const outsideRequest = AsyncLocalStorage.snapshot()
  const written = boundedMap<number>(maxRemembered)
  return (record, minute, write) => {
    if (written.get(record) === minute) return
    written.set(record, minute)
    outsideRequest(() => setImmediate(() => void write().catch(ignoreFault)))
  }
}
