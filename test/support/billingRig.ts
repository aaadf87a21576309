import { offlinePayments } from '@postrider/adapters/payments.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import type { BillingStore } from '@postrider/ports/billing.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import type { Payments } from '@postrider/ports/payments.ts'
import { quotaMetrics } from '../../services/quota/metrics.ts'
import { openMonthClose } from '../../services/quota/monthClose.ts'
import { quotaService } from '../../services/quota/quota.ts'

/** The quota service with a clock that a test moves. */
export const billingRig = (
  { billing, ledger }: { billing: BillingStore; ledger: Ledger },
  { start, payments = offlinePayments() }: { start: number; payments?: Payments },
) => {
  const clock = { at: start }
  const errors: unknown[] = []
  const metrics = makeMetrics(quotaMetrics)
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => void errors.push(fields) }
  const deleted = new Set<string>()
  const kept = { deletesAt: null } as StoredWorkspace
  const accounts = { workspace: async (id: string) => (deleted.has(id) ? null : kept) }
  const deps = { billing, ledger, payments, accounts, now: () => clock.at, log, metrics }
  const quota = quotaService(deps)
  const choose = (workspace: string, plan: string) =>
    quota.ChangePlan({ workspace, plan, actor: 'usr_1', email: '', return_url: '', client_address: '' })
  const list = (workspace: string) =>
    quota.ListInvoices({ scope: { workspace }, status: null, month: null, before: null, limit: 100 })
  return {
    clock,
    errors,
    /** Ids of workspaces that do not exist any more. */
    deleted,
    quota,
    choose,
    close: async () => {
      await using closing = openMonthClose(deps)
      // Awaited here: disposal ends the work.
      const isDone = await closing.closeDue()
      return isDone
    },
    /** Returns the invoices of a workspace, the oldest first. */
    invoices: async (workspace: string) => (await list(workspace)).invoices.toReversed(),
  }
}
