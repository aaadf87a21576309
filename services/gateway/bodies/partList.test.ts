import assert from 'node:assert/strict'
import { partList } from './partList.ts'

describe('the parts of a body', () => {
  for (const lengths of [
    [],
    [3],
    [1, 5_000, 1, 8_192, 4_095, 4_095, 4_095],
    Array(40).fill(700),
    Array(70_000).fill(1),
  ])
    it(`are joined in their order: ${lengths.length} parts`, () => {
      const parts = lengths.map((length, number) => Buffer.alloc(length, number))
      const list = partList()
      for (const part of parts) list.add(part)
      assert.ok(list.join().equals(Buffer.concat(parts)))
      assert.deepEqual(list.take(), [])
    })

  // Each byte of a body that arrived alone used an object of 100 bytes: one request of 15 MiB ended the process.
  it('are few if a client sends each byte alone', () => {
    const list = partList()
    for (let byte = 0; byte < 100_000; byte++) list.add(Buffer.from('x'))
    assert.ok(list.take().length < 40)
  })
})
