import assert from 'node:assert/strict'
import process from 'node:process'
import { Fault } from '@postrider/kit/fault.ts'
import { argon2Passwords } from './passwords.ts'
import { credentials, dayMs, minuteMs, testRig } from './testRig.ts'

const wrong = { ...credentials, password: 'something else' }
const unknown = { ...credentials, email: 'eve@example.com' }

/** The parts of a refusal that a caller can see. */
const refusalOf = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => assert.fail('the request was accepted'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault)
  return { code: thrown.code, message: thrown.message, problems: thrown.problems, headers: thrown.headers }
}

/** Of this process's CPU: wall clock would also measure what else the machine does. */
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

describe('log-in', () => {
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
    // Cases 35 and 60 of the list of hostile inputs. Real hashing, few samples: without the hash it is ten times faster.
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
        () => assert.fail('the log-in succeeded'),
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

  it('is not slowed down by earlier successful log-ins', async () => {
    const { service, owner, advance } = testRig()
    await owner()
    for (let n = 0; n < 40; n++) {
      await service.LogIn(credentials)
      advance(12_000)
    }
  })

  it('records a refusal in the audit log under a pseudonym', async () => {
    const { service, owner, audit } = testRig()
    const { workspace, user } = await owner()
    await assert.rejects(service.LogIn(wrong))
    await assert.rejects(service.LogIn(unknown))
    const refused = audit.entries.filter(({ action }) => action === 'session.refuse')
    assert.deepEqual(
      refused.map((entry) => [entry.workspace, entry.target]),
      [
        [workspace, user],
        ['', ''],
      ],
    )
    const written = JSON.stringify(refused)
    for (const secret of [credentials.email, unknown.email, wrong.password, credentials.client_address])
      assert(!written.includes(secret))
  })
})
