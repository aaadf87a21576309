import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
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

/** Removed indexes of the last release, `collection {"key":1}`, each with the reason why no query needs it. */
const retired: Record<string, string> = {}

/** Returns a sent message in the form in which Kafka delivers it. */
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

describe('stored and sent data since the last release', function growthSuite() {
  const release = useLastRelease()

  it('protos keep every message, field and rpc', () => {
    assert.deepEqual(lostFrom(surfaceOf(join(release().folder, 'protos')), surfaceOf(join(root, 'protos'))), [])
  })

  it('each of both versions can read the Kafka messages of the other', async () => {
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

  it('no index is removed, and no new one refuses writes of the last release', async () => {
    const path = join(release().folder, 'packages/adapters/mongo/allIndexes.ts')
    const old = ((await import(path)) as { allIndexes: Indexes }).allIndexes
    const listed = (indexes: Indexes) =>
      Object.entries(indexes).flatMap(([collection, ones]) =>
        ones.map((one) => ({ collection, name: `${collection} ${JSON.stringify(one.key)}`, one })),
      )
    const [before, now] = [listed(old), listed(allIndexes)]
    const same = (name: string, all: typeof now) => all.find((each) => each.name === name)?.one
    for (const { name, one } of before) if (!(name in retired)) assert.deepEqual(same(name, now), one, name)
    const oldAdapter = globSync(join(release().folder, 'packages/adapters/mongo/**/*.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    // A sparse index ignores documents without its fields, and the last release writes no field that it does not name.
    const isIgnored = ({ key, sparse }: (typeof now)[number]['one']): boolean =>
      sparse === true && Object.keys(key).every((field) => !oldAdapter.includes(field))
    const isNew = ({ collection, name }: (typeof now)[number]): boolean => collection in old && !same(name, before)
    const refusing = now.filter((each) => each.one.unique && isNew(each) && !isIgnored(each.one))
    assert.deepEqual(
      refusing.map(({ name }) => name),
      [],
    )
  })

  it('existing SQLite migrations are unchanged', async () => {
    const folder = 'packages/adapters/sqlite/migrations'
    const now = await modulesIn(root, folder)
    for (const [path, step] of await modulesIn(release().folder, folder)) {
      assert.deepEqual({ ...now.get(path) }, { ...step }, path)
    }
  })
})
