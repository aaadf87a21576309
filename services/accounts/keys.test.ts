import assert from 'node:assert/strict'
import { parseApiKey, scopes } from '@postrider/domain/accounts/apiKey.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { dayMs, testRig } from './testRig.ts'

const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const thrown = await work.then(
    () => assert.fail('the request was accepted'),
    (reason: unknown) => reason,
  )
  assert(thrown instanceof Fault && thrown.code === 'validation_failed')
  return thrown.problems.map(({ path, code }) => `${path} ${code}`)
}

describe('API key', () => {
  it('is returned once; lists show its prefix and its last four characters', async () => {
    const { service, owner, createKey } = testRig()
    const who = await owner()
    const { key, secret } = await createKey(who)
    assert.deepEqual(parseApiKey(secret), { mode: 'live' })
    assert.deepEqual([key.prefix, key.last_four], [secret.slice(0, 12), secret.slice(-4)])
    const { keys } = await service.ListKeys({ workspace: who.workspace })
    assert.deepEqual(keys, [key])
    assert(!JSON.stringify(keys).includes(secret))
  })

  it('is live, never expires and has the default scopes unless the request sets other values', async () => {
    const { owner, createKey } = testRig()
    const { key } = await createKey(await owner())
    assert.deepEqual(
      [key.mode, key.expires_at, key.scopes],
      ['live', null, ['emails:send', 'emails:read', 'templates:write', 'templates:read']],
    )
  })

  it('is rejected with every problem of the request', async () => {
    const { owner, createKey } = testRig()
    const over = {
      name: '',
      scopes: ['emails:send', 'emails:*'],
      mode: 'prod',
      expires_at: 0,
      domains: ['example.com'],
      networks: ['10.0.0.0/8', '10.0.0.0/33', '2001:db8::/32', 'example.com'],
      recipients: ['example.com', 'jane@@example.com'],
    }
    assert.deepEqual(await problemsOf(createKey(await owner(), over)), [
      'name empty',
      'scopes[1] unknown_scope',
      'mode invalid_value',
      'expires_at in_the_past',
      'domains[0] domain_not_verified',
      'networks[1] invalid_network',
      'networks[3] invalid_network',
      'recipients[1] invalid_address',
    ])
  })

  it('expires in the future or never', async () => {
    const { owner, createKey, now } = testRig()
    const who = await owner()
    assert.deepEqual(await problemsOf(createKey(who, { expires_at: now() })), ['expires_at in_the_past'])
    const { key } = await createKey(who, { expires_at: now() + 1 })
    assert.equal(key.expires_at, now() + 1)
  })

  it('stores each network once', async () => {
    const { owner, createKey } = testRig()
    const { key } = await createKey(await owner(), { networks: ['10.0.0.0/8', '10.0.0.0/8'] })
    assert.deepEqual(key.networks, ['10.0.0.0/8'])
  })

  it('shows and clears domains that an earlier release stored without checking them', async () => {
    const { service, store, owner, createKey } = testRig()
    const { workspace, user } = await owner()
    const { key } = await createKey({ workspace, user })
    await store.changeKey(workspace, key.id, { domains: ['a.example'] }, entryIfChanged)
    const { keys } = await service.ListKeys({ workspace })
    assert.deepEqual(keys[0]?.domains, ['a.example'])
    const change = { workspace, user, id: key.id, domains: [] }
    assert.deepEqual((await service.UpdateKey(change)).domains, [])
  })

  it('is rejected when the workspace has its limit of valid keys', async () => {
    const { service, owner, createKey } = testRig({ limits: { keys: 2 } })
    const who = await owner()
    const { key } = await createKey(who)
    await createKey(who)
    await assert.rejects(createKey(who), { code: 'conflict', message: /at most 2/ })
    await service.RevokeKey({ workspace: who.workspace, user: who.user, id: key.id })
    await createKey(who)
  })

  it('changes only in the fields that are given', async () => {
    const { service, owner, createKey, now } = testRig()
    const { workspace, user } = await owner()
    const { key } = await createKey({ workspace, user }, { networks: ['10.0.0.0/8'] })
    const expires_at = now() + dayMs
    const change = { scopes: ['emails:send', 'emails:send'], expires_at }
    const changed = await service.UpdateKey({ workspace, user, id: key.id, ...change })
    assert.deepEqual(changed, { ...key, scopes: ['emails:send'], expires_at })
    const cleared = await service.UpdateKey({
      workspace,
      user,
      id: key.id,
      networks: [],
      expires_at: null,
    })
    assert.deepEqual(cleared, { ...key, scopes: ['emails:send'], networks: [] })
    assert.deepEqual(await problemsOf(service.UpdateKey({ workspace, user, id: key.id, scopes: [] })), ['scopes empty'])
  })

  it('stays revoked: revoking it again succeeds, changing it returns a conflict', async () => {
    const { service, owner, createKey, advance, now } = testRig()
    const { workspace, user } = await owner()
    const { key } = await createKey({ workspace, user })
    const revokedAt = now()
    await service.RevokeKey({ workspace, user, id: key.id })
    advance(dayMs)
    await service.RevokeKey({ workspace, user, id: key.id })
    const { keys } = await service.ListKeys({ workspace })
    assert.deepEqual(
      keys.map(({ revoked_at }) => revoked_at),
      [revokedAt],
    )
    await assert.rejects(service.UpdateKey({ workspace, user, id: key.id, name: 'x' }), {
      code: 'conflict',
    })
  })

  it('returns the problems of a change before the conflict of a revoked key', async () => {
    const { service, owner, createKey } = testRig()
    const { workspace, user } = await owner()
    const { key } = await createKey({ workspace, user })
    await service.RevokeKey({ workspace, user, id: key.id })
    const change = { name: 'x'.repeat(101), networks: ['x'] }
    assert.deepEqual(await problemsOf(service.UpdateKey({ workspace, user, id: key.id, ...change })), [
      'name too_long',
      'networks[0] invalid_network',
    ])
  })

  it('is not found from another workspace, with the text for an unknown id', async () => {
    const { service, owner, createKey } = testRig()
    const { workspace, user } = await owner()
    const { key } = await createKey(await owner('bob@example.com'))
    for (const id of [key.id, newId('key'), 'key_1', ''])
      for (const work of [
        service.RevokeKey({ workspace, user, id }),
        service.UpdateKey({ workspace, user, id, name: 'x' }),
      ])
        await assert.rejects(work, { code: 'not_found', message: 'This workspace has no such API key.' })
  })

  // Members could make keys.
  it('is made, changed and revoked by owners and admins, and by no one else', async () => {
    const { service, store, owner, createKey } = testRig()
    const who = await owner()
    const { key } = await createKey(who)
    const stranger = await owner('bob@example.com')
    const refused = { code: 'forbidden', message: 'This needs one of these roles in the workspace: owner, admin.' }
    await assert.rejects(createKey({ workspace: who.workspace, user: stranger.user }), refused)
    for (const role of ['viewer', 'member'] as const) {
      store.role = async () => role
      await assert.rejects(createKey(who), refused)
      await assert.rejects(service.UpdateKey({ ...who, id: key.id, name: 'x' }), refused)
      await assert.rejects(service.RevokeKey({ ...who, id: key.id }), refused)
    }
    store.role = async () => 'admin'
    await createKey(who)
  })

  it('may have every scope, because owners and admins have them all', async () => {
    const { store, owner, createKey } = testRig()
    const who = await owner()
    for (const role of ['owner', 'admin'] as const) {
      store.role = async () => role
      assert.deepEqual((await createKey(who, { scopes: [...scopes] })).key.scopes, scopes)
    }
  })

  it('has its creation, change and revocation in the audit log, without the secret', async () => {
    const { service, owner, createKey, audit } = testRig()
    const { workspace, user } = await owner()
    const { key, secret } = await createKey({ workspace, user })
    const change = { workspace, user, id: key.id, client_address: '198.51.100.7' }
    await service.UpdateKey({ ...change, name: 'Other' })
    await service.UpdateKey({ ...change, name: 'Other' })
    await service.RevokeKey(change)
    await service.RevokeKey(change)
    const entries = audit.entries.filter(({ target }) => target === key.id)
    const created = {
      name: 'Key',
      scopes: ['emails:send', 'emails:read', 'templates:write', 'templates:read'],
      mode: 'live',
      domains: [],
      networks: [],
      recipients: [],
      rolled_from: null,
      rolled_to: null,
      expires_at: null,
      revoked_at: null,
    }
    assert.deepEqual(
      entries.map(({ action, actor, clientAddress, before, after }) => [action, actor, clientAddress, before, after]),
      [
        ['key.create', user, '', null, created],
        ['key.update', user, '198.51.100.7', { name: 'Key' }, { name: 'Other' }],
        ['key.revoke', user, '198.51.100.7', { revoked_at: null }, { revoked_at: '2026-11-21T12:00:30.000Z' }],
      ],
    )
    assert(!JSON.stringify(audit.entries).includes(secret.slice(8)))
  })
})
