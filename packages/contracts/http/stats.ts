import { modes } from '@postrider/domain/email/email.ts'
import { recipientStatuses } from '@postrider/domain/email/status.ts'
import { type Dimension, dimensions } from '@postrider/domain/stats/bucket.ts'
import type { Percentiles } from '@postrider/domain/stats/histogram.ts'
import { bucketSizes, lengthProblems, type StatsRange } from '@postrider/domain/stats/range.ts'
import type { GroupStats, Series } from '@postrider/domain/stats/series.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { z } from 'zod'
import { instant, oneOf, report, time } from './schema.ts'

/** Query of `GET /api/v1/stats/emails`. */
export const ReadStats = z
  .object({
    from: instant
      .optional()
      .describe(
        'Mail accepted from this time on (RFC 3339), rounded down to a whole bucket; absent: 24 hours before `to`.',
      ),
    to: instant
      .optional()
      .describe('Mail accepted before this time (RFC 3339), rounded up to a whole bucket; absent: until now.'),
    bucket: z
      .enum(bucketSizes)
      .optional()
      .describe('Length of a row, in UTC. `hour` supports at most 7 days; absent: hours up to 7 days, else days.'),
    by: z
      .enum(dimensions)
      .default('status')
      .describe(
        'What rows are grouped by. `status`: one row for each bucket. `category`: one for each category. `tag`: one for each of the 10 tags with most recipients, as `name:value`, and one `other`. `destination`: the same for the domains of recipients.',
      ),
    mode: z
      .enum(modes)
      .optional()
      .describe('Only mail of this mode, for sessions; absent: both. A key reads its own mode only.'),
  })
  .superRefine(
    (query: unknown, context) => {
      const { from, to, bucket } = query as Record<string, unknown>
      const isTime = (value: unknown): value is number => typeof value === 'number'
      if (!isTime(from) || !isTime(to)) return
      const size = bucketSizes.find((one) => one === bucket)
      for (const { path, ...problem } of lengthProblems({ from, to, bucket: size }))
        report(context, { ...problem, path: [path] })
    },
    { when: () => true },
  )

const milliseconds = () =>
  z.number().nullable().describe('Duration in milliseconds, with an error of at most 5 %; null: there was none.')

const Latency = z.looseObject({
  count: z.int().describe('Recipients that it was measured for.'),
  p50_ms: milliseconds(),
  p95_ms: milliseconds(),
  p99_ms: milliseconds(),
})

const statuses = z
  .looseObject(Object.fromEntries(recipientStatuses.map((status) => [status, z.int()])))
  .describe('Recipients by their status at `complete_until`. Each recipient has one status.')
  .meta({ example: { delivered: 9, bounced: 1 } })

const group = {
  group: z.string().nullable().describe('The category, tag or domain; null: all mail (`by=status`).'),
  accepted: z.int().describe('Recipients of the mail that was accepted: the sum of `statuses`.'),
  statuses,
  first_attempt: Latency.describe('Time from acceptance, or the scheduled time, to the first attempt.'),
  delivery: Latency.describe('Time from acceptance, or the scheduled time, to the delivery.'),
}

/** Response of `GET /api/v1/stats/emails`. */
export const EmailStats = z
  .looseObject({
    object: z.literal('email_stats'),
    from: time().describe('Start of the first bucket.'),
    to: time().describe('End of the last bucket, exclusive.'),
    bucket: oneOf(bucketSizes),
    by: oneOf(dimensions),
    mode: oneOf(modes).nullable().describe('Mode of the counted mail; null: both modes.'),
    complete_until: time().describe(
      'Events up to this time are counted. Those of the last 10 seconds may still be missing while they are being stored.',
    ),
    data: z
      .array(z.looseObject({ at: time().describe('Start of the bucket.'), ...group }))
      .describe('A row for each bucket and group, in the order of time, even where there was no mail.'),
    totals: z
      .array(z.looseObject(group))
      .describe('The sum over the range for each group. Mail with several tags is in the group of each.'),
  })
  .meta({ id: 'EmailStats' })

type ShownStats = {
  range: StatsRange
  by: Dimension
  mode: string | null
  completeUntil: number
  series: Series
}

const latency = ({ count, p50, p95, p99 }: Percentiles) => ({ count, p50_ms: p50, p95_ms: p95, p99_ms: p99 })

const shownGroup = ({ group: name, accepted, statuses: counts, firstAttempt, delivery }: GroupStats) => ({
  group: name,
  accepted,
  statuses: counts,
  first_attempt: latency(firstAttempt),
  delivery: latency(delivery),
})

/** Returns statistics as the API shows them. */
export const emailStats = ({ range, by, mode, completeUntil, series }: ShownStats) => ({
  object: 'email_stats' as const,
  from: isoTime(range.from),
  to: isoTime(range.to),
  bucket: range.bucket,
  by,
  mode,
  complete_until: isoTime(completeUntil),
  data: series.data.map(({ at, ...row }) => ({ at: isoTime(at), ...shownGroup(row) })),
  totals: series.totals.map(shownGroup),
})
