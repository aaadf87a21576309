import assert from 'node:assert/strict'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { Webhook } from 'standardwebhooks'
import { actor, noon, webhooksRig, workspace } from '../../test/support/webhooksRig.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

type Rig = Awaited<ReturnType<typeof webhooksRig>>

const keyOf = (id: string) => ({ workspace, id, mode: null })

const listed = async (rig: Rig, id: string, over: Partial<{ eventId: string }> = {}) =>
  (
    await rig
      .service()
      .webhooks.ListDeliveries({ ...keyOf(id), limit: 100, before: null, status: null, eventId: null, ...over })
  ).deliveries

/** Moves the clock to each due time in turn, and does the due work, until the end. */
const workUntil = async (rig: Rig, end: number): Promise<void> => {
  for (;;) {
    await rig.service().drain()
    const due = await rig.deliveries.nextDue()
    if (due === null || due > end) break
    rig.moveTo(due)
  }
  rig.moveTo(end)
}

describe('webhooks', () => {
  let rig: Rig
  beforeEach(async () => {
    rig = await webhooksRig()
  })
  afterEach(() => rig[Symbol.asyncDispose]())

  it('sends an event with a signature that the reference library accepts', async () => {
    const receiver = rig.client().receive(() => ({}))
    const { id, secret } = await rig.create(receiver.url)
    const event = rig.emit()
    await rig.service().drain()
    const [seen] = receiver.seen
    assert.ok(seen)
    assert.equal(seen.headers['webhook-id'], event.id)
    assert.equal(JSON.parse(seen.body).id, event.id)
    assert.equal(seen.headers['content-type'], 'application/json')
    // The library compares the timestamp with the clock of the machine.
    const now = Date.now
    Date.now = () => noon
    try {
      assert.doesNotThrow(() => new Webhook(secret).verify(seen.body, seen.headers as Record<string, string>))
      assert.throws(() => new Webhook(secret).verify(`${seen.body} `, seen.headers as Record<string, string>))
    } finally {
      Date.now = now
    }
    const [delivery] = await listed(rig, id)
    assert.deepEqual([delivery?.status, delivery?.attempts[0]?.statusCode], ['delivered', 200])
  })

  it('refuses types that nothing causes, unless the endpoint has them already', async () => {
    const refused = { code: 'validation_failed', problems: [{ path: 'events[0]', code: 'not_supported' }] }
    const isRefused = ({ code, problems }: Fault) => {
      const shown = { code, problems: problems.map(({ path, code: problem }) => ({ path, code: problem })) }
      assert.deepEqual(shown, refused)
      return true
    }
    const { url } = rig.client().receive(() => ({}))
    await assert.rejects(rig.create(url, { events: ['email.opened'] }), isRefused)
    const { webhooks } = rig.service()
    const { id } = await rig.create(url, { events: ['email.sent'] })
    await assert.rejects(webhooks.Update({ ...keyOf(id), events: ['email.clicked'], actor }), isRefused)
    const { id: all } = await rig.create(url)
    const after = await webhooks.Update({ ...keyOf(all), events: ['email.sent', 'email.clicked'], actor })
    assert.deepEqual(after.events, ['email.sent', 'email.clicked'])
  })

  it('stores no response about mail without retention, which may repeat its data', async () => {
    const receiver = rig.client().receive(({ body }) => ({ status: 500, body }))
    const { id } = await rig.create(receiver.url)
    const one = rig.emit('email.delivered', { over: { retention: 'none' } })
    const other = rig.emit('email.delivered', { over: { retention: 'metadata' } })
    await rig.service().drain()
    const answerTo = async ({ id: eventId }: { id: string }) =>
      (await listed(rig, id, { eventId }))[0]?.attempts.map((attempt) => [attempt.statusCode, attempt.response?.body])
    assert.deepEqual(await answerTo(one), [[500, undefined]])
    const [sent] = receiver.seen.filter(({ headers }) => headers['webhook-id'] === other.id)
    assert.deepEqual(await answerTo(other), [[500, sent?.body]])
    assert.ok(!receiver.seen.some(({ body }) => body.includes('isShortLived')))
  })

  it('makes attempts at the times of the schedule, with the same id and body', async () => {
    const times: number[] = []
    const receiver = rig.client().receive(() => {
      times.push(rig.now() - noon)
      return { status: 500 }
    })
    const { id } = await rig.create(receiver.url)
    rig.emit()
    await workUntil(rig, noon + 40 * hour)
    const sum = (index: number) =>
      [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
        .slice(0, index)
        .reduce((a, b) => a + b, 0)
    assert.deepEqual(
      times,
      Array.from({ length: 8 }, (_, index) => sum(index)),
    )
    assert.equal(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.seen.map(({ body }) => body)).size, 1)
    const [delivery] = await listed(rig, id)
    assert.deepEqual([delivery?.status, delivery?.reason, delivery?.attempts.length], ['failed', 'exhausted', 8])
    await rig.service().reportNotices()
    assert.deepEqual(
      rig.workspaceEvents.map(({ type, mode }) => [type, mode]),
      [['webhook.failing', 'internal']],
    )
  })

  for (const laterMs of [1, 3_000, 600_000])
    for (const isHinted of [true, false])
      it(`finds an event whose time became ${laterMs} ms later after ${isHinted ? 'a hint' : 'a scan'}`, async () => {
        const receiver = rig.client().receive(() => ({ status: receiver.seen.length > 1 ? 200 : 500 }))
        const { id } = await rig.create(receiver.url)
        const event = rig.emit('email.delivered', { isHinted })
        if (!isHinted) rig.advance(10 * second)
        await workUntil(rig, rig.now())
        assert.equal(receiver.seen.length, 1)
        // The store applied a write whose response was lost; its repeat gave the new events a later time.
        const email = rig.emails.get(String(event.data['email_id'])) ?? assert.fail('no email')
        const events = email.events.map((one) => ({ ...one, at: one.at + laterMs }))
        rig.emails.set(email.id, { ...email, events })
        await workUntil(rig, rig.now() + hour)
        assert.deepEqual(
          receiver.seen.map(({ headers }) => headers['webhook-id']),
          [event.id, event.id],
        )
        const deliveries = await listed(rig, id)
        assert.deepEqual(
          deliveries.map(({ status, reason }) => [status, reason]),
          [['delivered', null]],
        )
        const delivery = { workspace, id, mode: null, delivery: deliveries[0]?.id ?? '' }
        const { request } = await rig.service().webhooks.GetDelivery(delivery)
        assert.equal(JSON.parse(request?.body ?? '{}').id, event.id)
      })

  it('loses no event while a receiver is down for 27 h', async () => {
    const up = noon + 27 * hour
    const receiver = rig.client().receive(() => ({ status: rig.now() >= up ? 200 : 503 }))
    await rig.create(receiver.url)
    const sent: string[] = []
    for (let count = 0; count < 20; count++) {
      sent.push(rig.emit().id)
      await workUntil(rig, rig.now() + hour)
    }
    await workUntil(rig, noon + 60 * hour)
    const accepted = receiver.seen.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([...new Set(accepted)].sort(), sent.sort())
    assert.equal((await rig.deliveries.backlog(10)).pending, 0)
  })

  it('finds the events whose hints were lost, once they are 10 s old', async () => {
    const receiver = rig.client().receive(() => ({}))
    await rig.create(receiver.url)
    const lost = rig.emit('email.delivered', { isHinted: false })
    await rig.service().drain()
    assert.equal(receiver.seen.length, 0)
    rig.advance(40 * second)
    await rig.service().drain()
    assert.deepEqual(
      receiver.seen.map(({ headers }) => headers['webhook-id']),
      [lost.id],
    )
    rig.advance(hour)
    await rig.service().drain()
    assert.equal(receiver.seen.length, 1)
  })

  it('sends nothing for hints that are forged', async () => {
    const receiver = rig.client().receive(() => ({}))
    await rig.create(receiver.url)
    const foreign = rig.emit('email.delivered', { isHinted: false, owner: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })
    const ids = [String(foreign.data['email_id']), foreign.id, newId('em'), 'em_1', '', '\u0000', 'x'.repeat(10_000)]
    rig.options().hints.ring(ids.map((id) => ({ workspace, id })))
    await rig.service().drain()
    const own = rig.emit()
    await rig.service().drain()
    assert.deepEqual(
      receiver.seen.map(({ headers }) => headers['webhook-id']),
      [own.id],
    )
  })

  it('sends each endpoint the events of its types and its mode that happen after its creation', async () => {
    const receiver = rig.client().receive(() => ({}))
    rig.emit('email.bounced')
    rig.advance(1)
    await rig.create(receiver.url, { events: ['email.bounced'] })
    await rig.create(receiver.url, { mode: 'test' })
    rig.emit('email.delivered')
    const wanted = rig.emit('email.bounced')
    await rig.service().drain()
    rig.advance(minute)
    await rig.service().drain()
    assert.deepEqual(
      receiver.seen.map(({ headers }) => headers['webhook-id']),
      [wanted.id],
    )
  })

  it('disables an endpoint that returns 410, ends waiting deliveries, and reports it', async () => {
    let status = 500
    const receiver = rig.client().receive(() => ({ status }))
    const { id } = await rig.create(receiver.url)
    rig.emit()
    await rig.service().drain()
    status = 410
    rig.emit()
    await rig.service().drain()
    const endpoint = await rig.service().webhooks.Get(keyOf(id))
    assert.deepEqual([endpoint.enabled, endpoint.disabledReason], [false, 'gone'])
    assert.deepEqual((await listed(rig, id)).map(({ status: one }) => one).sort(), ['canceled', 'failed'])
    assert.deepEqual(
      rig.workspaceEvents.map(({ type, data }) => [type, data['webhook_id'], data['reason']]),
      [['webhook.disabled', id, 'gone']],
    )
    const entries = await rig.audit.list({ ...noAuditFilter, workspace, limit: 10 })
    assert.deepEqual(entries.map(({ action, actor: by }) => [action, by]).at(0), ['webhook.update', 'system'])
    rig.emit()
    await rig.service().drain()
    assert.equal(receiver.seen.length, 2)
  })

  it('disables an endpoint after 72 h of nothing but failures, and not if one attempt succeeded', async () => {
    let status = 500
    const receiver = rig.client().receive(() => ({ status }))
    const { id } = await rig.create(receiver.url)
    for (let day = 0; day < 2; day++) {
      rig.emit()
      await workUntil(rig, rig.now() + 24 * hour)
    }
    status = 200
    rig.emit()
    await workUntil(rig, rig.now() + hour)
    assert.equal((await rig.service().webhooks.Get(keyOf(id))).failingSince, null)
    status = 500
    const failing = rig.now()
    for (let day = 0; day < 4; day++) {
      if ((await rig.service().webhooks.Get(keyOf(id))).enabled) rig.emit()
      await workUntil(rig, rig.now() + 20 * hour)
    }
    const endpoint = await rig.service().webhooks.Get(keyOf(id))
    assert.deepEqual([endpoint.enabled, endpoint.disabledReason], [false, 'failures'])
    const [disabled] = rig.workspaceEvents.filter(({ type }) => type === 'webhook.disabled')
    assert.ok(Date.parse(String(disabled?.data['disabled_at'])) - failing >= 72 * hour)
  })

  it('signs with the former secret for 24 h after a rotation', async () => {
    const receiver = rig.client().receive(() => ({}))
    const { id } = await rig.create(receiver.url)
    await rig.service().webhooks.RotateSecret({ ...keyOf(id), actor })
    const count = async (): Promise<number> => {
      rig.emit()
      await rig.service().drain()
      return (receiver.seen.at(-1)?.headers['webhook-signature'] ?? '').split(' ').length
    }
    assert.equal(await count(), 2)
    rig.advance(24 * hour)
    assert.equal(await count(), 1)
  })

  // The newest replay was read after the change: the new secret was lost, and the former one no longer signed after a
  // repetition.
  it('keeps the secret if the response with a new one cannot be made', async () => {
    const { id } = await rig.create(rig.client().receive(() => ({})).url)
    const secrets = async () => (await rig.endpoints.get(workspace, id))?.endpoint.secrets
    const before = await secrets()
    const get = () => Promise.reject(new Fault('unavailable', 'The store does not respond.'))
    const { webhooks } = await rig.open({ replays: { ...rig.options().replays, get } })
    await assert.rejects(async () => webhooks.RotateSecret({ ...keyOf(id), actor }), /does not respond/)
    assert.deepEqual(await secrets(), before)
  })

  // The first requests of a process loaded the library in their event loop iteration, with requests of people.
  it('prepares its client at start if there is an endpoint', async () => {
    let prepared = 0
    const client = { ...rig.options().client, prepare: () => void prepared++ }
    const counts: number[] = []
    await rig.open({ client })
    counts.push(prepared)
    await rig.create(rig.client().receive(() => ({})).url)
    await rig.open({ client })
    counts.push(prepared)
    assert.deepEqual(counts, [0, 1])
  })

  it('sends a test event, and an event again on request', async () => {
    const receiver = rig.client().receive(() => ({ body: 'x'.repeat(10_000) }))
    const { id } = await rig.create(receiver.url, { enabled: false })
    await rig.service().webhooks.Test({ ...keyOf(id), type: 'email.bounced', actor })
    await rig.service().drain()
    const [test] = receiver.seen
    assert.equal(JSON.parse(test?.body ?? '{}').data.test, true)
    const [delivery] = await listed(rig, id)
    assert.deepEqual([delivery?.isTest, delivery?.status], [true, 'delivered'])
    assert.equal(delivery?.attempts[0]?.response?.body.length, 4_096)
    assert.equal(delivery?.attempts[0]?.response?.isCut, true)
    await rig.service().webhooks.Update({ ...keyOf(id), enabled: true, actor })
    const event = rig.emit()
    await rig.service().drain()
    const [sent] = await listed(rig, id, { eventId: event.id })
    await rig.service().webhooks.Redeliver({ ...keyOf(id), delivery: sent?.id ?? '', actor })
    await rig.service().drain()
    const again = receiver.seen.filter(({ headers }) => headers['webhook-id'] === event.id)
    assert.equal(again.length, 2)
    assert.equal(again[0]?.body, again[1]?.body)
  })

  it('replays a window in order, with progress', async () => {
    const receiver = rig.client().receive(() => ({}))
    const { id } = await rig.create(receiver.url)
    const sent: string[] = []
    for (let count = 0; count < 30; count++) {
      sent.push(rig.emit().id)
      rig.advance(second)
    }
    await rig.service().drain()
    const first = receiver.seen.length
    const from = noon
    const to = rig.now()
    rig.advance(minute)
    const replay = await rig.service().webhooks.Replay({ ...keyOf(id), from, to, actor })
    await assert.rejects(rig.service().webhooks.Replay({ ...keyOf(id), from, to, actor }), { code: 'conflict' })
    await rig.service().replayDue()
    assert.deepEqual(
      receiver.seen.slice(first).map(({ headers }) => headers['webhook-id']),
      sent,
    )
    const state = await rig.service().webhooks.GetReplay({ ...keyOf(id), replay: replay.id })
    assert.deepEqual([state.status, state.sent, state.delivered], ['done', 30, 30])
  })

  it('shows the newest replay of a webhook with it, and in the list', async () => {
    const { webhooks } = rig.service()
    const receiver = rig.client().receive(() => ({}))
    const [{ id }, other] = [await rig.create(receiver.url), await rig.create(receiver.url)]
    rig.emit()
    rig.advance(minute)
    assert.equal((await webhooks.Get(keyOf(id))).replay, null)
    const first = await webhooks.Replay({ ...keyOf(id), from: noon, to: null, actor })
    assert.deepEqual((await webhooks.Get(keyOf(id))).replay, first)
    rig.advance(minute)
    await rig.service().replayDue()
    assert.equal((await webhooks.Get(keyOf(id))).replay?.status, 'done')
    rig.advance(second)
    const newest = await webhooks.Replay({ ...keyOf(id), from: noon, to: null, actor })
    const { endpoints } = await webhooks.List({ workspace, mode: null, limit: 10, before: null })
    assert.deepEqual(
      endpoints.map((endpoint) => [endpoint.id, endpoint.replay]),
      [
        [other.id, null],
        [id, newest],
      ],
    )
    const disabled = await webhooks.Update({ ...keyOf(id), actor, enabled: false })
    assert.deepEqual(disabled.replay, newest)
  })

  it('refuses more webhooks than a workspace may have, disabled ones included, until one is deleted', async () => {
    await rig.open({ limits: { endpoints: 2 } })
    const receiver = rig.client().receive(() => ({}))
    const first = await rig.create(receiver.url, { enabled: false })
    await rig.create(receiver.url, { mode: 'test' })
    const full = (thrown: unknown) => {
      assert.ok(thrown instanceof Fault)
      assert.deepEqual(
        [thrown.code, thrown.problems?.map(({ code }) => code)],
        ['validation_failed', ['too_many_webhooks']],
      )
      return true
    }
    const others = await Promise.allSettled([1, 2, 3].map(() => rig.create(receiver.url)))
    for (const other of others) full(other.status === 'rejected' && other.reason)
    await rig.create(receiver.url, { workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })
    await rig.service().webhooks.Delete({ ...keyOf(first.id), actor })
    const again = await Promise.allSettled([1, 2, 3].map(() => rig.create(receiver.url)))
    assert.deepEqual(again.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
  })

  it('removes deliveries and replays after 90 days, and immediately if their webhook is deleted', async () => {
    const day = 24 * hour
    const receiver = rig.client().receive(() => ({}))
    const [kept, deleted] = [await rig.create(receiver.url), await rig.create(receiver.url)]
    const old = rig.emit()
    rig.advance(minute)
    await rig.service().drain()
    const window = { from: noon, to: noon + second, actor }
    const replay = await rig.service().webhooks.Replay({ ...keyOf(kept.id), ...window })
    await rig.service().replayDue()
    rig.advance(89 * day)
    const fresh = rig.emit()
    await rig.service().drain()
    const eventsOf = async (id: string) => (await listed(rig, id)).map(({ eventId }) => eventId)
    assert.equal(await rig.service().purge(), 0)
    assert.deepEqual(await eventsOf(kept.id), [fresh.id, old.id])
    await rig.service().webhooks.Delete({ ...keyOf(deleted.id), actor })
    assert.equal(await rig.service().purge(), 2, 'those of the deleted webhook')
    assert.equal(await rig.deliveries.endpointAfter(''), kept.id)
    rig.advance(day)
    assert.equal(await rig.service().purge(), 1)
    assert.deepEqual(await eventsOf(kept.id), [fresh.id])
    const ofReplay = { ...keyOf(kept.id), replay: replay.id }
    assert.equal((await rig.service().webhooks.GetReplay(ofReplay)).status, 'done')
    rig.advance(1)
    await rig.service().purge()
    await assert.rejects(rig.service().webhooks.GetReplay(ofReplay), { code: 'not_found' })
  })

  it('leaves an entry of a redelivery only if it changes something', async () => {
    const answers = Promise.withResolvers<void>()
    const receiver = rig.client().receive(async () => {
      await answers.promise
      return {}
    })
    const { id } = await rig.create(receiver.url)
    const event = rig.emit()
    const drained = rig.service().drain()
    while (receiver.seen.length === 0) await new Promise(setImmediate)
    const [delivery] = await listed(rig, id, { eventId: event.id })
    const again = () => rig.service().webhooks.Redeliver({ ...keyOf(id), delivery: delivery?.id ?? '', actor })
    const lines = async () => {
      return (await rig.audit.list({ ...noAuditFilter, workspace, action: { is: 'webhook.redeliver' }, limit: 10 }))
        .length
    }
    await again()
    assert.equal(await lines(), 0, 'an attempt runs')
    answers.resolve()
    await drained
    await again()
    assert.equal(await lines(), 1)
    await rig.service().drain()
    assert.equal(receiver.seen.length, 2)
  })

  it('refuses a URL that can never be allowed, and an unknown type', async () => {
    await assert.rejects(rig.create('https://169.254.169.254/'), { code: 'validation_failed' })
    await assert.rejects(rig.create('https://example.com/', { events: ['email.lost'] }), { code: 'validation_failed' })
  })
})
