import assert from 'node:assert/strict'
import { retryDelaysMs } from '@postrider/domain/webhooks/schedule.ts'
import { type Caller, rawMail, type Tenant } from '../support/client.ts'
import type { ListRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import { startWebhookServer } from '../support/webhookReceiver.ts'
import { type ClockedSystem, clockedSystem } from './clockedSystem.ts'
import { printedSeed, seeded } from './random.ts'

/** Attempts of the schedule. */
const maxWebhookAttempts = retryDelaysMs.length + 1

type Attempt = { at: string; status_code: number | null }
type Delivery = { id: string; event_id: string; status: string; attempts: Attempt[]; next_at: string | null }
type Event = { id: string; timestamp: string; data: { email_id: string } }
type Page<Item> = ListRecord<Item> & { next_cursor: string | null }

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.UTC(2026, 10, 21, 6)
const allow = { POSTRIDER_WEBHOOK_ALLOW: '127.0.0.0/8' }

/** Everything below goes through the HTTP API, except the clock. */
const opened = async (system: ClockedSystem, url: string) => {
  const tenant = await system.client.tenant()
  const scopes = ['emails:send', 'emails:read', 'webhooks:write']
  const key: Caller = await tenant.makeKey({ scopes })
  const hook = await key.call<{ id: string }>({ path: '/api/v1/webhooks', json: { url } })
  assert.equal(hook.status, 201, hook.text)
  const get = async <Item>(path: string): Promise<Page<Item>> => {
    const response = await key.call<Page<Item>>({ path })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  return {
    tenant,
    deliveries: async (query: string): Promise<Delivery[]> => {
      const { data, has_more } = await get<Delivery>(`/api/v1/webhooks/${hook.body.id}/deliveries?limit=100${query}`)
      assert.equal(has_more, false)
      return data
    },
    isEnabled: async () =>
      (await key.call<{ enabled: boolean }>({ path: `/api/v1/webhooks/${hook.body.id}` })).body.enabled,
    events: (query: string) => get<Event>(`/api/v1/events?order=asc${query}`),
  }
}

const sendMail = async (system: ClockedSystem, tenant: Tenant): Promise<string> => {
  const { status, body, text } = await tenant.send(rawMail())
  assert.equal(status, 202, text)
  await system.drain()
  return body.id
}

describe('webhooks over a long time, by the HTTP API', () => {
  it('reach a receiver that was down for 27 h, each event on schedule and with one id', async () => {
    const random = seeded(printedSeed())
    await using system = await clockedSystem({}, start, allow)
    let now = start
    const moveTo = (at: number): void => {
      system.advance(at - now)
      now = at
    }
    const early = new Set<string>()
    const accepted: string[] = []
    const bodies = new Map<string, Set<string>>()
    const attempts = new Map<string, number>()
    await using receiver = await startWebhookServer(({ headers, body }) => {
      const id = headers['webhook-id'] ?? ''
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
      const made = (attempts.get(id) ?? 0) + 1
      attempts.set(id, made)
      if (now < start + hour) early.add(id)
      const isDown = now < start + 27 * hour
      if (isDown && random() < 0.3) return { status: 200, body: 'truncated', end: 'early' }
      // The last attempt succeeds: an event whose attempts all fail is given up.
      if (isDown || (made < maxWebhookAttempts && random() < 0.4)) return { status: 500, body: 'down' }
      accepted.push(id)
      return {}
    })
    const { tenant, deliveries, isEnabled, events } = await opened(system, receiver.url)
    const step = async (): Promise<Delivery[]> => {
      await system.sendWebhooks()
      const pending = await deliveries('&status=pending')
      for (const { attempts, next_at: nextAt } of pending) {
        const delay = retryDelaysMs[attempts.length - 1]
        const last = attempts.at(-1)
        if (last === undefined || delay === undefined) continue
        const waits = Date.parse(nextAt ?? '') - Date.parse(last.at)
        assert.ok(waits >= delay && waits <= 1.1 * delay + 1, `attempt ${attempts.length}: ${waits} ms`)
      }
      return pending
    }
    await sendMail(system, tenant)
    let isLater = false
    for (let pending = await step(); pending.length > 0; pending = await step()) {
      const next = Math.min(...pending.map(({ next_at: at }) => Date.parse(at ?? '')))
      moveTo(isLater ? next : Math.min(next, start + 20 * hour))
      if (isLater || now < start + 20 * hour) continue
      isLater = true
      await sendMail(system, tenant)
    }
    assert.ok(now >= start + 27 * hour)
    moveTo(now + 60_000)
    const pulled = (await events('&limit=100')).data.map(({ id }) => id)
    assert.ok(pulled.length >= 4, String(pulled.length))
    assert.deepEqual([...new Set(accepted)].toSorted(), pulled.toSorted(), 'pushed and pulled events are the same')
    assert.equal(accepted.length, pulled.length, 'nothing was sent again after it was accepted')
    assert.deepEqual([...bodies.keys()].toSorted(), pulled.toSorted(), 'repeats keep their id')
    for (const [id, sent] of bodies) assert.equal(sent.size, 1, `${id} has one body`)
    for (const { event_id: id, status, attempts } of await deliveries('')) {
      assert.equal(status, 'delivered')
      if (early.has(id)) assert.equal(attempts.length, maxWebhookAttempts)
    }
    assert.equal(await isEnabled(), true)
  })

  it('lose events after 90 days from the feed and the log, and an old cursor continues', async () => {
    await using system = await clockedSystem({}, start, allow)
    await using receiver = await startWebhookServer()
    const { tenant, deliveries, events } = await opened(system, receiver.url)
    const id = await sendMail(system, tenant)
    await system.sendWebhooks()
    system.advance(60_000)
    const first = await events('&limit=1')
    assert.deepEqual([first.data.length, first.has_more], [1, true])
    assert.ok((await deliveries('')).length >= 2)
    const known = (await events('&limit=100')).data.length

    system.advance(89 * day)
    await system.purgeWebhooks()
    assert.equal((await events('&limit=100')).data.length, known, 'nothing is removed earlier')
    assert.ok((await deliveries('')).length >= 2)

    system.advance(2 * day)
    await until('the record is removed', async () => {
      const { status } = await tenant.api.call({ path: `/api/v1/emails/${id}` })
      return status === 404 ? true : undefined
    })
    await system.purgeWebhooks()
    assert.deepEqual(await deliveries(''), [])
    assert.deepEqual((await events('&limit=100')).data, [])
    const continued = await events(`&limit=100&cursor=${first.next_cursor}`)
    assert.deepEqual([continued.data, continued.has_more, typeof continued.next_cursor], [[], false, 'string'])

    const later = await sendMail(system, tenant)
    system.advance(60_000)
    for (const cursor of [first.next_cursor, continued.next_cursor]) {
      const { data } = await events(`&limit=100&cursor=${cursor}`)
      assert.ok(data.length >= 2)
      assert.ok(data.every((event) => event.data.email_id === later))
    }
  })
})
