import assert from 'node:assert/strict'
import { printedSeed, seeded } from '../../test/faults/random.ts'
import { webhooksRig, workspace } from '../../test/support/webhooksRig.ts'
import type { OpenWebhooksOptions } from './webhooks.ts'

const minute = 60_000

const died = (): Error => new Error('the process died')

/** Returns stores as seen by a process that dies at its write number `left`: that call and every later one fail. */
const dying = (options: OpenWebhooksOptions, left: { writes: number }, isAfter: boolean): OpenWebhooksOptions => {
  const changes = /^(insert|write|claim|claimOne|claimScans|moveScan|scanSoon|release|cancel|changeRequested|remove)/
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const method = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...given: unknown[]) => {
          if (left.writes < 0) throw died()
          if (!changes.test(String(name))) return Reflect.apply(method, target, given)
          left.writes -= 1
          if (left.writes >= 0) return Reflect.apply(method, target, given)
          // The write is stored, and its result is lost; or it is not stored.
          if (isAfter) await Reflect.apply(method, target, given)
          throw died()
        }
      },
    })
  const { endpoints, deliveries, replays, feed } = options
  return {
    ...options,
    endpoints: wrap(endpoints),
    deliveries: wrap(deliveries),
    replays: wrap(replays),
    feed: wrap(feed),
  }
}

describe('webhooks in a process that dies', () => {
  for (const isAfter of [false, true])
    it(`lose no event if it dies at any write, ${isAfter ? 'after' : 'before'} the write is stored`, async () => {
      for (let writes = 0, hasDied = true; hasDied; writes++) {
        await using rig = await webhooksRig()
        const answers: number[] = []
        const receiver = rig.client().receive(() => {
          answers.push(answers.length % 3 === 0 ? 500 : 200)
          return { status: answers.at(-1) ?? 500 }
        })
        await rig.create(receiver.url)
        await rig.close()
        const left = { writes }
        await rig.open(dying(rig.options(), left, isAfter))
        const sent = [true, false, true].map((isHinted) => rig.emit('email.delivered', { isHinted }).id)
        rig.advance(20_000)
        await rig
          .service()
          .drain()
          .catch(() => {})
        await rig.close().catch(() => {})
        hasDied = left.writes < 0
        // Another process continues. The leases of the first one end.
        await rig.open()
        for (const wait of [2 * minute, 8 * minute, 40 * minute]) {
          rig.advance(wait)
          await rig.service().drain()
        }
        const accepted = receiver.seen.flatMap(({ headers }, index) =>
          answers[index] === 200 ? [headers['webhook-id'] ?? ''] : [],
        )
        assert.deepEqual([...new Set(accepted)].sort(), sent.toSorted(), `dies at write ${writes}`)
        assert.deepEqual(await rig.deliveries.backlog(10), { pending: 0, oldestDueAt: null })
        const bodies = Map.groupBy(receiver.seen, ({ headers }) => headers['webhook-id'])
        for (const seen of bodies.values()) assert.equal(new Set(seen.map(({ body }) => body)).size, 1)
      }
    })

  it('send every event that the feed shows, although hints and responses are lost', async () => {
    const random = seeded(printedSeed())
    await using rig = await webhooksRig()
    const receiver = rig.client().receive(() => ({ status: random() < 0.5 ? 500 : 200 }))
    await rig.create(receiver.url)
    for (let count = 0; count < 60; count++) {
      rig.emit('email.delivered', { isHinted: random() < 0.5 })
      rig.advance(Math.floor(random() * 30_000))
      await rig.service().drain()
      if (random() < 0.1) {
        await rig.close()
        await rig.open()
      }
    }
    for (;;) {
      rig.advance(minute)
      await rig.service().drain()
      const due = await rig.deliveries.nextDue()
      if (due === null) break
      rig.moveTo(Math.max(due, rig.now()))
    }
    rig.advance(minute)
    await rig.service().drain()
    const ids = new Set(receiver.seen.map(({ headers }) => headers['webhook-id']))
    assert.deepEqual(
      [...ids].sort(),
      rig
        .events()
        .map(({ id }) => id)
        .sort(),
    )
    assert.ok(rig.events().every((event) => event.workspace === workspace))
  })
})
