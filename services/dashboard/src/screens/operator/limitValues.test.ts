import assert from 'node:assert/strict'
import type { Controls } from '../../api/operator.ts'
import { changedLimits, valuesOf } from './limitValues.ts'

const workspace = { limits: { monthly: 'plan', daily: null, rate: 2.5, burst: 10 } } as Controls

describe('limits of a workspace in a form', () => {
  it('are read without conversion', () =>
    assert.deepEqual(valuesOf(workspace), {
      monthly: { kind: 'plan', number: '' },
      daily: { kind: 'none', number: '' },
      rate: { kind: 'number', number: '2.5' },
      burst: { kind: 'number', number: '10' },
    }))

  it('are sent only where they changed', () => {
    const values = valuesOf(workspace)
    assert.deepEqual(changedLimits(workspace, values), {})
    values.monthly = { kind: 'number', number: ' 100000 ' }
    values.rate = { kind: 'plan', number: '2.5' }
    assert.deepEqual(changedLimits(workspace, values), { monthly: 100_000, rate: 'plan' })
  })

  it('are not a number where the text is not one', () => {
    for (const number of ['', ' ', 'many'])
      assert.deepEqual(changedLimits(workspace, { ...valuesOf(workspace), burst: { kind: 'number', number } }), {
        burst: Number.NaN,
      })
  })
})
