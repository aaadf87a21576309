import assert from 'node:assert/strict'
import { inOneStep } from '../../../test/support/inOneStep.ts'
import { withEvents } from '../email/changes.ts'
import type { Email, EmailEventType, EventCause } from '../email/email.ts'
import { addOutcomesSteps, emptyBucket, groupsOfText, groupsText, type StatsBucket } from './bucket.ts'
import { changesOf } from './outcomes.ts'
import { seriesSteps } from './series.ts'

const addOutcomes = inOneStep(addOutcomesSteps)
const seriesOf = inOneStep(seriesSteps)

const hour = Date.parse('2026-11-23T10:00:00Z')
const byKey: EventCause = { kind: 'request', actor: 'key_1' }
const reply: EventCause = { kind: 'reply', attempt: 'att_1', code: 250 }

const mail = (over: Partial<Email> = {}): Email => {
  const to = { name: '', kind: 'to', status: 'queued', class: null, reply: null, nextAt: 0, tries: 0 } as const
  const base = {
    id: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n',
    workspace: 'ws_1',
    mode: 'live',
    category: 'transactional',
    createdAt: hour,
    scheduledAt: null,
    tags: {},
    attempts: [],
    events: [],
    recipients: [
      { ...to, address: 'ann@Example.com' },
      { ...to, address: 'bob@example.net' },
    ],
    ...over,
  } as unknown as Email
  return withEvents(base, hour, [{ type: 'email.accepted', recipient: null, cause: byKey }])
}

const then = (email: Email, type: EmailEventType, recipient: number, at: number, cause: EventCause = reply): Email =>
  withEvents(email, hour + at, [{ type, recipient, cause }])

const key = { workspace: 'ws_1', mode: 'live', size: 'hour', at: hour } as const
const range = { bucket: 'hour', from: hour, to: hour + 3_600_000 } as const

const counted = (emails: readonly Email[], to = hour + 3_600_000): StatsBucket => {
  const bucket = emptyBucket(key)
  addOutcomes(bucket, emails, { from: 0, to })
  return bucket
}
const nonzero = (statuses: Record<string, number>) =>
  Object.fromEntries(Object.entries(statuses).filter(([, count]) => count !== 0))
const totalsOf = (bucket: StatsBucket, by: 'status' | 'tag' | 'destination' | 'category' = 'status') =>
  seriesOf([bucket], by, range).totals.map(({ group, accepted, statuses }) => [group, accepted, nonzero(statuses)])

describe('statistics of a bucket', () => {
  it('count each recipient in its status at the time', () => {
    const email = then(then(then(mail(), 'email.sent', 0, 50), 'email.delivered', 0, 100), 'email.bounced', 1, 200)
    assert.deepEqual(totalsOf(counted([email], hour - 1)), [[null, 0, {}]])
    assert.deepEqual(totalsOf(counted([email], hour)), [[null, 2, { queued: 2 }]])
    assert.deepEqual(totalsOf(counted([email], hour + 50)), [[null, 2, { queued: 1, sending: 1 }]])
    assert.deepEqual(totalsOf(counted([email])), [[null, 2, { delivered: 1, bounced: 1 }]])
  })

  it('are independent of how the time was divided, and count nothing twice', () => {
    const email = then(
      then(then(mail(), 'email.deferred', 0, 100), 'email.delivered', 0, 900),
      'email.delivered',
      1,
      950,
    )
    for (const parts of [[hour + 100], [hour, hour + 99, hour + 100, hour + 900], [hour + 949]]) {
      const bucket = emptyBucket(key)
      let from = 0
      for (const to of [...parts, hour + 2_000]) {
        addOutcomes(bucket, [email], { from, to })
        // Another worker that began at the same position.
        addOutcomes(bucket, [email], { from, to })
        from = to
      }
      assert.deepEqual(seriesOf([bucket], 'status', range), seriesOf([counted([email])], 'status', range))
    }
  })

  it('have the latencies to the first attempt and to the delivery, from the scheduled time', () => {
    const attempts = [{ id: 'att_1', at: hour + 60_000 }] as unknown as Email['attempts']
    const email = then(then(mail({ attempts }), 'email.sent', 0, 61_000), 'email.delivered', 0, 120_000)
    const first = seriesOf([counted([email])], 'status', range).totals[0]
    assert.deepEqual([first?.firstAttempt.count, first?.delivery.count], [1, 1])
    assert.ok(Math.abs((first?.firstAttempt.p50 ?? 0) - 60_000) <= 3_000)
    assert.ok(Math.abs((first?.delivery.p50 ?? 0) - 120_000) <= 6_000)
    const [change] = changesOf({ ...email, scheduledAt: hour + 50_000 }, 0, hour + 200_000)
    assert.deepEqual([change?.firstAttemptMs, change?.deliveryMs], [10_000, 70_000])
  })

  it('have no latency of what a person resolved', () => {
    const email = then(mail(), 'email.delivered', 0, 100, byKey)
    assert.deepEqual(changesOf(email, 0, hour + 100)[0], {
      recipient: 0,
      was: null,
      is: 'delivered',
      firstAttemptMs: null,
      deliveryMs: null,
    })
  })

  it('measure latencies by the clock of test mail, and choose its bucket by the time of the store', () => {
    const clock = { accepted: 1_000_000, offset: 5_000_000 }
    const email = mail({ clock, mode: 'test' })
    const delivered = withEvents(email, hour + 5_000_000 + 10, [
      { type: 'email.delivered', recipient: 0, cause: reply },
    ])
    assert.equal(delivered.events.at(-1)?.at, hour + 10)
    assert.equal(changesOf(delivered, 0, hour + 10)[0]?.deliveryMs, 4_000_010)
  })

  it('leave mail of version 0.1 out', () => {
    const { events, ...rest } = then(mail(), 'email.delivered', 0, 100)
    const old = { ...rest, events: events.map(({ cause: _, ...event }) => event) }
    assert.deepEqual(changesOf(old, 0, hour + 200), [])
  })

  it('are grouped by category, tag and destination', () => {
    const bucket = counted([mail({ tags: { team: 'a', kind: 'b' } }), mail({ id: 'em_2', category: 'marketing' })])
    assert.deepEqual(totalsOf(bucket, 'category'), [
      ['transactional', 2, { queued: 2 }],
      ['marketing', 2, { queued: 2 }],
    ])
    assert.deepEqual(totalsOf(bucket, 'tag'), [
      ['kind:b', 2, { queued: 2 }],
      ['team:a', 2, { queued: 2 }],
    ])
    assert.deepEqual(totalsOf(bucket, 'destination'), [
      ['example.com', 2, { queued: 2 }],
      ['example.net', 2, { queued: 2 }],
    ])
  })

  it('store no label and no destination of mail with the retention none', () => {
    const bucket = counted([mail({ tags: { team: 'a' }, retention: 'none' })])
    assert.deepEqual(totalsOf(bucket, 'tag'), [])
    assert.deepEqual(totalsOf(bucket, 'destination'), [['other', 2, { queued: 2 }]])
    const texts = Object.values(bucket.groups).map(groupsText).join('')
    assert.ok(!texts.includes('team') && !texts.includes('example'))
  })

  it('have a bounded number of groups, and mail stays in its group when it is read again', () => {
    const emails = Array.from({ length: 200 }, (_, number) =>
      mail({ id: `em_${number}`, tags: { order: `${number}` } }),
    )
    const bucket = counted(emails, hour)
    assert.equal(bucket.groups.tag?.size, 51)
    const delivered = emails.map((email) => then(then(email, 'email.delivered', 0, 10), 'email.delivered', 1, 10))
    addOutcomes(bucket, delivered.toReversed(), { from: hour, to: hour + 10 })
    for (const [, { statuses }] of bucket.groups.tag ?? []) assert.deepEqual([...statuses.keys()], ['delivered'])
    const totals = totalsOf(bucket, 'tag')
    assert.equal(totals.length, 11)
    assert.deepEqual(totals.at(-1), ['other', 380, { delivered: 380 }])
  })

  it('are read as they were stored', () => {
    const email = then(mail({ tags: { ['__proto__']: 'x', 'é"': '\u2028' } }), 'email.delivered', 0, 100)
    const { groups } = counted([email])
    for (const one of Object.values(groups)) assert.deepEqual(groupsOfText(groupsText(one)), one)
  })

  it('have a row for each bucket of the range, even without mail', () => {
    const { data } = seriesOf([counted([mail()])], 'status', { ...range, from: hour - 3_600_000, to: hour + 7_200_000 })
    assert.deepEqual(
      data.map(({ at, accepted }) => [at - hour, accepted]),
      [
        [-3_600_000, 0],
        [0, 2],
        [3_600_000, 0],
      ],
    )
  })
})
