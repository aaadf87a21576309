import assert from 'node:assert/strict'
import { afterFailedCharge, charging, isAsRead, newCollection, waiting } from './collections.ts'

describe('collection of an invoice', () => {
  const read = newCollection('inv_1', 2_000, 1_000)
  const page = { session: 'cs_1', url: 'https://pay.example/', until: 9_000 }

  it('is as it was read if nothing that decisions depend on changed', () => {
    assert.equal(isAsRead({ ...read }, read), true)
    assert.equal(isAsRead({ ...read, page: { ...page, until: 1 } }, { ...read, page }), true)
  })

  for (const [name, changed] of [
    ['a payment', charging(read, 'pi_1')],
    ['another time', waiting(read, 1_000)],
    ['a failure', afterFailedCharge(read, null, 1_000)],
    ['a page', { ...read, page }],
  ] as const)
    it(`is not as it was read after ${name}`, () => assert.equal(isAsRead(changed, read), false))
})
