import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { bodySuggestion, valueSuggestion } from './valueSuggestions.ts'

describe('suggestion for wrong values', () => {
  // Regression: white space in place of an object was searched to its end, which used 40 to 60 ms.
  for (const [first, others] of [
    [' ', ' '],
    ['@', 'a'],
  ] as const)
    it(`do not depend on the length of a text of ${JSON.stringify(others)}`, async () => {
      const value = Buffer.from(`${first}${others.repeat(14 * 2 ** 20)}`).toString()
      await assertCpuBelow(5, () => {
        assert.equal(
          valueSuggestion('an object', 'a string', { path: ['metadata'], value }),
          '; write {"name": "value"}',
        )
        assert.match(valueSuggestion('an array', 'a string', { path: ['to'], value }), /^; write \[/)
        assert.equal(bodySuggestion(value), 'The body must be a JSON object.')
      })
    })

  it('recognize an object and several addresses at the start of a long text', () => {
    const rest = ' '.repeat(5_000)
    assert.match(
      valueSuggestion('an object', 'a string', { path: ['metadata'], value: ` {${rest}` }),
      /not a text that contains it/,
    )
    assert.match(
      valueSuggestion('an array', 'a string', { path: ['to'], value: `a@x.example, b@${rest}` }),
      /one address per entry/,
    )
    assert.match(bodySuggestion(` {${rest}`), /encode it once/)
  })
})
