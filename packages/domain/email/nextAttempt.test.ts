import assert from 'node:assert/strict'
import { firstNextAttempt, type NextAttempt } from './nextAttempt.ts'

const next = (at: number | null, reason: NextAttempt['reason']): NextAttempt => ({ at, reason, detail: '' })

describe('first of the next attempts', () => {
  it('is the earliest one', () => {
    const all = [next(null, 'final'), next(30, 'retry'), next(9, 'scheduled'), next(100, 'retry')]
    assert.deepEqual(firstNextAttempt(all), next(9, 'scheduled'))
  })

  it('is the first reason that is not final if no attempt has a time', () => {
    const all = [next(null, 'final'), next(null, 'parked'), next(null, 'decision_needed')]
    assert.deepEqual(firstNextAttempt(all), next(null, 'parked'))
    assert.deepEqual(firstNextAttempt([next(null, 'final')]), next(null, 'final'))
  })
})
