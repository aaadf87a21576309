import type { CommitRequest__Output as CommitRequest } from '@postrider/contracts/gen/postrider/quota/v1/CommitRequest.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { given } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger, Pending } from '@postrider/ports/ledger.ts'
import { limitsRecord, setLimits } from './limits.ts'
import { tighter } from './standing.ts'
import { usageOf } from './usage.ts'

export type QuotaDeps = {
  ledger: Ledger
  now: Clock
  /** Where the operator's changes are written; absent: whoever calls keeps the log. */
  audit?: Audit
}

const pendingOf = ({ workspace, id, count, at, token }: CommitRequest): Pending => ({
  workspace,
  id,
  count,
  at: Date.parse(at),
  token,
})

/** Plans and what was sent under them. Months and days are UTC and follow from the time a request brings along. */
export const quotaService = ({ ledger, now, audit }: QuotaDeps): Quota => ({
  Reserve: async ({ workspace, id, count, at }) => {
    const reservedAt = Date.parse(at)
    const { token, ...standing } = await ledger.reserve({ workspace, id, count, at: reservedAt })
    return { token, ...tighter(standing, reservedAt) }
  },
  Commit: async (entry) => {
    await ledger.commit(pendingOf(entry))
    return {}
  },
  Release: async ({ workspace, id, recipients, at }) => {
    await ledger.release({ workspace, id, recipients, at: Date.parse(at) })
    return {}
  },
  ListPending: async ({ before, limit }) => {
    const pending = await ledger.pending(Date.parse(before), limit)
    return { pending: pending.map((entry) => ({ ...entry, at: isoTime(entry.at) })) }
  },
  Settle: async ({ pending, there }) => ({
    taken_back: await ledger.settle(pendingOf(given(pending, 'pending')), there),
  }),
  GetUsage: async ({ workspace, at }) => {
    const time = at === '' ? now() : Date.parse(at)
    return usageOf(await ledger.allowance(workspace), await ledger.usage(workspace, time), time)
  },
  GetLimits: async ({ workspace }) => limitsRecord(await ledger.allowance(workspace)),
  SetLimits: (request) => setLimits({ ledger, now, audit }, request),
})
