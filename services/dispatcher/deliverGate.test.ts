import assert from 'node:assert/strict'
import { anEmail } from '../../test/support/anEmail.ts'
import { answered, deliveryRig, fence, statuses, two, unavailable } from '../../test/support/deliveryRig.ts'

describe('gate', () => {
  it('stays closed for a workspace that was suspended since the claim, and uses no try', async () => {
    const { log, state, run } = deliveryRig(anEmail(), [[null]])
    state.beforeGate = () => {
      state.suspended = true
    }
    const delivery = await run()
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.ok(delivery.kind === 'done' && delivery.nextAt !== null)
    assert.equal(state.stored.recipients[0]?.tries, 0)
  })

  it('stays closed and writes nothing when the fencing token has changed', async () => {
    const email = anEmail()
    const { log, state, run } = deliveryRig(email, [[null]])
    state.beforeGate = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, [])
    assert.equal(state.stored, email)
  })

  it('stays closed when the lease expired, and the email is due again without a try', async () => {
    const { log, state, run } = deliveryRig(anEmail(), [[null]])
    state.isLeased = false
    const delivery = await run()
    assert.deepEqual(log, ['write, done', 'on disk'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
    assert.deepEqual(state.stored.attempts[0]?.outcome, 'lost')
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.equal(state.stored.recipients[0]?.tries, 0)
  })

  it('stays closed when the lease expires during the wait for the disk, and leaves no doubt', async () => {
    const { deps, log, state, run } = deliveryRig(anEmail({ onUnknown: 'hold' }), [[null]])
    deps.durable = {
      synced: async () => {
        state.isLeased = false
      },
    }
    await run()
    assert.deepEqual(log, ['write', 'write, done'])
    assert.equal(state.stored.attempts[0]?.committed, null)
    assert.deepEqual(statuses(state.stored), ['deferred'])
    assert.equal(state.stored.recipients[0]?.nextAt, 0)
  })

  for (const [name, fault] of [
    ['refuses the write', { writes: [unavailable()] }],
    ['loses the write with its commit', { syncs: [unavailable()] }],
  ] as const) {
    it(`stays closed when the store ${name}, and the email is due again`, async () => {
      const { log, state, run } = deliveryRig(anEmail(), [[null]])
      Object.assign(state, fault)
      const delivery = await run()
      assert.ok(!log.includes('dot'))
      assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
      assert.deepEqual(statuses(state.stored), ['queued'])
      assert.equal(state.stored.attempts[0]?.committed, null)
    })
  }

  // The record lost an event that readers had seen: the outcome replaced the write whose response was lost.
  it('stays closed when the response of the store is lost, and the events of its write stay', async () => {
    const { deps, log, state, run } = deliveryRig(anEmail(), [[null]])
    const { write } = deps.emails
    let writes = 0
    deps.emails.write = async (...given) => {
      const isWritten = await write(...given)
      if (writes++ > 0) return isWritten
      state.at += 60_000
      throw unavailable()
    }
    await run()
    assert.deepEqual(log, ['write', 'write, done', 'on disk'])
    assert.deepEqual(
      state.stored.events.map(({ type, at }) => [type, at]),
      [
        ['email.sent', 1_000],
        ['email.deferred', 61_000],
      ],
    )
    assert.equal(state.stored.recipients[0]?.tries, 0)
    assert.equal(state.stored.attempts[0]?.committed, null)
  })

  it('keeps refusals of the server when it is closed', async () => {
    const { state, run } = deliveryRig(anEmail({ recipients: two }), [[answered(550, '5.1.1 no such user'), null]])
    state.isLeased = false
    await run()
    assert.deepEqual(statuses(state.stored), ['bounced', 'queued'])
  })
})
