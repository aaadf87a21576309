import assert from 'node:assert/strict'
import { codec, recordCodec } from './times.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const text = '2026-11-21T12:00:00.007Z'

describe('times of a record with the names of its message', () => {
  const times = codec({ always: ['created_at'], maybe: ['expires_at'], optional: ['before'] } as const)

  it('cross with other members, and without those that are absent', () => {
    const record = { id: 'a', created_at: at, expires_at: null }
    assert.deepEqual(times.write(record), { id: 'a', created_at: text, expires_at: '' })
    assert.deepEqual(times.read({ id: 'a', created_at: text, expires_at: '' }), record)
    assert.deepEqual(times.write({ ...record, before: at }).before, text)
  })
})

describe('times of a record of the domain', () => {
  const times = recordCodec({ always: ['created_at'], maybe: ['deletes_at'], absent: ['last_seen_at'] })

  it('cross in the names of both sides, without other members', () => {
    const [record, message] = [
      { createdAt: at, deletesAt: at, lastSeenAt: at },
      { created_at: text, deletes_at: text, last_seen_at: text },
    ]
    assert.deepEqual(times.write(record), message)
    assert.deepEqual(times.read(message), record)
    const [named, other] = [
      { ...record, id: 'a' },
      { ...message, id: 'a' },
    ]
    assert.deepEqual([times.write(named), times.read(other)], [message, record])
  })

  it('are an empty text or an absent field of a message where there is none, and null in a record', () => {
    const none = { createdAt: at, deletesAt: null, lastSeenAt: null }
    const message = times.write(none)
    assert.deepEqual(message, { created_at: text, deletes_at: '' })
    assert.deepEqual(times.read(message), none)
  })

  it('are read from both forms of no time, because another release may write either', () => {
    const none = { createdAt: at, deletesAt: null, lastSeenAt: null }
    assert.deepEqual(times.read({ created_at: text, last_seen_at: '' }), none)
    assert.deepEqual(times.read({ created_at: text, deletes_at: undefined, last_seen_at: undefined }), none)
  })

  // Regression: a bug that left one out was passed on as null or as an empty text.
  for (const [what, createdAt, written] of [
    ['an absent', undefined, undefined],
    ['a null', null, ''],
    ['an invalid', Number.NaN, 'soon'],
  ] as const)
    it(`are refused in both directions with ${what} one in a field that always has one`, () => {
      assert.throws(() => times.write({ createdAt, deletesAt: at, lastSeenAt: at } as never), RangeError)
      assert.throws(
        () => times.read({ created_at: written, deletes_at: text, last_seen_at: text } as never),
        new RangeError('created_at of a message has no time'),
      )
    })
})
