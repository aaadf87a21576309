import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { formFields } from './readForm.ts'

const bodies = [
  '',
  '&',
  '=',
  '&&a=b&&',
  'a',
  'a=',
  '=b',
  'a=b=c',
  'a=1&a=2&b=3',
  'a+b=c+d',
  '%61=%62&c=%C3%A9',
  'a=%&b=%4&c=%zz&d=%25',
  'a=%e2%82%ac&b=%ff%fe&c=é',
  'a=%EF%BB%BFb',
  'a=%00&__proto__=b',
  'a=\r\n&b= c',
]

describe('fields of a form', () => {
  for (const body of bodies)
    it(`are those of the URL standard: ${JSON.stringify(body)}`, () => {
      const fields = formFields(Buffer.from(body))
      const expected = new URLSearchParams(body)
      for (const name of ['a', 'b', 'c', 'd', '', 'a b', '__proto__', 'none'])
        assert.equal(fields?.get(name), expected.get(name), name)
    })

  it('reads at most a hundred fields of a form', () => {
    const last = formFields(Buffer.from(`${'a=1&'.repeat(99)}b=2`))?.get('b')
    assert.deepEqual([last, formFields(Buffer.from(`${'a=1&'.repeat(100)}b=2`))], ['2', null])
  })

  for (const text of ['+', '%20', '%', 'a', '%C3%A9', '='])
    it(`are read in a time that grows with the length: ${text}`, () => {
      const body = Buffer.from(`a=${text.repeat(786_000 / text.length)}`)
      return assertCpuBelow(100, () => assert.ok(formFields(body)?.get('a')))
    })
})
