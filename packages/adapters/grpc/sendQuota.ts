import type { Quota } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { SendQuota } from '@postrider/ports/quota.ts'

/** Makes `SendQuota` from a client of the quota service, whose messages have times as RFC 3339 text. */
export const grpcSendQuota = (
  quota: Pick<Quota, 'Reserve' | 'Commit' | 'Release' | 'ListPending' | 'Settle'>,
): SendQuota => ({
  reserve: async (entry) => {
    const { token, limited, period, limit, remaining, resets_at } = await quota.Reserve(withText(entry))
    if (!limited) return { token, tightest: null }
    const tightest = {
      period: period === 'day' ? 'day' : 'month',
      limit,
      remaining,
      resetsAt: Date.parse(resets_at),
    } as const
    return { token, tightest }
  },
  commit: async (entry) => {
    await quota.Commit(withText(entry))
  },
  release: async ({ recipients, ...entry }) => {
    await quota.Release({ ...withText(entry), recipients: [...recipients] })
  },
  pending: async (before, limit) => {
    const { pending } = await quota.ListPending({ before: isoTime(before), limit })
    return pending.map((entry) => ({ ...entry, at: Date.parse(entry.at) }))
  },
  settle: async (pending, there) => (await quota.Settle({ pending: withText(pending), there })).taken_back,
})

const withText = <Entry extends { at: number }>(entry: Entry): Omit<Entry, 'at'> & { at: string } => ({
  ...entry,
  at: isoTime(entry.at),
})
