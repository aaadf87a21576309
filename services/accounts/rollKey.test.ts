import assert from 'node:assert/strict'
import { hashApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { KeyChange } from '@postrider/ports/accounts.ts'
import { entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { dayMs, hourMs, testRig } from './testRig.ts'

describe('rolling of an API key', () => {
  const open = async (over: Parameters<ReturnType<typeof testRig>['createKey']>[1] = {}) => {
    const rig = testRig()
    const who = await rig.owner()
    const old = await rig.createKey(who, over)
    const roll = async (id = old.key.id, overlap_ms = dayMs) => {
      return rig.service.RollKey({ ...who, id, overlap_ms })
    }
    const authenticate = (secret: string) =>
      rig.service.AuthenticateKey({ hash: hashApiKey(secret), client_address: '10.0.0.1' })
    const stored = async (id: string) =>
      (await rig.service.ListKeys(who)).keys.find((key) => key.id === id) ?? assert.fail('the key is not listed')
    return { ...rig, who, old, roll, authenticate, stored, later: (ms: number) => rig.now() + ms }
  }

  it('makes a key with the same settings, and the old one works until the end of the overlap', async () => {
    const settings = { name: 'production', mode: 'test', scopes: ['emails:send'] }
    const limits = { networks: ['10.0.0.0/8'], recipients: ['example.org'] }
    const { old, roll, authenticate, stored, advance, later, now } = await open({ ...settings, ...limits })
    const endsAt = later(dayMs)
    advance(1)
    const { key, secret } = await roll(old.key.id, dayMs - 1)
    const { name, mode, scopes, networks, recipients } = key
    assert.deepEqual({ name, mode, scopes, networks, recipients }, { ...settings, ...limits })
    assert.deepEqual([key.rolled_from, key.rolled_to, key.expires_at, key.last_used_at], [old.key.id, '', null, null])
    assert.equal(key.created_at, now())
    assert.notEqual(secret, old.secret)
    const replaced = await stored(old.key.id)
    assert.deepEqual([replaced.rolled_to, replaced.expires_at], [key.id, endsAt])
    advance(dayMs - 2)
    const [first, second] = [await authenticate(old.secret), await authenticate(secret)]
    assert.deepEqual([first.keyId, second.keyId], [old.key.id, key.id])
    assert.deepEqual([first.keyFamily, second.keyFamily], [old.key.id, old.key.id])
    advance(1)
    await assert.rejects(authenticate(old.secret), {
      code: 'unauthenticated',
      message: `This API key expired at ${isoTime(endsAt)}; extend it or use another.`,
    })
    await authenticate(secret)
  })

  it('ends the old key immediately without an overlap', async () => {
    const { old, roll, authenticate } = await open()
    const { secret } = await roll(old.key.id, 0)
    await assert.rejects(authenticate(old.secret), { code: 'unauthenticated', message: /expired at/ })
    await authenticate(secret)
  })

  it('leaves an earlier expiry of the old key as it is, and gives it to the new one', async () => {
    const rig = await open()
    const expires_at = rig.later(hourMs)
    const { key } = await rig.createKey(rig.who, { expires_at })
    const rolled = await rig.roll(key.id)
    assert.equal((await rig.stored(key.id)).expires_at, expires_at)
    assert.equal(rolled.key.expires_at, expires_at)
    const later = await rig.createKey(rig.who, { expires_at: rig.later(9 * dayMs) })
    await rig.roll(later.key.id)
    assert.equal((await rig.stored(later.key.id)).expires_at, rig.later(dayMs))
  })

  it('rolls the new key again, and refuses the old key with the id of the new key', async () => {
    const { old, roll, authenticate } = await open()
    const second = await roll()
    await assert.rejects(roll(), { code: 'conflict', message: new RegExp(second.key.id) })
    const third = await roll(second.key.id)
    for (const secret of [old.secret, second.secret, third.secret])
      assert.equal((await authenticate(secret)).keyFamily, old.key.id)
  })

  it('makes one successor of concurrent requests', async () => {
    const { roll, service, who } = await open()
    const results = await Promise.allSettled([roll(), roll(), roll()])
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await service.ListKeys(who)).keys.length, 2)
  })

  it('refuses a revoked, an expired and an unknown key', async () => {
    const { service, who, roll, createKey, later, advance, owner } = await open()
    const revoked = await createKey(who)
    await service.RevokeKey({ ...who, id: revoked.key.id })
    const expired = await createKey(who, { expires_at: later(hourMs) })
    const foreign = await createKey(await owner('bob@example.com'))
    advance(hourMs)
    await assert.rejects(roll(revoked.key.id), { code: 'conflict', message: /is revoked/ })
    await assert.rejects(roll(expired.key.id), { code: 'conflict', message: /expired at/ })
    for (const id of [foreign.key.id, newId('key'), 'key_1', ''])
      await assert.rejects(roll(id), { code: 'not_found', message: 'This workspace has no such API key.' })
  })

  it('is refused to a role that may not make keys', async () => {
    const { store, roll } = await open({ scopes: ['emails:send', 'domains:write'] })
    for (const role of ['member', 'viewer'] as const) {
      store.role = async () => role
      await assert.rejects(roll(), { code: 'forbidden', message: /one of these roles/ })
    }
    store.role = async () => 'admin'
    await roll()
  })

  it('is possible at the limit of keys', async () => {
    const rig = testRig({ limits: { keys: 1 } })
    const who = await rig.owner()
    const { key } = await rig.createKey(who)
    await rig.service.RollKey({ ...who, id: key.id, overlap_ms: dayMs })
    await assert.rejects(rig.createKey(who), { code: 'conflict' })
  })

  it('lets the expiry of the old key only become earlier', async () => {
    const { service, who, old, roll, later } = await open()
    await roll()
    const change = { ...who, id: old.key.id }
    for (const expires_at of [null, later(dayMs + 1)])
      await assert.rejects(service.UpdateKey({ ...change, expires_at }), { code: 'validation_failed' })
    assert.equal((await service.UpdateKey({ ...change, expires_at: later(hourMs) })).expires_at, later(hourMs))
  })

  it('is in the audit log without the secret', async () => {
    const { audit, old, roll, who } = await open()
    const { key, secret } = await roll()
    const entry = audit.entries.find(({ action }) => action === 'key.roll')
    assert.deepEqual([entry?.actor, entry?.target, entry?.after?.['rolled_to']], [who.user, old.key.id, key.id])
    assert(!JSON.stringify(audit.entries).includes(secret.slice(8)))
  })

  const meanwhile = {
    rolled: { expected: 'too_late', run: 'RollKey' },
    revoked: { expected: 'conflict', run: 'RevokeKey' },
  } as const
  for (const [name, { expected, run }] of Object.entries(meanwhile))
    it(`does not let a change that read the key before it was ${name} extend it`, async () => {
      const rig = await open()
      const { store, who, old, service } = rig
      await service.UpdateKey({ ...who, id: old.key.id, expires_at: rig.later(dayMs * 30) })
      const readKey = store.key
      store.key = async (...given) => {
        store.key = readKey
        const found = await readKey(...given)
        await service[run]({ ...who, id: old.key.id, overlap_ms: hourMs })
        return found
      }
      const late = service.UpdateKey({ ...who, id: old.key.id, expires_at: null })
      await assert.rejects(late, (thrown: Fault) => (thrown.problems[0]?.code ?? thrown.code) === expected)
      rig.advance(hourMs)
      await assert.rejects(rig.authenticate(old.secret), { code: 'unauthenticated' })
    })
})

describe('rolling of an API key that another request changes', () => {
  const race = async (change: (rig: ReturnType<typeof testRig>, given: { id: string }) => Promise<unknown>) => {
    const rig = testRig()
    const who = await rig.owner()
    const { key } = await rig.createKey(who, { name: 'a' })
    const id = key?.id ?? assert.fail('the reply has no key')
    const readKey = rig.store.key
    rig.store.key = async (...given) => {
      rig.store.key = readKey
      const found = await readKey(...given)
      await change(rig, { ...who, id })
      return found
    }
    return rig.service.RollKey({ ...who, id, overlap_ms: hourMs })
  }

  it('gives the successor a limit that the key gets during the request', async () => {
    const networks = ['192.0.2.0/24']
    const { key } = await race(({ store }, { id }) => changed(store, id, { networks }))
    assert.deepEqual(key?.networks, networks)
  })

  it('is refused with the reason if the key is revoked during the request', () =>
    assert.rejects(
      race(({ store }, { id }) => changed(store, id, { revokedAt: 7 })),
      { code: 'conflict', message: /is revoked/ },
    ))

  it('ends with "try again" if every try meets another change', async () => {
    const { store, service, owner, createKey } = testRig()
    const who = await owner()
    const { key } = await createKey(who, { name: 'a' })
    store.rollKey = async () => false
    const busy = { code: 'unavailable', message: /changing the API key/ }
    await assert.rejects(service.RollKey({ ...who, id: key.id, overlap_ms: hourMs }), busy)
    store.changeKey = async (workspace, id, change, entryOf) => {
      const found = (await store.key(workspace, id)) ?? assert.fail('the key is not stored')
      entryOf({ ...found, revokedAt: 7 }, { ...found, ...change })
      return found
    }
    await assert.rejects(service.UpdateKey({ ...who, id: key.id, name: 'b' }), busy)
  })
})

const changed = async (store: ReturnType<typeof testRig>['store'], id: string, change: KeyChange): Promise<void> => {
  const [workspace] = await store.listWorkspaces(null, 1)
  await store.changeKey(workspace?.id ?? '', id, change, entryIfChanged)
}

describe('unused API key', () => {
  it('is marked 90 days after its last use, while it is valid', async () => {
    const rig = testRig()
    const who = await rig.owner()
    const { secret } = await rig.createKey(who, { name: 'a' })
    const since = async () => (await rig.service.ListKeys(who)).keys.map(({ unused_since }) => unused_since)
    const made = rig.now()
    rig.advance(90 * dayMs - 1)
    assert.deepEqual(await since(), [null])
    rig.advance(1)
    assert.deepEqual(await since(), [made])
    await rig.service.AuthenticateKey({ hash: hashApiKey(secret), client_address: '10.0.0.1' })
    await rig.drain()
    assert.deepEqual(await since(), [null])
    rig.advance(90 * dayMs)
    assert.notEqual((await since())[0], '')
    const [key] = (await rig.service.ListKeys(who)).keys
    await rig.service.RevokeKey({ ...who, id: key?.id ?? '' })
    assert.deepEqual(await since(), [null])
  })
})

describe('last use of an API key', () => {
  it('has the address of the client', async () => {
    const rig = testRig()
    const who = await rig.owner()
    const { secret } = await rig.createKey(who)
    const from = async () => (await rig.service.ListKeys(who)).keys[0]?.last_used_from
    assert.equal(await from(), '')
    await rig.service.AuthenticateKey({ hash: hashApiKey(secret), client_address: '2001:db8::7' })
    await rig.drain()
    assert.equal(await from(), '2001:db8::7')
  })
})
