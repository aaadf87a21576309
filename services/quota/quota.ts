import type { Quota } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import { limitsRecord, setLimits } from './limits.ts'
import { tighter } from './standing.ts'
import { usageOf } from './usage.ts'

export type QuotaDeps = {
  ledger: Ledger
  now: Clock
  /** Where the operator's changes are written; absent: whoever calls keeps the log. */
  audit?: Audit
}

/** Plans and what was sent under them. Months and days are UTC and follow from the time a request brings along. */
export const quotaService = ({ ledger, now, audit }: QuotaDeps): Quota => ({
  Reserve: async (entry) => {
    const { token, ...standing } = await ledger.reserve(entry)
    return { token, standing: tighter(standing, entry.at) }
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
