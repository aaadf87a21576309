import type { Plan, PlanPreview } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { count } from '../overview/figures.ts'

type Known = Pick<Usage, 'monthly' | 'daily' | 'overage' | 'history'>

/** Whether a limit allows less than another; null: no limit. */
const isLower = (next: number | null, now: number | null): boolean => next !== null && (now === null || next < now)

/** Returns what a lower plan takes away, compared with what this month needed. @param limits under the lower plan */
export const lossesOf = (
  usage: Known,
  limits: PlanPreview['limits'],
  plan: Pick<Plan, 'name' | 'overage'>,
): string[] => {
  const losses: string[] = []
  const { monthly, daily } = limits
  if (isLower(monthly, usage.monthly.limit)) {
    const { used } = usage.monthly
    const more = used > (monthly ?? 0) ? `: ${count(used - (monthly ?? 0))} more` : ''
    losses.push(`At most ${count(monthly ?? 0)} sends a month. This month you used ${count(used)} so far${more}.`)
  }
  if (isLower(daily, usage.daily.limit)) {
    const days = usage.history.filter(({ sends }) => sends > (daily ?? 0)).length
    const compared =
      days === 0
        ? 'No day of this month had more.'
        : `${count(days)} ${days === 1 ? 'day' : 'days'} of this month had more.`
    losses.push(`At most ${count(daily ?? 0)} sends a day. ${compared}`)
  }
  if (usage.overage.allowed && plan.overage === null) losses.push('Sends beyond the quota are refused, not charged.')
  return losses.length === 0 ? [`Nothing: the limits of this workspace are the same on ${plan.name}.`] : losses
}
