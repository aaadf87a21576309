import assert from 'node:assert/strict'
import { quietIdleTimers } from '@postrider/adapters/kafka/idleTimers.ts'
import { topicNames } from '@postrider/adapters/kafka/topics.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { until } from '../../support/until.ts'
import { numbers } from '../random.ts'
import { drained } from '../recorder.ts'
import { type ClusterRig, topicPrefix } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = numbers(40, 5_000)
/** Dispatchers look for themselves every 3 s or so. */
const foundWithinMs = 15_000

const lanes: readonly Lane[] = ['transactional', 'marketing']
const topics = topicNames(topicPrefix)
const groupOf = (lane: Lane): string => `${topicPrefix}postrider.dispatcher.${lane}`

const withKafka = async <T>(rig: ClusterRig, work: (kafka: Kafka, admin: Admin) => Promise<T>): Promise<T> => {
  quietIdleTimers({ warn: () => {} })
  const kafka = new Kafka({ brokers: [rig.kafka.wire.address], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(kafka, admin)
  } finally {
    await admin.disconnect()
  }
}

const copies = ({ sink }: ClusterRig, { name }: Round): number =>
  sink.messages.filter(({ raw }) => raw.includes(`\r\nX-Test-Id: ${name}-`)).length

const arrived = (rig: ClusterRig, round: Round, count: number): Promise<true> => {
  const look = () => copies(rig, round) >= count || undefined
  return until(`${count} mails of ${round.name} arrive`, look, numbers(foundWithinMs, 300_000))
}

/** Offsets that were never committed are -1. */
const isHeard = async (admin: Admin, lane: Lane): Promise<boolean> => {
  const ends = await admin.fetchTopicOffsets(topics.due[lane])
  const [committed] = await admin.fetchOffsets({ groupId: groupOf(lane), topics: [topics.due[lane]] })
  return ends.every(({ partition, high, low }) => {
    const at = committed?.partitions.find((one) => one.partition === partition)?.offset ?? '-1'
    return high === low || high === at
  })
}

/** A Kafka that has just come back may still be choosing who leads what. */
const notYet = (thrown: unknown): boolean => {
  if (thrown instanceof Error && 'retriable' in thrown && thrown.retriable === true) return false
  throw thrown
}

const allHeard = (admin: Admin): Promise<true> =>
  until(
    'every record is heard',
    async () => {
      const heard = await Promise.all(lanes.map((lane) => isHeard(admin, lane).catch(notYet)))
      return heard.every(Boolean) ? true : undefined
    },
    60_000,
  )

const poison = [null, '', 'not JSON', '{"v":1}', '{"v":2,"type":"email.due"}', 'x'.repeat(100_000), '\u0000']
const strangers = ['em_none', '', '{"$ne":null}', 'x'.repeat(64)].map((id) =>
  JSON.stringify({ v: 1, type: 'email.due', id, workspace: 'ws_none' }),
)

export const kafkaAway = (rig: () => ClusterRig): void => {
  let round: Round
  let taken = 0

  before(async () => {
    round = await rig().round('kafka')
  })

  it('mail is taken at once and delivered within seconds all the same', async function () {
    this.timeout(numbers(120_000, 900_000))
    await rig().kafka.server.kill9()
    taken += await round.sendAll(sends)
    await arrived(rig(), round, taken)
  })

  it('comes back with an empty log, and is listened to again', async function () {
    this.timeout(numbers(120_000, 900_000))
    await rig().kafka.server.wipe()
    taken += await round.sendAll(sends)
    await arrived(rig(), round, taken)
    await withKafka(rig(), (_, admin) => allHeard(admin))
  })

  it('heard again from its first record, nothing is sent again', async function () {
    this.timeout(numbers(120_000, 900_000))
    const { cluster } = rig()
    await drained(round.tenant, numbers(60_000, 300_000))
    const before = copies(rig(), round)
    await withKafka(rig(), async (_, admin) => {
      const exits = await Promise.all(cluster.of('dispatcher').map((dispatcher) => dispatcher.stop()))
      assert.deepEqual(new Set(exits), new Set([0]))
      for (const lane of lanes)
        await admin.resetOffsets({ groupId: groupOf(lane), topic: topics.due[lane], earliest: true })
      await Promise.all(cluster.of('dispatcher').map((dispatcher) => dispatcher.start()))
      await allHeard(admin)
    })
    assert.equal(copies(rig(), round), before)
  })

  it('records that nobody can read are put aside, and the mail behind them leaves', async function () {
    this.timeout(numbers(120_000, 900_000))
    await withKafka(rig(), async (kafka, admin) => {
      const producer = kafka.producer({ allowAutoTopicCreation: false })
      await producer.connect()
      for (const lane of lanes)
        await producer.send({
          topic: topics.due[lane],
          messages: [...poison, ...strangers].map((value) => ({ value })),
        })
      await producer.disconnect()
      taken += await round.sendAll(sends)
      await arrived(rig(), round, taken)
      await allHeard(admin)
      const parked = async () => {
        const [{ high = '0' } = {}] = await admin.fetchTopicOffsets(topics.parked)
        return Number(high) >= lanes.length * (poison.length + 1) || undefined
      }
      await until('they are put aside', parked, 20_000)
    })
  })
}
