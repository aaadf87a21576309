import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { bodyHint, valueHint } from './valueHints.ts'

describe('hints for wrong values', () => {
  // Regression: white space in place of an object was searched to its end, which used 40 to 60 ms.
  for (const [first, others] of [
    [' ', ' '],
    ['@', 'a'],
  ] as const)
    it(`do not depend on the length of a text of ${JSON.stringify(others)}`, async () => {
      const value = Buffer.from(`${first}${others.repeat(14 * 2 ** 20)}`).toString()
      await assertCpuBelow(5, () => {
        assert.equal(valueHint('an object', 'a string', { path: ['metadata'], value }), '; write {"name": "value"}')
        assert.match(valueHint('an array', 'a string', { path: ['to'], value }), /^; write \[/)
        assert.equal(bodyHint(value), 'The body must be a JSON object.')
      })
    })

  it('recognize an object and several addresses at the start of a long text', () => {
    const rest = ' '.repeat(5_000)
    assert.match(
      valueHint('an object', 'a string', { path: ['metadata'], value: ` {${rest}` }),
      /not a text that contains it/,
    )
    assert.match(
      valueHint('an array', 'a string', { path: ['to'], value: `a@x.example, b@${rest}` }),
      /one address per entry/,
    )
    assert.match(bodyHint(` {${rest}`), /encode it once/)
  })
})
