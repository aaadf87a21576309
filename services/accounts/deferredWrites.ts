import { AsyncLocalStorage } from 'node:async_hooks'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Returns a function that writes after the response, such as a time of last use, at most once per minute and record.
 * The write may be lost.
 * @param record names the record
 */
export type DeferWrite = (record: string, minute: number, write: () => Promise<void>) => void

/** Maximum number of records whose last write is stored. A record that is removed is written once more. */
const maxRemembered = 10_000

const ignoreFault = (thrown: unknown): void => {
  if (!(thrown instanceof Fault)) throw thrown
}

/**
 * Returns a function that runs writes in the background. These writes must not fail a request, so that reads work while
 * the store rejects writes. Therefore they run outside the request's async context and are not part of its commit.
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
