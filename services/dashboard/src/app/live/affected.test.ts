import assert from 'node:assert/strict'
import type { Event } from '../../api/events.ts'
import { changesOf, isAffected, isAffectedLater } from './affected.ts'

const event = (type: Event['type'], data: object = {}): Event => ({
  object: 'event',
  id: 'evt_1',
  type,
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { ...data },
})

const keys = {
  list: ['emails', 'list', { mode: 'live' }],
  newestEmails: ['emails', 'list', { mode: 'live' }, 'newest'],
  one: ['emails', 'one', 'em_1'],
  other: ['emails', 'one', 'em_2'],
  content: ['emails', 'content', 'em_1'],
  events: ['events', 'live', ''],
  newestEvents: ['events', 'live', '', 'newest'],
  newestDeliveries: ['webhooks', 'deliveries', 'wh_1', 'all', 'newest'],
  delivery: ['webhooks', 'delivery', 'wh_1', 'del_1'],
  webhook: ['webhooks', 'one', 'wh_1'],
  domain: ['domains', 'one', 'dom_1'],
  firstEmail: ['start', 'emails', 'live'],
  firstKey: ['start', 'keys'],
  session: ['session'],
  templates: ['templates', 'list'],
  stats: ['stats', 'live', 'status'],
  usage: ['usage'],
}

const affectedBy = (...events: Event[]): string[] =>
  Object.entries(keys).flatMap(([name, key]) => (isAffected(changesOf(events), key) ? [name] : []))

describe('queries that events affect', () => {
  it('are those of the email and of the newest pages of lists, not whole lists', () => {
    assert.deepEqual(affectedBy(event('email.sent', { email_id: 'em_1' })), [
      'newestEmails',
      'one',
      'newestEvents',
      'newestDeliveries',
      'firstEmail',
    ])
  })

  it('are those of a domain, an endpoint, a quota', () => {
    const always = ['newestEvents', 'newestDeliveries']
    assert.deepEqual(affectedBy(event('domain.verified')), [...always, 'domain'])
    assert.deepEqual(affectedBy(event('webhook.disabled')), [...always, 'webhook'])
    assert.deepEqual(affectedBy(event('quota.warning')), always)
  })

  it('are all of them after a time without events', () => {
    const found = Object.entries(keys).flatMap(([name, key]) => (isAffected(null, key) ? [name] : []))
    const expected = [
      'newestEmails',
      'one',
      'other',
      'newestEvents',
      'newestDeliveries',
      'webhook',
      'domain',
      'firstEmail',
    ]
    assert.deepEqual(found, expected)
  })

  it('are counts and deliveries some seconds later', () => {
    const found = Object.entries(keys).flatMap(([name, key]) => (isAffectedLater(key) ? [name] : []))
    assert.deepEqual(found, ['newestDeliveries', 'stats', 'usage'])
  })
})
