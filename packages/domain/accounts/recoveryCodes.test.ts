import assert from 'node:assert/strict'
import { newRecoveryCodes, recoveryHash } from './recoveryCodes.ts'

describe('recovery codes', () => {
  it('are ten texts of 80 random bits in base32 (RFC 4648 §6)', () => {
    let next = 0
    const codes = newRecoveryCodes((size) => Buffer.alloc(size, next++))
    assert.equal(codes.length, 10)
    assert.deepEqual(codes.slice(0, 2), ['aaaa-aaaa-aaaa-aaaa', 'aeaq-caib-aeaq-caib'])
    assert.deepEqual(newRecoveryCodes(() => Buffer.from('f00ba4f00ba4f00ba4ff', 'hex'))[0], '6af2-j4al-utya-xjh7')
  })

  it('are compared by a hash that ignores case, spaces and dashes, and differs between users', () => {
    const hash = recoveryHash('usr_1', 'abcd-efgh-ijkl-mnop')
    assert.match(hash ?? '', /^[\w-]{43}$/)
    assert.equal(recoveryHash('usr_1', ' ABCD efgh ijklmnop '), hash)
    assert.notEqual(recoveryHash('usr_2', 'abcd-efgh-ijkl-mnop'), hash)
  })

  it('are not confused with codes of the app and other texts', () => {
    for (const text of ['', '123456', 'abcd-efgh-ijkl-mno', 'abcd-efgh-ijkl-mno1', 'abcd-efgh-ijkl-mnop-q'])
      assert.equal(recoveryHash('usr_1', text), null)
  })
})
