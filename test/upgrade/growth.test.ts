import assert from 'node:assert/strict'
import { join } from 'node:path'
import * as message from '@postrider/adapters/kafka/message.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import type { Indexes } from '@postrider/adapters/mongo/client/connect.ts'
import type { Due } from '@postrider/domain/email/due.ts'
import fc from 'fast-check'
import type { KafkaMessage, Message } from 'kafkajs'
import { root } from '../support/project.ts'
import { lostFrom, modulesIn, surfaceOf } from './surface.ts'
import { useLastRelease } from './tree.ts'

type Messages = Pick<typeof message, 'emailRing' | 'laneRing' | 'readRing'>

/** Indexes of the last release that no longer are, `collection {"key":1}`, each with why nobody misses it. */
const retired: Record<string, string> = {}

/** As it comes out of Kafka. */
const received = ({ key, value, headers = {} }: Message): KafkaMessage => {
  const bytes = (text: unknown): Buffer => Buffer.from(String(text))
  const heads = Object.entries(headers).map(([name, text]) => [name, bytes(text)])
  const rest = { timestamp: '0', attributes: 0, offset: '0' }
  return { key: key ? bytes(key) : null, value: bytes(value), headers: Object.fromEntries(heads), ...rest }
}

const id = fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{26}$/)
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))
const trace = fc.tuple(hex(32), hex(16)).map(([traceId, span]) => `00-${traceId}-${span}-01`)

const due = fc.record<Due>(
  { id: id.map((one) => `em_${one}`), workspace: id.map((one) => `ws_${one}`), traceparent: trace },
  { requiredKeys: ['id', 'workspace'], noNullPrototype: true },
)

describe('since the last release', function growthSuite() {
  this.timeout(120_000)
  const release = useLastRelease()

  it('protos have lost nothing', () => {
    assert.deepEqual(lostFrom(surfaceOf(join(release().folder, 'protos')), surfaceOf(join(root, 'protos'))), [])
  })

  it('each version reads from Kafka what the other wrote', async () => {
    const old = (await import(join(release().folder, 'packages/adapters/kafka/message.ts'))) as Messages
    for (const [writer, reader] of [
      [old, message],
      [message, old],
    ] as const) {
      fc.assert(
        fc.property(due, (one) => assert.deepEqual(reader.readRing(received(writer.emailRing(one))), { due: one })),
      )
      assert.deepEqual(reader.readRing(received(writer.laneRing())), { due: null })
    }
  })

  it('indexes have only been added, none of which refuses what the last release writes', async () => {
    const path = join(release().folder, 'packages/adapters/mongo/allIndexes.ts')
    const old = ((await import(path)) as { allIndexes: Indexes }).allIndexes
    const listed = (indexes: Indexes) =>
      Object.entries(indexes).flatMap(([collection, ones]) =>
        ones.map((one) => ({ collection, name: `${collection} ${JSON.stringify(one.key)}`, one })),
      )
    const [before, now] = [listed(old), listed(allIndexes)]
    const same = (name: string, all: typeof now) => all.find((each) => each.name === name)?.one
    for (const { name, one } of before) if (!(name in retired)) assert.deepEqual(same(name, now), one, name)
    const refusing = now.filter(({ collection, name, one }) => one.unique && collection in old && !same(name, before))
    assert.deepEqual(
      refusing.map(({ name }) => name),
      [],
    )
  })

  it('steps of the schema in a file are what they were', async () => {
    const folder = 'packages/adapters/sqlite/migrations'
    const now = await modulesIn(root, folder)
    for (const [path, step] of await modulesIn(release().folder, folder)) {
      assert.deepEqual({ ...now.get(path) }, { ...step }, path)
    }
  })
})
