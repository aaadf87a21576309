import { latestWriteMs } from '@postrider/domain/email/changes.ts'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Returns whether the response of a write is late. If it is not, the write was made in time.
 * @param since when the call of the write began, by `performance.now`
 */
export const isLate = (since: number): boolean => performance.now() - since > latestWriteMs

/**
 * Sets when a write was made, by the clock of the store: its response may be late or lost although it was made in time.
 */
export const setWrittenAt = { $currentDate: { writtenAt: true } } as const

/** Returns the failure of a late write. Its caller repeats it, with a new time for the events. */
export const lateWriteFault = (): Fault =>
  new Fault('unavailable', 'The store was too slow; try again in a few seconds.', { retryAfterMs: 2_000 })

/**
 * Returns the failure of a write because the record has changed: an earlier try was made after its response was lost.
 */
export const conflictFault = (): Fault =>
  new Fault('unavailable', 'Another request changed the record at the same time; try again in a second.', {
    retryAfterMs: 1_000,
  })
