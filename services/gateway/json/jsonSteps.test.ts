import assert from 'node:assert/strict'
import { finish } from '@postrider/mail/steps.ts'
import { hasLongText, jsonSteps } from './jsonSteps.ts'

const values: [name: string, value: Record<string, unknown>][] = [
  ['nothing', {}],
  ['short values', { a: 1, b: null, c: 'é"\n', d: [true, { e: 'x' }], f: undefined }],
  ['a long text', { a: 'x', b: 'y'.repeat(200_000), c: 2 }],
  ['long texts alone', { a: 'é'.repeat(70_000), b: '\n'.repeat(140_000) }],
  ...[0, 1, 2].map((shift): [string, Record<string, unknown>] => [
    `pairs of surrogates at a cut, shifted by ${shift}`,
    { a: 'x'.repeat(65_535 - shift) + '😀'.repeat(70_000) },
  ]),
  ['lists', { object: 'list', data: [{ a: 'é' }, undefined, null, [1, []]], more: [], next: null }],
  ['a list of long records', { data: Array(20).fill({ a: '"'.repeat(100_000) }) }],
  ['a surrogate alone at a cut', { a: `${'x'.repeat(65_535)}\ud83d${'y'.repeat(10)}` }],
]

describe('JSON in steps', () => {
  for (const [name, value] of values) {
    it(`is as JSON.stringify writes it: ${name}`, () => {
      assert.equal(finish(jsonSteps(value)).toString(), JSON.stringify(value))
    })
  }

  it('pauses within a long text', () => {
    const steps = jsonSteps({ a: 'x'.repeat(200_000) })
    let count = 0
    while (!steps.next().done) count++
    assert.equal(count, 4)
  })

  it('pauses between the records of a long list', () => {
    const countOf = (data: unknown[]): number => {
      const steps = jsonSteps({ data })
      let count = 0
      while (!steps.next().done) count++
      return count
    }
    assert.deepEqual([countOf(Array(20).fill('x'.repeat(200_000))), countOf(Array(100).fill({ a: 'short' }))], [10, 0])
  })

  it('is for objects with a long text', () => {
    assert.deepEqual([{ a: 'x'.repeat(70_000) }, { a: 'x' }, ['x'.repeat(70_000)], null].map(hasLongText), [
      true,
      false,
      false,
      false,
    ])
  })
})
