import { warningPercent } from '@postrider/contracts/http/values.ts'
import type { Plan } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import type { Tone } from '../../ui/Badge.tsx'
import { count } from '../overview/figures.ts'
import { maxSends } from './forecast.ts'
import { usd } from './money.ts'

/** A notice about a quota. `until`: when the quota is reset. `remedy`: what helps before that. */
export type Standing = {
  name: 'month' | 'day'
  tone: Tone
  title: string
  text: string
  until: string
  remedy: 'upgrade' | 'cap' | null
}

type Known = Pick<Usage, 'monthly' | 'daily' | 'overage' | 'period'>

const isNearlyUsed = (used: number, limit: number): boolean => used * 100 >= limit * warningPercent

/** Returns what the quotas need attention for: used up, nearly used up, or beyond the plan. */
export const standingsOf = (usage: Known, plan: Pick<Plan, 'overage'>): Standing[] => {
  const month = usage.overage.allowed ? overageStanding(usage, plan) : quotaStanding(usage, 'month')
  return [month, quotaStanding(usage, 'day')].filter((one) => one !== null)
}

const quotaStanding = (usage: Known, name: 'month' | 'day'): Standing | null => {
  const { limit, used } = name === 'month' ? usage.monthly : usage.daily
  if (limit === null || !isNearlyUsed(used, limit)) return null
  const until = name === 'month' ? usage.period.end : usage.daily.resets_at
  const what = name === 'month' ? 'this month' : 'today'
  const common = { name, until, remedy: 'upgrade' as const }
  if (used >= limit) {
    const text = `All ${count(limit)} sends of ${what} are used. Further sends are refused.`
    return { ...common, tone: 'bad', title: `The quota of ${what} is used up`, text }
  }
  const text = `${count(limit - used)} of ${count(limit)} sends are left. Then sends are refused.`
  return { ...common, tone: 'warn', title: `The quota of ${what} is nearly used up`, text }
}

const overageStanding = (usage: Known, plan: Pick<Plan, 'overage'>): Standing | null => {
  const { limit, used } = usage.monthly
  const max = maxSends(usage, plan)
  const common = { name: 'month' as const, until: usage.period.end }
  if (limit === null || plan.overage === null || used < limit) return null
  if (max !== null && used >= max) {
    const text = `Sends beyond the plan reached the cap of ${usd(usage.overage.cap_usd ?? '0.00')}. Further sends are refused.`
    return { ...common, tone: 'bad', title: 'The spending cap is reached', text, remedy: 'cap' }
  }
  const price = `Each started ${count(plan.overage.per)} more costs ${usd(plan.overage.price_usd)}.`
  const isNear = max !== null && isNearlyUsed(used - limit, max - limit)
  return {
    ...common,
    tone: isNear ? 'warn' : 'info',
    title: isNear ? 'The spending cap is nearly reached' : 'The included sends are used up',
    text: max === null ? price : `${price} ${count(max - used)} sends are left below the cap.`,
    remedy: isNear ? 'cap' : null,
  }
}
