import assert from 'node:assert/strict'
import { iterationsOf } from '../../test/support/cost.ts'
import { tableScan } from './tableScan.ts'

const ids = Array.from({ length: 95 }, (_, number) => `key_${String(number).padStart(3, '0')}`)

/** A table of these ids, and how many rows each read examined. */
const tableOf = (wanted: ReadonlySet<string>) => {
  const examined: number[] = []
  const after = (id: string) => ids.filter((one) => one > id)
  const pass = tableScan((id, rows) => after(id)[rows - 1] ?? null, 10)
  const search = async (max: number): Promise<string[]> => {
    const found = await pass(max, (id, upto, limit) => {
      const part = after(id).filter((one) => upto === null || one <= upto)
      examined.push(part.length)
      const fitting = part.filter((one) => wanted.has(one)).slice(0, limit)
      return fitting.map((one) => ({ id: one }))
    })
    return found.map(({ id }) => id)
  }
  return { examined, search }
}

describe('passes through a table by its ids', () => {
  it('examine a few rows in each event loop iteration', async () => {
    const { examined, search } = tableOf(new Set())
    assert.ok((await iterationsOf(async () => assert.deepEqual(await search(20), []))) >= 9)
    assert.deepEqual(examined, [...Array.from({ length: 9 }, () => 10), 5])
  })

  it('continue where the last one ended, and return each item once', async () => {
    const wanted = ids.filter((_, number) => number % 7 === 3)
    const { examined, search } = tableOf(new Set(wanted))
    const found: string[] = []
    for (let round = 0; round < 3; round++) found.push(...(await search(5)))
    // 14 items, so the third search begins again.
    assert.deepEqual(found, [...wanted, wanted[0]])
    assert.ok(examined.reduce((sum, count) => sum + count, 0) < 2 * ids.length)
  })

  it('find an item before the place where they begin, and end', async () => {
    const wanted = new Set([ids[90] ?? ''])
    const { search } = tableOf(wanted)
    assert.deepEqual(await search(1), [ids[90]])
    wanted.clear()
    wanted.add(ids[89] ?? '')
    assert.deepEqual(await search(5), [ids[89]])
    wanted.clear()
    assert.deepEqual(await search(5), [])
  })
})
