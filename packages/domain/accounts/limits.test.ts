import assert from 'node:assert/strict'
import { defaultAccountLimits } from './limits.ts'

describe('limits of accounts', () => {
  it('name their rate as refusals do', () => {
    const { logIn, signUp, mailsOfAddress } = defaultAccountLimits
    assert.deepEqual([logIn.text, signUp.text, mailsOfAddress.text], ['5 a minute', '30 an hour', '10 a day'])
  })

  it('have rates in requests per second, and a burst of the whole count unless it is another', () => {
    const { logIn, signUp } = defaultAccountLimits
    assert.deepEqual([logIn.rate, logIn.burst], [5 / 60, 5])
    assert.deepEqual([signUp.rate, signUp.burst], [30 / 3_600, 10])
  })
})
