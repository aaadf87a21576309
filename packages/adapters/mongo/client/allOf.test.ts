import assert from 'node:assert/strict'
import { allOf } from './allOf.ts'

describe('filter of several conditions', () => {
  it('has the bounds of a field in one condition, because every server uses an index for it', () => {
    const range = [{ createdAt: { $gt: 1 } }, { createdAt: { $lte: 9 } }, { workspace: 'ws_1' }]
    assert.deepEqual(allOf(range), { createdAt: { $gt: 1, $lte: 9 }, workspace: 'ws_1' })
  })

  it('keeps each condition where two have the same operator, or one is a value', () => {
    const [older, old] = [{ createdAt: { $lte: 9 } }, { createdAt: { $lte: 5 } }]
    assert.deepEqual(allOf([older, old]), { ...older, $and: [old] })
    const [first, short] = [{ terms: 'a' }, { terms: { $elemMatch: { $gte: 'b' } } }]
    assert.deepEqual(allOf([first, short]), { ...first, $and: [short] })
    const [one, other] = [{ $or: [{ status: 'sent' }] }, { $or: [{ lane: 'marketing' }] }]
    assert.deepEqual(allOf([one, other]), { ...one, $and: [other] })
  })

  it('keeps a condition on a field that is absent', () => {
    const absent = { terms: null as unknown as string[] }
    assert.deepEqual(allOf([absent, { workspace: 'ws_1' }]), { ...absent, workspace: 'ws_1' })
  })
})
