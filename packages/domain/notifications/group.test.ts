import assert from 'node:assert/strict'
import { internalMode, type StoredEvent } from '../events/event.ts'
import {
  groupDueAt,
  groupIdentityOf,
  groupKey,
  mailLeaseMs,
  newGroup,
  nextStep,
  quietMs,
  withNewEvents,
  withoutSealed,
  withSealed,
} from './group.ts'

const event = (number: number, over: Partial<StoredEvent> = {}): StoredEvent => ({
  id: `evt_${number}`,
  type: 'domain.failed',
  at: number,
  workspace: 'ws_1',
  mode: 'live',
  data: {},
  ...over,
})

const group = newGroup({ workspace: 'ws_1', kind: 'domains', user: null })
const events = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => event(from + index))

describe('groups of notifications', () => {
  it('are one for each workspace and kind, and one for each person whose account it is about', () => {
    const keyOf = (over: Partial<StoredEvent>) => {
      const identity = groupIdentityOf(event(1, over))
      return identity && groupKey(identity)
    }
    assert.equal(keyOf({}), 'domains ws_1')
    assert.equal(keyOf({ type: 'domain.warning', mode: internalMode }), 'domains ws_1')
    assert.equal(keyOf({ type: 'quota.exhausted', workspace: 'ws_2' }), 'quota ws_2')
    assert.equal(keyOf({ type: 'sign_in.new_device', data: { user_id: 'usr_1' } }), 'sign_in usr_1')
    assert.equal(keyOf({ type: 'domain.verified' }), null)
  })

  it('are due immediately for the first event, and an hour after the last email for later events', () => {
    const first = withNewEvents(group, [event(1)])
    assert.deepEqual([nextStep(first), groupDueAt(first, 500)], ['mail', 0])
    const sealed = withSealed(first, 1_000)
    assert.deepEqual([nextStep(sealed), groupDueAt(sealed, 1_000)], ['repeat', 1_000 + mailLeaseMs])
    const during = withNewEvents(sealed, [event(2)])
    assert.deepEqual(during.sealed, sealed.sealed, 'an email that is under way does not change')
    const after = withoutSealed(during, 1_000)
    assert.ok(after)
    assert.deepEqual([nextStep(after), groupDueAt(after, 2_000)], ['mail', 1_000 + quietMs])
    assert.deepEqual(after.waiting.shown, [{ id: 'evt_2', type: 'domain.failed', at: 2, data: {} }])
  })

  it('are removed when nothing happened for two days', () => {
    const mailed = withoutSealed(withSealed(withNewEvents(group, [event(1)]), 1_000), 1_000)
    assert.ok(mailed)
    assert.deepEqual([nextStep(mailed), groupDueAt(mailed, 0)], ['remove', 1_000 + 49 * 3_600_000])
  })

  it('show the first ten events and the number of further events', () => {
    const many = withNewEvents(withNewEvents(group, events(0, 7)), events(7, 300))
    assert.deepEqual(
      many.waiting.shown.map(({ id }) => id),
      events(0, 10).map(({ id }) => id),
    )
    assert.equal(many.waiting.count, 300)
  })

  it('have an event once, even if it is added again after its mail', () => {
    const twice = withNewEvents(withNewEvents(group, [event(1), event(1)]), [event(1)])
    assert.equal(twice.waiting.count, 1)
    const mailed = withoutSealed(withSealed(twice, 5), 5)
    assert.ok(mailed)
    assert.equal(withNewEvents(mailed, [event(1)]), mailed)
  })

  it('mark each of their emails as sent once', () => {
    const sealed = withSealed(withNewEvents(group, [event(1)]), 5)
    assert.equal(withoutSealed(sealed, 4), null)
    const ended = withoutSealed(sealed, 5)
    assert.ok(ended)
    assert.equal(withoutSealed(ended, 5), null)
  })
})
