import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { hashApiKey, makeApiKey, notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { dayMs, minuteMs, testRig } from './testRig.ts'

const requestFor = (secret: string, client_address = '10.1.2.3') => ({ hash: hashApiKey(secret), client_address })

describe('key authentication', () => {
  it('returns the caller with the settings of its workspace, in one read', async () => {
    const { service, store, owner, createKey } = testRig()
    const { workspace, user } = await owner()
    const { key, secret } = await createKey({ workspace, user }, { mode: 'test' })
    await store.changeKey(workspace, key.id, { domains: ['example.com'] }, entryIfChanged)
    await store.changeWorkspace(
      workspace,
      { postalAddress: '1 Main St', onUnknown: 'hold', rate: 0, burst: 7 },
      entryIfChanged,
    )
    let reads = 0
    const { keyByHash } = store
    store.keyByHash = (hash) => {
      reads += 1
      return keyByHash(hash)
    }
    assert.deepEqual(await service.AuthenticateKey(requestFor(secret)), {
      workspace,
      keyId: key.id,
      userId: null,
      role: null,
      needsTotp: false,
      mode: 'test',
      scopes: key.scopes,
      senderName: 'Acme',
      hasPostalAddress: true,
      onUnknown: 'hold',
      retention: null,
      suspended: false,
      rate: 0,
      burst: 7,
      domains: ['example.com'],
      recipients: [],
      keyFamily: key.id,
      suspendedReason: null,
      deletesAt: null,
    })
    assert.equal(reads, 1)
  })

  it('rejects an unknown key with the text for a missing key', () =>
    assert.rejects(testRig().service.AuthenticateKey(requestFor(makeApiKey('live', randomBytes))), {
      code: 'unauthenticated',
      message: notAuthenticated,
    }))

  it('names the time at which a key expired', async () => {
    const { service, owner, createKey, now, advance } = testRig()
    const expiresAt = now() + dayMs
    const { secret } = await createKey(await owner(), { expires_at: expiresAt })
    advance(dayMs - 1)
    await service.AuthenticateKey(requestFor(secret))
    advance(1)
    await assert.rejects(service.AuthenticateKey(requestFor(secret)), {
      code: 'unauthenticated',
      message: `This API key expired at ${isoTime(expiresAt)}; extend it or use another.`,
    })
  })

  it('names the time at which a key was revoked', async () => {
    const { service, owner, createKey, now } = testRig()
    const who = await owner()
    const { key, secret } = await createKey(who)
    await service.RevokeKey({ workspace: who.workspace, user: who.user, id: key.id })
    await assert.rejects(service.AuthenticateKey(requestFor(secret)), {
      code: 'unauthenticated',
      message: `This API key was revoked at ${new Date(now()).toISOString()}; use another key.`,
    })
  })

  it('accepts a key only from its networks, also for IPv4-mapped addresses', async () => {
    const { service, owner, createKey } = testRig()
    const { secret } = await createKey(await owner(), { networks: ['10.0.0.0/8', '2001:db8::/32'] })
    for (const inside of ['10.255.0.1', '::ffff:10.0.0.1', '2001:db8::5'])
      await service.AuthenticateKey(requestFor(secret, inside))
    for (const outside of ['11.0.0.1', '2001:db9::1', '', 'example.com'])
      await assert.rejects(service.AuthenticateKey(requestFor(secret, outside)), { code: 'forbidden' })
  })

  it('returns the caller of a suspended workspace, marked as suspended', async () => {
    const { service, store, owner, createKey } = testRig()
    const who = await owner()
    const { secret } = await createKey(who)
    await store.changeWorkspace(who.workspace, { suspended: true }, entryIfChanged)
    assert.equal((await service.AuthenticateKey(requestFor(secret))).suspended, true)
  })
})

describe('last use of a key', () => {
  const counted = async () => {
    const rig = testRig()
    const who = await rig.owner()
    const { secret } = await rig.createKey(who)
    let writes = 0
    const { touchKey } = rig.store
    rig.store.touchKey = (...given) => {
      writes += 1
      return touchKey(...given)
    }
    const lastUse = async () => (await rig.service.ListKeys(who)).keys[0]?.last_used_at
    return { ...rig, secret, writes: () => writes, lastUse }
  }

  it('is stored to the minute and written once for each', async () => {
    const { service, secret, advance, drain, writes, lastUse } = await counted()
    assert.equal(await lastUse(), null)
    for (let second = 0; second < 90; second++) {
      await service.AuthenticateKey(requestFor(secret))
      await drain()
      advance(1_000)
    }
    assert.equal(await lastUse(), Date.UTC(2026, 10, 21, 12, 1))
    assert.equal(writes(), 2)
  })

  it('is written once when many requests come before the first write', async () => {
    const { service, secret, drain, writes } = await counted()
    await Promise.all(Array.from({ length: 50 }, () => service.AuthenticateKey(requestFor(secret))))
    await drain()
    assert.equal(writes(), 1)
  })

  it('does not fail a request while the store rejects writes', async () => {
    const { service, secret, store, drain, advance } = await counted()
    store.touchKey = async () => {
      throw new Fault('unavailable', 'The disk is full.')
    }
    for (let n = 0; n < 3; n++) {
      await service.AuthenticateKey(requestFor(secret))
      await drain()
      advance(minuteMs)
    }
  })
})
