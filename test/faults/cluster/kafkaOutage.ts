import assert from 'node:assert/strict'
import { quietIdleTimers } from '@postrider/adapters/kafka/idleTimers.ts'
import { topicNames } from '@postrider/adapters/kafka/topics.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { hangMs, until } from '../../support/until.ts'
import { shortOrLong } from '../random.ts'
import { untilDrained } from '../recorder.ts'
import { type ClusterRig, topicPrefix } from './clusterRig.ts'
import type { Round } from './round.ts'

const sends = shortOrLong(40, 5_000)
const lanes: readonly Lane[] = ['transactional', 'marketing']
const topics = topicNames(topicPrefix)
const groupOf = (lane: Lane): string => `${topicPrefix}postrider.dispatcher.${lane}`

const withKafka = async <T>(rig: ClusterRig, work: (kafka: Kafka, admin: Admin) => Promise<T>): Promise<T> => {
  quietIdleTimers({ warn: () => {} })
  const kafka = new Kafka({ brokers: [rig.kafka.proxy.address], logLevel: logLevel.NOTHING })
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
  const check = () => copies(rig, round) >= count || undefined
  return until(`${count} emails of ${round.name} arrive`, check, shortOrLong(hangMs, 300_000))
}

/** Returns whether the group has read all records of a lane. The offset is -1 if none was committed. */
const isRead = async (admin: Admin, lane: Lane): Promise<boolean> => {
  const ends = await admin.fetchTopicOffsets(topics.due[lane])
  const [committed] = await admin.fetchOffsets({ groupId: groupOf(lane), topics: [topics.due[lane]] })
  return ends.every(({ partition, high, low }) => {
    const at = committed?.partitions.find((one) => one.partition === partition)?.offset ?? '-1'
    return high === low || high === at
  })
}

/** Returns false for errors that pass, such as an election of leaders after a restart, and throws others. */
const ignoreRetriable = (thrown: unknown): boolean => {
  if (thrown instanceof Error && 'retriable' in thrown && thrown.retriable === true) return false
  throw thrown
}

const untilAllRead = (admin: Admin): Promise<true> =>
  until('all records are read', async () => {
    const read = await Promise.all(lanes.map((lane) => isRead(admin, lane).catch(ignoreRetriable)))
    return read.every(Boolean) ? true : undefined
  })

/**
 * A member that stopped while it joined is only gone after its session. Only the offsets of a group without members can
 * be reset.
 */
const untilGroupsAreEmpty = (admin: Admin): Promise<true> =>
  until('the groups of the dispatchers are empty', async () => {
    const { groups } = await admin.describeGroups(lanes.map(groupOf))
    return groups.every(({ state }) => state === 'Empty' || state === 'Dead') || undefined
  })

const poison = [null, '', 'not JSON', '{"v":1}', '{"v":2,"type":"email.due"}', 'x'.repeat(100_000), '\u0000']
const unknownEmails = ['em_none', '', '{"$ne":null}', 'x'.repeat(64)].map((id) =>
  JSON.stringify({ v: 1, type: 'email.due', id, workspace: 'ws_none' }),
)

export const kafkaOutage = (rig: () => ClusterRig): void => {
  let round: Round
  let accepted = 0

  before(async () => {
    round = await rig().round('kafka')
  })

  it('does not delay acceptance, and dispatchers find the mail by scans', async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    await rig().kafka.server.kill9()
    accepted += await round.sendAll(sends)
    await arrived(rig(), round, accepted)
  })

  it('ends with all dispatchers listening again, even if Kafka lost its log', async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    await rig().kafka.server.wipe()
    accepted += await round.sendAll(sends)
    await arrived(rig(), round, accepted)
    await withKafka(rig(), (_, admin) => untilAllRead(admin))
  })

  it('repeats no mail if all records are read again from the first one', async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    const { cluster } = rig()
    await untilDrained(round.tenant, shortOrLong(hangMs, 300_000))
    const before = copies(rig(), round)
    await withKafka(rig(), async (_, admin) => {
      const exits = await Promise.all(cluster.of('dispatcher').map((dispatcher) => dispatcher.stop()))
      assert.deepEqual(new Set(exits), new Set([0]))
      await untilGroupsAreEmpty(admin)
      for (const lane of lanes)
        await admin.resetOffsets({ groupId: groupOf(lane), topic: topics.due[lane], earliest: true })
      await Promise.all(cluster.of('dispatcher').map((dispatcher) => dispatcher.start()))
      await untilAllRead(admin)
    })
    assert.equal(copies(rig(), round), before)
  })

  it('is followed by delivery of all mail even if unreadable records precede its rings, and they are parked', async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    await withKafka(rig(), async (kafka, admin) => {
      const producer = kafka.producer({ allowAutoTopicCreation: false })
      await producer.connect()
      for (const lane of lanes)
        await producer.send({
          topic: topics.due[lane],
          messages: [...poison, ...unknownEmails].map((value) => ({ value })),
        })
      await producer.disconnect()
      accepted += await round.sendAll(sends)
      await arrived(rig(), round, accepted)
      await untilAllRead(admin)
      const parked = async () => {
        const [{ high = '0' } = {}] = await admin.fetchTopicOffsets(topics.parked)
        return Number(high) >= lanes.length * (poison.length + 1) || undefined
      }
      await until('they are parked', parked)
    })
  })
}
