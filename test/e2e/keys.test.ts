import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { assertSince } from '../support/assertSince.ts'
import { type Caller, fresh, freshDomain, rawMail, type Tenant } from '../support/client.ts'
import { ownerOf } from '../support/domains.ts'
import type { EmailRecord, KeyRecord, ListRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'
import { takesEffect } from '../support/takesEffect.ts'
import { until } from '../support/until.ts'

const emails = '/api/v1/emails'
const keys = '/api/v1/api-keys'
const dayMs = 86_400_000

type Key = Caller & { key: string; record: KeyRecord }

describe('limits of API keys', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const sendFrom = (key: Caller, mail: Record<string, unknown> = {}) =>
    key.call<EmailRecord>({ path: emails, json: rawMail(mail) })

  const patch = async (key: Key, json: Record<string, unknown>): Promise<KeyRecord> => {
    const response = await tenant.session.call<KeyRecord>({ method: 'PATCH', path: `${keys}/${key.record.id}`, json })
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  describe('networks', () => {
    /** Lists emails as a client behind a trusted proxy. */
    const listAs = (key: Caller, forwardedFor: string) =>
      key.call({ path: emails, headers: { 'x-forwarded-for': forwardedFor } })

    const table: [networks: string[], inside: string[], outside: string[]][] = [
      [['203.0.113.0/24'], ['203.0.113.0', '203.0.113.255', '::ffff:203.0.113.9', '::ffff:cb00:7109'], ['203.0.114.0']],
      [['203.0.113.77/24'], ['203.0.113.1'], ['203.0.112.1']],
      [['198.51.100.7'], ['198.51.100.7', '198.51.100.7:4711'], ['198.51.100.8']],
      [['2001:db8::/32'], ['2001:db8::1', '[2001:db8:ffff::1]:443'], ['2001:db9::1', '198.51.100.7']],
      [['::ffff:198.51.100.0/120'], ['198.51.100.255'], ['198.51.101.0', '2001:db8::1']],
      [['::/0'], ['2001:db8::1'], ['198.51.100.7', '::ffff:198.51.100.7']],
      [['0.0.0.0/0'], ['198.51.100.7', '::ffff:198.51.100.7'], ['2001:db8::1']],
      [
        ['192.0.2.0/25', '2001:db8:1::/48'],
        ['192.0.2.127', '2001:db8:1::'],
        ['192.0.2.128', '2001:db8:2::'],
      ],
    ]
    for (const [networks, inside, outside] of table)
      it(`${networks.join(' and ')} admits ${inside.join(', ')} and refuses ${outside.join(', ')}`, async () => {
        const key = await tenant.makeKey({ networks })
        for (const address of inside) assert.equal((await listAs(key, address)).status, 200, address)
        for (const address of outside) assertProblem(await listAs(key, address), 403, 'forbidden')
      })

    it('count the last hop that is not a trusted proxy; a client cannot choose its address', async () => {
      const key = await tenant.makeKey({ networks: ['203.0.113.0/24'] })
      assert.equal((await listAs(key, '198.51.100.7, 203.0.113.9')).status, 200)
      assert.equal((await listAs(key, '203.0.113.9, 127.0.0.1')).status, 200)
      for (const forged of ['203.0.113.9, 198.51.100.7', '203.0.113.9, unknown', '203.0.113.9, 127.0.0.1, 127.0.0.2'])
        assertProblem(await listAs(key, forged), 403, 'forbidden')
    })

    it('are not named in a refusal, which names the address of the client', async () => {
      const key = await tenant.makeKey({ networks: ['203.0.113.0/24'], name: 'Secret plan' })
      const response = await listAs(key, '198.51.100.7')
      assert.match(assertProblem(response, 403, 'forbidden').detail, /198\.51\.100\.7/)
      assert.doesNotMatch(response.text, /203\.0|Secret plan/)
    })

    it('are changed and removed with PATCH', async () => {
      const key = await tenant.makeKey({ networks: ['203.0.113.0/24'] })
      assertProblem(await listAs(key, '198.51.100.7'), 403, 'forbidden')
      assert.deepEqual((await patch(key, { networks: [] })).networks, [])
      await takesEffect('any network is admitted', 5_000, async () =>
        (await listAs(key, '198.51.100.7')).status === 200 ? true : undefined,
      )
      assert.deepEqual((await patch(key, { networks: ['10.1.2.3/8'] })).networks, ['10.0.0.0/8'])
      await takesEffect('other networks are refused', 5_000, async () =>
        (await listAs(key, '198.51.100.7')).status === 403 ? true : undefined,
      )
    })
  })

  describe('recipients', () => {
    const staff = freshDomain()

    it('allow their addresses and domains, and refuse each other entry of to, cc and bcc with its path', async () => {
      const jane = fresh('Jane')
      const key = await tenant.makeKey({ recipients: [jane, staff.toUpperCase()] })
      assert.deepEqual(key.record.recipients, [jane.toLowerCase(), staff])
      const ok = await sendFrom(key, { to: [`Jane <${jane.toUpperCase()}>`, `a@${staff}`], bcc: [`b@${staff}`] })
      assert.equal(ok.status, 202, ok.text)
      const refused = await sendFrom(key, {
        to: [`a@${staff}`, 'x@evil.example', `a@sub.${staff}`],
        cc: `Staff <a@not${staff}>`,
        bcc: [jane, `${staff}@evil.example`],
      })
      const { errors = [] } = assertProblem(refused, 422, 'validation_failed')
      assert.deepEqual(
        errors.map(({ path, code }) => `${path} ${code}`),
        ['to[1]', 'to[2]', 'cc[0]', 'bcc[1]'].map((path) => `${path} recipient_not_allowed`),
      )
    })

    it('are reported with the other problems of a request', async () => {
      const key = await tenant.makeKey({ recipients: [staff] })
      const response = await key.call({ path: emails, json: { to: ['nonsense', 'x@evil.example'], text: 'x' } })
      const { errors = [] } = assertProblem(response, 422, 'validation_failed')
      assert.deepEqual(
        errors.map(({ path, code }) => `${path} ${code}`).sort(),
        ['subject missing', 'to[0] invalid_address', 'to[1] recipient_not_allowed'].sort(),
      )
    })

    it('also limit test keys, scheduled mail, and the simulator', async () => {
      const key = await tenant.makeKey({ mode: 'test', recipients: [staff] })
      for (const to of ['x@evil.example', 'delivered@simulator.postrider.dev'])
        assertProblem(await sendFrom(key, { to: [to], scheduled_at: 'PT1H' }), 422, 'validation_failed', [
          { path: 'to[0]', code: 'recipient_not_allowed' },
        ])
    })

    it('are changed and removed with PATCH', async () => {
      const key = await tenant.makeKey({ recipients: [staff] })
      assert.deepEqual((await patch(key, { recipients: [] })).recipients, [])
      await takesEffect('any recipient is allowed', 5_000, async () =>
        (await sendFrom(key)).status === 202 ? true : undefined,
      )
      await patch(key, { recipients: [staff] })
      await takesEffect('other recipients are refused', 5_000, async () =>
        (await sendFrom(key)).status === 422 ? true : undefined,
      )
    })

    it('do not let a key cancel mail or decide about mail that it may not send, and hide no mail from it', async () => {
      const scheduled = async (to: string[]) => (await tenant.send(rawMail({ to, scheduled_at: 'PT1H' }))).body.id
      const [customers, mixed, ours] = [
        await scheduled(['x@evil.example']),
        await scheduled([`a@${staff}`, 'x@evil.example']),
        await scheduled([`a@${staff}`, `b@${staff}`]),
      ]
      const key = await tenant.makeKey({ recipients: [staff] })
      const act = (id: string, name: string, json?: object) =>
        key.call({ method: 'POST', path: `${emails}/${id}/${name}`, ...(json && { json }) })
      for (const id of [customers, mixed]) {
        for (const refused of [
          await act(id, 'cancel'),
          await act(id, 'resolve', { as: 'retry' }),
          await act(id, 'resolve', { as: 'failed' }),
        ])
          assert.match(assertProblem(refused, 403, 'forbidden').detail, /may not send this email.*use another key/)
        assert.equal((await key.call({ path: `${emails}/${id}` })).status, 200)
        assert.equal((await tenant.get(id)).status, 'scheduled')
      }
      assertProblem(await act(ours, 'resolve', { as: 'failed' }), 409, 'conflict')
      assert.equal((await act(ours, 'cancel')).status, 200)
      const sender = await tenant.makeKey({ recipients: [staff], scopes: ['emails:send'] })
      for (const id of [customers, ours]) {
        const response = await sender.call({ method: 'POST', path: `${emails}/${id}/cancel` })
        assertProblem(response, 404, 'not_found')
      }
    })

    for (const recipients of [['*@example.com'], ['jane'], ['a@b@c'], ['Jane <jane@example.com>'], 'example.com', [7]])
      it(`cannot be ${JSON.stringify(recipients)}`, async () => {
        const response = await tenant.session.call({ path: keys, json: { name: 'k', recipients } })
        assertProblem(response, 422, 'validation_failed', [
          { path: Array.isArray(recipients) ? 'recipients[0]' : 'recipients' },
        ])
      })
  })

  describe('domains', () => {
    it('allow only their senders, until they are removed; a deleted domain sends no mail', async function useDns() {
      const { dns } = system()
      if (dns === null) return skip(this, 'the running service uses another DNS server')
      const own = await system().client.tenant()
      const owner = await ownerOf(await own.makeKey({ scopes: ['domains:write'] }), dns)
      const [mine, other] = [await owner.add(), await owner.add()]
      for (const domain of [mine, other]) {
        owner.publish(domain)
        assert.equal((await owner.verify(domain.id)).status, 'verified')
      }
      const key = await own.makeKey({ domains: [`${mine.name.toUpperCase()}.`] })
      assert.deepEqual(key.record.domains, [mine.name])
      const sub = await own.makeKey({ domains: [`news.${mine.name}`] })
      const send = (by: Caller, from_?: string) => sendFrom(by, from_ === undefined ? {} : { from_ })
      for (const from_ of [`a@${mine.name}`, `A <a@news.${mine.name}>`])
        assert.equal((await send(key, from_)).status, 202, from_)
      assert.equal((await send(sub, `a@news.${mine.name}`)).status, 202)
      for (const from_ of [undefined, `a@${other.name}`, 'a@gmail.com', own.workspace.sender])
        assertProblem(await send(key, from_), 403, 'forbidden')
      for (const from_ of [undefined, `a@${mine.name}`]) assertProblem(await send(sub, from_), 403, 'forbidden')

      for (const domains of [['gmail.com'], [`not${mine.name}`], ['com'], ['no domain'], [`a@${mine.name}`]]) {
        const response = await own.session.call({ path: keys, json: { name: 'k', domains } })
        assertProblem(response, 422, 'validation_failed', [{ path: 'domains[0]' }])
      }

      assert.equal((await owner.call('DELETE', `/${mine.id}`)).status, 204)
      await takesEffect('mail of the deleted domain is refused', 5_000, async () => {
        const response = await send(key, `a@${mine.name}`)
        return response.status === 202
          ? undefined
          : assertProblem(response, 422, 'validation_failed', [{ path: 'from_' }])
      })
      assertProblem(await send(key), 403, 'forbidden')

      const path = `${keys}/${key.record.id}`
      const cleared = await own.session.call<KeyRecord>({ method: 'PATCH', path, json: { domains: [] } })
      assert.deepEqual([cleared.status, cleared.body.domains], [200, []])
      await takesEffect('the shared sender is allowed', 5_000, async () =>
        (await send(key)).status === 202 ? true : undefined,
      )
    })
  })
})

describe('rolling of API keys', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const rollBy = (by: Caller, id: string, json?: unknown) =>
    by.call<KeyRecord>({ method: 'POST', path: `${keys}/${id}/roll`, ...(json === undefined ? {} : { json }) })

  const roll = async (id: string, json?: unknown): Promise<KeyRecord> => {
    const response = await rollBy(tenant.session, id, json)
    assert.equal(response.status, 201, response.text)
    return response.body
  }

  const stored = async (id: string): Promise<KeyRecord> => {
    const { body } = await tenant.session.call<ListRecord<KeyRecord>>({ path: `${keys}?limit=100` })
    return body.data.find((key) => key.id === id) ?? assert.fail('the key is not listed')
  }

  it('is not reported as valid when it was replaced and then revoked', async () => {
    // The notice of a revoked key was "… and is valid until …".
    const { record } = await tenant.makeKey({ name: 'revoked after the roll' })
    const { id } = await roll(record.id)
    assert.match((await stored(record.id)).notices.join(), /is valid until/)
    await tenant.session.call({ method: 'DELETE', path: `${keys}/${record.id}` })
    assert.deepEqual((await stored(record.id)).notices, [`This key was replaced by ${id}.`])
  })

  it('returns a new key with the same settings; the old key works for another day', async () => {
    const made = await tenant.makeKey({ name: 'production', scopes: ['emails:send'], recipients: ['receiver.example'] })
    const began = Date.now()
    const key = await roll(made.record.id)
    assert.match(key.key, /^pr_live_[0-9A-Za-z]{33,}$/)
    assert.notEqual(key.key, made.key)
    const { name, mode, scopes, recipients, networks, domains, expires_at, rolled_from } = key
    assert.deepEqual(
      { name, mode, scopes, recipients, networks, domains, expires_at, rolled_from },
      {
        ...{ name: 'production', mode: 'live', scopes: ['emails:send'], recipients: ['receiver.example'] },
        ...{ networks: [], domains: [], expires_at: null, rolled_from: made.record.id },
      },
    )
    const old = await stored(made.record.id)
    assert.equal(old.rolled_to, key.id)
    assertSince(old.expires_at, began, dayMs)
    assert.equal((await system().client.withKey(key.key).call({ path: emails })).status, 200)
    assert.equal((await made.call({ path: emails })).status, 200)
    const { text } = await tenant.session.call({ path: keys })
    assert.ok(!text.includes(key.key))
  })

  it('counts as the same key: each key reads and cancels the mail of the other', async () => {
    const old = await tenant.makeKey({ scopes: ['emails:send'] })
    const stranger = await tenant.makeKey({ scopes: ['emails:send'] })
    const send = async (by: Caller) =>
      (await by.call<EmailRecord>({ path: emails, json: rawMail({ scheduled_at: 'PT1H' }) })).body.id
    const first = await send(old)
    const next = system().client.withKey((await roll(old.record.id)).key)
    const second = await send(next)
    for (const by of [old, next]) {
      for (const id of [first, second]) assert.equal((await by.call({ path: `${emails}/${id}` })).status, 200)
      const { body } = await by.call<ListRecord<EmailRecord>>({ path: emails })
      assert.deepEqual(body.data.map(({ id }) => id).sort(), [first, second].sort())
    }
    assertProblem(await stranger.call({ path: `${emails}/${second}` }), 404, 'not_found')
    assert.equal((await next.call({ method: 'POST', path: `${emails}/${first}/cancel` })).status, 200)
    assert.equal((await old.call({ method: 'POST', path: `${emails}/${second}/cancel` })).status, 200)
  })

  it('ends the old key within 5 s without an overlap, and the new one works immediately', async () => {
    const old = await tenant.makeKey()
    assert.equal((await old.call({ path: emails })).status, 200)
    const { key } = await roll(old.record.id, { overlap: 'PT0S' })
    assert.equal((await system().client.withKey(key).call({ path: emails })).status, 200)
    const refused = await takesEffect('the old key is refused', 5_000, async () => {
      const response = await old.call({ path: emails })
      return response.status === 200 ? undefined : response
    })
    assert.match(assertProblem(refused, 401, 'unauthenticated').detail, /expired/)
  })

  it('is refused for a key that is replaced, revoked or unknown, and rolls the newest one again', async () => {
    const old = await tenant.makeKey()
    const next = await roll(old.record.id, {})
    assert.match(
      assertProblem(await rollBy(tenant.session, old.record.id), 409, 'conflict').detail,
      new RegExp(next.id),
    )
    const last = await roll(next.id, { overlap: 'P7D' })
    assert.equal((await tenant.session.call({ method: 'DELETE', path: `${keys}/${last.id}` })).status, 204)
    assertProblem(await rollBy(tenant.session, last.id), 409, 'conflict')
    assertProblem(await rollBy(tenant.session, 'key_01h2xcejqtf2nbrexx3vqjhp41'), 404, 'not_found')
    const foreign = (await system().client.tenant()).session
    assertProblem(await rollBy(foreign, next.id), 404, 'not_found')
    assertProblem(await rollBy(tenant.api, next.id), 403, 'session_required')
  })

  for (const overlap of ['P7DT1S', 'P8D', 'PT169H', '-PT1H', 'P1M', '24h', '', 3600, 'PT', 'PT1.5H'])
    it(`refuses the overlap ${JSON.stringify(overlap)} and leaves the key as it is`, async () => {
      const { record } = await tenant.makeKey()
      assertProblem(await rollBy(tenant.session, record.id, { overlap }), 422, 'validation_failed', [
        { path: 'overlap' },
      ])
      assert.deepEqual([(await stored(record.id)).rolled_to, (await stored(record.id)).expires_at], [null, null])
    })
})

describe('use of API keys', () => {
  const system = useSystem()

  it('lists the address of the last use, and no notice for a key that is new', async () => {
    const tenant = await system().client.tenant()
    const { record, call } = await tenant.makeKey()
    const read = async () =>
      (await tenant.session.call<ListRecord<KeyRecord>>({ path: keys })).body.data.find(({ id }) => id === record.id)
    assert.deepEqual([record.last_used_from, record.unused_since, record.notices], [null, null, []])
    await call({ path: emails, headers: { 'x-forwarded-for': '2001:db8::77' } })
    const address = await until('the address is listed', async () => (await read())?.last_used_from ?? undefined)
    assert.equal(address, '2001:db8::77')
  })
})
