import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { argon2Passwords } from './passwords.ts'

const address = '203.0.113.9'

describe('passwords', () => {
  it('are hashed with argon2id of 19 MiB and two passes, and verified', async () => {
    const passwords = argon2Passwords()
    const hash = await passwords.hash('caf\u00E9 au lait', address)
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(await passwords.verify(hash, 'cafe\u0301 au lait', address), true, 'composed in another way')
    assert.equal(await passwords.verify(hash, 'cafe au lait', address), false)
    assert.equal(await passwords.verify(null, 'caf\u00E9 au lait', address), false)
  })

  const sources: [name: string, addressOf: (n: number) => string, accepted: number][] = [
    ['one address', () => address, 2 + 32],
    ['one IPv6 /64', (n) => `2001:db8:1:2::${n}`, 2 + 32],
    ['an unknown address', () => '', 2 + 32],
    ['many networks', (n) => `10.0.${n}.1`, 2 + 64],
  ]
  for (const [name, addressOf, accepted] of sources)
    it(`are refused with Retry-After for ${name} when ${accepted} are in progress`, async () => {
      const argon2 = { hash: async () => '', verify: async () => false }
      const passwords = argon2Passwords({ argon2, maxRunning: 2 })
      const all = await Promise.allSettled(
        Array.from({ length: 100 }, (_, n) => passwords.verify('no hash', 'x', addressOf(n))),
      )
      const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      assert.equal(refused.length, 100 - accepted)
      for (const fault of refused) {
        assert.ok(fault instanceof Fault)
        assert.deepEqual([fault.code, fault.expected, fault.retryAfterMs], ['unavailable', true, 2_000])
      }
    })

  it('wait for three hashes of a flood from one address when they are of a new client', async () => {
    // A flood of logins from one address filled the queue, and others waited for all of it or were refused.
    const order: string[] = []
    const argon2 = { hash: async () => '', verify: async (hash: unknown) => order.push(String(hash)) > 0 }
    const passwords = argon2Passwords({ argon2, maxRunning: 2 })
    const flood = Array.from({ length: 60 }, () => passwords.verify('flood', 'x', address))
    const newcomer = passwords.verify('newcomer', 'x', '198.51.100.1')
    await Promise.allSettled([...flood, newcomer])
    assert.ok(order.indexOf('newcomer') <= 3, order.join(' '))
  })

  it('are verified for a known network while guesses from 200 networks wait', async () => {
    // One guess from each network filled the queue, and every login was refused.
    const order: string[] = []
    const argon2 = { hash: async () => '', verify: async (hash: unknown) => order.push(String(hash)) > 0 }
    const passwords = argon2Passwords({ argon2, maxRunning: 2 })
    const guesses = Array.from({ length: 200 }, (_, n) => passwords.verify('guess', 'x', `10.0.${n}.1`))
    const user = passwords.verify('user', 'x', '198.51.100.1', true)
    await Promise.allSettled(guesses)
    assert.equal(await user, true)
    assert.ok(order.indexOf('user') <= 3, order.join(' '))
  })
})
