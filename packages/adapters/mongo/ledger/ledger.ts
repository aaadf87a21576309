import { daysWithSends, lineFor, nothingUsed, usedOn, voidLineFor } from '@postrider/domain/quota/entries.ts'
import {
  type Allowance,
  allowanceAt,
  newAllowance,
  type StoredAllowance,
  storedChange,
} from '@postrider/domain/quota/plans.ts'
import { type Reservation, standingOf } from '@postrider/domain/quota/quota.ts'
import { monthOf } from '@postrider/domain/time.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { EntryOf } from '@postrider/ports/audit.ts'
import type { Ledger, ReserveOutcome } from '@postrider/ports/ledger.ts'
import type { Db } from 'mongodb'
import { asRead, mongoOutbox, untilUnchanged } from '../audit/outbox.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { movePendingOf } from '../events/pending.ts'
import { mongoWorkspaceEvents } from '../events/workspaceEvents.ts'
import { adjust, isSettled } from './adjust.ts'
import {
  type AllowanceDoc,
  allowanceOf,
  type KeyedEntry,
  keyedEntryOf,
  monthKey,
  monthsOf,
  pendingOf,
  withoutBilling,
} from './docs.ts'
import { finish, release } from './finish.ts'
import { ledgerLines } from './ledgerLines.ts'
import { ledgerMonths } from './months.ts'
import { reserveAll } from './reserve.ts'

/** The collection with outboxes that the quota service sweeps. */
export const ledgerOutboxes = { indexed: ['allowances'], events: ['ledger_months'] } as const

/** Calls of one process per batch, and batches at the same time. */
const batches = { max: 200, maxInFlight: 4 }

/**
 * The ledger in MongoDB, where numbers and lines are separate documents; the rules are those of `Entry`. Numbers and
 * entries change together in one guarded update, which never writes back values that were read before.
 *
 * Map: docs.ts (documents), months.ts and ledgerLines.ts (the two collections), reserve.ts (reservations), finish.ts
 * (commit, settle, release), adjust.ts (corrections), rebuild.ts (recount). Which thresholds are notified is decided in
 * packages/domain/quota/reach.ts.
 * @param now sets the times of events
 */
export const mongoLedger = (db: Db, now: Clock = Date.now): Ledger => {
  const months = ledgerMonths(db)
  const lines = ledgerLines(db)
  const allowances = storedAllowances(db)
  const events = mongoWorkspaceEvents(db, now)
  // The sweep repeats a move that fails.
  const moveEvents = (key: string) => movePendingOf(monthsOf(db), events, key).catch(() => {})
  const parts = { months, lines, allowancesOf: allowances.ofMany, moveEvents }

  const reserve = batcher<Reservation, ReserveOutcome>({ ...batches, run: (batch) => reserveAll(parts, batch) })
  const commit = batcher<KeyedEntry, undefined>({
    ...batches,
    run: async (batch) => {
      await finish(parts, batch, lineFor)
      return batch.map(() => undefined)
    },
  })

  const ledger: Ledger = {
    reserve,
    commit: (reservation) => commit(keyedEntryOf(reservation)),
    release: (request) => release(parts, request),
    pending: async (before, limit) =>
      (await months.old(before, limit)).map(({ workspace, entry }) => pendingOf(workspace, entry)),
    settle: async (reservation, emailExists) =>
      (await finish(parts, [keyedEntryOf(reservation)], emailExists ? lineFor : voidLineFor)).length > 0,
    usage: async (workspace, at) => {
      const [allowance, month] = await Promise.all([
        allowances.get(workspace),
        months.read(monthKey({ workspace, at })),
      ])
      const usage = month ?? nothingUsed
      const history = Object.entries(daysWithSends(monthOf(at), usage.days)).map(([date, sends]) => ({ date, sends }))
      return { ...standingOf(allowanceAt(allowance, at), usedOn(usage, at)), history }
    },
    adjust: (correction) => adjust(parts, correction),
    isSettled: (workspace, month) => isSettled(parts, `${workspace} ${month}`),
    allowance: allowances.get,
    setAllowance: allowances.set,
    deleteAllowance: allowances.delete,
  }
  return withMappedErrors(ledger)
}

const storedAllowances = (db: Db) => {
  const allowances = db.collection<AllowanceDoc>('allowances')
  const outbox = mongoOutbox(db)
  /** @returns false: two first changes at the same time; the document exists now */
  const insert = (doc: AllowanceDoc): Promise<boolean> => ignoreDuplicateKey(() => allowances.insertOne(doc))
  const set = (workspace: string, change: Partial<Allowance>, entryOf?: EntryOf<Allowance>): Promise<Allowance> =>
    untilUnchanged(async () => {
      const byId = { _id: scalar(workspace) }
      const found = await allowances.findOne(byId, { projection: withoutBilling })
      const before = found ? allowanceOf(found) : newAllowance
      const after = { ...before, ...change }
      const entry = entryOf?.(before, after)
      if (entry === null) return before
      const entries = entry ? [entry] : []
      if (found) {
        const stored = storedChange(change)
        return (await outbox.update(allowances, { ...byId, ...asRead(found, stored) }, { $set: stored }, entries, {
          projection: { _id: 1 },
        }))
          ? after
          : undefined
      }
      const fresh: AllowanceDoc = { ...byId, ...(storedChange(after) as StoredAllowance) }
      if (!(await insert(entry ? outbox.withEntry(fresh, entry) : fresh))) return undefined
      await outbox.moveNow(allowances, workspace, entries)
      return after
    })
  const ofMany = async (workspaces: readonly string[]): Promise<Map<string, Allowance>> => {
    const found = await allowances.find({ _id: { $in: [...workspaces] } }, { projection: withoutBilling }).toArray()
    return new Map(found.map((doc) => [doc._id, allowanceOf(doc)]))
  }
  return {
    ofMany,
    delete: async (workspace: string): Promise<void> => void (await allowances.deleteOne({ _id: scalar(workspace) })),
    get: async (workspace: string): Promise<Allowance> => (await ofMany([workspace])).get(workspace) ?? newAllowance,
    set,
  }
}
