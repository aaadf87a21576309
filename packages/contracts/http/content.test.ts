import assert from 'node:assert/strict'
import { areVarsSmall, TemplateVars } from './content.ts'

const maxBytes = 65_536

/** Returns the codes of the problems of values. */
const codesOf = (vars: unknown): unknown[] =>
  (TemplateVars.safeParse(vars).error?.issues ?? []).map(
    (issue) => (issue as { params?: { code?: string } }).params?.code,
  )

/** Values that need each rule of JSON: escapes, bytes of a character, brackets, commas and names. */
const values: [name: string, value: unknown][] = [
  ['text', 'plain'],
  ['escapes', '"\\\n\u0001\u007f'],
  ['other characters', 'é漢😀\ud800'],
  ['numbers', [0, -0, 1.5, -1e21, 1e-7]],
  ['constants', [true, false, null]],
  ['nested and empty values', { '': {}, é: [], '"': [[], {}, [1, { b: 'c' }]] }],
]

describe('values of a template', () => {
  for (const [name, value] of values)
    it(`may have ${maxBytes} bytes as JSON, and not one more: ${name}`, () => {
      const filled = (bytes: number) => ({ value, rest: 'x'.repeat(bytes) })
      const rest = maxBytes - Buffer.byteLength(JSON.stringify(filled(0)))
      assert.deepEqual([areVarsSmall(filled(rest)), areVarsSmall(filled(rest + 1))], [true, false])
    })

  it('are measured up to their limit, and not read beyond it', () => {
    const long = {
      text: 'x'.repeat(maxBytes),
      get rest(): string {
        return assert.fail('read')
      },
    }
    assert.deepEqual([areVarsSmall(long), areVarsSmall({ list: Array(maxBytes).fill(1) })], [false, false])
  })

  it('have all their problems reported', () => {
    assert.deepEqual(codesOf({ a: [[[[1]]]] }), [])
    assert.deepEqual(codesOf({ a: [[[[[1]]]]] }), ['vars_too_deep'])
    assert.deepEqual(codesOf({ a: Number.POSITIVE_INFINITY }), ['invalid_number'])
    assert.deepEqual(codesOf({ a: [[[[[[Number.NEGATIVE_INFINITY]]]]]] }), ['vars_too_deep', 'invalid_number'])
    assert.deepEqual(codesOf({ a: [[[[[1]]]]], b: 'x'.repeat(maxBytes) }), ['vars_too_large'])
  })
})
