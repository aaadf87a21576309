import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { KafkaDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { useBackend } from '../backends/backends.ts'
import { doorbellsForTests, newPrefix } from '../contract/kafka.ts'
import { until } from '../support/until.ts'
import { shortOrLong } from './random.ts'

const stormMs = shortOrLong(20_000, 300_000)
const everyMs = shortOrLong(1_000, 5_000)
const ringEveryMs = 10
/**
 * The invariant allows 60 s. A listener that is gone without having left the group delays the others until its session
 * ends, after 10 s, and a rebalance waits as long for one that does not join.
 */
const longestGapMs = 20_000

/**
 * Joins and leaves a group without other members until `maxJoinMs` is called. On a busy machine each change of a group
 * takes longer; the storm itself does not delay this one.
 */
const calmGroup = (open: () => KafkaDoorbell) => {
  let [isOver, maxMs] = [false, 0]
  const joining = (async () => {
    do {
      await using doorbell = open()
      const startedAt = performance.now()
      doorbell.listen('transactional', () => {})
      await doorbell.ready()
      maxMs = Math.max(maxMs, performance.now() - startedAt)
    } while (!isOver)
  })()
  return {
    maxJoinMs: async (): Promise<number> => {
      isOver = true
      await joining
      return maxMs
    },
  }
}

describe('rebalance storm on Kafka (I17)', function kafkaStorm() {
  this.timeout(stormMs + 300_000)
  const address = useBackend('kafka')
  const open = doorbellsForTests()

  it('causes no long gap between rings while listeners continuously join and leave', async () => {
    const prefix = newPrefix()
    const brokers = address().split(',')
    let rung = 0
    let heardAt = performance.now()
    let gapMs = 0
    const heard = new Set<string>()
    const listen = () => {
      const doorbell = open({ brokers, prefix })
      doorbell.listen('transactional', (due) => {
        for (const { id } of due) heard.add(id)
        gapMs = Math.max(gapMs, performance.now() - heardAt)
        heardAt = performance.now()
      })
      return doorbell
    }
    const staying = [listen(), listen()]
    await Promise.all(staying.map((doorbell) => doorbell.ready()))
    const calm = calmGroup(() => open({ brokers, prefix: `${prefix}calm.` }))
    const ringer = open({ brokers, prefix })
    heardAt = performance.now()
    const ringing = setInterval(() => {
      ringer.ring('transactional', [{ id: `em_${rung++}`, workspace: 'ws_1' }])
    }, ringEveryMs)
    try {
      const end = performance.now() + stormMs
      while (performance.now() < end) {
        const passing = listen()
        await pause(everyMs)
        await passing[Symbol.asyncDispose]()
      }
    } finally {
      clearInterval(ringing)
    }
    await until('the last ring is received', () => heard.has(`em_${rung - 1}`) || undefined)
    const longestMs = gapMs
    const joinMs = await calm.maxJoinMs()
    const fatal = staying.flatMap((doorbell) => doorbell.fatal)
    assert.deepEqual(fatal, [])
    assert.ok(
      longestMs < Math.max(longestGapMs, 5 * joinMs),
      `no ring was received for ${longestMs} ms, joining a calm group took ${joinMs} ms`,
    )
    console.log(`    ${rung} rings sent, ${heard.size} received, longest gap ${Math.round(longestMs)} ms`)
  })
})
