import { abandonedMs } from '../idempotency/claim.ts'
import { hourMs } from '../time.ts'
import type { Email } from './email.ts'

/** Most messages of a batch. */
export const mostBatchMessages = 100

/** How long a batch that has ended is remembered: longer than a request with its key can be repeated. */
export const endedBatchMs = 2 * abandonedMs

/** How long the id of a batch of a removed workspace stays void: longer than a request runs. Counted from its acceptance. */
export const removedBatchMs = hourMs

/** More than the recipients of any message, so that no two recipients of a batch have the same number. */
const numbersOfMessage = 1_000

/** How the ledger names the sends of an email. */
export type LedgerPlace = { id: string; at: number; recipients: number[] }

/**
 * Returns the reservation of an email, and the numbers that its recipients have there. The emails of a batch share one
 * reservation, which has the id of the batch.
 */
export const ledgerPlaceOf = ({ id, createdAt, batch }: Email, recipients: readonly number[]): LedgerPlace =>
  batch === undefined
    ? { id, at: createdAt, recipients: [...recipients] }
    : {
        id: batch.id,
        at: batch.at,
        recipients: recipients.map((number) => batch.number * numbersOfMessage + number),
      }

/** Whether an id is that of a batch. */
export const isBatchId = (id: string): boolean => id.startsWith('bat_')
