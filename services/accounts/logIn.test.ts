import assert from 'node:assert/strict'
import process from 'node:process'
import { Fault } from '@postrider/kit/fault.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { memoryAudit, plainPasswords } from './fakes.ts'
import { argon2Passwords } from './passwords.ts'
import { credentials, dayMs, hourMs, minuteMs, testRig } from './testRig.ts'

const wrong = { ...credentials, password: 'something else' }
const unknown = { ...credentials, email: 'eve@example.com' }

const unavailable = (): never => {
  throw new Fault('unavailable', 'Full.', { expected: true })
}

/** The refusal of a login; no code: it succeeded. */
const faultOf = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (thrown === null) return { code: null, retryAfterMs: null, fault: null }
  assert(thrown instanceof Fault)
  return { code: thrown.code, retryAfterMs: thrown.retryAfterMs, fault: thrown }
}

/** The parts of a refusal that a caller can see. */
const refusalOf = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => assert.fail('the request was accepted'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault)
  return { code: thrown.code, message: thrown.message, problems: thrown.problems, headers: thrown.headers }
}

/**
 * Returns the median CPU time of this process in milliseconds: wall clock would also measure other programs of the
 * machine.
 */
const medianMs = async (samples: number, work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let n = 0; n < samples; n++) {
    const since = process.cpuUsage()
    await work().catch(() => {})
    const { user, system } = process.cpuUsage(since)
    times.push((user + system) / 1_000)
  }
  return times.toSorted((a, b) => a - b)[samples >> 1] ?? 0
}

describe('login', () => {
  it('opens a new session each time and leaves earlier ones valid', async () => {
    const { service, owner } = testRig()
    const first = await owner()
    const second = await service.LogIn({ ...credentials, email: 'Ada@EXAMPLE.com' })
    assert.notEqual(second.token, first.token)
    assert.notEqual(second.csrf_token, first.csrf_token)
    assert.equal(second.caller?.workspace, first.workspace)
    await service.AuthenticateSession({ token: first.token })
  })

  it('returns the same refusal for a wrong password and an unknown address', async () => {
    const { service, owner } = testRig()
    await owner()
    const refusal = await refusalOf(service.LogIn(wrong))
    assert.equal(refusal.code, 'unauthenticated')
    assert.deepEqual(await refusalOf(service.LogIn(unknown)), refusal)
    assert.deepEqual(await refusalOf(service.LogIn({ ...credentials, email: 'no address at all' })), refusal)
  })

  it('takes as long for an unknown address as for a wrong password', async () => {
    // Cases 35 and 60 of the list of hostile inputs. Real hashing, few samples: without the hash it is ten times
    // faster.
    const { service, owner, advance } = testRig({ passwords: argon2Passwords() })
    await owner()
    const attempt = (as: typeof credentials) => () => {
      advance(dayMs)
      return service.LogIn(as)
    }
    const known = await medianMs(7, attempt(wrong))
    const strange = await medianMs(7, attempt(unknown))
    assert(strange > known / 3 && strange < known * 3, `known ${known} ms, unknown ${strange} ms`)
  })

  it('allows five attempts a minute for each account and client address', async () => {
    const { service, owner, advance } = testRig()
    await owner()
    for (let n = 0; n < 5; n++) await service.LogIn(credentials)
    await assert.rejects(service.LogIn(credentials), { code: 'rate_limited', retryAfterMs: 12_000 })
    await service.LogIn({ ...credentials, client_address: '203.0.113.10' })
    await assert.rejects(service.LogIn(unknown), { code: 'unauthenticated' })
    advance(12_000)
    await service.LogIn(credentials)
  })

  it('counts all addresses of one IPv6 /64 as one client', async () => {
    const { service, owner } = testRig()
    await owner()
    for (let n = 0; n < 5; n++) await service.LogIn({ ...credentials, client_address: `2001:db8:1:2::${n}` })
    await assert.rejects(service.LogIn({ ...credentials, client_address: '2001:db8:1:2:ffff::1' }), {
      code: 'rate_limited',
    })
  })

  it('waits longer after each failure, up to 15 minutes', async () => {
    const { service, owner, advance } = testRig()
    await owner()
    const waits = new Set<number>()
    for (let failed = 0; failed < 30; ) {
      const refusal = await service.LogIn(wrong).then(
        () => assert.fail('the login succeeded'),
        (reason: unknown) => reason,
      )
      assert(refusal instanceof Fault)
      if (refusal.code === 'unauthenticated') failed += 1
      if (refusal.retryAfterMs !== null) waits.add(refusal.retryAfterMs)
      advance(refusal.retryAfterMs ?? 0)
    }
    assert.deepEqual([Math.min(...waits) <= 12_000, Math.max(...waits)], [true, 15 * minuteMs])
    await assert.rejects(service.LogIn(credentials), { code: 'rate_limited' })
    await service.LogIn({ ...credentials, client_address: '198.51.100.1' })
    advance(15 * minuteMs)
    await service.LogIn(credentials)
  })

  it('is not slowed down by earlier successful logins', async () => {
    const { service, owner, advance } = testRig()
    await owner()
    for (let n = 0; n < 40; n++) {
      await service.LogIn(credentials)
      advance(12_000)
    }
  })

  describe('audit log', () => {
    const refusals = (audit: { entries: AuditEntry[] }) =>
      audit.entries.filter(({ action }) => action === 'session.refuse')

    it('has a refused login with the address of the client', async () => {
      const { service, owner, audit, drain } = testRig()
      const { workspace, user } = await owner()
      await assert.rejects(service.LogIn(wrong))
      await drain()
      const refused = refusals(audit)
      assert.deepEqual(
        refused.map((entry) => [entry.workspace, entry.actor, entry.target, entry.clientAddress]),
        [[workspace, user, user, credentials.client_address]],
      )
      const written = JSON.stringify(refused)
      for (const secret of [credentials.email, wrong.password]) assert(!written.includes(secret))
    })

    it('has no logins to unknown accounts: a metric counts them', async () => {
      // Each was an entry, so an unauthenticated client could let the log grow without end.
      const { service, audit, refused, drain } = testRig()
      for (const email of ['eve@example.com', 'no address at all', '', 'x'.repeat(300)])
        await assert.rejects(service.LogIn({ ...credentials, email }), { code: 'unauthenticated' })
      await drain()
      assert.deepEqual([audit.entries, refused], [[], { unknown_account: 4 }])
    })

    it('has one refusal an hour for an account and network, and at most ten an hour, with a burst of twenty for an account', async () => {
      const { service, owner, audit, advance, drain } = testRig()
      await owner()
      const refuse = async (client_address: string) => {
        await assert.rejects(service.LogIn({ ...wrong, client_address }))
        await drain()
      }
      for (let n = 0; n < 10; n++) {
        await refuse(`198.51.100.${n}`)
        advance(minuteMs)
      }
      assert.equal(refusals(audit).length, 1)
      advance(hourMs)
      await refuse('198.51.100.99')
      assert.equal(refusals(audit).length, 2)
      advance(dayMs)
      for (let n = 0; n < 50; n++) await refuse(`10.0.${n}.1`)
      assert.equal(refusals(audit).length, 2 + 20)
      advance(hourMs)
      for (let n = 50; n < 90; n++) await refuse(`10.0.${n}.1`)
      assert.equal(refusals(audit).length, 2 + 20 + 10)
    })

    it('fails no login when it cannot be written', async () => {
      const { service, owner, drain } = testRig({
        audit: {
          ...memoryAudit(),
          record: async ({ action }) => (action === 'session.refuse' ? unavailable() : undefined),
        },
      })
      await owner()
      await assert.rejects(service.LogIn(wrong), { code: 'unauthenticated' })
      await drain()
    })
  })

  describe('by unauthenticated clients', () => {
    /** Password spraying was limited only per account. */
    const sprays: [name: string, addressOf: (n: number) => string, admittedInAnHour: number, detail: RegExp][] = [
      ['one address', () => '198.51.100.7', 200, /from your address/],
      ['one IPv4-mapped address', () => '::ffff:198.51.100.7', 200, /from your address/],
      ['one IPv6 /64', (n) => `2001:db8:1:2::${n.toString(16)}`, 200, /from your address/],
      ['an unknown address', () => '', 200, /from your address/],
      ['one IPv4 /24', (n) => `198.51.100.${n % 256}`, 900, /from your network/],
      ['one IPv6 /48', (n) => `2001:db8:1:${n.toString(16)}::1`, 900, /from your network/],
    ]
    for (const [name, addressOf, maxAdmitted, detail] of sprays)
      it(`is limited for one password and many accounts from ${name}`, async () => {
        const { service, owner, advance, now } = testRig()
        await owner()
        const until = now() + hourMs
        let admitted = 0
        let refusal: Fault | null = null
        for (let n = 0; now() < until; n++) {
          const attempt = { ...credentials, email: `user${n}@example.com`, client_address: addressOf(n) }
          const { code, retryAfterMs, fault } = await faultOf(service.LogIn(attempt))
          if (code === 'unauthenticated') admitted += 1
          else refusal = fault
          advance(retryAfterMs ?? 0)
        }
        assert.ok(admitted <= maxAdmitted, `${admitted} attempts in an hour`)
        assert.match(refusal?.message ?? '', detail)
        // The owner logs in from elsewhere, and from the network that the account was used from.
        await service.LogIn({ ...credentials, client_address: '192.0.2.1' })
        await service.LogIn(credentials)
      })

    it('is limited for one account from many networks, while its owner logs in from a network used before', async () => {
      const { service, owner, advance } = testRig()
      await owner()
      let admitted = 0
      for (let n = 0; n < 400; n++) {
        const { code } = await faultOf(service.LogIn({ ...wrong, client_address: `10.${n % 200}.${n >> 3}.1` }))
        if (code === 'unauthenticated') admitted += 1
      }
      assert.equal(admitted, 100)
      const elsewhere = { ...credentials, client_address: '192.0.2.1' }
      const { code, retryAfterMs } = await faultOf(service.LogIn(elsewhere))
      assert.equal(code, 'rate_limited')
      await service.LogIn(credentials)
      advance(retryAfterMs ?? 0)
      await service.LogIn(elsewhere)
    })

    it('waits as a known one only where the account was used before', async () => {
      const known: (boolean | undefined)[] = []
      const plain = plainPasswords()
      const verify: typeof plain.verify = (hash, password, address, isKnown) => {
        known.push(isKnown)
        return plain.verify(hash, password, address)
      }
      const { service, owner } = testRig({ passwords: { ...plain, verify } })
      await owner()
      const elsewhere = { ...credentials, client_address: '192.0.2.1' }
      await faultOf(service.LogIn({ ...elsewhere, password: 'wrong words here' }))
      for (const from of [credentials, elsewhere, elsewhere]) await service.LogIn(from)
      assert.deepEqual(known, [false, true, false, true])
    })

    it('is limited to 60 attempts a minute for each client address before any hash or lookup', async () => {
      const { service, store, owner, refused } = testRig({
        passwords: { ...plainPasswords(), verify: async () => true },
      })
      await owner()
      let lookUps = 0
      const byEmail = store.userByEmail
      store.userByEmail = (email) => {
        lookUps++
        return byEmail(email)
      }
      const attempts = Array.from({ length: 100 }, (_, n) =>
        faultOf(service.LogIn({ ...credentials, email: `user${n}@example.com` })),
      )
      await Promise.all(attempts)
      assert.equal(lookUps, 60)
      assert.deepEqual(refused, { unknown_account: 60, client_limit: 40 })
    })

    it('is limited in the number of attempts, even if they succeed', async () => {
      const { service, owner, advance } = testRig({
        limits: { logIn: { rate: 1_000, burst: 1_000, text: '1,000 a second' } },
      })
      await owner()
      for (let n = 0; n < 60; n++) await service.LogIn(credentials)
      await assert.rejects(service.LogIn(credentials), { code: 'rate_limited', retryAfterMs: 1_000 })
      advance(1_000)
      await service.LogIn(credentials)
    })
  })

  it('counts every refusal by its reason', async () => {
    const { service, owner, store, refused } = testRig({
      passwords: {
        ...plainPasswords(),
        verify: async (_, password) => (password === 'busy' ? unavailable() : password === credentials.password),
      },
    })
    await owner()
    await faultOf(service.LogIn(wrong))
    await faultOf(service.LogIn(unknown))
    await faultOf(service.LogIn({ ...credentials, password: 'busy' }))
    store.memberships = async () => []
    await faultOf(service.LogIn(credentials))
    for (let n = 0; n < 3; n++) await faultOf(service.LogIn(wrong))
    assert.deepEqual(refused, { wrong_password: 3, unknown_account: 1, busy: 1, no_workspace: 1, account_limit: 1 })
  })
})
