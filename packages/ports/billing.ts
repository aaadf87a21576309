import type { Billing, InvoiceDraft } from '@postrider/domain/billing/account.ts'
import type { Charge } from '@postrider/domain/billing/charges.ts'
import type { PaymentNotice } from '@postrider/domain/billing/collections.ts'
import type { InvoiceStatus } from '@postrider/domain/billing/invoices.ts'
import type { Allowance } from '@postrider/domain/quota/plans.ts'
import type { AuditEntry } from './audit.ts'

/**
 * The billing of workspaces: one state per workspace, which changes in one guarded write together with its plan; the
 * append-only lines; and the invoices, which refer to their lines. Times are milliseconds since the epoch.
 */
export type BillingStore = {
  /** Returns the state of a workspace. `account` is null if it was never billed. */
  read(workspace: string): Promise<StoredBilling>
  /**
   * Writes the state, the plan and limits included, if `rev` is still that of the stored one.
   * @returns false: it changed since it was read, and nothing was written
   */
  change(change: BillingChange, audit: AuditEntry | null): Promise<boolean>
  /** Adds the lines whose id has none. Repeatable. */
  addLines(lines: readonly Charge[]): Promise<void>
  /** Adds an invoice with the next number of the installation; numbers have no gaps. Repeatable by its id. */
  addInvoice(draft: InvoiceDraft): Promise<void>
  /** Returns all lines of a workspace, oldest month first. */
  lines(workspace: string): Promise<Charge[]>
  /** @param workspace null: of any workspace */
  invoice(id: string, workspace: string | null): Promise<StoredInvoice | null>
  /** Returns invoices, newest first, after the invoice with the id `before`; empty: from the newest. */
  invoices(query: InvoiceQuery): Promise<StoredInvoice[]>
  /** Changes the status of an invoice that has one of `from`. @returns null: it has another, or does not exist */
  setStatus(change: StatusChange, audit: AuditEntry | null): Promise<StoredInvoice | null>
  /**
   * Returns workspaces whose billing is due, and those with a plan other than Free that were never billed, up to
   * `limit` in all.
   */
  due(now: number, limit: number): Promise<string[]>
  /**
   * Returns how many workspaces have been due since before a time. A workspace with a plan other than Free that was
   * never billed is one of them if its plan began before `unbilledSince` of that time, or if it is not known when.
   */
  countDue(before: number): Promise<number>
  /** Takes or extends a lease until `until`. @returns false: another owner has it at `now` */
  lease(owner: string, now: number, until: number): Promise<boolean>
  /** Ends a lease of this owner. */
  endLease(owner: string): Promise<void>
  /** Records the id of an event of the payment provider. @returns false: it was recorded before */
  addEvent(id: string, at: number): Promise<boolean>
  /** Returns whether an event was recorded. */
  hasEvent(id: string): Promise<boolean>
  /** Stores a notice that owners are to be mailed, unless its id has one. */
  addNotice(notice: PaymentNotice): Promise<void>
  /** Returns the oldest notices that are not mailed. */
  notices(limit: number): Promise<PaymentNotice[]>
  /** Removes a notice that was mailed. */
  removeNotice(id: string): Promise<void>
}

export type StoredBilling = {
  allowance: Allowance
  account: Billing['account'] | null
  /** 0: there is no account. */
  rev: number
}

/** `allowance`: the fields that change. `dueAt`: when a job must check it again. */
export type BillingChange = {
  workspace: string
  rev: number
  account: Billing['account']
  allowance: Partial<Allowance>
  dueAt: number
}

export type StoredInvoice = Omit<InvoiceDraft, 'lines' | 'totalCents'> & {
  /** Counts invoices of the installation from 1. */
  seq: number
  lines: Charge[]
  /** Why its status was changed; empty: it was not. */
  reason: string
  paidAt: number | null
}

export type InvoiceQuery = {
  workspace?: string
  status?: InvoiceStatus
  /** `YYYY-MM` */
  month?: string
  before: string
  limit: number
}

export type StatusChange = {
  id: string
  from: readonly InvoiceStatus[]
  to: InvoiceStatus
  at: number
  reason: string
}
