import assert from 'node:assert/strict'
import fc from 'fast-check'
import { readDue, writeDue } from './due.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const email = {
  type: 'email.due',
  id: 'em_01j00000000000000000000000',
  workspace: 'ws_01j00000000000000000000000',
} as const

describe('due message', () => {
  it('is read as it was written, in less than 200 bytes', () => {
    assert.deepEqual(readDue(bytes(writeDue(email))), email)
    assert.deepEqual(readDue(bytes(writeDue({ type: 'lane.due' }))), { type: 'lane.due' })
    assert.ok(writeDue(email).length < 200)
  })

  it('may contain unknown fields', () => {
    assert.deepEqual(readDue(bytes(JSON.stringify({ v: 1, ...email, priority: 3 }))), email)
  })

  const poison: [name: string, value: unknown][] = [
    ['unknown version', { ...email, v: 2 }],
    ['unknown version', email],
    ['unknown type', { ...email, v: 1, type: 'email.gone' }],
    ['without ids', { ...email, v: 1, id: 7 }],
    ['without ids', { ...email, v: 1, workspace: '' }],
    ['without ids', { ...email, v: 1, id: 'x'.repeat(65) }],
    ['oversized', { ...email, v: 1, more: 'x'.repeat(1_024) }],
    ['not a JSON object', null],
    ['not a JSON object', 'em_1'],
  ]
  for (const [name, value] of poison) {
    it(`is rejected as "${name}": ${JSON.stringify(value).slice(0, 60)}`, () => {
      assert.deepEqual(readDue(bytes(JSON.stringify(value))), { poison: name })
    })
  }

  it('is read from a part of a larger buffer', () => {
    const text = writeDue(email)
    assert.deepEqual(readDue(bytes(`xx${text}yy`).subarray(2, 2 + text.length)), email)
  })

  it('never throws for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (value) => 'poison' in readDue(value)))
    fc.assert(fc.property(fc.json(), (text) => 'poison' in readDue(bytes(text))))
  })
})
