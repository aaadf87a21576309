import assert from 'node:assert/strict'
import { canSign, maySignFor } from './signing.ts'

describe('keys that can sign', () => {
  it('include an RSA key', () => {
    assert.equal(canSign([{ algorithm: 'ed25519' }, { algorithm: 'rsa' }]), true)
    assert.equal(canSign([{ algorithm: 'ed25519' }]), false)
    assert.equal(canSign([]), false)
  })
})

describe('domain that signs', () => {
  it('signs for senders of the domain and of its subdomains', () => {
    assert.equal(maySignFor('example.com', 'a@example.com'), true)
    assert.equal(maySignFor('example.com', 'a@mail.example.com'), true)
  })

  it('signs for no other sender', () => {
    assert.equal(maySignFor('mail.example.com', 'a@example.com'), false)
    assert.equal(maySignFor('example.com', 'a@notexample.com'), false)
    assert.equal(maySignFor('example.com', '"@example.com"@other.com'), false)
  })
})
