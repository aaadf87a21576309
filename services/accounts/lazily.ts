import { AsyncLocalStorage } from 'node:async_hooks'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Writes something that may be lost, once for each `minute`, after the answer rather than before it.
 * @param what names the record
 */
export type Lazily = (what: string, minute: number, write: () => Promise<void>) => void

/** Records remembered as written; forgetting them all costs a write each. */
const mostRemembered = 10_000

const unlessRefused = (thrown: unknown): void => {
  if (!(thrown instanceof Fault)) throw thrown
}

/**
 * The time of last use is worth no refusal: while nothing can be written, whoever only reads must still be let in.
 * So these writes belong to no request, neither to its commit nor to its context.
 */
export const lazyWrites = (): Lazily => {
  const outside = AsyncLocalStorage.snapshot()
  const written = new Map<string, number>()
  return (what, minute, write) => {
    if (written.get(what) === minute) return
    if (written.size >= mostRemembered) written.clear()
    written.set(what, minute)
    outside(() => setImmediate(() => void write().catch(unlessRefused)))
  }
}
