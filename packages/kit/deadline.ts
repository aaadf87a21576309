import { AsyncLocalStorage } from 'node:async_hooks'

const deadlines = new AsyncLocalStorage<number>()

/** Runs work whose calls to other services must have answers by a time, in milliseconds since the epoch. */
export const withDeadline = <T>(at: number, work: () => T): T => deadlines.run(at, work)

/** Returns the deadline of the work that runs; infinite if it has none. */
export const currentDeadline = (): number => deadlines.getStore() ?? Number.POSITIVE_INFINITY
