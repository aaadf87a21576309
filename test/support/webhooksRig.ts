import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryHints } from '@postrider/adapters/memory/doorbell.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import type { Email, EmailEventType, Mode } from '@postrider/domain/email/email.ts'
import { byPosition, type PublicEvent, publicEmailEvent } from '@postrider/domain/events/event.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { idOf, newId } from '@postrider/kit/ids.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import type { NewWorkspaceEvent } from '@postrider/ports/workspaceEvents.ts'
import { webhooksMetrics } from '@postrider/webhooks/metrics.ts'
import { type OpenWebhooksOptions, openWebhooks } from '@postrider/webhooks/webhooks.ts'
import { anEmail } from './anEmail.ts'
import { fakeWebhookClient } from './fakeWebhookClient.ts'
import { openNewDatabase } from './newDatabase.ts'

export const workspace = 'ws_01m7yr6cabfzvahf8pz72f0kb4'
export const actor = 'usr_01m7yr6cabfzvahf8pz72f0kb4'
export const noon = Date.UTC(2026, 0, 1, 12)

const config = {
  POSTRIDER_MAX_WEBHOOKS: 100,
  POSTRIDER_WEBHOOK_REQUESTS: 64,
  POSTRIDER_RETENTION_RECORD_DAYS: 90,
}

/** A feed over the events of emails in memory. */
const feedOf = (events: () => PublicEvent[]): EventFeed => ({
  readEvents: async ({ workspace: owner, mode, types, order, after, until, limit }) => {
    assert.equal(order, 'asc')
    const all = events()
      .filter((event) => event.workspace === owner && event.at <= until)
      .filter((event) => (mode === null || event.mode === mode) && (types === undefined || types.has(event.type)))
      .filter((event) => after === null || byPosition(event, after) > 0)
      .sort(byPosition)
    const page = all.slice(0, limit)
    const last = page.at(-1)
    const hasMore = all.length > page.length
    const end = { at: until, id: '~' }
    const isPast = after !== null && byPosition(after, end) > 0
    const position = hasMore && last ? { at: last.at, id: last.id } : isPast ? after : end
    return { events: page, position, hasMore }
  },
  readEvent: async (owner, position) =>
    events().find((event) => event.workspace === owner && byPosition(event, position) === 0) ?? null,
})

/** Opens the webhooks service on SQLite with a clock that only the test moves. */
export const webhooksRig = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
  const onFatal = (reason: unknown): void => {
    throw reason
  }
  const db = openNewDatabase({ path: join(folder, 'postrider.db'), onFatal })
  let time = noon
  const emails = new Map<string, Email>()
  const workspaceEvents: NewWorkspaceEvent[] = []
  const hints = memoryHints()
  const events = (): PublicEvent[] =>
    [...emails.values()].flatMap((email) => email.events.map((event) => publicEmailEvent(email, event)))
  const metrics = makeMetrics(webhooksMetrics)
  const options = (): OpenWebhooksOptions => ({
    endpoints: sqliteWebhookEndpoints(db),
    deliveries: sqliteWebhookDeliveries(db),
    replays: sqliteWebhookReplays(db),
    emails: {
      get: async (id) => {
        const email = emails.get(id)
        return email ? { email, nextAt: null, leaseUntil: null, fence: 0, deaths: 0 } : null
      },
    },
    feed: feedOf(events),
    workspaceEvents: {
      insert: async (added) => {
        workspaceEvents.push(...added)
        return added.map(({ id }) => id)
      },
    },
    hints,
    clocks: { get: async () => null },
    // The test closes it: several processes use it one after the other.
    client: { post: client.post, close: async () => {} },
    rules: webhookRules({ allow: ['127.0.0.0/8'] }),
    durable: db,
    secrets: ['a-master-key-of-thirty-two-characters'],
    config,
    now: () => time,
    elapsed: () => time,
    random: () => 0,
    pause: async () => {},
    log: makeLog('test', 'silent'),
    metrics,
  })
  const client = fakeWebhookClient({ now: () => time })
  let opened: Awaited<ReturnType<typeof openWebhooks>> | null = null
  const close = async (): Promise<void> => {
    await opened?.[Symbol.asyncDispose]()
    opened = null
  }
  const rig = {
    emails,
    workspaceEvents,
    metrics,
    options,
    events,
    audit: sqliteAudit(db),
    deliveries: sqliteWebhookDeliveries(db),
    endpoints: sqliteWebhookEndpoints(db),
    now: () => time,
    moveTo: (at: number): void => {
      time = at
    },
    advance: (ms: number): void => {
      time += ms
    },
    client: () => client,
    service: () => opened ?? assert.fail('the service is closed'),
    /** Opens the service, also again after `close`. */
    open: async (over: Partial<OpenWebhooksOptions> = {}) => {
      await close()
      opened = await openWebhooks({ ...options(), ...over })
      return opened
    },
    close,
    create: async (url: string, over: Partial<Parameters<typeof createRequest>[1]> = {}) => {
      const { endpoint, secret } = await rig.service().webhooks.Create(createRequest(url, over))
      return { ...endpoint, secret }
    },
    /** Stores an event of a new email. @param isHinted whether its hint arrives */
    emit: (
      type: EmailEventType = 'email.delivered',
      {
        isHinted = true,
        owner = workspace,
        over = {},
      }: { isHinted?: boolean; owner?: string; over?: Partial<Email> } = {},
    ): PublicEvent => {
      const id = newId('em')
      const event = { id: idOf('evt', time, randomBytes(10)), sequence: 1, type, at: time, recipient: 0 }
      const email = anEmail({ id, workspace: owner, events: [event], ...over })
      emails.set(id, email)
      if (isHinted) hints.ring([{ workspace: owner, id }])
      return publicEmailEvent(email, event)
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      await client.close()
      await db[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
  await rig.open()
  return rig
}

export const createRequest = (
  url: string,
  over: Partial<{ mode: Mode | null; events: string[]; description: string; enabled: boolean; workspace: string }> = {},
) => ({ workspace, mode: null, url, events: [], description: '', enabled: true, actor, ...over })
