import type { Meter__Output as Meter } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { Usage__Output as Usage } from '@postrider/contracts/gen/postrider/quota/v1/Usage.ts'
import { UsageRecord } from '@postrider/contracts/http/usage.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { given } from '@postrider/kit/fault.ts'
import { overrideValue } from '../overrides.ts'
import { sessionRoute } from '../route.ts'

export const getUsage = sessionRoute({
  name: 'getUsage',
  method: 'GET',
  path: '/api/v1/billing/usage',
  session: true,
  tag: 'Billing',
  summary: 'Read the current usage against the plan’s quotas',
  limit: 'read',
  reply: { status: 200, body: UsageRecord, description: 'The month and day so far, UTC.' },
  handle: async ({ caller }, { quota }: { quota: Pick<Quota, 'GetUsage'> }) => ({
    json: usageRecord(await quota.GetUsage({ workspace: caller.workspace, at: '' })),
  }),
})

const meter = (from: Meter | null) => {
  const { limit, used, remaining } = given(from, 'meter')
  return { limit: limit ?? null, used, remaining: remaining ?? null }
}

const usageRecord = (usage: Usage) => {
  const overrides = given(usage.overrides, 'overrides')
  return {
    plan: usage.plan,
    period: { start: usage.period_start, end: usage.period_end },
    monthly: meter(usage.monthly),
    daily: { ...meter(usage.daily), resets_at: usage.daily_resets_at },
    overage: {
      allowed: usage.overage_allowed,
      sends: usage.overage_sends,
      blocks: usage.overage_blocks,
      amount_usd: usage.overage_amount_usd,
      cap_usd: usage.overage_cap_usd ?? null,
    },
    overrides: { monthly: overrideValue(overrides.monthly), daily: overrideValue(overrides.daily) },
    history: usage.history.map(({ date, sends }) => ({ date, sends })),
  }
}
