import { EmailStats, ReadStats } from '@postrider/contracts/http/stats.ts'
import { route } from '../route.ts'
import { readerOf } from './emails.ts'

/** Bytes of the longest response: 169 hours with 11 groups each. */
const maxResponseLength = 1_536 * 1_024

export const readStats = route({
  name: 'readStats',
  method: 'GET',
  path: '/api/v1/stats/emails',
  scope: 'emails:read',
  tag: 'Emails',
  summary: 'Read counts and latencies of mail over time',
  description:
    'What became of the mail that each hour or day accepted, counted by recipient: the statuses of a row add up to its `accepted`, and the numbers of past buckets change while their mail does. The range is 1 hour to 90 days; hours are stored for 100 days, days for 400. Rows are by the time of acceptance, also of test mail after a move of the test clock; latencies are by the clock of the mail. Mail that version 0.1 accepted is not counted. Of mail with `retention: "none"` no tags are counted, and its destination is `other`.',
  limit: 'read',
  query: ReadStats,
  responseBytes: maxResponseLength,
  errors: ['validation_failed'],
  reply: { status: 200, body: EmailStats, description: 'The statistics.' },
  handle: async ({ query, disconnected, ...identity }, { intake }) => {
    const { from = null, to = null, bucket = null, by, mode } = query
    const request = { reader: readerOf(identity, mode), from, to, bucket, by }
    const { stats_json } = await intake.ReadStats(request, disconnected())
    return { jsonText: stats_json }
  },
})
