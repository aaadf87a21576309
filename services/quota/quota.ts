import type { CommitRequest__Output as CommitRequest } from '@postrider/contracts/gen/postrider/quota/v1/CommitRequest.ts'
import type { Standing__Output as StandingReply } from '@postrider/contracts/gen/postrider/quota/v1/Standing.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { type Refusal, type Reservation, type Tightest, tightestOf } from '@postrider/domain/quota/quota.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger, Pending } from '@postrider/ports/ledger.ts'
import type { SendQuota } from '@postrider/ports/quota.ts'
import { limitsRecord, setLimits } from './limits.ts'
import { usageOf } from './usage.ts'

export type QuotaDeps = {
  ledger: Ledger
  now: Clock
  /** Where changes by the operator are recorded; absent: the caller records them. */
  audit?: Audit
}

/**
 * The quota service: `sends` for callers in the same process, `service` for gRPC and for the gateway. Both are the same
 * operations; only `service` has times as text.
 */
export const quotaService = ({ ledger, now, audit }: QuotaDeps): { sends: SendQuota; service: Quota } => {
  const sends = sendQuota(ledger)
  return {
    sends,
    service: {
      ...sendMethods(sends),
      GetUsage: async ({ workspace, at }) => {
        const time = at === '' ? now() : Date.parse(at)
        return usageOf(await ledger.allowance(workspace), await ledger.usage(workspace, time), time)
      },
      GetLimits: async ({ workspace }) => limitsRecord(await ledger.allowance(workspace)),
      SetLimits: (request) => setLimits({ ledger, now, audit }, request),
    },
  }
}

const sendQuota = (ledger: Ledger): SendQuota => ({
  reserve: async (entry) => {
    const outcome = await ledger.reserve(entry)
    if (outcome.kind === 'refused') throw quotaExceeded(outcome.refusal, entry)
    return { token: outcome.token, tightest: tightestOf(outcome.standing, entry.at) }
  },
  commit: ledger.commit,
  release: ledger.release,
  pending: ledger.pending,
  settle: ledger.settle,
})

/** `Quota-Reset` is in seconds from now, as `Retry-After` and the `t` of `RateLimit` are. */
const quotaExceeded = (
  { quota, limit, left, resetsAt, spendingCapUsd }: Refusal,
  { count, at }: Pick<Reservation, 'count' | 'at'>,
): Fault => {
  const cap = spendingCapUsd === null ? '' : ` (with the spending cap of ${spendingCapUsd} USD)`
  const name = `${quota} quota${cap} of ${limit} sends`
  const detail =
    left === 0
      ? `The ${name} is used up; it resets at ${isoTime(resetsAt)}.`
      : `The message needs ${count} sends, but the ${name} has ${left} left; it resets at ${isoTime(resetsAt)}.`
  return new Fault('quota_exceeded', detail, {
    headers: {
      'Quota-Limit': String(limit),
      'Quota-Remaining': String(left),
      'Quota-Reset': String(Math.ceil((resetsAt - at) / 1_000)),
    },
  })
}

type SendMethod = 'Reserve' | 'Commit' | 'Release' | 'ListPending' | 'Settle'

/** The gRPC side of `SendQuota`; packages/adapters/grpc/sendQuota.ts is the caller's side. */
const sendMethods = (sends: SendQuota): Pick<Quota, SendMethod> => ({
  Reserve: async ({ workspace, id, count, at }) => {
    const { token, tightest } = await sends.reserve({ workspace, id, count, at: Date.parse(at) })
    return { token, ...standingReply(tightest) }
  },
  Commit: async (entry) => {
    await sends.commit(pendingOf(entry))
    return {}
  },
  Release: async ({ workspace, id, recipients, at }) => {
    await sends.release({ workspace, id, recipients, at: Date.parse(at) })
    return {}
  },
  ListPending: async ({ before, limit }) => {
    const pending = await sends.pending(Date.parse(before), limit)
    return { pending: pending.map((entry) => ({ ...entry, at: isoTime(entry.at) })) }
  },
  Settle: async ({ pending, there }) => ({
    taken_back: await sends.settle(pendingOf(given(pending, 'pending')), there),
  }),
})

const pendingOf = ({ workspace, id, count, at, token }: CommitRequest): Pending => ({
  workspace,
  id,
  count,
  at: Date.parse(at),
  token,
})

const standingReply = (tightest: Tightest | null): Omit<StandingReply, 'token'> =>
  tightest === null
    ? { limited: false, period: '', limit: 0, remaining: 0, resets_at: '' }
    : {
        limited: true,
        period: tightest.period,
        limit: tightest.limit,
        remaining: tightest.remaining,
        resets_at: isoTime(tightest.resetsAt),
      }
