import { newStatusFields, statusFields } from '@postrider/domain/billing/invoices.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { BillingStore, InvoiceQuery, StoredInvoice } from '@postrider/ports/billing.ts'
import type { Collection, Db, Document } from 'mongodb'
import type { Outbox } from '../audit/outbox.ts'
import { ignoreDuplicateKey } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { busy } from '../ledger/months.ts'
import { chargeOf, chargesOf, type InvoiceDoc, invoicesOf } from './docs.ts'

/** The collection of invoices. An invoice has the ids of its lines; its lines are read with it. */
export const invoiceList = (
  db: Db,
  outbox: Outbox,
): Pick<BillingStore, 'addInvoice' | 'invoice' | 'invoices' | 'setStatus'> => {
  const invoices = invoicesOf(db)
  const charges = chargesOf(db)

  const withLines = async (docs: readonly InvoiceDoc[]): Promise<StoredInvoice[]> => {
    const ids = docs.flatMap(({ lines }) => lines)
    const found = ids.length === 0 ? [] : await charges.find({ _id: { $in: ids } }).toArray()
    const byId = new Map(found.map((charge) => [charge._id, chargeOf(charge)]))
    return docs.map(({ _id, lines, outbox: _, gone: __, ...doc }) => ({
      id: _id,
      ...doc,
      lines: lines.flatMap((line) => byId.get(line) ?? []),
    }))
  }

  return {
    addInvoice: async ({ id, totalCents: _, ...draft }) => {
      const isStored = async (): Promise<boolean> =>
        (await invoices.findOne({ _id: scalar(id) }, { projection: { _id: 1 } })) !== null
      const attempt = async (): Promise<null | undefined> => {
        const seq = await nextNumber(invoices)
        const isNew = await ignoreDuplicateKey(() =>
          invoices.insertOne({ _id: id, seq, ...draft, ...newStatusFields(draft) }),
        )
        // Either this invoice exists, or another one has the number.
        return isNew || (await isStored()) ? null : undefined
      }
      await retryOnConflict(attempt, { rounds: 'invoiceNumber', onBusy: busy })
    },
    invoice: async (id, workspace) => {
      const filter = workspace === null ? {} : { workspace: scalar(workspace) }
      const found = await invoices.findOne({ _id: scalar(id), ...filter })
      const [invoice] = found === null ? [] : await withLines([found])
      return invoice ?? null
    },
    invoices: async (query) => {
      const filter = await filterOf(invoices, query)
      const found = filter === null ? [] : await invoices.find(filter).sort({ seq: -1 }).limit(query.limit).toArray()
      return withLines(found)
    },
    setStatus: async ({ id, from, to, at, reason }, entry) => {
      const $set = statusFields(to, { at, reason })
      const filter = { _id: scalar(id), status: { $in: [...from] } }
      const found = await outbox.update(invoices, filter, { $set }, entry === null ? [] : [entry])
      const [invoice] = found === null ? [] : await withLines([found])
      return invoice ?? null
    },
  }
}

/**
 * Returns the number after the highest one. The insert decides: the index refuses a second invoice with the number. A
 * number exists only with its invoice and invoices are not deleted, so a crash leaves no gap.
 */
const nextNumber = async (invoices: Collection<InvoiceDoc>): Promise<number> => {
  const highest = await invoices
    .find({}, { projection: { seq: 1 } })
    .sort({ seq: -1 })
    .limit(1)
    .next()
  return (highest?.seq ?? 0) + 1
}

/** @returns null: the invoice after which the page begins does not exist */
const filterOf = async (
  invoices: Collection<InvoiceDoc>,
  { workspace, status, month, before }: InvoiceQuery,
): Promise<Document | null> => {
  const after = before === '' ? null : await invoices.findOne({ _id: scalar(before) }, { projection: { seq: 1 } })
  if (before !== '' && after === null) return null
  return {
    ...(workspace === undefined ? {} : { workspace: scalar(workspace) }),
    ...(status === undefined ? {} : { status: scalar(status) }),
    ...(month === undefined ? {} : { month: scalar(month) }),
    ...(after === null ? {} : { seq: { $lt: after.seq } }),
  }
}
