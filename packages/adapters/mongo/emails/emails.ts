import type { Lane, Mode } from '@postrider/domain/email/email.ts'
import { waitingStatuses } from '@postrider/domain/email/status.ts'
import { countsAsScheduled, queueKindOf } from '@postrider/domain/fairness/admission.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { noticeIndexes } from '../audit/notices.ts'
import { mongoOutbox } from '../audit/outbox.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { emailBatches } from './batches.ts'
import { emailClocks } from './clocks.ts'
import { emailContents } from './contents.ts'
import { type EmailDoc, storedFields, storedOf } from './document.ts'
import { emailInserts } from './inserts.ts'
import { emailLeases } from './leases.ts'
import { listEmails } from './list.ts'
import { oldParked } from './oldParked.ts'
import { emailParking, parkedFilter } from './parking.ts'
import { emailPurges } from './purges.ts'
import { fillListIndex } from './sources.ts'
import { suspendedEmails } from './suspended.ts'
import { emailWrites } from './writes.ts'

/*
 * Stores the emails and the captured mail of a cluster:
 *
 * emails.ts    the store: its indexes, reads of one email, counts of the queue
 * document.ts  the stored document, and the fields that guards and filters use
 * inserts.ts   new emails, several in one command
 * batches.ts   emails that are accepted together: batchDoc.ts is the stored batch, and batchCompletion.ts records that
 *              all of its emails are due
 * contents.ts  bodies and attachments, in a collection of their own
 * leases.ts    claims, renewals, ends of leases, parking
 * writes.ts    outcomes and other changes of an email
 * lateness.ts  when a write took too long for the feed of events
 * list.ts      lists of a workspace
 * pacedEmails.ts reads many emails with pauses
 * sources.ts   the indexes that a list reads
 * clocks.ts    test mail for a move of its clock
 * parking.ts   parked mail, and what is due first
 * oldParked.ts mail that version 0.1 parked
 * suspended.ts mail of suspended workspaces, set aside and resumed
 * purges.ts    what is removed after its time
 * mailbox.ts   mail that was captured instead of sent
 */

/** The collections with outboxes that intake sweeps. */
export const emailOutboxes = { noticed: 'emails', indexed: ['erasures', 'test_clocks'] } as const

/** The index of each query. Inserts, writes, claims by id and reads of contents find documents by `_id`. */
export const emailIndexes: Indexes = {
  ...noticeIndexes,
  emails: [
    // Parked mail.
    { key: { parkedAt: 1 }, sparse: true },
    // Lists with filters, and mail that is not in the index yet.
    { key: { terms: 1, createdAt: -1, _id: -1 } },
    // Mail that is leased: lists by status.
    { key: { leaseUntil: 1, workspace: 1 } },
    // Lists by status.
    { key: { status: 1, workspace: 1, mode: 1, lane: 1, createdAt: -1, _id: -1 } },
    // The oldest due emails of a lane: claims, `nextDue`, and both counts of `backlog`.
    { key: { lane: 1, dueAt: 1, _id: 1 } },
    // The next workspace with waiting emails, and its oldest due emails: for a scan when more is due than its limit.
    { key: { lane: 1, workspace: 1, dueAt: 1, _id: 1 } },
    // Lists without filters.
    { key: { workspace: 1, createdAt: -1, _id: -1 } },
    // Refunds still owed: `pendingRefunds`.
    { key: { owing: 1 } },
    // Waiting mail by workspace: `queueCounts` reads the index alone, and test clocks find test mail by it.
    { key: { status: 1, workspace: 1, mode: 1, lane: 1, bytes: 1 } },
    // What is removed next: `duePurges`.
    { key: { purgeStep: 1, purgeFrom: 1 } },
    // Events in the order of their time: the feed.
    { key: { workspace: 1, mode: 1, eventsAt: 1 } },
    // Mail that was set aside, by workspace: `resume`.
    { key: { suspended: 1 } },
  ],
  batches: [
    // Batches with work for the sweep.
    { key: { dueAt: 1 } },
    // Removal of a workspace.
    { key: { workspace: 1 } },
    // Erasure of a recipient, some batches after the other.
    { key: { workspace: 1, _id: 1 } },
  ],
}

/**
 * Creates the email store on MongoDB.
 * @param onParked called for an email that a claim parked because its workers died too often
 */
export const mongoEmails = (
  db: Db,
  onParked: (id: string) => void = () => {},
  slices: Slices = makeSlices(),
): EmailStore => {
  const emails = db.collection<EmailDoc>('emails')
  return withMappedErrors({
    ...emailInserts(db),
    ...emailBatches(db, emailContents(db), slices),
    ...emailWrites(db, emails, mongoOutbox(db)),
    ...emailLeases(emails, onParked),
    ...queueReads(emails),
    ...suspendedEmails(emails),
    ...emailClocks(emails),
    ...emailParking(emails),
    ...oldParked(emails),
    ...emailPurges(emails, emailContents(db)),
    get: async (id: string) => {
      const byId = { _id: scalar(id), workspace: { $ne: '' } }
      const found = await emails.findOne(byId, { projection: storedFields })
      return found && storedOf(found)
    },
    fillListIndex: (limit: number) => fillListIndex(emails, limit),
    list: (...[query, signal]: Parameters<EmailStore['list']>) => listEmails(emails, query, signal),
  } satisfies EmailStore)
}

const queueReads = (
  emails: Collection<EmailDoc>,
): Pick<EmailStore, 'nextDue' | 'backlog' | 'queueCounts' | 'pendingRefunds'> => {
  const nextDue = async (lane: Lane): Promise<number | null> => {
    const waiting = { lane, dueAt: { $lt: neverMs } }
    const first = await emails.findOne(waiting, { projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 } })
    return first?.dueAt ?? null
  }
  const backlog = async (lane: Lane, now: number) => {
    const [due, first] = await Promise.all([emails.countDocuments({ lane, dueAt: { $lte: now } }), nextDue(lane)])
    return { lane, due, oldestDueAt: first !== null && first <= now ? first : null }
  }
  return {
    nextDue,
    backlog: (now) => Promise.all([backlog('transactional', now), backlog('marketing', now)]),
    queueCounts: () => queueCounts(emails),
    pendingRefunds: async (limit) =>
      (await emails.find({ owing: true }, { projection: storedFields }).limit(limit).toArray()).map(storedOf),
  }
}

type WaitingStatus = (typeof waitingStatuses)[number]
type Counted = {
  _id: { workspace: string; mode: Mode; lane: Lane; status: WaitingStatus }
  emails: number
  bytes: number
}

/**
 * Counts the mail of which `isWaiting` is true, each status separately: every server reads an equality from the index
 * alone. Parked mail, of which there is little, has the same statuses and does not wait: it is subtracted.
 */
const queueCounts = async (emails: Collection<EmailDoc>): Promise<QueueCount[]> => {
  const count = async (filter: Filter<EmailDoc>, sign: 1 | -1): Promise<QueueCount[]> => {
    const _id = { workspace: '$workspace', mode: '$mode', lane: '$lane', status: '$status' }
    const group = { $group: { _id, emails: { $sum: 1 }, bytes: { $sum: '$bytes' } } }
    const counted = await emails.aggregate<Counted>([{ $match: filter }, group]).toArray()
    return counted.map(({ _id: { workspace, mode, lane, status }, ...sums }) => {
      const kind = queueKindOf({ mode, isScheduled: countsAsScheduled(status) })
      return { workspace, lane, kind, emails: sign * sums.emails, bytes: sign * sums.bytes }
    })
  }
  const ofStatuses = waitingStatuses.map((status) => count({ status }, 1))
  const all = (await Promise.all([...ofStatuses, count(parkedFilter, -1)])).flat()
  const merged = Map.groupBy(all, ({ workspace, lane, kind }) => `${workspace} ${lane} ${kind}`)
  const sums = [...merged.values()].flatMap(([first, ...others]) => (first ? [others.reduce(plus, first)] : []))
  return sums.filter((one) => one.emails > 0)
}

const plus = (one: QueueCount, other: QueueCount): QueueCount => ({
  ...one,
  emails: one.emails + other.emails,
  bytes: one.bytes + other.bytes,
})
