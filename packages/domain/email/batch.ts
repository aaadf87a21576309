import { abandonedMs } from '../idempotency/claim.ts'
import { hourMs } from '../time.ts'
import type { Email } from './email.ts'

/** Maximum number of messages of a batch. */
export const maxBatchMessages = 100

/** How long a batch that has ended is remembered: longer than a request with its key can be repeated. */
const endedBatchMs = 2 * abandonedMs

/**
 * Time for which the id of a batch of a removed workspace stays void: longer than a request runs. Counted from its
 * acceptance.
 */
const removedBatchMs = hourMs

/**
 * The life of a batch.
 *
 * | state | its emails | what the sweep does when it is due |
 * |---|---|---|
 * | none | there are none | – |
 * | open | are being stored, no reader finds them | it was abandoned: makes it void and removes its emails |
 * | accepted | are to become due | makes them due: done |
 * | done | are due | removes the record of the batch |
 * | void | are to be removed | removes them: cleared |
 * | cleared | are removed | removes what a process that died stored since, removes the record of the batch |
 *
 * An open batch becomes accepted or void, and a batch that is not known becomes cleared when it is made void; every
 * other state stays on its side, except that a batch of a removed workspace becomes void in every state
 * (`revokedBatch`), and then cleared (`removedBatch`). So a request whose acceptance failed in the middle makes the
 * batch void before it reports the failure. If that is refused, the emails will be sent, and the response is the
 * acceptance.
 */
export type BatchState = 'open' | 'accepted' | 'done' | 'void' | 'cleared'

/** Action of the sweep for a batch that is due. `clear`: makes it void, and removes its emails. */
export type BatchSweep = 'complete' | 'forget' | 'clear' | 'clear_and_forget'

export const batchSweeps: Readonly<Record<BatchState, BatchSweep>> = {
  open: 'clear',
  accepted: 'complete',
  done: 'forget',
  void: 'clear',
  cleared: 'clear_and_forget',
}

/** Returns the states of batches for which the sweep has this action. */
export const statesSweptBy = (sweep: BatchSweep): BatchState[] =>
  (Object.keys(batchSweeps) as BatchState[]).filter((state) => batchSweeps[state] === sweep)

/** Returns whether the emails of a batch are still to be made due; null: it is not known. */
export const isBatchIncomplete = (state: BatchState | null): boolean =>
  state !== null && batchSweeps[state] === 'complete'

/** The states in which a batch can be extended, accepted or made void. */
export const openBatchStates = ['open'] as const satisfies BatchState[]

/** The states of a batch whose acceptance is decided. */
export const acceptedBatchStates = ['accepted', 'done'] as const satisfies BatchState[]

/**
 * Returns the state of a batch that readers see: whether its emails are due already, or removed already, makes no
 * difference.
 */
export const shownBatchState = (state: BatchState): 'open' | 'accepted' | 'void' => {
  if (openBatchStates.some((one) => one === state)) return 'open'
  return acceptedBatchStates.some((one) => one === state) ? 'accepted' : 'void'
}

/** Returns whether emails can be added to a batch; null: it is not known. */
export const isBatchOpen = (state: BatchState | null): boolean => state === null || shownBatchState(state) === 'open'

/** A state with the time at which the sweep has something to do. */
export type BatchChange = { state: BatchState; dueAt: number }

/** Returns how a batch is stored that is not accepted yet. @param until when it counts as abandoned */
export const openBatch = (until: number): BatchChange => ({ state: 'open', dueAt: until })

/**
 * Returns how a batch is stored whose emails are made due after its acceptance. If that ends in the middle, the next
 * sweep continues it.
 */
export const acceptedBatch = (now: number): BatchChange => ({ state: 'accepted', dueAt: now })

/** Returns how a batch whose emails are due is stored. */
export const doneBatch = (now: number): BatchChange => ({ state: 'done', dueAt: now + endedBatchMs })

/** Returns how a batch that is not accepted any more is stored. The sweep removes its emails. */
export const voidedBatch = (now: number): BatchChange => ({ state: 'void', dueAt: now })

/**
 * An open batch of a process that died, as it is stored: no request extends it, so the sweep removes its emails in its
 * next round.
 */
export const orphanedBatch = voidedBatch(0)

/** Returns how a void batch whose emails are removed is stored. */
export const clearedBatch = (now: number): BatchChange => ({ state: 'cleared', dueAt: now + endedBatchMs })

/**
 * A batch of a removed workspace, as it is stored before its emails are removed, even if it was accepted: no more
 * emails are added, and those that are not due yet never become due. Its results are personal data. Its time does not
 * change.
 */
export const revokedBatch = { state: 'void', results: '' } as const satisfies { state: BatchState; results: string }

/**
 * Returns how a batch of a removed workspace is stored after its emails are removed.
 * @param at time of its acceptance
 */
export const removedBatch = (at: number): BatchChange => ({ state: 'cleared', dueAt: at + removedBatchMs })

/**
 * Decides a request to store emails of a batch.
 * @param state null: it is not known
 * @returns the write, or null: the batch is void
 */
export const decideStage = (state: BatchState | null, until: number): BatchChange | null =>
  isBatchOpen(state) ? openBatch(until) : null

/**
 * Decides a request to accept a batch.
 * @returns the write, or null: the batch is void
 * @param hasStaged whether emails are to become due after the write: those that were staged before
 */
export const decideAccept = (
  state: BatchState | null,
  { hasStaged, now }: { hasStaged: boolean; now: number },
): BatchChange | null => {
  if (!isBatchOpen(state)) return null
  return hasStaged ? acceptedBatch(now) : doneBatch(now)
}

/**
 * Result of a request to make a batch void, and the write on which it depends. If the batch changed since it was read,
 * decide again.
 */
export type VoidDecision =
  | { write: null; isVoid: boolean }
  /** `create`: the id of a batch that is not known becomes void. `change`: an open batch becomes void. */
  | { write: 'create' | 'change'; isVoid: true; change: BatchChange }

/** Decides a request to make a batch void. @param state null: it is not known */
export const decideVoid = (state: BatchState | null, now: number): VoidDecision => {
  if (state === null) return { write: 'create', isVoid: true, change: clearedBatch(now) }
  const shown = shownBatchState(state)
  if (shown !== 'open') return { write: null, isVoid: shown === 'void' }
  return { write: 'change', isVoid: true, change: voidedBatch(now) }
}

/**
 * Numbers reserved for each message. No message has as many recipients, so no two recipients of a batch have the same
 * number.
 */
const numbersOfMessage = 1_000

/** Key of the sends of an email in the ledger. */
export type LedgerKey = { id: string; at: number; recipients: number[] }

/**
 * Returns the reservation of an email, and the numbers that its recipients have there. The emails of a batch share one
 * reservation, which has the id of the batch.
 */
export const ledgerKeyOf = ({ id, createdAt, batch }: Email, recipients: readonly number[]): LedgerKey =>
  batch === undefined
    ? { id, at: createdAt, recipients: [...recipients] }
    : {
        id: batch.id,
        at: batch.at,
        recipients: recipients.map((number) => batch.number * numbersOfMessage + number),
      }

/** Returns whether an id is that of a batch. */
export const isBatchId = (id: string): boolean => id.startsWith('bat_')
