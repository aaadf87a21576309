import type { Quota } from '@postrider/contracts/services.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { isBatchId } from '@postrider/domain/email/batch.ts'
import { allowanceAt } from '@postrider/domain/quota/plans.ts'
import { type QuotaRefusal, quotaRefusalOf, type Reservation, tightestOf } from '@postrider/domain/quota/quota.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { adjustWorkspace } from './adjust.ts'
import { changePlan, getPlan } from './changePlan.ts'
import type { Deps } from './deps.ts'
import { getInvoice, listInvoices, openPortal, payInvoice, setInvoiceStatus } from './invoices.ts'
import { limitsOf, setLimits } from './limits.ts'
import { type MonthClose, openMonthClose } from './monthClose.ts'
import { takePaymentEvent } from './paymentEvents.ts'
import { previewPlan } from './previewPlan.ts'
import { usageOf } from './usage.ts'

/**
 * The quota service: plans, the sends made under them, and what is to be paid for both. Requests bring the time that
 * fixes their UTC month and day.
 *
 * Map: limits.ts (limits, and the plan that the operator sets), usage.ts, changePlan.ts (the owner's choice),
 * previewPlan.ts, billingState.ts (a change of a workspace's billing), monthClose.ts (the end of a month), invoices.ts,
 * adjust.ts (corrections), paymentEvents.ts, collect.ts (charges to saved cards).
 */
export const quotaService = (deps: Deps): Quota => ({ ...sends(deps), ...billing(deps) })

/** Opens the quota service and its job that closes months. Disposing ends the job. */
export const openQuota = ({
  random,
  ...deps
}: Deps & { random?: () => number }): AsyncDisposable & Pick<MonthClose, 'closeDue'> & { quota: Quota } => {
  const { closeDue, [Symbol.asyncDispose]: dispose } = openMonthClose(deps, random)
  return { quota: quotaService(deps), closeDue, [Symbol.asyncDispose]: dispose }
}

type Sends =
  | 'Reserve'
  | 'Commit'
  | 'Release'
  | 'ListPending'
  | 'Settle'
  | 'Probe'
  | 'GetUsage'
  | 'GetLimits'
  | 'SetLimits'

const sends = (deps: Deps): Pick<Quota, Sends> => {
  const { ledger, now } = deps
  return {
    Reserve: async (entry) => {
      const outcome = await ledger.reserve(entry)
      if (outcome.kind === 'refused') throw quotaExceededFault(outcome.refusal, entry)
      return { token: outcome.token, standing: tightestOf(outcome.standing, entry.at) }
    },
    Commit: (entry) => ledger.commit(entry),
    Release: (entry) => ledger.release(entry),
    ListPending: ({ before, limit }) => ledger.pending(before, limit),
    Settle: ({ pending, there }) => ledger.settle(pending, there),
    Probe: async (entry) => {
      const { workspace, at } = entry
      const [allowance, usage] = await Promise.all([ledger.allowance(workspace), ledger.usage(workspace, at)])
      const used = { month: usage.monthly.used, day: usage.daily.used }
      const refusal = quotaRefusalOf(allowanceAt(allowance, at), used, entry)
      if (refusal !== null) throw quotaExceededFault(refusal, entry)
    },
    GetUsage: async ({ workspace, at = now() }) =>
      usageOf(await ledger.allowance(workspace), await ledger.usage(workspace, at), at),
    GetLimits: async ({ workspace }) => limitsOf(allowanceAt(await ledger.allowance(workspace), now())),
    SetLimits: (request) => setLimits(deps, request),
  }
}

const billing = (deps: Deps): Omit<Quota, Sends> => ({
  GetPlan: ({ workspace }) => getPlan(deps, workspace),
  ChangePlan: (request) => changePlan(deps, request),
  PreviewPlan: (request) => previewPlan(deps, request),
  ListInvoices: (request) => listInvoices(deps, request),
  GetInvoice: (request) => getInvoice(deps, request),
  SetInvoiceStatus: (request) => setInvoiceStatus(deps, request),
  Adjust: (request) => adjustWorkspace(deps, request),
  PayInvoice: (request) => payInvoice(deps, request),
  OpenPortal: (request) => openPortal(deps, request),
  GetPaymentProvider: async () => ({ sends_events: deps.payments.hasPages }),
  TakePaymentEvent: async (request) => {
    await takePaymentEvent(deps, request)
    return {}
  },
})

/** `Quota-Reset` is in seconds from now, as `Retry-After` and the `t` of `RateLimit` are. */
const quotaExceededFault = (
  { quota, limit, left, resetsAt, spendingCapCents }: QuotaRefusal,
  { id = '', count, at }: Pick<Reservation, 'count' | 'at'> & { id?: string },
): Fault => {
  const cap = spendingCapCents === null ? '' : ` (with the spending cap of ${usdText(spendingCapCents)} USD)`
  const name = `${quota} quota${cap} of ${limit} sends`
  const detail =
    left === 0
      ? `The ${name} is used up; it resets at ${isoTime(resetsAt)}.`
      : `The ${isBatchId(id) ? 'batch' : 'message'} needs ${count} sends, but the ${name} has ${left} left; it resets at ${isoTime(resetsAt)}.`
  return new Fault('quota_exceeded', detail, {
    headers: {
      'Quota-Limit': String(limit),
      'Quota-Remaining': String(left),
      'Quota-Reset': String(Math.ceil((resetsAt - at) / 1_000)),
    },
  })
}
