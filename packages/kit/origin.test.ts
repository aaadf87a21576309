import assert from 'node:assert/strict'
import { originOf, reasonOf } from './origin.ts'

const wrapped = (cause: unknown): Error => new Error('gave up', { cause })

describe('origin of an error', () => {
  const away = new Error('connect ECONNREFUSED 127.0.0.1:9')

  it('returns the root cause, also of several errors', () => {
    for (const thrown of [
      away,
      wrapped(wrapped(away)),
      new AggregateError([away]),
      wrapped(new AggregateError([away])),
    ])
      assert.equal(originOf(thrown), away)
    assert.equal(originOf('words'), 'words')
  })

  it('returns its message as one line', () => {
    assert.equal(reasonOf(wrapped(away)), 'connect ECONNREFUSED 127.0.0.1:9')
    assert.equal(reasonOf(new Error('first\nsecond')), 'first')
    assert.equal(reasonOf(new TypeError()), 'TypeError')
    assert.equal(reasonOf('words'), 'words')
  })
})
