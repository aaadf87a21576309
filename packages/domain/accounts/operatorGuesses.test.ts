import assert from 'node:assert/strict'
import { operatorGuesses } from './operatorGuesses.ts'

describe('guesses at the operator token', () => {
  it('are counted for each IPv4 address', () => {
    assert.notEqual(operatorGuesses('192.0.2.1').key, operatorGuesses('192.0.2.2').key)
  })

  it('are counted together for the IPv6 addresses of one network', () => {
    assert.equal(operatorGuesses('2001:db8::1').key, operatorGuesses('2001:db8::2').key)
  })
})
