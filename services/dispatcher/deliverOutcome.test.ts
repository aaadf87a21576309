import assert from 'node:assert/strict'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { deliveryRig, fence, noTransmission, statuses, two, unavailable } from '../../test/support/deliveryRig.ts'
import { transportsOver } from '../../test/support/transportsOver.ts'

describe('outcome', () => {
  it('is written repeatedly while the store is unavailable', async () => {
    const { log, state, run } = deliveryRig(anEmail(), [[null]])
    state.writes = [null, unavailable(), unavailable()]
    state.syncs = [null, unavailable()]
    // The lease expires during the retries: only the fence decides which worker owns the email.
    state.atPause = () => {
      state.isLeased = false
    }
    await run()
    assert.equal(state.pauses, 3)
    assert.deepEqual(log, ['write', 'on disk', 'dot', 'write, done', 'write, done', 'on disk'])
    assert.deepEqual(statuses(state.stored), ['delivered'])
  })

  it('is given up when the process stops and the store does not recover', async () => {
    const { state, stopping, run } = deliveryRig(anEmail(), [[null]])
    state.writes = [null, ...Array.from({ length: 50 }, unavailable)]
    state.beforeGate = () => stopping.abort()
    await assert.rejects(run(), { code: 'unavailable' })
    assert.ok(state.pauses < 20)
  })

  it('is not written when the store cannot return the content, because nothing was sent', async () => {
    const { deps, log, state, run } = deliveryRig(anEmail(), noTransmission())
    deps.emails.content = () => Promise.reject(unavailable())
    await assert.rejects(run(), { code: 'unavailable' })
    assert.deepEqual([log, state.sent, state.pauses], [[], [], 0])
  })

  it('is dropped when another worker claimed the email before it was written', async () => {
    const { log, state, run } = deliveryRig(anEmail(), [[null]])
    state.writes = [null, unavailable()]
    state.atPause = () => {
      state.fence = fence + 1
    }
    assert.deepEqual(await run(), { kind: 'lost' })
    assert.deepEqual(log, ['write', 'on disk', 'dot'])
  })
})

describe('outcome in doubt', () => {
  it('leads to an attempt by the schedule, marked as a possible duplicate, after a lost reply', async () => {
    const first = deliveryRig(anEmail(), [[null]])
    first.state.afterDot = { kind: 'lost_after_dot', reason: 'connection closed' }
    await first.run()
    const { stored } = first.state
    assert.equal(stored.recipients[0]?.nextAt, 1_000 + 5 * 60_000)
    const second = deliveryRig({ ...stored, recipients: [aRecipient({ ...stored.recipients[0], nextAt: 1_000 })] }, [
      [null],
    ])
    await second.run()
    assert.deepEqual(
      second.state.stored.attempts.map(({ possibleDuplicate }) => possibleDuplicate),
      [false, true],
    )
  })

  it('leads to a marked attempt immediately, without a try of the schedule, after a worker’s death', async () => {
    const { state, run } = deliveryRig(anEmail({ attempts: [anAttempt({ id: 'att_dead', committed: [0] })] }), [[null]])
    await run()
    assert.deepEqual(
      state.stored.attempts.map(({ possibleDuplicate, outcome }) => ({ possibleDuplicate, outcome })),
      [
        { possibleDuplicate: false, outcome: 'unknown' },
        { possibleDuplicate: true, outcome: 'delivered' },
      ],
    )
    assert.equal(state.stored.recipients[0]?.tries, 1)
  })

  it('under hold sends nothing, after a lost reply and after a death', async () => {
    const lost = deliveryRig(anEmail({ onUnknown: 'hold' }), [[null]])
    lost.state.afterDot = { kind: 'lost_after_dot', reason: 'connection closed' }
    await lost.run()
    const attempts = [anAttempt({ id: 'att_dead', committed: [0] })]
    const orphaned = deliveryRig(anEmail({ onUnknown: 'hold', attempts }), noTransmission())
    await orphaned.run()
    for (const { state } of [lost, orphaned]) {
      assert.deepEqual(statuses(state.stored), ['unknown'])
      assert.equal(state.stored.recipients[0]?.nextAt, null)
    }
  })
})

describe('stopping process', () => {
  it('starts no other transaction, and the remaining recipients stay due', async () => {
    const { state, stopping, run } = deliveryRig(anEmail({ recipients: two }), [[null, { kind: 'next_transaction' }]])
    state.beforeGate = () => stopping.abort()
    const delivery = await run()
    assert.deepEqual(statuses(state.stored), ['delivered', 'queued'])
    assert.equal(delivery.kind === 'done' && delivery.nextAt, 0)
  })

  it('uses no try for a connection it ended before the dot', async () => {
    const { deps, state, stopping, run } = deliveryRig(anEmail(), noTransmission())
    const results: RecipientResult[] = [{ kind: 'lost_before_dot', reason: 'the process is stopping' }]
    const send = async () => {
      stopping.abort()
      return { host: '', steps: [], results }
    }
    deps.transports = transportsOver({ mailRoute: 'smtp', readsMessage: true, send, close: async () => {} })
    await run()
    assert.deepEqual(statuses(state.stored), ['queued'])
    assert.equal(state.stored.recipients[0]?.tries, 0)
    assert.equal(state.stored.attempts[0]?.outcome, 'lost')
  })
})
