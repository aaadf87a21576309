import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { assertProblem } from '../support/assertProblem.ts'
import { assertSince } from '../support/assertSince.ts'
import { type Caller, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord, KeyRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { takesEffect } from '../support/takesEffect.ts'
import { until } from '../support/until.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const toBase62 = (value: number): string => {
  let digits = ''
  for (let left = value; left > 0; left = Math.floor(left / 62)) digits = base62.charAt(left % 62) + digits
  return digits.padStart(6, '0')
}

/** Returns the checksum at the end of a key, in both usual alphabets. */
const checksums = (body: string): string[] => {
  const upperFirst = toBase62(crc32(body))
  const swapCase = (char: string) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())
  return [upperFirst, [...upperFirst].map(swapCase).join('')]
}

const unusedId = 'em_01h2xcejqtf2nbrexx3vqjhp41'

describe('API keys', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const readKeys = async (): Promise<KeyRecord[]> =>
    (await tenant.session.call<ListRecord<KeyRecord>>({ path: '/api/v1/api-keys?limit=100' })).body.data

  it('returns a new key once, with its mode, 160 random bits and a checksum', async () => {
    const { record, key } = await tenant.makeKey({ name: 'shown once' })
    assert.match(key, /^pr_live_[0-9A-Za-z]{33,}$/)
    assert.ok(checksums(key.slice(0, -6)).includes(key.slice(-6)), 'the key does not end with the CRC-32 of the rest')
    assert.match(record.id, /^key_/)
    assert.deepEqual([...record.scopes].sort(), ['emails:read', 'emails:send', 'templates:read', 'templates:write'])
    const response = await tenant.session.call<ListRecord<KeyRecord>>({ path: '/api/v1/api-keys' })
    assert.ok(!response.text.includes(key))
    const listed = response.body.data.find((one) => one.id === record.id)
    assert.deepEqual([listed?.name, listed?.mode, listed?.last_four], ['shown once', 'live', key.slice(-4)])
    assert.ok(key.startsWith(listed?.prefix ?? '-') && (listed?.prefix.length ?? 99) < 16)
    assert.match((await tenant.makeKey({ mode: 'test' })).key, /^pr_test_/)
  })

  it('lists the time of the last use of a key', async () => {
    const { record, call } = await tenant.makeKey()
    assert.equal((await readKeys()).find((one) => one.id === record.id)?.last_used_at, null)
    const began = Date.now()
    await call({ path: '/api/v1/emails' })
    const used = await until('last use', async () => {
      const listed = (await readKeys()).find((one) => one.id === record.id)
      return listed?.last_used_at ?? undefined
    })
    assertSince(used, began)
  })

  it('changes the name and the scopes of a key', async () => {
    const { record, call } = await tenant.makeKey()
    const path = `/api/v1/api-keys/${record.id}`
    const response = await tenant.session.call<KeyRecord>({
      method: 'PATCH',
      path,
      json: { name: 'new', scopes: ['emails:read'] },
    })
    assert.deepEqual(
      [response.status, response.body.name, response.body.scopes],
      [200, 'new', ['emails:read']],
      response.text,
    )
    await until('the new scopes apply', async () => {
      const sent = await call({ path: '/api/v1/emails', json: rawMail() })
      return sent.status === 403 ? true : undefined
    })
  })

  it('refuses a revoked key within 5 s and states the reason', async () => {
    const { record, call } = await tenant.makeKey()
    assert.equal((await call({ path: '/api/v1/emails' })).status, 200)
    assert.equal((await tenant.session.call({ method: 'DELETE', path: `/api/v1/api-keys/${record.id}` })).status, 204)
    const refused = await takesEffect('the revoked key is refused', 5_000, async () => {
      const response = await call({ path: '/api/v1/emails' })
      return response.status === 200 ? undefined : response
    })
    assert.match(assertProblem(refused, 401, 'unauthenticated').detail, /revoked/i)
  })

  it('refuses an expired key and states the reason', async () => {
    /** Returns a key that worked once. If a busy machine is too slow for that, the next key expires later. */
    const validKey = async (ms: number): Promise<Caller> => {
      const json = { name: 'expires', expires_at: new Date(Date.now() + ms).toISOString() }
      const made = await tenant.session.call<KeyRecord>({ path: '/api/v1/api-keys', json })
      const key = system().client.withKey(made.body.key)
      const { status } = made.status === 201 ? await key.call({ path: '/api/v1/emails' }) : made
      if ((status === 401 || status === 422) && ms < 10_000) return validKey(ms * 3)
      assert.equal(status, 200, made.text)
      return key
    }
    const { call } = await validKey(1_200)
    const refused = await until('the key expires', async () => {
      const response = await call({ path: '/api/v1/emails' })
      return response.status === 200 ? undefined : response
    })
    assert.match(assertProblem(refused, 401, 'unauthenticated').detail, /expired/i)
  })

  for (const [what, json, path] of [
    ['without a name', {}, 'name'],
    ['with an unknown scope', { name: 'n', scopes: ['emails:sned'] }, 'scopes[0]'],
    ['with an unknown mode', { name: 'n', mode: 'prod' }, 'mode'],
    ['with an empty mode', { name: 'n', mode: '' }, 'mode'],
    ['that is expired', { name: 'n', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['with an invalid network', { name: 'n', networks: ['300.1.1.1/8'] }, 'networks[0]'],
  ] as const)
    it(`refuses to create a key ${what}`, async () => {
      assertProblem(await tenant.session.call({ path: '/api/v1/api-keys', json }), 422, 'validation_failed', [{ path }])
    })

  it('only a session creates, lists and revokes keys', async () => {
    for (const call of [
      { path: '/api/v1/api-keys', json: { name: 'x' } },
      { path: '/api/v1/api-keys' },
      { method: 'DELETE', path: `/api/v1/api-keys/key_01h2xcejqtf2nbrexx3vqjhp41` },
    ])
      assertProblem(await tenant.api.call(call), 403, 'session_required')
  })

  it('accepts a key with networks only from these networks', async () => {
    const inside = await tenant.makeKey({
      networks: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
    })
    const outside = await tenant.makeKey({ networks: ['198.51.100.0/24'] })
    assert.equal((await inside.call({ path: '/api/v1/emails' })).status, 200)
    assert.ok([401, 403].includes((await outside.call({ path: '/api/v1/emails' })).status))
  })
})

const unusedDomain = 'dom_01h2xcejqtf2nbrexx3vqjhp41'
const unusedWebhook = 'wh_01h2xcejqtf2nbrexx3vqjhp41'

describe('scopes and modes', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const requests = {
    'send emails': { path: '/api/v1/emails', json: rawMail() },
    'list emails': { path: '/api/v1/emails' },
    'read emails': { path: `/api/v1/emails/${unusedId}` },
    'read raw emails': { path: `/api/v1/emails/${unusedId}/raw` },
    'cancel emails': { method: 'POST', path: `/api/v1/emails/${unusedId}/cancel` },
    'create a template': { path: '/api/v1/templates', json: {} },
    'list templates': { path: '/api/v1/templates' },
    'read a template': { path: '/api/v1/templates/tpl_01h2xcejqtf2nbrexx3vqjhp41' },
    'add a domain': { path: '/api/v1/domains', json: {} },
    'list domains': { path: '/api/v1/domains' },
    'read a domain': { path: `/api/v1/domains/${unusedDomain}` },
    'change a domain': { method: 'PATCH', path: `/api/v1/domains/${unusedDomain}`, json: {} },
    'delete a domain': { method: 'DELETE', path: `/api/v1/domains/${unusedDomain}` },
    'check a domain': { method: 'POST', path: `/api/v1/domains/${unusedDomain}/verify` },
    'add a webhook': { path: '/api/v1/webhooks', json: {} },
    'list webhooks': { path: '/api/v1/webhooks' },
    'read a webhook': { path: `/api/v1/webhooks/${unusedWebhook}` },
    'change a webhook': { method: 'PATCH', path: `/api/v1/webhooks/${unusedWebhook}`, json: {} },
    'delete a webhook': { method: 'DELETE', path: `/api/v1/webhooks/${unusedWebhook}` },
    'test a webhook': { method: 'POST', path: `/api/v1/webhooks/${unusedWebhook}/test`, json: {} },
    'list deliveries': { path: `/api/v1/webhooks/${unusedWebhook}/deliveries` },
    'rotate a domain’s key': { method: 'POST', path: `/api/v1/domains/${unusedDomain}/rotate-key` },
  } as const
  type Name = keyof typeof requests

  const allowedRequests: Record<string, Name[]> = {
    'emails:send': ['send emails', 'list emails', 'read emails', 'read raw emails', 'cancel emails'],
    'emails:read': ['list emails', 'read emails', 'read raw emails'],
    'templates:write': ['create a template', 'list templates', 'read a template'],
    'templates:read': ['list templates', 'read a template'],
    'domains:write': [
      'add a domain',
      'list domains',
      'read a domain',
      'change a domain',
      'delete a domain',
      'check a domain',
      'rotate a domain’s key',
    ],
    'domains:read': ['list domains', 'read a domain'],
    'webhooks:write': [
      'add a webhook',
      'list webhooks',
      'read a webhook',
      'change a webhook',
      'delete a webhook',
      'test a webhook',
      'list deliveries',
    ],
    'webhooks:read': ['list webhooks', 'read a webhook', 'list deliveries'],
  }

  for (const [scope, allowed] of Object.entries(allowedRequests))
    it(`a key with only ${scope} can ${allowed.join(', ')}; other requests are refused with the missing scope`, async () => {
      const key = await tenant.makeKey({ scopes: [scope] })
      for (const [name, call] of Object.entries(requests)) {
        const response = await key.call(call)
        if (allowed.includes(name as Name)) assert.notEqual(response.status, 403, `${name}: ${response.text}`)
        else
          assert.match(
            assertProblem(response, 403, 'insufficient_scope').detail,
            /(emails|templates|domains|webhooks):/,
            name,
          )
      }
    })

  it('a key that can only send reads and cancels only the emails that it sent, and does not find others', async () => {
    const [sender, other] = await Promise.all([
      tenant.makeKey({ scopes: ['emails:send'] }),
      tenant.makeKey({ scopes: ['emails:send'] }),
    ])
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const sent = await sender.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail({ scheduled_at }) })
    const path = `/api/v1/emails/${sent.body.id}`
    assert.equal((await sender.call({ path })).status, 200)
    assert.equal((await sender.call({ path: `${path}/raw` })).status, 200)
    for (const suffix of ['', '/raw']) assertProblem(await other.call({ path: path + suffix }), 404, 'not_found')
    assertProblem(await other.call({ method: 'POST', path: `${path}/cancel` }), 404, 'not_found')
    const listed = (caller: Caller) =>
      caller.call<ListRecord<EmailRecord>>({ path: '/api/v1/emails' }).then(({ body }) => body.data)
    assert.deepEqual(
      (await listed(sender)).map((one) => one.id),
      [sent.body.id],
    )
    assert.deepEqual(await listed(other), [])
    assert.equal((await sender.call({ method: 'POST', path: `${path}/cancel` })).status, 200)
  })

  it('a key reads only emails of its mode, a session reads both modes', async () => {
    const test = await tenant.makeKey({ mode: 'test' })
    const inTest = (await test.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail() })).body
    const live = (await tenant.send(rawMail())).body
    assert.deepEqual([inTest.mode, live.mode], ['test', 'live'])
    assert.equal((await test.call({ path: `/api/v1/emails/${inTest.id}` })).status, 200)
    assertProblem(await test.call({ path: `/api/v1/emails/${live.id}` }), 404, 'not_found')
    assertProblem(await tenant.api.call({ path: `/api/v1/emails/${inTest.id}` }), 404, 'not_found')
    for (const id of [inTest.id, live.id])
      assert.equal((await tenant.session.call({ path: `/api/v1/emails/${id}` })).status, 200)
    const ids = async (caller: Caller) =>
      (await caller.call<ListRecord<EmailRecord>>({ path: '/api/v1/emails?limit=100' })).body.data.map((one) => one.id)
    assert.ok(!(await ids(test)).includes(live.id))
    assert.ok(!(await ids(tenant.api)).includes(inTest.id))
    const both = await ids(tenant.session)
    assert.ok(both.includes(live.id) && both.includes(inTest.id))
    const ofMode = async (mode: string) =>
      (
        await tenant.session.call<ListRecord<EmailRecord>>({ path: `/api/v1/emails?limit=100&mode=${mode}` })
      ).body.data.map((one) => one.mode)
    assert.deepEqual([...new Set(await ofMode('live')), ...new Set(await ofMode('test'))], ['live', 'test'])
    const events = await tenant.session.call<ListRecord<{ data: { email_id: string } }>>({
      path: '/api/v1/events?mode=test&limit=100',
    })
    const about = events.body.data.map(({ data }) => data.email_id)
    assert.ok(about.includes(inTest.id) && !about.includes(live.id), events.text)
    assertProblem(await test.call({ path: '/api/v1/emails?mode=live' }), 400, 'malformed_request')
  })

  it('records an email of a test key as delivered, but sends nothing and uses no quota', async () => {
    const test = await tenant.makeKey({ mode: 'test' })
    const used = async () =>
      (await tenant.session.call<{ monthly: { used: number } }>({ path: '/api/v1/billing/usage' })).body.monthly.used
    const before = await used()
    const to = fresh()
    const { body } = await test.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail({ to: [to] }) })
    await until('the test mail is delivered', async () => {
      const email = await test.call<EmailRecord>({ path: `/api/v1/emails/${body.id}` })
      return email.body.status === 'delivered' ? true : undefined
    })
    assert.equal(await used(), before)
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 0)
  })

  it('returns the same response for an id of another workspace as for an unused id', async () => {
    const other = await system().client.tenant()
    const email = (await other.send(rawMail())).body
    const template = await other.template({ text_body: 'x' })
    const key = await other.makeKey()
    const unused = {
      email: unusedId,
      template: 'tpl_01h2xcejqtf2nbrexx3vqjhp41',
      key: 'key_01h2xcejqtf2nbrexx3vqjhp41',
    }
    const pairs = [
      [`/api/v1/emails/${email.id}`, `/api/v1/emails/${unused.email}`, 'GET'],
      [`/api/v1/emails/${email.id}/raw`, `/api/v1/emails/${unused.email}/raw`, 'GET'],
      [`/api/v1/emails/${email.id}/cancel`, `/api/v1/emails/${unused.email}/cancel`, 'POST'],
      [`/api/v1/templates/${template.id}`, `/api/v1/templates/${unused.template}`, 'GET'],
      [`/api/v1/api-keys/${key.record.id}`, `/api/v1/api-keys/${unused.key}`, 'DELETE'],
      [`/api/v1/emails/${email.id}`, '/api/v1/emails/garbage', 'GET'],
    ] as const
    for (const [foreignPath, unusedPath, method] of pairs) {
      const responses = await Promise.all(
        [foreignPath, unusedPath].map((path) => tenant.session.call({ method, path })),
      )
      for (const response of responses) assertProblem(response, 404, 'not_found')
      const [foreign, absent] = responses.map(({ text }) =>
        text.replaceAll(/(em|tpl|key|req)_[0-9a-z]+|garbage/g, 'ID'),
      )
      assert.equal(foreign, absent)
    }
    assert.equal((await key.call({ path: '/api/v1/emails' })).status, 200, 'the key was revoked')
    const withForeignTemplate = { to: [fresh()], template_id: template.id, template_vars: {} }
    assertProblem(await tenant.send(withForeignTemplate), 422, 'validation_failed', [{ path: 'template_id' }])
  })
})
