import assert from 'node:assert/strict'
import { promqlProblems } from './promql.ts'

describe('the look at PromQL', () => {
  it('finds nothing in what is right', () => {
    assert.deepEqual(promqlProblems('sum by (le) (rate(a_bucket{b=~"x)[5..", c!=""}[$__rate_interval])) > 1'), [])
  })

  const wrong: [expr: string, problem: string][] = [
    ['sum(rate(a[5m])', '( is never closed'],
    ['sum(a))', 'a ) too many'],
    ['sum(a{b="c")}', 'a ) too many'],
    ['summ(a)', 'nobody knows summ()'],
    ['rate(a)', 'rate(a) has no window'],
  ]
  for (const [expr, problem] of wrong) {
    it(`finds that in ${expr} ${problem}`, () => assert.deepEqual(promqlProblems(expr), [problem]))
  }
})
