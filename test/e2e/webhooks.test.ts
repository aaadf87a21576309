import assert from 'node:assert/strict'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { bodyOf, type DeliveryRecord, type Hook, startHook, verified, type WebhookRecord } from '../support/hooks.ts'
import type { EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const scopes = ['emails:send', 'emails:read', 'webhooks:write']

describe('webhooks', () => {
  const system = useSystem()
  let tenant: Tenant
  let api: Caller
  /** Answers 500 to the first request of each event. */
  let flaky: Hook
  /** Receives what is replayed at the end. */
  let steady: Hook
  let email: EmailRecord
  const [begunAt, stack] = [new Date(Date.now() - 60_000).toISOString(), new AsyncDisposableStack()]

  const idsOf = ({ events = [] }: EmailRecord) => events.map(({ id }) => id).toSorted()

  before(async () => {
    tenant = await system().client.tenant()
    api = await tenant.makeKey({ scopes })
    steady = stack.use(await startHook(api, { events: [...eventTypes] }))
    flaky = stack.use(
      await startHook(api, { events: ['email.delivered'] }, (_, before) => ({ status: before === 0 ? 500 : 200 })),
    )
    // Their retries and the delay of the feed pass while the other tests run.
    email = await sendOne()
  })

  const sendOne = async (): Promise<EmailRecord> => {
    const { body } = await api.call<EmailRecord>({
      path: '/api/v1/emails',
      json: rawMail({ tags: { team: 'billing' }, metadata: { order_id: '4711' } }),
    })
    return tenant.until(body.id, isFinal)
  }

  /**
   * Returns a delivery that was retried. On a busy machine the first request may have no response within its 10 s; then
   * the retry gets the 500, and the next one is 5 min later. So another email is sent.
   */
  const retried = async (one: EmailRecord, mails = 3): Promise<DeliveryRecord> => {
    const eventId = one.events?.find(({ type }) => type === 'email.delivered')?.id ?? assert.fail('no event')
    const hasNoAnswer = ({ attempts }: DeliveryRecord) => attempts.some(({ status_code: code }) => code === null)
    const delivery = await flaky.delivery(eventId, (found) => found.status === 'delivered' || hasNoAnswer(found))
    return hasNoAnswer(delivery) && mails > 1 ? retried(await sendOne(), mails - 1) : delivery
  }
  after(() => stack.disposeAsync())

  it('returns the secret once, at the creation', async () => {
    await using hook = await startHook(api, { description: 'Orders', events: ['email.sent', 'email.delivered'] })
    const { body, headers } = hook.made
    assert.match(body.id, /^wh_[0-9a-z]{26}$/)
    assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(headers['location'], hook.path)
    const record = await api.call<WebhookRecord & { object: string; secret?: string }>({ path: hook.path })
    const { secret, ...rest } = body
    assert.deepEqual(record.body, rest)
    assert.deepEqual(
      [rest.events, rest.mode, rest.enabled, rest.disabled_reason, rest.description],
      [['email.sent', 'email.delivered'], 'live', true, null, 'Orders'],
    )
    const list = await api.call<ListRecord<WebhookRecord>>({ path: '/api/v1/webhooks' })
    assert.deepEqual(list.body.data[0], rest)
    assert.ok(!`${record.text}${list.text}`.includes(secret))
  })

  it('lists webhooks in pages, newest first, changes and deletes them', async () => {
    await using one = await startHook(api)
    await using two = await startHook(api)
    const page = await api.call<ListRecord<WebhookRecord>>({ path: '/api/v1/webhooks?limit=1' })
    assert.deepEqual([page.body.data[0]?.id, page.body.has_more], [two.id, true])
    const next = await api.call<ListRecord<WebhookRecord>>({
      path: `/api/v1/webhooks?limit=1&cursor=${page.body.next_cursor}`,
    })
    assert.equal(next.body.data[0]?.id, one.id)
    const change = { enabled: false, events: ['quota.warning'], description: '' }
    const changed = await api.call<WebhookRecord>({ method: 'PATCH', path: one.path, json: change })
    const { enabled, events, description, disabled_reason } = changed.body
    assert.deepEqual({ enabled, events, description }, change, changed.text)
    assert.equal(disabled_reason, 'request')
    assert.deepEqual((await one.read()).events, ['quota.warning'])
    assert.equal((await api.call({ method: 'DELETE', path: one.path })).status, 204)
    assertProblem(await api.call({ path: one.path }), 404, 'not_found')
    assertProblem(await api.call({ method: 'DELETE', path: one.path }), 404, 'not_found')
  })

  it('posts every event of a message once, with the ids of the feed and a valid signature', async () => {
    const wanted = idsOf(email)
    assert.equal(wanted.length, 3)
    const posted = () => steady.seen.filter((one) => bodyOf(one).data['email_id'] === email.id)
    await until('all events are posted', () => (posted().length >= wanted.length ? true : undefined))
    assert.deepEqual(
      posted()
        .map(({ headers }) => headers['webhook-id'])
        .toSorted(),
      wanted,
    )
    const feed = await api.call<{ data: { object: string; id: string }[] }>({ path: '/api/v1/events' })
    for (const one of posted()) {
      const payload = verified(steady.secret, one)
      const listed = feed.body.data.find(({ id }) => id === payload.id)
      assert.deepEqual(listed, { object: 'event', ...payload })
      assert.deepEqual([payload.data['tags'], payload.data['metadata']], [{ team: 'billing' }, { order_id: '4711' }])
      assert.equal(one.headers['content-type'], 'application/json')
      assert.equal(one.body, JSON.stringify(payload))
      assert.throws(() => verified(steady.secret, { ...one, body: `${one.body} ` }))
    }
  })

  const refusals: [what: string, body: Record<string, unknown>, path: string, code?: string][] = [
    ['without a URL', {}, 'url'],
    ['with an empty URL', { url: '' }, 'url'],
    ['with no URL', { url: 'example.com/hooks' }, 'url', 'url_not_allowed'],
    ['with another scheme', { url: 'ftp://example.com/' }, 'url', 'url_not_allowed'],
    ['over plain http to a public address', { url: 'http://93.184.216.34/' }, 'url', 'url_not_allowed'],
    ['with credentials', { url: 'https://user:secret@example.com/' }, 'url', 'url_not_allowed'],
    ['with a private address', { url: 'https://10.0.0.1/' }, 'url', 'url_not_allowed'],
    ['with an address of metadata', { url: 'https://169.254.169.254/latest' }, 'url', 'url_not_allowed'],
    ['with loopback of IPv6', { url: 'https://[::1]/' }, 'url', 'url_not_allowed'],
    ['with a mapped private address', { url: 'https://[::ffff:10.0.0.1]/' }, 'url', 'url_not_allowed'],
    ['with an address as one number', { url: 'https://167772161/' }, 'url', 'url_not_allowed'],
    ['with another port', { url: 'https://93.184.216.34:8443/' }, 'url', 'url_not_allowed'],
    ['with an unknown event', { url: 'https://example.com/', events: ['email.sended'] }, 'events[0]'],
    ['with no events', { url: 'https://example.com/', events: [] }, 'events'],
    ['with a long description', { url: 'https://example.com/', description: 'x'.repeat(501) }, 'description'],
    ['of the other mode', { url: 'https://example.com/', mode: 'test' }, 'mode', 'invalid_mode'],
    ['with an unknown field', { url: 'https://example.com/', event: ['email.sent'] }, 'event', 'unknown_field'],
  ]
  for (const [what, json, path, code] of refusals)
    it(`refuses a webhook ${what}`, async () => {
      const problem = code === undefined ? { path } : { path, code }
      assertProblem(await api.call({ path: '/api/v1/webhooks', json }), 422, 'validation_failed', [problem])
      if (path !== 'mode' && Object.keys(json).length > 0)
        assertProblem(await api.call({ method: 'PATCH', path: steady.path, json }), 422, 'validation_failed', [problem])
    })

  it('sends a test event once, also to a disabled webhook', async () => {
    await using hook = await startHook(api, { enabled: false }, () => ({ status: 500, body: 'x'.repeat(5_000) }))
    const accepted = await api.call<DeliveryRecord>({ path: `${hook.path}/test`, json: { type: 'email.bounced' } })
    assert.equal(accepted.status, 202, accepted.text)
    assert.equal(accepted.headers['location'], `${hook.path}/deliveries/${accepted.body.id}`)
    const seen = await hook.waitFor('the test event', ({ type }) => type === 'email.bounced')
    assert.equal(verified(hook.secret, seen).data['test'], true)
    const delivery = await hook.delivery(accepted.body.event_id, ({ status }) => status === 'failed')
    assert.deepEqual([delivery.test, delivery.next_at, delivery.attempts.length], [true, null, 1])
    assert.deepEqual(delivery.attempts[0]?.response, { body: 'x'.repeat(4_096), truncated: true })
    assert.equal((await hook.read()).disabled_reason, 'request')
    const defaulted = await api.call<DeliveryRecord>({ method: 'POST', path: `${hook.path}/test` })
    assert.deepEqual([defaulted.status, defaulted.body.type], [202, 'email.delivered'], defaulted.text)
    const unknown = { path: `${hook.path}/test`, json: { type: 'email.sended' } }
    assertProblem(await api.call(unknown), 422, 'validation_failed', [{ path: 'type' }])
  })

  it('disables a webhook that returns 410, and reports it as an event', async () => {
    await using hook = await startHook(api, { events: ['email.accepted'] }, () => ({ status: 410 }))
    await tenant.send(rawMail())
    await until('the webhook is disabled', async () => ((await hook.read()).enabled ? undefined : true))
    assert.equal((await hook.read()).disabled_reason, 'gone')
    const [delivery] = await hook.deliveries()
    assert.deepEqual([delivery?.status, delivery?.reason], ['failed', 'gone'])
    const isReported = async () => {
      const path = '/api/v1/events?type=webhook.disabled'
      const { body } = await api.call<{ data: { data: { webhook_id: string; reason: string } }[] }>({ path })
      return body.data.find(({ data }) => data.webhook_id === hook.id)?.data.reason
    }
    assert.equal(await until('the event', isReported), 'gone')
    const again = { method: 'POST', path: `${hook.path}/deliveries/${delivery?.id}/redeliver` }
    assertProblem(await api.call(again), 409, 'conflict')
    assertProblem(await api.call({ path: `${hook.path}/replay`, json: { from: begunAt } }), 409, 'conflict')
  })

  it('signs with the old and the new secret after a rotation', async () => {
    await using hook = await startHook(api, { events: ['quota.warning'] })
    const rotated = await api.call<WebhookRecord & { secret: string }>({
      method: 'POST',
      path: `${hook.path}/rotate-secret`,
    })
    assert.equal(rotated.status, 200, rotated.text)
    assert.notEqual(rotated.body.secret, hook.secret)
    assert.ok(Date.parse(rotated.body.former_secret_expires_at ?? '') > Date.now() + 23 * 3_600_000)
    await api.call({ path: `${hook.path}/test`, json: {} })
    const seen = await hook.waitFor('the test event', ({ type }) => type === 'quota.warning')
    for (const secret of [hook.secret, rotated.body.secret]) verified(secret, seen)
    assert.equal(seen.headers['webhook-signature']?.split(' ').length, 2)
    assert.ok(!(await api.call({ path: hook.path })).text.includes(rotated.body.secret))
  })

  it('sends a test key’s webhook the events of test mail only, and hides it from live keys', async () => {
    const test = await tenant.makeKey({ scopes, mode: 'test' })
    await using hook = await startHook(test, { events: ['email.accepted'] })
    assert.equal((await hook.read()).mode, 'test')
    assertProblem(await api.call({ path: hook.path }), 404, 'not_found')
    assertProblem(await test.call({ path: steady.path }), 404, 'not_found')
    assert.equal((await tenant.session.call({ path: hook.path })).status, 200)
    const live = (await tenant.send(rawMail())).body
    const { body } = await test.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail() })
    const seen = await hook.waitFor('the event of test mail', ({ data }) => data['email_id'] === body.id)
    assert.equal(verified(hook.secret, seen).data['mode'], 'test')
    assert.ok(!hook.seen.some((one) => bodyOf(one).data['email_id'] === live.id))
  })

  it('records every change of a webhook in the audit log', async () => {
    await using hook = await startHook(api)
    await api.call({ method: 'PATCH', path: hook.path, json: { description: 'New' } })
    await api.call({ method: 'POST', path: `${hook.path}/rotate-secret` })
    await api.call({ method: 'POST', path: `${hook.path}/test` })
    await api.call({ method: 'DELETE', path: hook.path })
    const { body, text } = await tenant.session.call<ListRecord<{ action: string; target: string }>>({
      path: '/api/v1/audit-log?limit=100',
    })
    assert.deepEqual(
      body.data.filter(({ target }) => target === hook.id).map(({ action }) => action),
      ['webhook.delete', 'webhook.test', 'webhook.rotate_secret', 'webhook.update', 'webhook.create'],
    )
    assert.ok(!text.includes('whsec_'))
  })

  it('retries a request that failed, with the same id and body, and shows both attempts', async () => {
    const { event_id: eventId, ...delivery } = await retried(email)
    assert.deepEqual(
      delivery.attempts.map(({ status_code }) => status_code),
      [500, 200],
    )
    const [first, second] = flaky.seen.filter(({ headers }) => headers['webhook-id'] === eventId)
    assert.equal(first?.body, second?.body)
    assert.ok(Number(second?.headers['webhook-timestamp']) >= Number(first?.headers['webhook-timestamp']) + 5)
    assert.deepEqual(await flaky.deliveries(`?event_id=${eventId}&status=pending`), [])
    assert.ok((await flaky.deliveries('?status=delivered')).some(({ id }) => id === delivery.id))
    assert.ok(!(await flaky.deliveries('?status=pending')).some(({ id }) => id === delivery.id))
    const path = `${flaky.path}/deliveries/${delivery.id}`
    const whole = await api.call<{ request: { url: string; headers: Record<string, string>; body: string } }>({ path })
    assert.deepEqual([whole.body.request.body, whole.body.request.headers['webhook-id']], [first?.body, eventId])
    assert.ok(!whole.text.includes('webhook-signature'))
    const bad = { path: `${flaky.path}/deliveries?status=done` }
    assertProblem(await api.call(bad), 400, 'malformed_request', [{ path: 'status' }])
  })

  it('redelivers an event with its id', async () => {
    const [delivery] = await steady.deliveries(`?event_id=${idsOf(email)[0]}`)
    const path = `${steady.path}/deliveries/${delivery?.id}/redeliver`
    const bodies = () => steady.seen.filter(({ headers }) => headers['webhook-id'] === delivery?.event_id)
    const before = bodies().length
    const accepted = await api.call<DeliveryRecord>({ method: 'POST', path })
    assert.deepEqual([accepted.status, accepted.body.id], [202, delivery?.id], accepted.text)
    await until('the event arrives again', () => (bodies().length > before ? true : undefined))
    assert.equal(new Set(bodies().map(({ body }) => body)).size, 1)
    const unknown = `${flaky.path}/deliveries/dlv_01h2xcejqtf2nbrexx3vqjhp41/redeliver`
    assertProblem(await api.call({ method: 'POST', path: unknown }), 404, 'not_found')
    const ofOther = `${flaky.path}/deliveries/${delivery?.id}`
    assertProblem(await api.call({ path: ofOther }), 404, 'not_found')
  })

  it('lists deliveries in pages that no new delivery moves', async () => {
    const first = await api.call<ListRecord<DeliveryRecord>>({ path: `${steady.path}/deliveries?limit=1` })
    assert.equal(first.body.has_more, true)
    const rest = await steady.deliveries(`?limit=100&cursor=${first.body.next_cursor}`)
    const ids = [...first.body.data, ...rest].map(({ id }) => id)
    assert.deepEqual(ids, ids.toSorted().toReversed())
    assert.equal(new Set(ids).size, ids.length)
    const foreign = { path: `${flaky.path}/deliveries?limit=1&cursor=${first.body.next_cursor}` }
    assertProblem(await api.call(foreign), 400, 'malformed_request', [{ path: 'cursor' }])
  })

  it('replays a time window in order, and shows the progress', async () => {
    type Replay = { id: string; status: string; progress: number; sent: number; delivered: number }
    const { events = [] } = email
    const [earliest, latest] = [events[0]?.timestamp ?? '', events.at(-1)?.timestamp ?? '']
    const json = { from: earliest, to: new Date(Date.parse(latest) + 1).toISOString() }
    const before = steady.seen.length
    const accepted = await api.call<Replay>({ path: `${steady.path}/replay`, json })
    assert.equal(accepted.status, 202, accepted.text)
    const path = accepted.headers['location'] ?? ''
    assert.equal(path, `${steady.path}/replay/${accepted.body.id}`)
    const done = await until('the replay ends', async () => {
      const { body } = await api.call<Replay>({ path })
      return body.status === 'done' ? body : undefined
    })
    assert.deepEqual([done.progress, done.sent, done.delivered], [1, 3, 3])
    assert.deepEqual((await api.call<Replay>({ path: `${steady.path}/replay` })).body, done)
    assert.deepEqual((await steady.read()).replay, done)
    assert.equal((await flaky.read()).replay, null)
    const { body: list } = await api.call<ListRecord<WebhookRecord>>({ path: '/api/v1/webhooks' })
    assert.deepEqual(list.data.find(({ id }) => id === steady.id)?.replay, done)
    const again = steady.seen.slice(before).filter((one) => bodyOf(one).data['email_id'] === email.id)
    assert.deepEqual(
      again.map((one) => bodyOf(one).data['sequence']),
      [1, 2, 3],
    )
    for (const wrong of [{}, { from: 'yesterday' }, { from: '2099-01-01T00:00:00Z' }, { from: latest, to: earliest }])
      assertProblem(await api.call({ path: `${steady.path}/replay`, json: wrong }), 422, 'validation_failed')
    assertProblem(await api.call({ path: `${flaky.path}/replay` }), 404, 'not_found')
    assertProblem(await api.call({ path: `${flaky.path}/replay/${done.id}` }), 404, 'not_found')
  })
})
