// node test/bench/webhookBacklog.ts [deliveries] [mongodb]: what undelivered events of one endpoint cost, next to 1,000
// of them.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { clientOptions, ensureIndexes } from '@postrider/adapters/mongo/client/connect.ts'
import { mongoWebhookDeliveries, webhookDeliveryIndexes } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { maxConcurrency } from '@postrider/domain/webhooks/life.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import type { WebhookClient } from '@postrider/ports/webhookClient.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import { eventAt, leaseMs } from '@postrider/ports/webhooksFixtures.conformance.ts'
import { MongoClient } from 'mongodb'
import { startMongo } from '../backends/mongo.ts'
import { until } from '../support/until.ts'
import { actor, webhooksRig, workspace } from '../support/webhooksRig.ts'

const few = 1_000
const many = Number(process.argv[2] ?? 1_000_000)
const isMongo = process.argv[3] === 'mongodb'

/** Calls of each operation; the median is reported. */
const calls = 15
const other = { id: 'whk_other', workspace: 'ws_other' }

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const print = (line: string): void => void process.stdout.write(`${line}\n`)

type EndpointKey = { id: string; workspace: string }

/** The store and how many deliveries of the endpoint it has. */
type Filled = { store: WebhookDeliveryStore; endpoint: EndpointKey; now: number; count: number }

const fill = async (filled: Filled, count: number): Promise<void> => {
  const { store, endpoint, now } = filled
  for (; filled.count < count; filled.count += few) {
    const deliveries = Array.from({ length: few }, () => newDelivery(endpoint, eventAt(now - 1), now))
    await store.insert(deliveries.map((delivery) => ({ delivery, leaseUntil: null })))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Returns the median time of each operation in microseconds. */
const costs = async ({ store, endpoint, now }: Filled): Promise<Record<string, number>> => {
  const times: Record<string, number[]> = {}
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work()
    times[name] = [...(times[name] ?? []), (performance.now() - begun) * 1_000]
    await new Promise((resolve) => setImmediate(resolve))
    return result
  }
  const insert = (endpointKey: EndpointKey) => [
    { delivery: newDelivery(endpointKey, eventAt(now - 1), now), leaseUntil: null },
  ]
  const list = { endpoint: endpoint.id, before: null, limit: 20 }
  for (let call = 0; call < calls; call++) {
    const added = insert(endpoint)
    await timed('store one more', () => store.insert(added))
    await store.insert(insert(other))
    const part = { endpoint: endpoint.id, limit: 16 }
    const claimed = await timed('claim 16', () => store.claim({ now, leaseMs, parts: [part] }))
    await store.release(claimed.map(({ delivery: { id }, fence }) => ({ id, fence })))
    const ofOther = await timed('claim of another endpoint', () =>
      store.claim({ now, leaseMs, parts: [{ endpoint: other.id, limit: 1 }] }),
    )
    for (const { delivery, fence } of ofOther)
      await timed('write of its outcome', () =>
        store.write(delivery.id, fence, { ...delivery, status: 'delivered', nextAt: null, endedAt: now }),
      )
    await timed('endpoints that wait', () => store.waiting('', 100))
    await timed('next due time', () => store.nextDue())
    await timed('count for metrics', () => store.backlog(100_000))
    await timed('list, 20 of any status', () => store.list({ ...list, status: null }))
    await timed('list, 20 that failed', () => store.list({ ...list, status: 'failed' }))
    await timed('one of the list', () => store.get(endpoint.id, added[0]?.delivery.id ?? ''))
    await timed('last success', () => store.lastSuccessAt(endpoint.id, false))
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]))
}

const table = (atFew: Record<string, number>, atMany: Record<string, number>): void => {
  print(`| µs, median of ${calls} | ${few} | ${many} | ratio |`)
  print('|---|---|---|---|')
  for (const [name, us] of Object.entries(atFew)) {
    const after = atMany[name] ?? Number.NaN
    print(`| ${name} | ${us.toFixed(0)} | ${after.toFixed(0)} | ${(after / us).toFixed(2)} |`)
  }
}

const compare = async (filled: Filled): Promise<void> => {
  await fill(filled, few)
  // The compilers of V8 and the caches of the store.
  await costs(filled)
  const atFew = await costs(filled)
  const begun = performance.now()
  await fill(filled, many)
  print(`${many} deliveries stored in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`)
  await costs(filled)
  table(atFew, await costs(filled))
}

const heapMb = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Requests to `/hang` have no response; others succeed. */
const scriptedClient = () => {
  let delivered = 0
  const post: WebhookClient['post'] = async ({ url, signal }) => {
    if (url.includes('/hang')) {
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      return { kind: 'failed', reason: 'stopped', detail: 'stopped', durationMs: 1 }
    }
    delivered += 1
    return { kind: 'answered', status: 200, headers: {}, body: new Uint8Array(), isBodyCut: false, durationMs: 1 }
  }
  return { client: { post, close: async () => {} }, delivered: () => delivered }
}

const ownEvents = 2_000

const onSqlite = async (): Promise<void> => {
  await using rig = await webhooksRig()
  const { client, delivered } = scriptedClient()
  const sample = rig.emit()
  const feed: EventFeed = {
    readEvents: async ({ until: at }) => ({ events: [], position: { at, id: '~' }, hasMore: false }),
    readEvent: async (owner, { id, at }) => ({ ...sample, workspace: owner, id, at }),
  }
  await rig.open({ client, feed })
  const { id } = await rig.create('http://127.0.0.1/hang')
  const filled: Filled = { store: rig.deliveries, endpoint: { id, workspace }, now: rig.now(), count: 0 }
  await rig.create('http://127.0.0.1/good', { workspace: other.workspace })

  /** CPU time of the process for each event of the other workspace. */
  const ofOthers = async (): Promise<number> => {
    const [before, sent] = [process.cpuUsage(), delivered()]
    for (let count = 0; count < ownEvents; count++) rig.emit('email.delivered', { owner: other.workspace })
    // The CPU time counts, so the checks stay frequent.
    await until('the other workspace has its events', () => delivered() === sent + ownEvents || undefined, 300_000, 15)
    const { user, system } = process.cpuUsage(before)
    rig.emails.clear()
    return (user + system) / ownEvents
  }
  await fill(filled, few)
  await ofOthers()
  const [atFew, heapAtFew] = [await ofOthers(), heapMb()]
  await rig.close()
  await compare(filled)
  const begun = performance.now()
  await rig.open({ client, feed })
  print(`\nstart of the service: ${(performance.now() - begun).toFixed(0)} ms`)
  await ofOthers()
  const atMany = await ofOthers()
  print(`CPU µs of an event of another workspace: ${atFew.toFixed(0)} → ${atMany.toFixed(0)}`)
  print(`heap in MiB: ${heapAtFew.toFixed(0)} → ${heapMb().toFixed(0)}`)
  const iterations = longestIteration()
  const ended = performance.now()
  await rig.service().webhooks.Update({ workspace, id, mode: null, actor, enabled: false })
  await until(
    // Requests that hang keep theirs.
    'the deliveries of the disabled endpoint have ended',
    async () => (await rig.deliveries.backlog(maxConcurrency + 1)).pending <= maxConcurrency || undefined,
    600_000,
  )
  print(
    `end of all when the endpoint is disabled: ${((performance.now() - ended) / 1_000).toFixed(1)} s, longest iteration ${iterations.stop().toFixed(0)} ms`,
  )
}

/** Measures how long the event loop was busy without a break. */
const longestIteration = () => {
  let [last, longest] = [performance.now(), 0]
  const check = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    next = setImmediate(check)
  }
  let next = setImmediate(check)
  return {
    stop: (): number => {
      clearImmediate(next)
      return Math.max(longest, performance.now() - last)
    },
  }
}

const onMongo = async (): Promise<void> => {
  await using mongo = await startMongo({ jvm: 'throughput' })
  const client = await new MongoClient(mongo.address, clientOptions('bench')).connect()
  try {
    const db = client.db('postrider_backlog')
    await ensureIndexes(db, webhookDeliveryIndexes)
    const endpoint = { id: 'whk_backlog', workspace }
    await compare({ store: mongoWebhookDeliveries(db), endpoint, now: Date.now(), count: 0 })
  } finally {
    await client.close()
  }
}

print(`${isMongo ? 'MongoDB stand-in' : 'SQLite'}, Node ${process.versions.node}`)
await (isMongo ? onMongo() : onSqlite())
