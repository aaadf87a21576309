import assert from 'node:assert/strict'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { EventRecord, eventRecord, ListEvents, webhookBody } from './event.ts'
import { exampleEvent, testEvent } from './eventExamples.ts'
import { eventMeanings } from './values.ts'

describe('body of an event', () => {
  for (const type of eventTypes)
    it(`${type} has an example, a meaning and a body with its members in order`, () => {
      const event = exampleEvent(type)
      assert.ok(eventMeanings[type])
      EventRecord.parse(eventRecord(event))
      const body = webhookBody(event)
      assert.match(body, /^\{"id":"evt_[0-9a-z]{26}","type":"[a-z.]+","timestamp":"[0-9T:.-]{23}Z","data":\{/)
      assert.equal(body, JSON.stringify(JSON.parse(body)), 'minified')
      const { id, timestamp, data } = JSON.parse(body)
      assert.deepEqual(eventRecord(event), { object: 'event', id, type, timestamp, data })
    })

  for (const type of eventTypes)
    it(`${type} as a test event has the members and causes of its example, and marks itself`, () => {
      const given = {
        id: 'evt_01kaz3w5qd8rhv2m6n4p0xytcj',
        at: Date.UTC(2027, 0, 2),
        workspace: 'ws_1',
        mode: 'test',
      } as const
      const { data, ...event } = testEvent({ ...given, type, webhook: 'wh_1' })
      assert.deepEqual(event, { ...given, type })
      assert.equal(data['test'], true)
      const example = exampleEvent(type).data
      assert.deepEqual(Object.keys(data), [...Object.keys(example), 'test'])
      // Regression: a bounce with the reply of a server had the cause of a lost connection.
      assert.deepEqual(data['cause'], example['cause'])
      if ('mode' in data) assert.equal(data['mode'], 'test')
      if ('webhook_id' in data) assert.equal(data['webhook_id'], 'wh_1')
      for (const name of ['changed_at', 'disabled_at'])
        if (name in data) assert.equal(data[name], '2027-01-02T00:00:00.000Z')
      assert.deepEqual(testEvent({ ...given, type, webhook: 'wh_1' }), { ...event, data }, 'the same at each attempt')
    })

  it('is selected by types in any order, each once', () => {
    assert.deepEqual(ListEvents.parse({ type: 'email.sent,email.bounced,email.sent' }).type, [
      'email.bounced',
      'email.sent',
    ])
    assert.equal(ListEvents.parse({}).order, 'desc')
    for (const type of ['', 'email.', 'email.sent,', 'email.sent email.bounced', 'email.*', 'EMAIL.SENT', 'toString'])
      assert.equal(ListEvents.safeParse({ type }).success, false, type)
    assert.equal(ListEvents.safeParse({ order: 'up' }).success, false)
  })
})
