import assert from 'node:assert/strict'
import type { Due } from '@postrider/domain/email/due.ts'
import { Kafka, logLevel } from 'kafkajs'
import { needsOwnBackends } from '../backends/backends.ts'
import { type KafkaInstance, startKafka } from '../backends/kafka.ts'
import { counted, doorbellsForTests } from '../contract/kafka.ts'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'

const outcomes = 'postrider_kafka_rings_total'
const due = (id: string): Due => ({ id, workspace: 'ws_1' })

type Fault = { name: string; begin(kafka: KafkaInstance): unknown; end(kafka: KafkaInstance): unknown }

const faults: Fault[] = [
  { name: 'is killed', begin: (kafka) => kafka.kill9(), end: (kafka) => kafka.restart() },
  { name: 'does not respond', begin: (kafka) => kafka.pause(), end: (kafka) => kafka.resume() },
  { name: 'loses its log', begin: () => {}, end: (kafka) => kafka.wipe() },
]

// Rings are hints. An outage must block no caller, use limited memory and end without intervention.
describe('doorbell during a Kafka outage (I16)', function kafkaAway() {
  needsOwnBackends()
  const open = doorbellsForTests()
  // The tests share one Kafka, because the start of a JVM costs more than a test. The first of them starts it.
  let kafka: KafkaInstance | undefined
  after(() => kafka?.[Symbol.asyncDispose]())

  it('stores 20,000 rings without blocking before Kafka starts, and delivers them afterwards', async () => {
    const port = await freePort()
    const brokers = [`127.0.0.1:${port}`]
    const ringer = open({ brokers })
    const heard = new Set<string>()
    const listener = open({ brokers })
    listener.listen('marketing', (some) => {
      for (const { id } of some) heard.add(id)
    })
    for (let number = 0; number < 50_000; number++) ringer.ring('marketing', [due(`em_${number}`)])
    assert.equal(await counted(ringer.metrics, outcomes, { outcome: 'dropped' }), 30_000)
    assert.equal(listener.listening(), false)

    kafka = await startKafka({ port })
    await until('the stored rings are received', () => heard.size >= 20_000 || undefined)
    assert.equal(await counted(ringer.metrics, outcomes, { outcome: 'sent' }), 20_000)
    assert.deepEqual([...ringer.fatal, ...listener.fatal], [])
  })

  describe('with a restored Kafka', () => {
    for (const { name, begin, end } of faults) {
      it(`rings and listens again after Kafka ${name}`, async () => {
        kafka ??= await startKafka()
        const brokers = [kafka.address]
        const ringer = open({ brokers })
        const listener = open({ brokers })
        const heard = new Set<string>()
        listener.listen('transactional', (some) => {
          for (const { id } of some) heard.add(id)
        })
        // The names distinguish the rings of this test from those of earlier tests in the log.
        const [earlier, later] = [`em_before_${name}`, `em_after_${name}`]
        ringer.ring('transactional', [due(earlier)])
        await until('rings are received', () => heard.has(earlier) || undefined)

        await begin(kafka)
        for (let number = 0; number < 1_000; number++) ringer.ring('transactional', [due(`em_${number}`)])
        await end(kafka)
        let rings = 0
        const again = async () => {
          ringer.ring('transactional', [due(`${later}_${rings++}`)])
          return [...heard].some((id) => id.startsWith(later)) || undefined
        }
        await until('rings are received again', again)
        await listener.ready()
        assert.deepEqual([...ringer.fatal, ...listener.fatal], [])
      })
    }
  })

  /** A client of kafkajs that pauses four times, together 4.5 s, before it gives up. */
  const retryingClient = (brokers: string[]) => {
    const retry = { retries: 4, initialRetryTime: 300, factor: 0 }
    return new Kafka({ brokers, retry, logLevel: logLevel.NOTHING }).admin({ retry })
  }

  it('closes while Kafka is unavailable, before a client gives up that retries for seconds', async () => {
    const brokers = [`127.0.0.1:${await freePort()}`]
    const doorbell = open({ brokers })
    const stop = doorbell.listen('transactional', () => assert.fail('nothing was rung'))
    doorbell.ring('transactional', [due('em_1')])
    const ending = async () => {
      stop()
      await doorbell[Symbol.asyncDispose]()
    }
    const control = retryingClient(brokers)
    const ended: string[] = []
    await Promise.all([
      control.connect().catch(() => ended.push('client')),
      ending().then(() => ended.push('doorbell')),
    ])
    await control.disconnect()
    assert.deepEqual(ended, ['doorbell', 'client'])
    const dropped = async () => (await counted(doorbell.metrics, outcomes, { outcome: 'dropped' })) === 1 || undefined
    await until('the ring is counted as dropped', dropped)
  })
})
