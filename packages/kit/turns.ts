import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'

/** Spreads work over event loop iterations. In each, one turn of each owner that waits comes. */
export type Turns = {
  /** Resolves in a later event loop iteration. */
  wait(owner: string): Promise<void>
  /** Returns how many callers wait. */
  size(): number
  sizeOf(owner: string): number
}

const anyOwner = (): boolean => true

export const makeTurns = (): Turns => {
  const waiting = fairQueue<() => void>()
  const next = (): void => {
    for (let left = waiting.owners(); left > 0; left--) waiting.next(anyOwner)?.item()
    if (waiting.size() > 0) setImmediate(next)
  }
  return {
    wait: (owner) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.size() === 0) setImmediate(next)
      waiting.add(owner, resolve)
      return promise
    },
    size: waiting.size,
    sizeOf: waiting.sizeOf,
  }
}
