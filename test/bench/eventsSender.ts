// A contestant of `npm run bench -- events`:
// `node test/bench/eventsSender.ts <postrider|inline> <receiver> <warm-up> <events>` sends events to the receiver, and
// prints an `EventsMeasurement` as JSON.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webhookClient } from '@postrider/adapters/http/webhookClient.ts'
import { memoryHints } from '@postrider/adapters/memory/doorbell.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { eventBody } from '@postrider/contracts/http/event.ts'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { publicEmailEvent } from '@postrider/domain/events/event.ts'
import { maxConcurrency } from '@postrider/domain/webhooks/life.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { webhooksMetrics } from '@postrider/webhooks/metrics.ts'
import { openWebhooks } from '@postrider/webhooks/webhooks.ts'
import { Pool } from 'undici'
import { anEmail } from '../support/anEmail.ts'
import { until } from '../support/until.ts'
import { createRequest, workspace } from '../support/webhooksRig.ts'
import type { EventsMeasurement } from './eventsRound.ts'

const [kind, receiver = '', warmUp = '0', events = '0'] = process.argv.slice(2)

/** Sends one event for each email. */
type Sender = AsyncDisposable & { prepare(count: number): Promise<() => Promise<void>> }

/** A delivered mail with its last event. */
const delivered = (): Email => {
  const at = Date.now()
  const reply = '250 2.0.0 Ok: queued as 4bX7pQ2Lw9z1'
  const cause = { kind: 'reply', attempt: newId('att'), code: 250, enhanced: '2.0.0' } as const
  const email = anEmail({ id: newId('em'), createdAt: at, tags: { order: '12345678' }, metadata: { customer: '8765' } })
  return withEvents(email, at, [{ type: 'email.delivered', recipient: 0, reply, cause }])
}

const content = { html: null, text: 'Hello', headers: {}, attachments: [] }

const openPostrider = async (): Promise<Sender> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
  const onFatal = (reason: unknown): void => {
    throw reason
  }
  const db = openDatabase({ path: join(folder, 'postrider.db'), onFatal })
  const emails = sqliteEmails(db)
  const hints = memoryHints()
  const rules = webhookRules({ allow: ['127.0.0.0/8'] })
  const metrics = makeMetrics(webhooksMetrics)
  const service = await openWebhooks({
    endpoints: sqliteWebhookEndpoints(db),
    deliveries: sqliteWebhookDeliveries(db),
    replays: sqliteWebhookReplays(db),
    emails,
    feed: sqliteEventFeed(db),
    workspaceEvents: sqliteWorkspaceEvents(db, Date.now),
    hints,
    clocks: sqliteTestClocks(db),
    client: webhookClient({ rules }),
    rules,
    durable: db,
    secrets: ['a-master-key-of-thirty-two-characters'],
    config: { POSTRIDER_MAX_WEBHOOKS: 100, POSTRIDER_WEBHOOK_REQUESTS: 256, POSTRIDER_RETENTION_RECORD_DAYS: 90 },
    now: Date.now,
    log: makeLog('bench', 'silent'),
    metrics,
  })
  await service.webhooks.Create(createRequest(receiver))
  let expected = 0
  const sent = async (): Promise<number> => {
    const found = (await metrics.webhookAttempts.get()).values.find(({ labels }) => labels['outcome'] === 'delivered')
    return found?.value ?? 0
  }
  return {
    prepare: async (count) => {
      const all = Array.from({ length: count }, delivered)
      for (let from = 0; from < count; from += 200) {
        await Promise.all(all.slice(from, from + 200).map((email) => emails.insert(email, content)))
        await db.synced()
      }
      expected += count
      return async () => {
        hints.ring(all.map(({ id }) => ({ workspace, id })))
        // The time counts, so the checks stay frequent.
        await until('the receiver has every event', async () => (await sent()) >= expected || undefined, 300_000, 15)
      }
    },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A common solution: each event is posted immediately, without retries. It stores nothing and signs nothing. */
const openInline = (): Sender => {
  const { origin, pathname } = new URL(receiver)
  const pool = new Pool(origin, { connections: maxConcurrency })
  const post = async (event: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const { body, statusCode } = await pool.request({
      method: 'POST',
      path: pathname,
      headers,
      body: JSON.stringify(event),
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`the receiver returned ${statusCode}`)
  }
  return {
    prepare: async (count) => {
      const all = Array.from({ length: count }, delivered)
      const payloads = all.flatMap((email) => email.events.map((event) => eventBody(publicEmailEvent(email, event))))
      return async () => {
        await Promise.all(payloads.map(post))
      }
    },
    [Symbol.asyncDispose]: () => pool.close(),
  }
}

await using sender = kind === 'postrider' ? await openPostrider() : openInline()
await (await sender.prepare(Number(warmUp)))()
const count = Number(events)
const send = await sender.prepare(count)
const [begun, before] = [performance.now(), process.cpuUsage()]
await send()
const { user, system } = process.cpuUsage(before)
const measured: EventsMeasurement = {
  perSecond: (count * 1_000) / (performance.now() - begun),
  cpuMsPerEvent: (user + system) / 1_000 / count,
  peakMb: process.resourceUsage().maxRSS / 1_024,
}
process.stdout.write(`${JSON.stringify(measured)}\n`)
