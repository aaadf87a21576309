import assert from 'node:assert/strict'
import { newDelivery, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { maxRequestMs, webhookLeaseMs, writeMs } from '@postrider/domain/webhooks/schedule.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { WebhookClient } from '@postrider/ports/webhookClient.ts'
import { webhooksRig } from '../../test/support/webhooksRig.ts'

const ok = { kind: 'answered', status: 200, headers: {}, body: new Uint8Array(), isBodyCut: false } as const

describe('leases of webhook deliveries', () => {
  let rig: Awaited<ReturnType<typeof webhooksRig>>
  beforeEach(async () => {
    rig = await webhooksRig()
  })
  afterEach(() => rig[Symbol.asyncDispose]())

  const latest = webhookLeaseMs - maxRequestMs - writeMs

  for (const slowMs of [
    0,
    1_000,
    latest,
    latest + 1,
    webhookLeaseMs - 1,
    webhookLeaseMs,
    webhookLeaseMs + 1,
    3_600_000,
  ])
    it(`begin no request that may outlive them: ${slowMs} ms until the event is read`, async () => {
      const sentAt: number[] = []
      let claimedAt = 0
      let isSlow = true
      const { emails, deliveries } = rig.options()
      const client: WebhookClient = {
        post: async () => {
          sentAt.push(rig.now() - claimedAt)
          return { ...ok, durationMs: 1 }
        },
        close: async () => {},
      }
      await rig.open({
        client,
        deliveries: {
          ...deliveries,
          claim: async (query) => {
            claimedAt = query.now
            return deliveries.claim(query)
          },
        },
        emails: {
          get: async (id) => {
            if (isSlow) rig.advance(slowMs)
            isSlow = false
            return emails.get(id)
          },
        },
      })
      await rig.create('https://127.0.0.1/')
      const event = rig.emit('email.delivered', { isHinted: false })
      const [endpoint] = await rig.endpoints.enabledOf(event.workspace)
      assert.ok(endpoint)
      await rig.deliveries.insert([{ delivery: newDelivery(endpoint, event, rig.now()), leaseUntil: null }])
      await rig.service().drain()
      assert.equal(sentAt.length, 1)
      assert.ok((sentAt[0] ?? 0) + maxRequestMs < webhookLeaseMs, `sent ${sentAt[0]} ms after the claim`)
      assert.equal(sentAt[0], slowMs <= latest ? slowMs : 0)
      assert.equal((await rig.deliveries.backlog(1)).pending, 0)
    })

  for (const failsMs of [0, 20_000, webhookLeaseMs - maxRequestMs - 1, webhookLeaseMs, 10 * webhookLeaseMs])
    it(`end the repeats of a write that fails for ${failsMs} ms`, async () => {
      const { deliveries } = rig.options()
      const failsUntil = rig.now() + maxRequestMs + failsMs
      const writes: { at: number; delivery: WebhookDelivery }[] = []
      let requests = 0
      await rig.open({
        client: {
          post: async () => {
            requests += 1
            if (requests === 1) rig.advance(maxRequestMs)
            return { ...ok, durationMs: maxRequestMs }
          },
          close: async () => {},
        },
        pause: async (ms) => rig.advance(ms),
        deliveries: {
          ...deliveries,
          write: async (id, fence, delivery) => {
            writes.push({ at: rig.now(), delivery })
            if (rig.now() < failsUntil) throw new Fault('unavailable', 'The store is down.')
            return deliveries.write(id, fence, delivery)
          },
        },
      })
      await rig.create('https://127.0.0.1/')
      const start = rig.now()
      rig.emit()
      const isLost = failsMs >= webhookLeaseMs - maxRequestMs
      const drained = rig.service().drain()
      await (isLost ? assert.rejects(drained) : drained)
      const maxPauseMs = 10_000
      const late = writes.filter(({ at }) => at > start + webhookLeaseMs + maxPauseMs)
      assert.deepEqual(late, [])
      rig.moveTo(Math.max(rig.now(), failsUntil, start + webhookLeaseMs))
      await rig.service().drain()
      // An outcome that was not written is made up by another attempt with the same id.
      assert.equal(requests, isLost ? 2 : 1)
      assert.equal((await rig.deliveries.backlog(1)).pending, 0)
    })

  // The event may belong to a transaction that is still open, and would never have happened if its commit fails.
  it('begin no request before the event is on disk', async () => {
    let isFull = true
    const { durable } = rig.options()
    const synced = async (): Promise<void> => {
      if (isFull) throw new Fault('unavailable', 'The disk is full.')
      await durable.synced()
    }
    await rig.open({ durable: { ...durable, synced } })
    const receiver = rig.client().receive(() => ({ status: 200 }))
    await rig.create(receiver.url)
    rig.emit()
    // It rejects if the attempt fails after it begins.
    await rig
      .service()
      .drain()
      .catch(() => {})
    assert.equal(receiver.seen.length, 0)
    isFull = false
    rig.advance(webhookLeaseMs)
    await rig.service().drain()
    assert.equal(receiver.seen.length, 1)
  })
})
