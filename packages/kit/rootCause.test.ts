import assert from 'node:assert/strict'
import { reasonOf, rootCauseOf } from './rootCause.ts'

const wrapped = (cause: unknown): Error => new Error('gave up', { cause })

describe('root cause of an error', () => {
  const away = new Error('connect ECONNREFUSED 127.0.0.1:9')

  it('returns the root cause, also of several errors', () => {
    for (const thrown of [
      away,
      wrapped(wrapped(away)),
      new AggregateError([away]),
      wrapped(new AggregateError([away])),
    ])
      assert.equal(rootCauseOf(thrown), away)
    assert.equal(rootCauseOf('words'), 'words')
  })

  it('returns its message as one line', () => {
    assert.equal(reasonOf(wrapped(away)), 'connect ECONNREFUSED 127.0.0.1:9')
    assert.equal(reasonOf(new Error('first\nsecond')), 'first')
    assert.equal(reasonOf(new TypeError()), 'TypeError')
    assert.equal(reasonOf('words'), 'words')
  })
})
