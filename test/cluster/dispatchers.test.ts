import assert from 'node:assert/strict'
import { groupSizes } from '@postrider/adapters/kafka/groupSizes.ts'
import { lanes } from '@postrider/domain/email/email.ts'
import { plainKafka } from '../contract/kafka.ts'
import { rawMail } from '../support/client.ts'
import { hangMs, until } from '../support/until.ts'
import type { Cluster } from './cluster.ts'
import { useCluster } from './shared.ts'

type Health = {
  status: string
  parts: { name: string; status: string; processes: number | null; detail: string | null }[]
}

/** Returns how many members the groups of the lanes have now, as Kafka counts. */
const members = async ({ env }: Cluster): Promise<number[]> => {
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = env
  const groups = lanes.map((lane) => `${KAFKA_TOPIC_PREFIX}postrider.dispatcher.${lane}`)
  const sizes = await groupSizes(plainKafka(KAFKA_BROKERS.split(',')), groups)
  return groups.map((group) => sizes.get(group) ?? 0)
}

describe('dispatchers in the operator’s health', () => {
  const system = useCluster()

  /** Waits until this many dispatchers are counted. Each intake repeats its count after 5 s. */
  const counted = (wanted: number) =>
    until(
      `${wanted} dispatchers`,
      async () => {
        const operator = system().client.withOperatorToken()
        const { status, text, body } = await operator.call<Health>({ path: '/api/v1/operator/health' })
        assert.equal(status, 200, text)
        const dispatcher = body.parts.find(({ name }) => name === 'dispatcher')
        return dispatcher?.processes === wanted ? { ...dispatcher, whole: body.status } : undefined
      },
      hangMs,
      250,
    )

  it('are those that run, and it shows when there is none', async function () {
    this.timeout(600_000)
    const { cluster, client } = system()
    const dispatchers = cluster.of('dispatcher')
    assert.equal((await counted(dispatchers.length)).status, 'ok')
    await Promise.all(dispatchers.map((one) => one.stop()))
    // Not after a wait: Kafka once counted them until their sessions ended, and made those that started then wait for them.
    assert.deepEqual(await members(cluster), [0, 0])
    const none = await counted(0)
    assert.deepEqual([none.status, none.whole], ['failing', 'failing'])
    assert.match(none.detail ?? '', /^None listens for mail, so accepted mail waits/)
    const tenant = await client.tenant()
    const waiting = await tenant.send(rawMail())
    assert.equal(waiting.status, 202, waiting.text)
    await Promise.all(dispatchers.map((one) => one.start()))
    assert.equal((await counted(dispatchers.length)).status, 'ok')
    await tenant.until(waiting.body.id, ({ status }) => status === 'delivered')
  })
})
