import { dayMs, monthOf } from '../time.ts'
import { type AdjustmentRequest, type Billing, type BillingAccount, type SendsAdjustment, withLine } from './account.ts'
import { adjustCharge } from './charges.ts'

/** Adds a line that corrects earlier ones. */
export const addAdjustment = (
  billing: Billing,
  { month, at, description }: { month: string; at: number; description: string },
  amount: { quantity?: number; unitCents: number },
): Billing => {
  const { workspace, account } = billing
  const line = adjustCharge({ workspace, month, n: account.adjustLines, at, description }, amount)
  return { ...billing, account: { ...withLine(account, line), adjustLines: account.adjustLines + 1 } }
}

/** Adds a correction by the operator. It appears on the next invoice. @param billing rolled to the month of `now` */
export const adjust = (billing: Billing, amountCents: number, reason: string, now: number): Billing =>
  addAdjustment(billing, { month: monthOf(now), at: now, description: reason }, { unitCents: amountCents })

/** Adds a correction of the sends of the month of `at`. */
const adjustSends = (billing: Billing, adjustment: SendsAdjustment): Billing => {
  const { account } = billing
  return { ...billing, account: { ...account, newSends: [...(account.newSends ?? []), adjustment] } }
}

/** Time for which a repeated request for a correction gets the first response. */
export const requestLifeMs = dayMs

/** Returns the request that had this key; null: there is none, or it has expired. */
export const earlierRequest = ({ requests = [] }: BillingAccount, key: string, now: number): AdjustmentRequest | null =>
  requests.find((one) => one.key === key && one.at > now - requestLifeMs) ?? null

/** Records the request for a correction, in the same write as the correction. Removes those that have expired. */
const withRequest = (billing: Billing, request: AdjustmentRequest): Billing => {
  const { account } = billing
  const recent = (account.requests ?? []).filter(({ at }) => at > request.at - requestLifeMs)
  return { ...billing, account: { ...account, requests: [...recent, request] } }
}

/** Lines that wait for an invoice; more are refused, because an invoice has them all. */
export const maxUnbilled = 200
/** Requests with an idempotency key that are stored for a workspace; more in `requestLifeMs` are refused. */
export const maxKeyedRequests = 1_000

/** A correction by the operator, of the sends or of the bill. `request` is null without an idempotency key. */
export type Correction = {
  id: string
  sends: number | undefined
  amountCents: number | null | undefined
  reason: string
  at: number
  request: AdjustmentRequest | null
}

/** `unbilled_full` and `requests_full`: refused, because the maximum number waits or is stored. */
export type Corrected = { kind: 'corrected'; billing: Billing } | { kind: 'unbilled_full' | 'requests_full' }

/** Decides about a correction, and records the request for it. @param billing rolled to the month of `now` */
export const correct = (billing: Billing, correction: Correction, now: number): Corrected => {
  const { id, sends, amountCents, reason, at, request } = correction
  if (amountCents && billing.account.unbilled.length >= maxUnbilled) return { kind: 'unbilled_full' }
  const bySends = sends === undefined ? billing : adjustSends(billing, { id, sends, at })
  const changed = amountCents ? adjust(bySends, amountCents, reason, now) : bySends
  if (request === null || changed === billing) return { kind: 'corrected', billing: changed }
  const recorded = withRequest(changed, request)
  if ((recorded.account.requests ?? []).length > maxKeyedRequests) return { kind: 'requests_full' }
  return { kind: 'corrected', billing: recorded }
}
