import assert from 'node:assert/strict'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { credentials, dayMs, hourMs, minuteMs, testRig } from './testRig.ts'

const gone = { code: 'unauthenticated', message: notAuthenticated }

describe('session', () => {
  it('authenticates its user and does not return its token again', async () => {
    const { service, owner } = testRig()
    const { token, csrf_token, workspace, user } = await owner()
    const known = await service.AuthenticateSession({ token })
    assert.deepEqual([known.token, known.csrf_token, known.email], ['', csrf_token, credentials.email])
    assert.deepEqual([known.caller?.workspace, known.caller?.userId, known.caller?.keyId], [workspace, user, null])
  })

  it('a session token is stored as a hash only', async () => {
    const { store, owner } = testRig()
    const { token } = await owner()
    assert.equal(await store.session(Buffer.from(token)), null)
    assert.equal(await store.session(Buffer.from(token, 'base64url')), null)
  })

  it('ends after 12 hours without use and continues while it is used', async () => {
    const { service, owner, advance, drain } = testRig()
    const { token } = await owner()
    for (let n = 0; n < 4; n++) {
      advance(12 * hourMs - 1)
      await service.AuthenticateSession({ token })
      await drain()
    }
    advance(12 * hourMs)
    await assert.rejects(service.AuthenticateSession({ token }), gone)
  })

  it('ends after 30 days even while it is used', async () => {
    const { service, owner, advance, drain } = testRig()
    const { token } = await owner()
    for (let n = 0; n < 60; n++) {
      await service.AuthenticateSession({ token })
      await drain()
      advance(dayMs / 2 - 1)
    }
    await service.AuthenticateSession({ token })
    advance(60)
    await assert.rejects(service.AuthenticateSession({ token }), gone)
  })

  // Regression: a person could have any number, and to end all of them stopped one process for seconds.
  it('ends when the person opens a hundred others and it was used least recently', async () => {
    const { service, owner, advance } = testRig()
    const { token } = await owner()
    const tokens = [token]
    for (let n = 0; n < 100; n++) {
      advance(minuteMs)
      tokens.push((await service.LogIn(credentials)).token)
    }
    await assert.rejects(service.AuthenticateSession({ token }), gone)
    for (const other of tokens.slice(1)) await service.AuthenticateSession({ token: other })
  })

  it('has its time of last use written at most once a minute', async () => {
    const { service, store, owner, advance, drain } = testRig()
    const { token } = await owner()
    let writes = 0
    const { touchSession } = store
    store.touchSession = (...given) => {
      writes += 1
      return touchSession(...given)
    }
    for (let second = 0; second < 180; second++) {
      await service.AuthenticateSession({ token })
      await drain()
      advance(1_000)
    }
    assert.equal(writes, 2)
  })

  it('authenticates while the store rejects writes', async () => {
    const { service, store, owner, advance, drain } = testRig()
    const { token } = await owner()
    store.touchSession = async () => {
      throw new Fault('unavailable', 'The disk is full.')
    }
    advance(5 * minuteMs)
    await service.AuthenticateSession({ token })
    await drain()
  })

  it('ends in the store when its user logs out', async () => {
    const { service, owner, audit } = testRig()
    const { token } = await owner()
    assert.deepEqual(await service.LogOut({ token }), {})
    await assert.rejects(service.AuthenticateSession({ token }), gone)
    assert.deepEqual(await service.LogOut({ token }), {})
    assert.equal(audit.entries.filter(({ action }) => action === 'session.close').length, 1)
  })

  it('is rejected without a lookup when its token has a wrong shape', async () => {
    const { service, store } = testRig()
    let reads = 0
    store.session = async () => {
      reads += 1
      return null
    }
    for (const token of ['', 'x', 'a'.repeat(44), `${'a'.repeat(42)}\n`, 'a'.repeat(10_000)])
      await assert.rejects(service.AuthenticateSession({ token }), gone)
    assert.equal(reads, 0)
    await assert.rejects(service.AuthenticateSession({ token: 'a'.repeat(43) }), gone)
    assert.equal(reads, 1)
  })

  it('is deleted after its end when a user logs in', async () => {
    const { service, store, owner, advance } = testRig()
    const { token } = await owner()
    advance(12 * hourMs)
    await service.LogIn(credentials)
    assert.equal(await store.deleteStaleSessions({ createdBefore: 0, seenBefore: Date.UTC(2026, 10, 21, 13) }), 0)
    await assert.rejects(service.AuthenticateSession({ token }), gone)
  })
})
