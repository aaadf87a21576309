import { z } from 'zod'
import { time } from './lists.ts'

const limit = z.number().nullable().describe('Null: no limit.')
const used = z.number().describe('Sends accepted, less those given back.')
const remaining = z.number().nullable().describe('Null: no limit.')
const override = z
  .union([z.number(), z.literal('plan')])
  .nullable()
  .describe('The operator’s number, null for no limit, `plan` for the plan’s own.')

export const UsageRecord = z
  .looseObject({
    plan: z.string().describe('`free` or `pro`.'),
    period: z.looseObject({ start: time(), end: time() }).describe('The calendar month, UTC.'),
    monthly: z.looseObject({ limit, used, remaining }),
    daily: z.looseObject({ limit, used, remaining, resets_at: time() }),
    overage: z.looseObject({
      allowed: z.boolean().describe('Whether sends beyond the month’s limit are taken and billed.'),
      sends: z.number().describe('Sends beyond the limit.'),
      blocks: z.number().describe('Started thousands of them; each costs.'),
      amount_usd: z.string().describe('What they cost, in US dollars.').meta({ example: '3.00' }),
      cap_usd: z.string().nullable().describe('The workspace’s spending cap; null: none.'),
    }),
    overrides: z.looseObject({ monthly: override, daily: override }).describe('What the operator set.'),
    history: z
      .array(z.looseObject({ date: z.string().describe('YYYY-MM-DD, UTC.'), sends: z.number() }))
      .describe('Sends a day.'),
  })
  .meta({ id: 'Usage' })
