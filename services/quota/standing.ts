import type { Standing__Output } from '@postrider/contracts/gen/postrider/quota/v1/Standing.ts'
import type { Meter, Standing } from '@postrider/domain/quota/quota.ts'
import { dayEnd, monthEnd } from '@postrider/domain/quota/quota.ts'
import { isoTime } from '@postrider/domain/time.ts'

/** What is left of a quota; null where there is no limit. Past an included amount nothing is left, even if more may go. */
export const remainingOf = ({ limit, used }: Meter): number | null =>
  limit === null ? null : Math.max(limit - used, 0)

/** The quota with the least left; where both have as little the month, which lasts longer. */
export const tighter = ({ monthly, daily }: Standing, at: number): Omit<Standing__Output, 'token'> => {
  const [left, leftToday] = [remainingOf(monthly), remainingOf(daily)]
  if (leftToday !== null && (left === null || leftToday < left)) {
    const limit = daily.limit ?? 0
    return { limited: true, period: 'day', limit, remaining: leftToday, resets_at: isoTime(dayEnd(at)) }
  }
  if (left === null) return { limited: false, period: '', limit: 0, remaining: 0, resets_at: '' }
  const limit = monthly.limit ?? 0
  return { limited: true, period: 'month', limit, remaining: left, resets_at: isoTime(monthEnd(at)) }
}
