import { hash } from 'node:crypto'
import type { Adjustment, AdjustRequest } from '@postrider/contracts/services.ts'
import { byOperator } from '@postrider/domain/audit/entry.ts'
import type { AdjustmentRequest, Billing } from '@postrider/domain/billing/account.ts'
import {
  type Correction,
  correct,
  earlierRequest,
  maxKeyedRequests,
  maxUnbilled,
} from '@postrider/domain/billing/corrections.ts'
import { adjustmentProblems } from '@postrider/domain/billing/invoices.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { isAdjustable } from '@postrider/domain/quota/entries.ts'
import { monthOf } from '@postrider/domain/time.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { addedEntry } from './auditEntries.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'

/** The requested correction. */
type Wanted = Correction & { workspace: string }

/**
 * Corrects the sends or the bill of a workspace by an `adjust` line with a reason. Sends count for the month of now,
 * and for none of its days; an amount appears on the next invoice. A request with an idempotency key is recorded in the
 * write that corrects, so its repetition corrects nothing more.
 */
export const adjustWorkspace = async (deps: Deps, request: AdjustRequest): Promise<Adjustment> => {
  const wanted = wantedBy(request, deps.now())
  const first = wanted.request && (await repeated(deps, wanted, wanted.request))
  if (first) return adjustmentOf(wanted, first)
  const { workspace, id, at, reason, sends, amountCents } = wanted
  if (sends !== undefined) await requireUsed(deps, { workspace, sends, at })
  const amount = amountCents ? { amount_usd: usdText(amountCents) } : {}
  const after = { reason, ...(sends === undefined ? {} : { sends }), ...amount }
  const origin = { workspace, at, ...byOperator(request.operator), clientAddress: request.client_address }
  const entry = addedEntry(origin, { action: 'adjustment.create', target: id, after })
  let earlier: AdjustmentRequest | null = null
  const decide = (billing: Billing, { now }: { now: number }): Billing => {
    earlier = wanted.request && requireSame(earlierRequest(billing.account, wanted.request.key, now), wanted.request)
    return earlier ? billing : corrected(billing, wanted, now)
  }
  await changeBilling(deps, workspace, decide, { entryOf: () => entry })
  return adjustmentOf(wanted, earlier)
}

const wantedBy = (request: AdjustRequest, at: number): Wanted => {
  const { workspace, sends, amount_cents: amount, reason, idempotency_key: key, fingerprint } = request
  refuseAny(adjustmentProblems({ sends, amountCents: amount, reason }))
  const amountCents = amount ?? undefined
  const id = newId('adj')
  const digests = { key: hash('sha256', key, 'base64url'), fingerprint: Buffer.from(fingerprint).toString('base64url') }
  return { id, workspace, sends, amountCents, reason, at, request: key === '' ? null : { ...digests, id, at } }
}

/** @throws Fault `idempotency_mismatch`: the key was used for another correction */
const requireSame = (
  earlier: AdjustmentRequest | null,
  { fingerprint }: AdjustmentRequest,
): AdjustmentRequest | null => {
  if (earlier === null || earlier.fingerprint === fingerprint) return earlier
  const detail = 'This Idempotency-Key was used for another adjustment of the workspace; use a new key.'
  throw new Fault('idempotency_mismatch', detail)
}

/** Returns the request that a request repeats, and stores what a crash of that one left. */
const repeated = async (
  deps: Deps,
  { workspace, at }: Wanted,
  request: AdjustmentRequest,
): Promise<AdjustmentRequest | null> => {
  const { account } = await deps.billing.read(workspace)
  const earlier = account && requireSame(earlierRequest(account, request.key, at), request)
  if (earlier) await changeBilling(deps, workspace, (billing) => billing)
  return earlier
}

const requireUsed = async (
  { ledger }: Pick<Deps, 'ledger'>,
  { workspace, sends, at }: { workspace: string; sends: number; at: number },
): Promise<void> => {
  const { used } = (await ledger.usage(workspace, at)).monthly
  if (isAdjustable(used, sends)) return
  throw new Fault('conflict', `Only ${Math.max(used, 0)} sends are used this month; no more than that can be released.`)
}

const corrected = (billing: Billing, wanted: Wanted, now: number): Billing => {
  const outcome = correct(billing, wanted, now)
  if (outcome.kind === 'corrected') return outcome.billing
  throw new Fault('conflict', refusals[outcome.kind])
}

const refusals = {
  unbilled_full: `${maxUnbilled} lines wait for the next invoice; adjust it after it is issued.`,
  requests_full: `${maxKeyedRequests} adjustments with a key were made in 24 hours; send this one without a key.`,
}

const adjustmentOf = (wanted: Wanted, earlier: AdjustmentRequest | null): Adjustment => {
  const { workspace, sends, amountCents, reason } = wanted
  const { id, at } = earlier ?? wanted
  return {
    id,
    workspace,
    month: monthOf(at),
    ...(sends === undefined ? {} : { sends }),
    ...(amountCents ? { amount_cents: amountCents } : {}),
    reason,
    created_at: at,
    replayed: earlier !== null,
  }
}
