import assert from 'node:assert/strict'
import { argon2Passwords } from './passwords.ts'

describe('passwords', () => {
  it('are hashed with argon2id of 19 MiB and two passes, and verified', async () => {
    const passwords = argon2Passwords()
    const hash = await passwords.hash('caf\u00E9 au lait')
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await passwords.verify(hash, 'cafe\u0301 au lait'), true, 'composed in another way')
    assert.equal(await passwords.verify(hash, 'cafe au lait'), false)
    assert.equal(await passwords.verify(null, 'caf\u00E9 au lait'), false)
  })

  it('are rejected with Retry-After when too many are verified at the same time', async () => {
    const passwords = argon2Passwords()
    const all = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify('no hash', 'x')))
    const refused = all.filter(({ status, ...rest }) => status === 'rejected' && 'reason' in rest)
    const busy = refused.filter((each) => 'reason' in each && each.reason.code === 'unavailable')
    assert.equal(busy.length, 70 - 2 - 64)
  })
})
