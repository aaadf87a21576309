import assert from 'node:assert/strict'
import { emailsWithHints } from '@postrider/adapters/eventHints.ts'
import { memoryHints } from '@postrider/adapters/memory/doorbell.ts'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { retryDelaysMs } from '@postrider/domain/webhooks/schedule.ts'
import { setAsideSuspended } from '@postrider/intake/setAsideSuspended.ts'
import { newId } from '@postrider/kit/ids.ts'
import { email as anyEmail, content, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { WebhookReply } from '@postrider/ports/webhookClient.conformance.ts'
import type { Db } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { sqliteForTests } from '../contract/sqlite.ts'
import { fakeWebhookClient } from '../support/fakeWebhookClient.ts'
import { createRequest } from '../support/webhooksRig.ts'
import { atEveryWrite, type Loss, type Lost, losingDb, type Point } from './everyWrite.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'
import {
  mongoWebhookStores,
  openWebhooksOn,
  sqliteWebhookStores,
  type WebhookStores,
  webhookDatabaseIndexes,
} from './webhookStores.ts'

/** Attempts of the schedule. */
const maxWebhookAttempts = retryDelaysMs.length + 1

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const noon = Date.UTC(2026, 10, 21, 12)

/** Stores in which a process dies at one of its writes: that write and all later calls fail. */
type Dying = Lost & { stores: WebhookStores }
type Composition = {
  /** Opens stores without data. */
  open(now: () => number): Promise<WebhookStores>
  deaths: readonly Loss[]
  /** Returns the stores that were opened last, of a process that dies at a point. */
  dying(now: () => number, point: Point): Dying
}

/** Mail of one workspace, a receiver, and processes of webhooks with a clock that only the test moves. */
const worldOn = async (composition: Composition, reply: (eventId: string, at: number) => WebhookReply) => {
  let time = noon
  const now = () => time
  const stores = await composition.open(now)
  // A request that never ends is ended after 20 ms instead of 10 s.
  const after = (_: number, then: () => void) => {
    const timer = setTimeout(then, 20)
    return () => clearTimeout(timer)
  }
  const client = fakeWebhookClient({ now, after })
  const accepted: string[] = []
  const times = new Map<string, number[]>()
  const receiver = client.receive(({ headers }) => {
    const id = headers['webhook-id'] ?? ''
    times.set(id, [...(times.get(id) ?? []), time])
    const response = reply(id, time)
    if ((response.status ?? 200) < 300 && (response.end ?? 'whole') === 'whole') accepted.push(id)
    return response
  })
  const hints = memoryHints()
  const workspace = newId('ws')
  const open = (of: WebhookStores = stores) => openWebhooksOn({ stores: of, hints, client, now })
  const events: string[] = []
  return {
    stores,
    receiver,
    workspace,
    accepted,
    /** The times at which each event was posted. */
    times,
    events,
    now,
    open,
    moveTo: (at: number) => {
      time = Math.max(time, at)
    },
    /** Does the chore of the sweep for mail of suspended workspaces. */
    sweepSuspended: (suspended: readonly string[], isHinted: boolean): Promise<void> =>
      setAsideSuspended(
        {
          emails: emailsWithHints({ ...stores, hints, workspaces: { has: () => isHinted } }),
          quota: { Release: async () => {} },
          suspensions: { suspended: async () => new Set(suspended) },
          now,
        },
        time,
      ),
    createEndpoint: async () => {
      await using service = await open()
      await service.webhooks.Create({ ...createRequest(receiver.url), workspace })
    },
    /** Stores an email, and an event more with a later write. @param isHinted whether its hints arrive */
    emit: async (isHinted: boolean): Promise<void> => {
      const emails = emailsWithHints({
        ...stores,
        hints,
        workspaces: { has: () => isHinted },
      })
      const draft = { recipient: null, cause: { kind: 'request', actor: 'key_1' } } as const
      const fresh = anyEmail({ workspace, createdAt: time, recipients: [recipient({ nextAt: null })] })
      const one = withEvents(fresh, time, [{ type: 'email.accepted', ...draft }])
      await emails.insert(one, content)
      const changed = withEvents(one, time, [{ type: 'email.delivered', recipient: 0 }])
      assert.equal(await emails.change(one.id, 0, time, { email: changed, nextAt: null }), true)
      events.push(...changed.events.map(({ id }) => id))
    },
    /** Returns what the feed shows. */
    pulled: async (): Promise<PublicEvent[]> => {
      const query = { workspace, mode: null, order: 'asc' as const, after: null, until: time, limit: 1_000 }
      return (await stores.feed.readEvents(query)).events
    },
    assertSameBodies: () => {
      const byId = Map.groupBy(receiver.seen, ({ headers }) => headers['webhook-id'])
      for (const seen of byId.values()) assert.equal(new Set(seen.map(({ body }) => body)).size, 1)
    },
  }
}

type World = Awaited<ReturnType<typeof worldOn>>

/** Works until the clock is at `end`: at each time at which a delivery is due, and at least every 40 s or hour. */
const workUntil = async (world: World, end: number, maxStepMs: number): Promise<void> => {
  await using service = await world.open()
  for (;;) {
    await service.drain()
    if (world.now() >= end) return
    const due = (await world.stores.deliveries.nextDue()) ?? end
    world.moveTo(Math.min(end, due > world.now() ? due : end, world.now() + maxStepMs))
  }
}

const conformance = (open: () => Composition) => {
  it('lose no event if a process dies at any write', async function () {
    this.timeout(shortOrLong(300_000, 1_200_000))
    const composition = open()
    await atEveryWrite(composition.deaths, async (point) => {
      const counts = new Map<string, number>()
      const world = await worldOn(composition, (id) => {
        counts.set(id, (counts.get(id) ?? 0) + 1)
        return { status: counts.get(id) === 1 && counts.size % 2 === 0 ? 500 : 200 }
      })
      await world.createEndpoint()
      const { stores, ...lost } = composition.dying(world.now, point)
      // A process that dies at its start ends there.
      const service = await world.open(stores).catch(() => null)
      for (const isHinted of [true, false, true]) await world.emit(isHinted)
      world.moveTo(world.now() + 20 * second)
      await service?.drain().catch(() => {})
      await service?.[Symbol.asyncDispose]().catch(() => {})
      // Another process continues. The leases of the first one end.
      for (const waitMs of [2 * minute, 8 * minute, 40 * minute]) await workUntil(world, world.now() + waitMs, waitMs)
      assert.deepEqual(new Set(world.accepted), new Set(world.events), `${point.loss} write ${point.n}`)
      assert.deepEqual(await world.stores.deliveries.backlog(10), { pending: 0, oldestDueAt: null })
      world.assertSameBodies()
      return lost
    })
  })

  for (const [name, isHinted] of [
    ['by a hint', true],
    ['by a scan', false],
  ] as const)
    it(`send the events of a suspended workspace during the suspension, found ${name}`, async () => {
      const world = await worldOn(open(), () => ({}))
      const { stores, workspace } = world
      await world.createEndpoint()
      // It waits for its next attempt, and expires while its workspace is suspended.
      const waiting = anyEmail({
        workspace,
        createdAt: world.now(),
        expiresAt: world.now() + hour,
        recipients: [recipient({ nextAt: world.now() })],
      })
      await stores.emails.insert(waiting, content)
      await world.sweepSuspended([workspace], isHinted)
      // An event from before the suspension.
      await world.emit(isHinted)
      await workUntil(world, world.now() + 2 * minute, 10 * second)
      assert.deepEqual(world.accepted.toSorted(), world.events.toSorted())
      world.moveTo(waiting.createdAt + hour)
      await world.sweepSuspended([workspace], isHinted)
      await workUntil(world, world.now() + 2 * minute, 10 * second)
      const pulled = await world.pulled()
      assert.deepEqual(
        pulled.filter(({ id }) => !world.events.includes(id)).map(({ type }) => type),
        ['email.failed'],
      )
      assert.deepEqual(world.accepted.toSorted(), pulled.map(({ id }) => id).toSorted())
      await world.sweepSuspended([], isHinted)
      await workUntil(world, world.now() + 2 * minute, 10 * second)
      assert.equal(world.accepted.length, pulled.length)
    })

  it('lose no event of 27 h of failures, and keep to the schedule', async function () {
    this.timeout(shortOrLong(300_000, 600_000))
    const random = seeded(printedSeed())
    const up = noon + 27 * hour
    const failures: WebhookReply[] = [{ status: 503 }, { status: 500 }, { end: 'never' }, { body: 'ok', end: 'early' }]
    const world = await worldOn(open(), (_, at) =>
      at >= up ? {} : (failures[Math.floor(random() * failures.length)] ?? {}),
    )
    await world.createEndpoint()
    for (let count = 0; count < 6; count++) {
      await world.emit(random() < 0.5)
      await workUntil(world, world.now() + 40 * second, 10 * second)
    }
    await workUntil(world, noon + 40 * hour, hour)
    const pulled = (await world.pulled()).map(({ id }) => id)
    assert.deepEqual(pulled.toSorted(), world.events.toSorted())
    assert.deepEqual(world.accepted.toSorted(), world.events.toSorted())
    world.assertSameBodies()
    const delays = (at: number[]): number[] => at.slice(1).map((one, index) => one - (at[index] ?? 0))
    for (const [id, at] of world.times) assert.deepEqual(delays(at), [...retryDelaysMs], id)
  })

  it('send each event until it is accepted, although hints, responses and processes are lost', async function () {
    this.timeout(shortOrLong(300_000, 600_000))
    const random = seeded(printedSeed())
    const attempts = new Map<string, number>()
    const randomFailure = (): WebhookReply => {
      const chance = random()
      if (chance < 0.3) return { status: 500 }
      if (chance < 0.4) return { body: 'ok', end: 'early' }
      return chance < 0.45 ? { end: 'never' } : {}
    }
    // The last attempt succeeds: an event whose attempts all fail is given up, by the schedule.
    const world = await worldOn(open(), (id) => {
      const made = (attempts.get(id) ?? 0) + 1
      attempts.set(id, made)
      return made < maxWebhookAttempts ? randomFailure() : {}
    })
    await world.createEndpoint()
    for (let count = 0; count < shortOrLong(15, 150); count++) {
      await world.emit(random() < 0.5)
      // Each turn is another process.
      await workUntil(world, world.now() + Math.floor(random() * 30 * second), hour)
    }
    for (let due: number | null = world.now(); due !== null; due = await world.stores.deliveries.nextDue())
      await workUntil(world, Math.max(due, world.now()) + minute, hour)
    assert.deepEqual(new Set(world.accepted), new Set((await world.pulled()).map(({ id }) => id)))
    assert.deepEqual(new Set(world.accepted), new Set(world.events))
    world.assertSameBodies()
  })
}

const died = (): Error => new Error('the process died')
const changes = /^(insert|write|claim|claimOne|claimScans|moveScan|scanSoon|release|cancel|remove)/

/** Returns a store whose calls count as one write each. */
const dyingStore = <Store extends object>(store: Store, state: { left: number }, isAfter: boolean): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...given: unknown[]) => {
        if (state.left <= 0) throw died()
        if (!changes.test(String(name))) return Reflect.apply(method, target, given)
        state.left -= 1
        if (state.left > 0) return Reflect.apply(method, target, given)
        if (isAfter) await Reflect.apply(method, target, given)
        throw died()
      }
    },
  })

describe('webhooks of processes that die (I27)', () => {
  describe('SQLite', () => {
    const openDb = sqliteForTests()
    let db: ReturnType<typeof openDb>['db']
    conformance(() => ({
      open: async (now) => {
        db = openDb().db
        return sqliteWebhookStores(db, now)
      },
      deaths: ['before', 'after'],
      dying: (now, { loss, n }) => {
        const state = { left: n }
        const healthy = sqliteWebhookStores(db, now)
        const wrap = <Store extends object>(store: Store): Store => dyingStore(store, state, loss === 'after')
        const { endpoints, deliveries, replays, feed, emails } = healthy
        return {
          stores: {
            ...healthy,
            endpoints: wrap(endpoints),
            deliveries: wrap(deliveries),
            replays: wrap(replays),
            feed: wrap(feed),
            emails: wrap(emails),
          },
          isLost: () => state.left <= 0,
        }
      },
    }))
  })

  describe('cluster', () => {
    const openDb = mongoForTests(...webhookDatabaseIndexes)
    let db: Db | null = null
    beforeEach(() => {
      db = null
    })

    conformance(() => ({
      open: async (now) => {
        db ??= await openDb()
        for (const one of await db.collections()) await one.deleteMany({})
        return mongoWebhookStores(db, now)
      },
      deaths: ['before', 'after', 'during'],
      dying: (now, point) => {
        const healthy = db ?? assert.fail('no database')
        const losing = losingDb(healthy, { point, failure: died, losesReads: true })
        return { stores: mongoWebhookStores(losing.db, now), isLost: losing.isLost }
      },
    }))
  })
})
