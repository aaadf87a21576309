import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assertProblem } from '../support/assertProblem.ts'
import { isFinal, rawMail } from '../support/client.ts'
import { startDnsServer } from '../support/dnsServer.ts'
import { type DeliveryRecord, startHook, type WebhookRecord } from '../support/hooks.ts'
import type { HttpResponse } from '../support/http.ts'
import { insideHosts } from '../support/insideHosts.ts'
import type { ListRecord } from '../support/records.ts'
import { needsOwnProcess, ownSystem, useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { onOnePort, startRawServer, startWebhookServer } from '../support/webhookReceiver.ts'

const scopes = ['emails:send', 'emails:read', 'webhooks:write']

type Made = WebhookRecord & { secret: string }

describe('a customer who attacks the network with webhooks', () => {
  needsOwnProcess()
  const stack = new AsyncDisposableStack()
  after(() => stack.disposeAsync())

  const startNetwork = async () => {
    const proxy = stack.use(await startRawServer())
    const [allowed, canary, canaryOfIpv6] = stack.use(
      await onOnePort(
        () => startWebhookServer(undefined, { host: '127.0.0.2' }),
        (port) => startRawServer(undefined, { port }),
        (port) => startRawServer(undefined, { host: '::1', port }),
      ),
    )
    const names = {
      'in.rebind.test': { A: ['127.0.0.2'] },
      'mapped.rebind.test': { AAAA: ['::ffff:127.0.0.2'] },
      'out.rebind.test': { A: ['127.0.0.1'] },
      'alias.rebind.test': { CNAME: 'out.rebind.test' },
      'both.rebind.test': { A: ['127.0.0.2', '127.0.0.1'] },
      'six.rebind.test': { A: ['127.0.0.2'], AAAA: ['::1'] },
      'mappedout.rebind.test': { AAAA: ['::ffff:127.0.0.1'] },
      'nat64.rebind.test': { A: ['127.0.0.2'], AAAA: ['64:ff9b::7f00:1'] },
    }
    const dns = stack.use(await startDnsServer({ zones: { 'rebind.test': { names } } }))
    const own = `http://127.0.0.1:${proxy.port}`
    const system = stack.use(
      await ownSystem({
        POSTRIDER_WEBHOOK_ALLOW: '127.0.0.2/32',
        POSTRIDER_DNS: dns.address,
        // Programs that honor these would let a proxy resolve the name and connect.
        ...Object.fromEntries(
          ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
            [name, own],
            [name.toLowerCase(), own],
          ]),
        ),
        NODE_USE_ENV_PROXY: '1',
        LOG_LEVEL: 'debug',
      }),
    )
    const tenant = await system.client.tenant()
    return { system, tenant, api: await tenant.makeKey({ scopes }), proxy, allowed, canary, canaryOfIpv6 }
  }
  let network: Awaited<ReturnType<typeof startNetwork>>
  before(async () => {
    network = await startNetwork()
  })

  const create = (url: string) => network.api.call<Made>({ path: '/api/v1/webhooks', json: { url } })

  /** Sends a test event. @returns the status of the response, or why nothing was sent */
  const outcomeOf = async (host: string): Promise<number | string | null | undefined> => {
    const { body, text } = await create(`http://${host}:${network.allowed.port}/`)
    assert.ok(body.id, text)
    const path = `/api/v1/webhooks/${body.id}`
    const sent = await network.api.call<DeliveryRecord>({ method: 'POST', path: `${path}/test` })
    const ended = await until('the test has ended', async () => {
      const { body: now } = await network.api.call<DeliveryRecord>({ path: `${path}/deliveries/${sent.body.id}` })
      return now.status === 'pending' ? undefined : now
    })
    await network.api.call({ method: 'DELETE', path })
    return ended.attempts[0]?.error ?? ended.attempts[0]?.status_code
  }

  it('is refused every spelling of an address inside', async () => {
    for (const host of insideHosts)
      for (const scheme of ['http', 'https', 'HTTPS']) {
        const response = await create(`${scheme}://${host}:${network.allowed.port}/`)
        assertProblem(response, 422, 'validation_failed', [{ path: 'url', code: 'url_not_allowed' }])
      }
  })

  it('connects to the allowed address alone, through no proxy', async () => {
    const { allowed, canary, canaryOfIpv6, proxy } = network
    const blocked = 'the host has an address that is not allowed: it is not public, or the port is not allowed there'
    for (const [host, expected] of [
      ['127.0.0.2', 200],
      ['in.rebind.test', 200],
      ['in.rebind.test.', 200],
      ['mapped.rebind.test', 200],
      ['out.rebind.test', blocked],
      ['alias.rebind.test', blocked],
      ['both.rebind.test', blocked],
      ['six.rebind.test', blocked],
      ['mappedout.rebind.test', blocked],
      ['nat64.rebind.test', blocked],
      ['none.rebind.test', 'the host has no address in DNS'],
    ] as const)
      assert.equal(await outcomeOf(host), expected, host)
    assert.equal(allowed.seen.length, 4)
    assert.deepEqual([canary.connections, canaryOfIpv6.connections, proxy.connections], [0, 0, 0])
  })

  it('finds signing secrets in no response, log, audit entry and file', async () => {
    const { api, tenant, system } = network
    const made = await create(`http://127.0.0.2:${network.allowed.port}/`)
    const path = `/api/v1/webhooks/${made.body.id}`
    const rotated = await api.call<Made>({ method: 'POST', path: `${path}/rotate-secret` })
    await api.call({ method: 'PATCH', path, json: { description: 'x' } })
    await api.call({ method: 'POST', path: `${path}/test` })
    const responses: HttpResponse<unknown>[] = [
      await tenant.session.call({ path: '/api/v1/audit-log?limit=100' }),
      ...(await Promise.all(['', '/deliveries'].map((part) => api.call({ path: `${path}${part}` })))),
      await api.call({ path: '/api/v1/webhooks' }),
      await api.call({ path: '/api/v1/events' }),
    ]
    for (const { status, text } of responses) assert.equal(status, 200, text)
    const { data } = system.standalone
    const files = readdirSync(data).filter((name) => statSync(join(data, name)).isFile())
    const texts = [
      ...responses.map(({ text }) => text),
      system.standalone.output(),
      ...files.map((name) => readFileSync(join(data, name), 'latin1')),
    ]
    for (const { body } of [made, rotated]) {
      const key = body.secret.slice('whsec_'.length)
      for (const needle of [
        key,
        Buffer.from(key, 'base64').toString('latin1'),
        Buffer.from(key, 'base64').toString('hex'),
      ])
        assert.equal(
          texts.findIndex((text) => text.includes(needle)),
          -1,
        )
    }
  })
})

describe('a customer who attacks webhooks of others', () => {
  const system = useSystem()

  it('gets the response of an unknown id for deliveries, replays and cursors of another workspace', async () => {
    const [victim, attacker] = await Promise.all([system().client.tenant(), system().client.tenant()])
    const [owner, thief] = [await victim.makeKey({ scopes }), await attacker.makeKey({ scopes })]
    const test = await victim.makeKey({ scopes, mode: 'test' })
    await using hook = await startHook(owner)
    await using mine = await startHook(thief)
    const { body: mail } = await owner.call<{ id: string }>({ path: '/api/v1/emails', json: rawMail() })
    await victim.until(mail.id, isFinal)
    const [delivery] = await until('a delivery', async () => {
      const found = await hook.deliveries()
      return found.length > 0 ? found : undefined
    })
    assert.ok(delivery)
    const window = { from: new Date(Date.now() - 60_000).toISOString() }
    const replay = await owner.call<{ id: string }>({ path: `${hook.path}/replay`, json: window })
    assert.equal(replay.status, 202, replay.text)

    const unknown = { dlv: `dlv_${'0'.repeat(26)}`, rpl: 'rpl_01h2xcejqtf2nbrexx3vqjhp41' }
    const answerOf = async (caller: typeof thief, method: string, path: string): Promise<string> => {
      const { status, text } = await caller.call({ method, path })
      return `${status} ${text.replaceAll(/req_[0-9a-z]+|"instance":"[^"]*"/g, '')}`
    }
    for (const caller of [thief, test])
      for (const base of [hook.path, ...(caller === thief ? [mine.path] : [])])
        for (const [method, own, other] of [
          ['GET', `deliveries/${delivery.id}`, `deliveries/${unknown.dlv}`],
          ['POST', `deliveries/${delivery.id}/redeliver`, `deliveries/${unknown.dlv}/redeliver`],
          ['GET', `replay/${replay.body.id}`, `replay/${unknown.rpl}`],
        ] as const) {
          const response = await answerOf(caller, method, `${base}/${own}`)
          assert.match(response, /^404 /)
          assert.equal(response, await answerOf(caller, method, `${base}/${other}`))
        }
    assert.deepEqual(
      (await thief.call<ListRecord<unknown>>({ path: `${mine.path}/deliveries?event_id=${delivery.event_id}` })).body
        .data,
      [],
    )

    const { next_cursor: cursor } = (await owner.call<ListRecord<unknown>>({ path: '/api/v1/events?limit=1' })).body
    assert.ok(cursor)
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
    for (const [caller, one] of [
      [thief, cursor],
      [owner, changed],
      [owner, '1.evt_1'],
    ] as const)
      assertProblem(
        await caller.call({ path: `/api/v1/events?cursor=${encodeURIComponent(one)}` }),
        400,
        'malformed_request',
      )
    // A cursor is a point in time: with the key of the other mode it shows none of the events of its list.
    const seen = await test.call<ListRecord<unknown>>({ path: `/api/v1/events?cursor=${encodeURIComponent(cursor)}` })
    assert.ok(seen.status === 400 || seen.body.data.length === 0, seen.text)
  })
})
