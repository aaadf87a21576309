import assert from 'node:assert/strict'
import type { EmailStats } from '../../api/stats.ts'
import { csvOf } from './csv.ts'

const latency = (count: number, ms: number | null) => ({ count, p50_ms: ms, p95_ms: ms, p99_ms: ms })

const row: EmailStats['data'][number] = {
  at: '2026-11-23T10:00:00.000Z',
  group: null,
  accepted: 1_003,
  statuses: {
    scheduled: 0,
    queued: 0,
    sending: 0,
    deferred: 2,
    unknown: 0,
    delivered: 1_000,
    bounced: 1,
    failed: 0,
    suppressed: 0,
    canceled: 0,
    complained: 0,
  },
  first_attempt: latency(1_003, 12),
  delivery: latency(0, null),
}

describe('CSV of statistics', () => {
  it('has the names and numbers of the API, and empty cells for values that were not measured', () => {
    assert.equal(
      csvOf({ data: [row] }),
      [
        'at,accepted,delivered,complained,scheduled,queued,sending,deferred,unknown,bounced,failed,suppressed,canceled,first_attempt_p50_ms,first_attempt_p95_ms,first_attempt_p99_ms,delivery_p50_ms,delivery_p95_ms,delivery_p99_ms\r\n',
        '2026-11-23T10:00:00.000Z,1003,1000,0,0,0,0,2,0,1,0,0,0,12,12,12,,,\r\n',
      ].join(''),
    )
  })
})
