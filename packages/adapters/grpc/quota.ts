import type { CommitRequest__Output as CommitMessage } from '@postrider/contracts/gen/postrider/quota/v1/CommitRequest.ts'
import type { Limits__Output as LimitsMessage } from '@postrider/contracts/gen/postrider/quota/v1/Limits.ts'
import type { Standing__Output as StandingMessage } from '@postrider/contracts/gen/postrider/quota/v1/Standing.ts'
import { type Limits, type LimitsChange, type Quota, type QuotaRpc, quotaTimes } from '@postrider/contracts/services.ts'
import { parseCap, usdText } from '@postrider/domain/billing/money.ts'
import type { PendingReservation, QuotaStanding } from '@postrider/domain/quota/quota.ts'
import { isoTime, isoTimeOrEmpty } from '@postrider/domain/time.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import {
  adjustMessage,
  adjustmentMessage,
  invoiceMessage,
  previewMessage,
  queryMessage,
  readAdjust,
  readAdjustment,
  readChangeOfInvoice,
  readInvoice,
  readPreview,
  readQuery,
  readScope,
  readUsd,
  workspaceText,
} from './bills.ts'
import { overrideText, readOverride } from './overrides.ts'
import { codec } from './times.ts'

/** Returns quota for its callers, over a gRPC client. */
export const quotaClient = (rpc: QuotaRpc): Quota => ({
  ...rpc,
  Reserve: async ({ workspace, id, count, at }) => {
    const reply = await rpc.Reserve({ workspace, id, count, at: isoTime(at) })
    return { token: reply.token, standing: readStanding(reply) }
  },
  Commit: async (entry) => {
    await rpc.Commit(pendingMessage(entry))
  },
  Release: async ({ workspace, id, recipients, at }) => {
    await rpc.Release({ workspace, id, recipients: [...recipients], at: isoTime(at) })
  },
  ListPending: async ({ before, limit }) =>
    (await rpc.ListPending({ before: isoTime(before), limit })).pending.map(readPending),
  Settle: async ({ pending, there }) => (await rpc.Settle({ pending: pendingMessage(pending), there })).taken_back,
  Probe: async ({ workspace, count, at }) => {
    await rpc.Probe({ workspace, id: '', count, at: isoTime(at) })
  },
  GetUsage: async ({ workspace, at = null }) => {
    const message = await rpc.GetUsage({ workspace, at: isoTimeOrEmpty(at) })
    const { overrides, overage_amount_usd: amount, overage_cap_usd: cap, ...rest } = message
    return {
      ...usage.read(rest),
      overrides: readLimits(requirePart(overrides, 'overrides')),
      overage_amount_cents: readUsd(amount),
      overage_cap_cents: cap === undefined ? null : readUsd(cap),
    }
  },
  GetLimits: async (request) => readLimits(await rpc.GetLimits(request)),
  SetLimits: async (change) => readLimits(await rpc.SetLimits(changeMessage(change))),
  GetPlan: async (request) => planState.read(await rpc.GetPlan(request)),
  ChangePlan: async (request) => planState.read(await rpc.ChangePlan(request)),
  PreviewPlan: async (request) => readPreview(await rpc.PreviewPlan(request)),
  ListInvoices: async (query) => ({
    invoices: (await rpc.ListInvoices(queryMessage(query))).invoices.map(readInvoice),
  }),
  GetInvoice: async ({ scope, id }) =>
    readInvoice(await rpc.GetInvoice({ workspace: workspaceText(scope), id, return_url: '', email: '' })),
  SetInvoiceStatus: async (change) => readInvoice(await rpc.SetInvoiceStatus(change)),
  Adjust: async (request) => readAdjustment(await rpc.Adjust(adjustMessage(request))),
})

/** Returns the gRPC handlers of quota. */
export const quotaHandlers = (quota: Quota): QuotaRpc => ({
  ...quota,
  Reserve: async ({ workspace, id, count, at }) => {
    const { token, standing } = await quota.Reserve({ workspace, id, count, at: Date.parse(at) })
    return { token, ...standingFields(standing) }
  },
  Commit: async (entry) => {
    await quota.Commit(readPending(entry))
    return {}
  },
  Release: async ({ workspace, id, recipients, at }) => {
    await quota.Release({ workspace, id, recipients, at: Date.parse(at) })
    return {}
  },
  ListPending: async ({ before, limit }) => ({
    pending: (await quota.ListPending({ before: Date.parse(before), limit })).map(pendingMessage),
  }),
  Settle: async ({ pending, there }) => ({
    taken_back: await quota.Settle({ pending: readPending(requirePart(pending, 'pending')), there }),
  }),
  Probe: async ({ workspace, count, at }) => {
    await quota.Probe({ workspace, count, at: Date.parse(at) })
    return {}
  },
  GetUsage: async ({ workspace, at }) => {
    const record = await quota.GetUsage({ workspace, ...(at !== '' && { at: Date.parse(at) }) })
    const { overrides, overage_amount_cents: amount, overage_cap_cents: cap, ...rest } = record
    return {
      ...usage.write(rest),
      overrides: limitsMessage(overrides),
      overage_amount_usd: usdText(amount),
      ...(cap !== null && { overage_cap_usd: usdText(cap) }),
    }
  },
  GetLimits: async (request) => limitsMessage(await quota.GetLimits(request)),
  SetLimits: async (message) => limitsMessage(await quota.SetLimits(readChange(message))),
  GetPlan: async (request) => planState.write(await quota.GetPlan(request)),
  ChangePlan: async (request) => planState.write(await quota.ChangePlan(request)),
  PreviewPlan: async (request) => previewMessage(await quota.PreviewPlan(request)),
  ListInvoices: async (message) => ({
    invoices: (await quota.ListInvoices(readQuery(message))).invoices.map(invoiceMessage),
  }),
  GetInvoice: async ({ workspace, id }) => invoiceMessage(await quota.GetInvoice({ scope: readScope(workspace), id })),
  SetInvoiceStatus: async (message) => invoiceMessage(await quota.SetInvoiceStatus(readChangeOfInvoice(message))),
  Adjust: async (message) => adjustmentMessage(await quota.Adjust(readAdjust(message))),
})

const usage = codec(quotaTimes.usage)
const planState = codec(quotaTimes.planState)

const limitsMessage = ({ monthly, daily, spending_cap_cents: cap, ...rest }: Limits): LimitsMessage => ({
  ...rest,
  monthly: overrideText(monthly),
  daily: overrideText(daily),
  ...(cap !== null && { spending_cap_usd: usdText(cap) }),
})

const readLimits = ({ monthly, daily, spending_cap_usd: cap, ...rest }: LimitsMessage): Limits => ({
  ...rest,
  monthly: readOverride(monthly),
  daily: readOverride(daily),
  spending_cap_cents: cap === undefined ? null : (parseCap(cap) ?? null),
})

type ChangeMessage = Parameters<QuotaRpc['SetLimits']>[0]

const changeMessage = ({ monthly, daily, spending_cap_cents: cap, ...rest }: LimitsChange): ChangeMessage => ({
  ...rest,
  ...(monthly !== undefined && { monthly: overrideText(monthly) }),
  ...(daily !== undefined && { daily: overrideText(daily) }),
  ...(cap !== undefined && { spending_cap_usd: cap === null ? 'none' : usdText(cap) }),
})

const readChange = ({ monthly, daily, spending_cap_usd: cap, ...rest }: ChangeMessage): LimitsChange => ({
  ...rest,
  ...(monthly !== undefined && { monthly: readOverride(monthly) }),
  ...(daily !== undefined && { daily: readOverride(daily) }),
  ...(cap !== undefined && { spending_cap_cents: capOf(cap) }),
})

/** Returns a cap in US cents; null: none; NaN, which quota refuses: the text is no cap. */
const capOf = (text: string): number | null => {
  const cents = parseCap(text)
  return cents === undefined ? Number.NaN : cents
}

const pendingMessage = ({ workspace, id, count, at, token }: PendingReservation): CommitMessage => ({
  workspace,
  id,
  count,
  at: isoTime(at),
  token,
})

const readPending = ({ workspace, id, count, at, token }: CommitMessage): PendingReservation => ({
  workspace,
  id,
  count,
  at: Date.parse(at),
  token,
})

const standingFields = (standing: QuotaStanding | null): Omit<StandingMessage, 'token'> =>
  standing === null
    ? { limited: false, period: '', limit: 0, remaining: 0, resets_at: '' }
    : {
        limited: true,
        period: standing.period,
        limit: standing.limit,
        remaining: standing.remaining,
        resets_at: isoTime(standing.resetsAt),
      }

const readStanding = ({ limited, period, limit, remaining, resets_at }: StandingMessage): QuotaStanding | null =>
  limited ? { period: period === 'day' ? 'day' : 'month', limit, remaining, resetsAt: Date.parse(resets_at) } : null
