import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import {
  deliveryId,
  deliveryStatuses,
  endedDelivery,
  madeAgain,
  newDelivery,
  type WebhookDelivery,
} from '@postrider/domain/webhooks/delivery.ts'
import { changedEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { newReplay } from '@postrider/domain/webhooks/replay.ts'
import { idOf } from '@postrider/kit/ids.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import type { WebhookReplayStore } from '@postrider/ports/webhookReplays.ts'
import { webhookEndpoint } from '@postrider/ports/webhooksFixtures.conformance.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, rarely, timeOf } from './compare.ts'

type Claimed = { delivery: WebhookDelivery; fence: number }

type Stores = {
  endpoints: WebhookEndpointStore
  deliveries: WebhookDeliveryStore
  replays: WebhookReplayStore
  audit: Audit
  /** What was claimed, and perhaps lost since. */
  scans: { id: string; fence: number }[]
  claimed: Claimed[]
  replaying: Awaited<ReturnType<WebhookReplayStore['claim']>>
}

const operation = operationsOn<Stores>()

const start = Date.UTC(2026, 10, 28, 12)
const leaseMs = minuteMs
const [endpointCount, eventCount] = [4, 4]
const endpoint = fc.nat({ max: endpointCount - 1 })
const event = fc.nat({ max: eventCount - 1 })
const limit = fc.constantFrom(1, 2, 100)
const recent = fc.nat({ max: 3 })

const endpointId = (number: number): string => `wh_${number}`
const workspaceOf = (number: number): string => `ws_${number % 2}`
const entryOf = (moment: Moment, workspace = 'ws_0') =>
  anEntry({ id: newIdOf('aud', moment), workspace, at: timeOf(moment) })

const ofEndpoints = {
  insertEndpoint: operation(
    {
      number: endpoint,
      max: fc.constantFrom(1, 5),
      mode: fc.constantFrom(null, 'live', 'test'),
      hasNotice: fc.boolean(),
    },
    ({ endpoints }, given, moment) => {
      const at = timeOf(moment)
      const workspace = workspaceOf(given.number)
      const notices = given.hasNotice ? [{ kind: 'exhausted' as const, at, reason: null }] : []
      const times = { since: at, createdAt: at, updatedAt: at }
      const one = webhookEndpoint({ id: endpointId(given.number), workspace, mode: given.mode, notices, ...times })
      return endpoints.insert(one, given.max, entryOf(moment, workspace))
    },
    4,
  ),
  writeEndpoint: operation(
    {
      number: endpoint,
      enabled: fc.boolean(),
      restart: fc.boolean(),
      secret: fc.constantFrom('s1', 's2'),
      isStale: rarely,
    },
    async ({ endpoints }, given, moment) => {
      const [workspace, id] = [workspaceOf(given.number), endpointId(given.number)]
      const stored = await endpoints.get(workspace, id)
      if (stored === null) return null
      const changed = changedEndpoint(stored.endpoint, { enabled: given.enabled }, timeOf(moment))
      const secrets = changed.secrets.map((one) => ({ ...one, sealed: { ...one.sealed, secretId: given.secret } }))
      const rev = stored.rev + (given.isStale ? 1 : 0)
      const change = { endpoint: { ...changed, secrets, notices: [] }, restart: given.restart }
      return endpoints.write(id, rev, change, [entryOf(moment, workspace)])
    },
    4,
  ),
  removeEndpoint: operation({ number: endpoint, isOther: rarely }, ({ endpoints }, given, moment) => {
    const workspace = workspaceOf(given.number + (given.isOther ? 1 : 0))
    return endpoints.remove(workspace, endpointId(given.number), () => entryOf(moment, workspace))
  }),
  listEndpoints: operation(
    {
      workspace: fc.constantFrom('ws_0', 'ws_1'),
      mode: fc.constantFrom(null, 'live', 'test'),
      before: fc.option(endpoint.map(endpointId), { nil: null }),
      limit,
    },
    async ({ endpoints }, given) => [
      await endpoints.list(given),
      inAnyOrder(await endpoints.enabledOf(given.workspace)),
      inAnyOrder(await endpoints.byIds(['wh_0', 'wh_1', 'wh_9'])),
      await endpoints.enabledWorkspaces(),
      inAnyOrder(await endpoints.withNotices(100)),
      inAnyOrder(await endpoints.secretIds()),
      inAnyOrder(await endpoints.sealedByOthers('s1', 100)),
      await endpoints.counts(),
    ],
    2,
  ),
  claimScans: operation(
    {},
    async (stores, _, { now }) => {
      const claimed = await stores.endpoints.claimScans({ now, limit: 100, leaseMs })
      const byId = claimed.toSorted((one, other) => (one.endpoint.id < other.endpoint.id ? -1 : 1))
      stores.scans.push(...byId.map(({ endpoint: { id }, fence }) => ({ id, fence })))
      return byId
    },
    3,
  ),
  moveScan: operation(
    { of: recent, afterMs: fc.constantFrom(0, minuteMs) },
    async ({ endpoints, scans }, given, moment) => {
      const scan = scans.at(-1 - given.of)
      if (!scan) return null
      const cursor = { at: moment.now, id: `evt_${moment.step}` }
      return endpoints.moveScan(scan.id, scan.fence, { cursor, nextAt: timeOf(moment) + given.afterMs })
    },
    3,
  ),
  scanSoon: operation({ number: endpoint, inMs: fc.constantFrom(0, hourMs) }, ({ endpoints }, given, { now }) =>
    endpoints.scanSoon(workspaceOf(given.number), now + given.inMs),
  ),
  clearScans: operation({}, ({ endpoints }) => endpoints.clearScans()),
}

const eventAt = (number: number): number => start - hourMs + number * 10
const eventId = (number: number): string => idOf('evt', eventAt(number), new Uint8Array(10).fill(number))
const idOfDelivery = (to: number, of: number): string => deliveryId(endpointId(to), eventId(of))

type DeliveryInput = { endpoint: number; event: number; isTest: boolean; isTestMode: boolean; clock: number | null }

const aDelivery = (given: DeliveryInput, moment: Moment): WebhookDelivery => {
  const to = { id: endpointId(given.endpoint), workspace: workspaceOf(given.endpoint) }
  const mode = given.isTestMode ? 'test' : 'live'
  const about = { id: eventId(given.event), type: 'email.bounced' as const, at: eventAt(given.event), mode } as const
  const one = newDelivery(to, about, timeOf(moment))
  return { ...one, isTest: given.isTest, ...(given.clock !== null && { clockOffset: given.clock }) }
}

const delivery = {
  endpoint,
  event,
  isTest: rarely,
  isTestMode: fc.boolean(),
  clock: fc.constantFrom(null, null, 5, 10),
}

/** Returns a delivery after an attempt. */
const attempted = (one: WebhookDelivery, as: 'delivered' | 'retried' | 'failed', moment: Moment): WebhookDelivery => {
  const at = timeOf(moment)
  const response = { body: `${moment.step}`, isCut: false }
  const attempt = { at, statusCode: as === 'delivered' ? 200 : 500, durationMs: 5, error: null, response }
  const tried = { ...one, tries: one.tries + 1, attempts: [...one.attempts, attempt] }
  if (as === 'failed') return endedDelivery(tried, 'exhausted', at)
  return as === 'retried'
    ? { ...tried, nextAt: at + minuteMs }
    : { ...tried, status: 'delivered', nextAt: null, endedAt: at }
}

const ofDeliveries = {
  insert: operation(
    { ...delivery, isLeased: rarely },
    async ({ deliveries, claimed }, given, moment) => {
      const one = aDelivery(given, moment)
      const leaseUntil = given.isLeased ? timeOf(moment) + leaseMs : null
      const stored = await deliveries.insert([{ delivery: one, leaseUntil }])
      const fence = stored.get(one.id)
      if (given.isLeased && fence !== undefined) claimed.push({ delivery: one, fence })
      return stored
    },
    6,
  ),
  insertRequested: operation(delivery, ({ deliveries }, given, moment) =>
    deliveries.insertRequested(aDelivery(given, moment), entryOf(moment)),
  ),
  listDeliveries: operation(
    {
      endpoint: endpoint.map(endpointId),
      before: fc.option(event, { nil: null }),
      limit,
      status: fc.option(fc.constantFrom(...deliveryStatuses), { nil: null }),
    },
    ({ deliveries }, given) => {
      const before =
        given.before === null ? null : idOfDelivery(Number(given.endpoint.slice('wh_'.length)), given.before)
      return deliveries.list({ ...given, before })
    },
    2,
  ),
  // Claims one delivery of each endpoint, so that no two leases of an endpoint end at the same time.
  claim: operation(
    { endpoints: fc.uniqueArray(endpoint, { minLength: 1, maxLength: 3 }) },
    async ({ deliveries, claimed }, given, moment) => {
      const parts = given.endpoints.map((to) => ({ endpoint: endpointId(to), limit: 1 }))
      const found = await deliveries.claim({ now: moment.now, leaseMs: leaseMs + moment.step, parts })
      const sorted = found.toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
      claimed.push(...sorted)
      return sorted
    },
    5,
  ),
  claimOne: operation({ endpoint, event }, async ({ deliveries, claimed }, given, moment) => {
    const id = idOfDelivery(given.endpoint, given.event)
    const found = await deliveries.claimOne(endpointId(given.endpoint), id, moment.now, leaseMs + moment.step)
    if (found) claimed.push(found)
    return found
  }),
  changeRequested: operation(
    { endpoint, event },
    ({ deliveries }, given, moment) => {
      const id = idOfDelivery(given.endpoint, given.event)
      const of = { endpoint: endpointId(given.endpoint), id, now: moment.now }
      return deliveries.changeRequested(of, (one) => madeAgain(one, timeOf(moment)), entryOf(moment))
    },
    2,
  ),
  write: operation(
    { of: recent, as: fc.constantFrom('delivered', 'retried', 'failed') },
    async (stores, given, moment) => {
      const one = stores.claimed.at(-1 - given.of)
      if (!one) return null
      // A holder writes once.
      stores.claimed = stores.claimed.filter((other) => other !== one)
      return stores.deliveries.write(one.delivery.id, one.fence, attempted(one.delivery, given.as, moment))
    },
    5,
  ),
  release: operation({ of: recent }, async (stores, given) => {
    const one = stores.claimed.at(-1 - given.of)
    stores.claimed = stores.claimed.filter((other) => other !== one)
    if (one) await stores.deliveries.release([{ id: one.delivery.id, fence: one.fence }])
  }),
  clearLeases: operation({}, async (stores) => {
    stores.claimed = []
    await stores.deliveries.clearLeases()
  }),
  cancel: operation({ endpoint }, ({ deliveries }, given, { now }) =>
    deliveries.cancel(endpointId(given.endpoint), now, 100),
  ),
  removeBefore: operation({ event }, ({ deliveries }, given) => deliveries.removeBefore(eventAt(given.event), 100)),
  removeOf: operation({ endpoint }, async (stores, given) => {
    const id = endpointId(given.endpoint)
    return [await stores.deliveries.removeOf(id, 100), await stores.replays.removeOf(id)]
  }),
  forgetResponses: operation({ endpoint, event }, ({ deliveries }, given) =>
    deliveries.forgetResponses([idOfDelivery(given.endpoint, given.event), 'dlv_none']),
  ),
  follow: operation({ endpoint, offset: fc.constantFrom(5, 10) }, async ({ deliveries }, given, moment) => {
    const behind = { endpoints: [endpointId(given.endpoint)], now: moment.now, offset: given.offset, limit: 100 }
    const found = await deliveries.behindClock(behind)
    const sorted = found.toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
    const followed: boolean[] = []
    for (const { delivery: one, fence } of sorted) {
      const moved = { ...one, clockOffset: given.offset, nextAt: (one.nextAt ?? 0) - 1_000 }
      followed.push(await deliveries.follow(one.id, fence, moved, moment.now))
    }
    return [sorted, followed]
  }),
  counts: operation(
    { endpoint, max: limit },
    async ({ deliveries }, given, { now }) => {
      const id = endpointId(given.endpoint)
      return [
        await deliveries.waiting('', 100),
        await deliveries.waiting(id, given.max),
        await deliveries.nextDue(),
        await deliveries.lastSuccessAt(id, false),
        await deliveries.lastSuccessAt(id, true),
        await deliveries.endpointAfter(id),
        await deliveries.dueTests({ endpoints: ['wh_0', 'wh_1'], now, max: given.max }),
        await deliveries.countWaiting(id, given.max),
        await deliveries.backlog(given.max),
      ]
    },
    3,
  ),
}

const ofReplays = {
  insertReplay: operation(
    { endpoint },
    ({ replays }, given, moment) => {
      const to = { id: endpointId(given.endpoint), workspace: workspaceOf(given.endpoint) }
      const window = { from: start - dayMs, to: start }
      const id = newIdOf('rpl', moment)
      return replays.insert(newReplay(id, to, window, timeOf(moment)), entryOf(moment, to.workspace))
    },
    3,
  ),
  claimReplays: operation(
    { except: fc.constantFrom<string[]>([], ['ws_0']) },
    async ({ replays, replaying }, given, moment) => {
      const found = await replays.claim({ ...given, now: moment.now, limit: 1, leaseMs: leaseMs + moment.step })
      replaying.push(...found)
      return found
    },
    2,
  ),
  writeReplay: operation(
    { of: recent, isDone: fc.boolean(), isKept: fc.boolean() },
    async ({ replays, replaying }, given, moment) => {
      const one = replaying.at(-1 - given.of)
      if (!one) return null
      const replay = {
        ...one.replay,
        sent: moment.step,
        ...(given.isDone && { status: 'done' as const, endedAt: timeOf(moment) }),
      }
      return replays.write(replay.id, one.fence, replay, given.isKept ? timeOf(moment) + leaseMs : null)
    },
    2,
  ),
  readReplays: operation({ endpoint, id: fc.nat({ max: 20 }) }, async ({ replays }, given) => [
    await replays.get(endpointId(given.endpoint), null),
    await replays.get(endpointId(given.endpoint), `rpl_${String(given.id).padStart(4, '0')}`),
    await replays.newest(['wh_0', 'wh_1', 'wh_2']),
  ]),
  clearReplays: operation({}, ({ replays }) => replays.clearLeases()),
  removeReplays: operation({ backMs: fc.constantFrom(0, hourMs) }, ({ replays }, given, { now }) =>
    replays.removeBefore(now - given.backMs),
  ),
}

const contents = async ({ endpoints, deliveries, replays, audit }: Stores): Promise<unknown> => {
  const all = Array.from({ length: endpointCount }, (_, to) => to)
  const of = async (to: number) => ({
    endpoint: await endpoints.get(workspaceOf(to), endpointId(to)),
    deliveries: await Promise.all(
      Array.from({ length: eventCount }, (_, one) => deliveries.get(endpointId(to), idOfDelivery(to, one))),
    ),
    replay: await replays.get(endpointId(to), null),
  })
  return {
    of: await Promise.all(all.map(of)),
    waiting: await deliveries.waiting('', 100),
    backlog: await deliveries.backlog(100),
    audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
  }
}

const withoutClaims = (stores: Omit<Stores, 'scans' | 'claimed' | 'replaying'>): Stores => ({
  ...stores,
  scans: [],
  claimed: [],
  replaying: [],
})

export const webhookDifferences: Comparison<Stores> = {
  name: 'webhooks, their deliveries and replays',
  sqlite: (db) =>
    withoutClaims({
      endpoints: sqliteWebhookEndpoints(db),
      deliveries: sqliteWebhookDeliveries(db),
      replays: sqliteWebhookReplays(db),
      audit: sqliteAudit(db),
    }),
  mongo: (db) =>
    withoutClaims({
      endpoints: mongoWebhookEndpoints(db),
      deliveries: mongoWebhookDeliveries(db),
      replays: mongoWebhookReplays(db),
      audit: mongoAudit(db),
    }),
  operations: { ...ofEndpoints, ...ofDeliveries, ...ofReplays },
  waits: [1_000, leaseMs, hourMs, dayMs, -1_000],
  contents,
  maxOperations: 40,
}
