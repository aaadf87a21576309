import assert from 'node:assert/strict'
import { promqlProblems } from './promql.ts'

describe('promqlProblems', () => {
  it('returns nothing for a valid expression', () => {
    assert.deepEqual(promqlProblems('sum by (le) (rate(a_bucket{b=~"x)[5..", c!=""}[$__rate_interval])) > 1'), [])
  })

  const invalid: [expr: string, problem: string][] = [
    ['sum(rate(a[5m])', '( is not closed'],
    ['sum(a))', 'unmatched )'],
    ['sum(a{b="c")}', 'unmatched )'],
    ['summ(a)', 'unknown function summ'],
    ['rate(a)', 'rate(a) has no window'],
  ]
  for (const [expr, problem] of invalid) {
    it(`reports "${problem}" for ${expr}`, () => assert.deepEqual(promqlProblems(expr), [problem]))
  }
})
