import type { PaymentNotice } from '@postrider/domain/billing/collections.ts'
import { unbilledSince } from '@postrider/domain/billing/kind.ts'
import { newAllowance, readAllowance, type StoredAllowance, storedChange } from '@postrider/domain/quota/plans.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { BillingChange, BillingStore } from '@postrider/ports/billing.ts'
import type { Collection, Db } from 'mongodb'
import { mongoOutbox, type Outbox } from '../audit/outbox.ts'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { type BilledDoc, billedOf, chargeOf, chargesOf, neverChecked } from './docs.ts'
import { invoiceList } from './invoices.ts'

/** The collections with outboxes that billing adds to those of the ledger. */
export const billingOutboxes = { indexed: ['invoices'] } as const

/**
 * Billing in MongoDB. Map: docs.ts (documents), this file (states and lines), invoices.ts (invoices and their numbers).
 */
export const mongoBilling = (db: Db): BillingStore => {
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    ...states(billedOf(db), outbox),
    ...ledger(db),
    ...invoiceList(db, outbox),
    ...coordination(db),
    ...noticeList(db),
  })
}

const states = (
  billed: Collection<BilledDoc>,
  outbox: Outbox,
): Pick<BillingStore, 'read' | 'change' | 'due' | 'countDue'> => ({
  read: async (workspace) => {
    const doc = await billed.findOne({ _id: scalar(workspace) })
    if (doc === null) return { allowance: newAllowance, account: null, rev: 0 }
    const { _id, billing, outbox: _, gone: __, ...allowance } = doc
    return { allowance: readAllowance(allowance), account: billing?.account ?? null, rev: billing?.rev ?? 0 }
  },
  change: (change, audit) => changeState(billed, outbox, change, audit === null ? [] : [audit]),
  due: async (now, limit) => {
    const find = (filter: object, max: number) =>
      billed
        .find(filter, { projection: { _id: 1 } })
        .limit(max)
        .toArray()
    const due = await find({ 'billing.dueAt': { $lte: now } }, limit)
    const remaining = limit - due.length
    const unbilled = remaining > 0 ? await find(neverChecked, remaining) : []
    return [...due, ...unbilled].map(({ _id }) => _id)
  },
  countDue: async (before) => {
    const isOld = { $or: [{ since: { $exists: false } }, { since: { $lt: unbilledSince(before) } }] }
    const [due, unbilled] = await Promise.all([
      billed.countDocuments({ 'billing.dueAt': { $lt: before } }),
      billed.countDocuments({ ...neverChecked, ...isOld } as object),
    ])
    return due + unbilled
  },
})

const changeState = async (
  billed: Collection<BilledDoc>,
  outbox: Outbox,
  { workspace, rev, account, allowance, dueAt }: BillingChange,
  entries: readonly AuditEntry[],
): Promise<boolean> => {
  const _id = scalar(workspace)
  const $set = { ...storedChange(allowance), billing: { rev: rev + 1, dueAt, account } }
  const asRead = { _id, 'billing.rev': rev > 0 ? scalar(rev) : null } as object
  const found = await outbox.update(billed, asRead, { $set }, entries, { projection: { _id: 1 } })
  if (found !== null || rev > 0) return found !== null
  // There is no document, or it has a billing by now.
  const [entry] = entries
  const doc: BilledDoc = { ...newAllowanceDoc, ...$set, _id }
  if (!(await ignoreDuplicateKey(() => billed.insertOne(entry ? outbox.withEntry(doc, entry) : doc)))) return false
  await outbox.moveNow(billed, _id, entries)
  return true
}

const newAllowanceDoc = storedChange(newAllowance) as StoredAllowance

const ledger = (db: Db): Pick<BillingStore, 'addLines' | 'lines'> => {
  const charges = chargesOf(db)
  return {
    addLines: async (lines) => {
      withoutRefusals(
        await insertEach(
          charges,
          lines.map(({ id, ...line }) => ({ _id: id, ...line })),
        ),
      )
    },
    lines: async (workspace) => {
      const found = await charges
        .find({ workspace: scalar(workspace) })
        .sort({ month: 1, _id: 1 })
        .toArray()
      return found.map(chargeOf)
    },
  }
}

type NoticeDoc = Omit<PaymentNotice, 'id'> & { _id: string }

const noticeList = (db: Db): Pick<BillingStore, 'addNotice' | 'notices' | 'removeNotice'> => {
  const notices = db.collection<NoticeDoc>('payment_notices')
  return {
    addNotice: async ({ id, ...notice }) => void withoutRefusals(await insertEach(notices, [{ _id: id, ...notice }])),
    notices: async (limit) => {
      const found = await notices.find().sort({ at: 1 }).limit(limit).toArray()
      return found.map(({ _id, ...notice }) => ({ id: _id, ...notice }))
    },
    removeNotice: async (id) => void (await notices.deleteOne({ _id: scalar(id) })),
  }
}

type LeaseDoc = { _id: string; holder: string; until: number }

const coordination = (db: Db): Pick<BillingStore, 'lease' | 'endLease' | 'addEvent' | 'hasEvent'> => {
  const leases = db.collection<LeaseDoc>('billing_lease')
  const events = db.collection<{ _id: string; at: number }>('payment_events')
  return {
    lease: async (owner, now, until) => {
      const free = { _id: 'close', $or: [{ holder: scalar(owner) }, { until: { $lte: now } }] }
      return ignoreDuplicateKey(() => leases.updateOne(free, { $set: { holder: owner, until } }, { upsert: true }))
    },
    endLease: async (owner) => void (await leases.deleteOne({ _id: 'close', holder: scalar(owner) })),
    addEvent: async (id, at) => {
      const [added] = withoutRefusals(await insertEach(events, [{ _id: id, at }]))
      return added === true
    },
    hasEvent: async (id) => (await events.findOne({ _id: scalar(id) })) !== null,
  }
}
