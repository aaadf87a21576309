import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Collection, MongoClient } from 'mongodb'
import { printedSeed, seeded } from '../faults/random.ts'
import { needsOwnBackends } from './backends.ts'
import { startMongo } from './mongo.ts'

type Doc = {
  _id: string
  lane?: string | null
  at?: Date | null
  tags?: string[] | null
  parts?: { to: string }[]
  n: number
}

const lanes = ['a', 'b', null, undefined]

/** Each decides the position of every document, some in the order of an index. */
const orders: readonly Record<string, 1 | -1>[] = [
  { _id: 1 },
  { at: -1, _id: -1 },
  { at: 1, _id: 1 },
  { at: -1, _id: 1 },
  { lane: 1, at: 1, _id: 1 },
  { lane: -1, at: -1, _id: -1 },
]

const generators = (random: () => number) => {
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const date = (): Date => new Date(1_000 * Math.floor(random() * 20))
  const some = (): string[] => Array.from({ length: Math.floor(random() * 3) }, () => one(['x', 'y', 'z']))
  const fields = (): Omit<Doc, '_id' | 'n'> => {
    const lane = one(lanes)
    return {
      ...(lane === undefined ? {} : { lane }),
      ...(random() < 0.2 ? {} : { at: random() < 0.1 ? null : date() }),
      ...(random() < 0.5 ? {} : { tags: some() }),
      ...(random() < 0.5 ? {} : { parts: some().map((to) => ({ to })) }),
    }
  }
  const range = () => one([{ $lte: date() }, { $gt: date() }, { $gte: date(), $lt: date() }, date(), null])
  const query = () => ({
    ...(random() < 0.6 ? { lane: one(['a', 'b', null, { $in: ['a', null] }, { $ne: 'a' }, /a/]) } : {}),
    ...(random() < 0.6 ? { at: range() } : {}),
    ...(random() < 0.3 ? { tags: one(['x', { $gte: 'z', $lte: 'x' }, { $all: ['x', 'y'] }, [], null]) } : {}),
    ...(random() < 0.3 ? { 'parts.to': one(['x', { $gt: 'x', $lt: 'z' }]) } : {}),
  })
  return { one, fields, query }
}

/** Inserts documents into both collections, then makes changes that move some in their indexes and remove some. */
const changeBoth = async (both: readonly Collection<Doc>[], random: () => number, round: number): Promise<void> => {
  const { one, fields, query } = generators(random)
  const ids = Array.from({ length: 8 }, (_, n) => `d${round}.${n}`)
  const documents = ids.map((_id, n) => ({ _id, n, ...fields() }))
  const [replaced, deleted, filter, replacement] = [one(ids), one(ids), query(), { n: 100, ...fields() }]
  for (const docs of both) {
    await docs.insertMany(documents.map((document) => ({ ...document })))
    await docs.replaceOne({ _id: replaced }, replacement)
    await docs.updateMany(filter, { $set: { at: new Date(5_000) }, $inc: { n: 1 } })
    await docs.deleteOne({ _id: deleted })
  }
}

describe('MongoDB stand-in', () => {
  needsOwnBackends()
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-stand-in-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('finds the same documents with and without indexes, even after kill -9', async () => {
    const random = seeded(printedSeed())
    await using server = await startMongo({ folder })
    const client = new MongoClient(server.address)
    try {
      const db = client.db('indexed')
      const both = [db.collection<Doc>('with'), db.collection<Doc>('without')] as const
      await both[0].createIndexes([
        { key: { lane: 1, at: 1 } },
        { key: { at: -1 } },
        { key: { tags: 1, lane: 1 } },
        { key: { lane: 1, at: -1, _id: -1 } },
        { key: { tags: 1, at: -1, _id: -1 } },
        { key: { 'parts.to': 1 } },
      ])
      const compare = async (): Promise<void> => {
        const { query: draw, one } = generators(random)
        const [query, sort] = [draw(), one(orders)]
        const [skip, limit] = [one([0, 0, 1, 5]), one([0, 1, 3, 100])]
        const [withIndexes, without] = await Promise.all(
          both.map((docs) => docs.find(query).sort(sort).skip(skip).limit(limit).toArray()),
        )
        assert.deepEqual(withIndexes, without, JSON.stringify({ query, sort, skip, limit }))
      }
      const compareMany = () => Promise.all(Array.from({ length: 12 }, compare))
      for (let round = 0; round < 15; round++) {
        await changeBoth(both, random, round)
        await compareMany()
      }
      await server.kill9()
      await server.restart()
      for (let round = 0; round < 5; round++) await compareMany()
    } finally {
      await client.close()
    }
  })
})
