import assert from 'node:assert/strict'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { mailQueue } from './mailQueue.ts'

const message: SystemMessage = { to: 'ada@example.com', subject: 's', text: 't', html: 'h', idempotencyKey: 'k' }

const unavailable = () => new Fault('unavailable', 'Intake is down.')

/** A queue whose pauses take no time. `fail` is called before each email and may throw. */
const rig = (fail: (attempt: number) => void = () => {}) => {
  const sent: SystemMessage[] = []
  const logged: string[] = []
  const counts = { accepted: 0, failed: 0 }
  const waits: number[] = []
  let attempts = 0
  const record = (_: unknown, text?: string): void => void logged.push(text ?? '')
  const queue = mailQueue({
    mail: {
      send: async (given) => {
        attempts += 1
        fail(attempts)
        sent.push(given)
      },
    },
    log: { warn: record, error: record },
    metrics: { systemMail: { inc: ({ outcome }) => (counts[outcome] += 1) } },
    pause: async (ms) => void waits.push(ms),
  })
  return { queue, sent, logged, counts, waits, attempts: () => attempts }
}

describe('queue of system emails', () => {
  it('composes and sends after the caller has continued', async () => {
    const { queue, sent, counts } = rig()
    const order: string[] = []
    queue.post(async () => {
      order.push('composed')
      return [message]
    })
    order.push('answered')
    await queue.idle()
    assert.deepEqual(order, ['answered', 'composed'])
    assert.deepEqual([sent, counts], [[message], { accepted: 1, failed: 0 }])
  })

  it('repeats an email while intake is unavailable, with growing waits, and composes it once', async () => {
    const { queue, sent, logged, waits } = rig((attempt) => {
      if (attempt <= 4) throw unavailable()
    })
    let composed = 0
    queue.post(async () => {
      composed += 1
      return [message]
    })
    await queue.idle()
    assert.deepEqual([sent.length, composed, waits.length], [1, 1, 4])
    assert.deepEqual(logged, ['system mail failed, retrying'])
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    )
  })

  it('logs and counts an email that is given up after a quarter of an hour', async () => {
    const { queue, sent, logged, counts, waits } = rig(() => {
      throw unavailable()
    })
    queue.post(async () => [message])
    await queue.idle()
    const minutes = waits.reduce((sum, ms) => sum + ms, 0) / 60_000
    assert.ok(minutes > 9 && minutes < 16, `${minutes} minutes`)
    assert.deepEqual([sent, counts], [[], { accepted: 0, failed: 1 }])
    assert.deepEqual(logged, ['system mail failed, retrying', 'system mail failed'])
  })

  it('does not repeat an email that is refused', async () => {
    const { queue, attempts, counts } = rig(() => {
      throw new Fault('validation_failed', 'No address.')
    })
    queue.post(async () => [message])
    await queue.idle()
    assert.deepEqual([attempts(), counts], [1, { accepted: 0, failed: 1 }])
  })

  it('tries an email under way once more when it is closed, and accepts no more', async () => {
    const { queue, attempts, counts } = rig(() => {
      throw unavailable()
    })
    queue.post(async () => [message])
    await queue[Symbol.asyncDispose]()
    const tried = attempts()
    assert.ok(tried >= 1 && tried <= 2, `${tried} tries`)
    queue.post(async () => [message])
    await queue.idle()
    assert.deepEqual([attempts(), counts.failed], [tried, 2])
  })
})
