import assert from 'node:assert/strict'
import { type EventType, eventTypes } from '../events/event.ts'
import { maxDescriptionLength } from './endpoint.ts'
import { endpointProblems, reservedTypeProblems } from './endpointProblems.ts'
import { webhookRules } from './url.ts'

const rules = webhookRules({})
const pathsOf = (endpoint: Parameters<typeof endpointProblems>[0]): string[] =>
  endpointProblems(endpoint, rules).map(({ path }) => path)

describe('problems of an endpoint', () => {
  it('include all problems of its URL, of each type and of its description', () => {
    const wrong = {
      url: 'http://127.0.0.1/',
      events: ['email.delivered', 'email.unheard'],
      description: 'a'.repeat(maxDescriptionLength + 1),
    }
    assert.deepEqual(pathsOf(wrong), ['url', 'events[1]', 'description'])
  })

  // Regression: these were accepted: the receiver waited for events that nothing causes.
  it('include types that nothing causes, except in a list of every type', () => {
    const types = ['email.sent', 'email.opened', 'email.unsubscribed'] as const
    const paths = (stored?: readonly EventType[]) => reservedTypeProblems(types, stored).map(({ path }) => path)
    assert.deepEqual(paths(), ['events[1]', 'events[2]'])
    assert.deepEqual(paths(['email.opened']), ['events[2]'])
    assert.deepEqual(paths([]), [])
    assert.deepEqual(reservedTypeProblems([...eventTypes, 'email.opened']), [])
  })

  it('do not include fields that a change leaves as they are', () => {
    assert.deepEqual(pathsOf({}), [])
  })

  it('count the characters of a description, not its UTF-16 units', () => {
    assert.deepEqual(pathsOf({ description: '😀'.repeat(maxDescriptionLength) }), [])
  })
})
