import assert from 'node:assert/strict'
import { finish } from '@postrider/mail/steps.ts'
import { assertStepsBelow } from '../../test/support/cost.ts'
import { changeItems } from './changeItems.ts'

const changed = (json: string, change: (item: string) => string): string => finish(changeItems(json, change))

describe('items of a stored response', () => {
  const items = [
    { id: 'a', to: ['"}]{["', { quote: '"', end: '\\' }], none: [] },
    { text: '\\\\"],[{\\"', nested: { a: [{ b: {} }] } },
    {},
    { é: '😀\u2028', escaped: '\u0000\\u0022' },
  ]
  for (const json of [
    JSON.stringify({ object: 'list', data: items }),
    JSON.stringify({ isPermissive: true, refused: items }),
    JSON.stringify({ object: 'list', data: items }, null, 2),
  ]) {
    const [, listed = ''] = Object.keys(JSON.parse(json))

    it(`are each passed once, in ${json.slice(0, 20)}`, () => {
      const passed: unknown[] = []
      const result = changed(json, (item) => {
        passed.push(JSON.parse(item))
        return item
      })
      assert.deepEqual(passed, items)
      assert.equal(result, json)
    })

    for (const number of items.keys())
      it(`are replaced alone: number ${number}, in ${json.slice(0, 20)}`, () => {
        let index = 0
        const result = JSON.parse(changed(json, (item) => (index++ === number ? '{"new":1}' : item)))
        assert.deepEqual(result, { ...JSON.parse(json), [listed]: items.with(number, { new: 1 } as never) })
      })
  }

  it('may be absent', () => {
    const none = '{"object":"list","data":[]}'
    const fail = () => assert.fail('called')
    assert.equal(changed(none, fail), none)
  })

  it('are changed in steps, even if their texts have only escaped characters', async () => {
    const item = { id: 'a', text: '"\\'.repeat(12_000) }
    const json = JSON.stringify({ data: Array(100).fill(item) })
    const result = await assertStepsBelow(20, () => changeItems(json, (one) => `${one.slice(0, -1)},"b":1}`))
    assert.deepEqual(JSON.parse(result).data, Array(100).fill({ ...item, b: 1 }))
  })
})
