import assert from 'node:assert/strict'
import { decideDatabase, isFromOther } from './installation.ts'

describe('installation', () => {
  it('recognizes data of another one, unless either has no name', () => {
    assert.equal(isFromOther('mail/b', 'mail/a'), true)
    assert.equal(isFromOther('mail/a', 'mail/a'), false)
    assert.equal(isFromOther(null, 'mail/a'), false)
    assert.equal(isFromOther('mail/b', undefined), false)
  })

  it('uses its own database, and that of another one only if the operator moves it', () => {
    assert.equal(decideDatabase({ owner: 'mail/a', name: 'mail/a', mayTakeOver: false }), 'own')
    assert.equal(decideDatabase({ owner: 'mail/a', name: 'mail/a', mayTakeOver: true }), 'own')
    assert.equal(decideDatabase({ owner: 'mail/b', name: 'mail/a', mayTakeOver: false }), 'refuse')
    assert.equal(decideDatabase({ owner: 'mail/b', name: 'mail/a', mayTakeOver: true }), 'takeOver')
  })
})
