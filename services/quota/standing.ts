import type { QuotaStanding } from '@postrider/contracts/services.ts'
import type { Meter, Standing } from '@postrider/domain/quota/quota.ts'
import { dayEnd, monthEnd } from '@postrider/domain/quota/quota.ts'

/** What is left of a quota; null where there is no limit. Past an included amount nothing is left, even if more may go. */
export const remainingOf = ({ limit, used }: Meter): number | null =>
  limit === null ? null : Math.max(limit - used, 0)

/** Returns the quota with the least left; the month if both have the same left, since it resets later. Null: no limit. */
export const tighter = ({ monthly, daily }: Standing, at: number): QuotaStanding | null => {
  const [left, leftToday] = [remainingOf(monthly), remainingOf(daily)]
  if (leftToday !== null && (left === null || leftToday < left)) {
    const limit = daily.limit ?? 0
    return { period: 'day', limit, remaining: leftToday, resetsAt: dayEnd(at) }
  }
  if (left === null) return null
  const limit = monthly.limit ?? 0
  return { period: 'month', limit, remaining: left, resetsAt: monthEnd(at) }
}
