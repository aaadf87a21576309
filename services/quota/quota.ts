import type { Quota } from '@postrider/contracts/services.ts'
import { type Refusal, type Reservation, tightestOf } from '@postrider/domain/quota/quota.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { limitsRecord, setLimits } from './limits.ts'
import { usageOf } from './usage.ts'

export type QuotaDeps = {
  ledger: Ledger
  now: Clock
  /** Where changes by the operator are recorded; absent: the caller records them. */
  audit?: Audit
}

/** The quota service: plans, and the sends made under them. Requests bring the time that fixes their UTC month and day. */
export const quotaService = ({ ledger, now, audit }: QuotaDeps): Quota => ({
  Reserve: async (entry) => {
    const outcome = await ledger.reserve(entry)
    if (outcome.kind === 'refused') throw quotaExceeded(outcome.refusal, entry)
    return { token: outcome.token, standing: tightestOf(outcome.standing, entry.at) }
  },
  Commit: (entry) => ledger.commit(entry),
  Release: (entry) => ledger.release(entry),
  ListPending: ({ before, limit }) => ledger.pending(before, limit),
  Settle: ({ pending, there }) => ledger.settle(pending, there),
  GetUsage: async ({ workspace, at }) => {
    const time = at === '' ? now() : Date.parse(at)
    return usageOf(await ledger.allowance(workspace), await ledger.usage(workspace, time), time)
  },
  GetLimits: async ({ workspace }) => limitsRecord(await ledger.allowance(workspace)),
  SetLimits: (request) => setLimits({ ledger, now, audit }, request),
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
