import type { BillingAccount, InvoiceDraft } from '@postrider/domain/billing/account.ts'
import type { Charge } from '@postrider/domain/billing/charges.ts'
import { billedStoredPlans, type StoredAllowance } from '@postrider/domain/quota/plans.ts'
import type { StoredInvoice } from '@postrider/ports/billing.ts'
import type { Db } from 'mongodb'
import { outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import type { Indexes } from '../client/connect.ts'

/**
 * The plan of a workspace and its billing are one document, so that one update changes both. Sends read the plan
 * without `billing`. Documents that release 0.1 wrote have none.
 */
export type BilledDoc = StoredAllowance &
  WithOutbox & {
    _id: string
    billing?: { rev: number; dueAt: number; account: BillingAccount }
  }

export type ChargeDoc = Omit<Charge, 'id'> & { _id: string }

export type InvoiceDoc = Omit<InvoiceDraft, 'id' | 'totalCents'> &
  Pick<StoredInvoice, 'seq' | 'reason' | 'paidAt'> &
  WithOutbox & { _id: string }

export const billingIndexes: Indexes = {
  payment_notices: [{ key: { at: 1 } }, { key: { workspace: 1 } }],
  billing_lines: [{ key: { workspace: 1, month: 1 } }],
  // One invoice has a number; see `addInvoice`.
  invoices: [{ key: { seq: 1 }, unique: true }, { key: { workspace: 1, seq: 1 } }, outboxIndex],
}

export const billedOf = (db: Db) => db.collection<BilledDoc>('allowances')
export const chargesOf = (db: Db) => db.collection<ChargeDoc>('billing_lines')
export const invoicesOf = (db: Db) => db.collection<InvoiceDoc>('invoices')

export const chargeOf = ({ _id, ...charge }: ChargeDoc): Charge => ({ id: _id, ...charge })

/**
 * The filter of workspaces that are due for their first check: accounts wrote the plan of a new workspace, or release
 * 0.1 wrote it.
 */
export const neverChecked = { plan: { $in: billedStoredPlans }, 'billing.dueAt': null }
