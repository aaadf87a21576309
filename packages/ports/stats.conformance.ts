import assert from 'node:assert/strict'
import { addOutcomesSteps, dimensions, emptyBucket, type StatsBucket } from '@postrider/domain/stats/bucket.ts'
import { hourMs } from '@postrider/domain/time.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import type { EmailStore } from './emails.ts'
import { content } from './emailsFixtures.conformance.ts'
import type { StatsStore } from './stats.ts'
import { acceptedMail, attempted } from './statsFixtures.conformance.ts'

const addOutcomes = inOneStep(addOutcomesSteps)

export type StatsStores = { emails: EmailStore; stats: StatsStore }
type Open = () => StatsStores | Promise<StatsStores>

const hour = Date.parse('2026-11-23T10:00:00Z')
const live = { workspace: 'ws_1', mode: 'live' } as const

/** A bucket with the outcomes of one email. */
const filled = (at: number, upTo: number, size: StatsBucket['size'] = 'hour'): StatsBucket => {
  const bucket = emptyBucket({ ...live, size, at })
  addOutcomes(bucket, [acceptedMail(at, { tags: { team: 'blue' } })], { from: 0, to: upTo })
  return bucket
}

/** Declares the tests of the store of statistics. `open` returns empty stores. */
export const statsConformance = (name: string, open: Open) =>
  describe(`statistics in ${name}`, () => {
    describe('mail that changed', () => changedTests(open))
    describe('positions', () => positionTests(open))
    describe('buckets', () => bucketTests(open))
  })

const changedTests = (open: Open) => {
  const query = { ...live, after: 0, until: hour + 10 * hourMs, limit: 10 }

  it('is found by the time of any of its events', async () => {
    const { emails, stats } = await open()
    const plain = acceptedMail(hour)
    const later = attempted(acceptedMail(hour), 0, { beganAt: hour + 50, at: hour + 100, outcome: 'delivered' })
    for (const one of [plain, later, acceptedMail(hour, { mode: 'test' }), acceptedMail(hour, { workspace: 'ws_2' })])
      await emails.insert(one, content)
    const found = async (after: number, until: number) => {
      const page = await stats.changedEmails({ ...query, after, until })
      assert.equal(page.until, Math.floor(until))
      return page.emails.map(({ id }) => id).toSorted()
    }
    const both = [plain.id, later.id].toSorted()
    assert.deepEqual(await found(0, hour - 1), [])
    assert.deepEqual(await found(0, hour), both)
    assert.deepEqual(await found(hour - 1, hour + 0.5), both)
    assert.deepEqual(await found(hour, hour + 49), [])
    assert.deepEqual(await found(hour, hour + 1_000), [later.id])
    assert.deepEqual(await found(hour + 99, hour + 100), [later.id])
    assert.deepEqual(await found(hour + 100, hour + 10 * hourMs), [])
    const { emails: whole } = await stats.changedEmails(query)
    assert.deepEqual(
      whole.find(({ id }) => id === later.id),
      later,
    )
  })

  it('is found once over pages of any size, even where many changed at one time', async () => {
    const { emails, stats } = await open()
    const times = [0, 1, 2, 5_000, 90_000, 8 * hourMs, ...Array.from({ length: 40 }, () => 20_000)]
    const ids: string[] = []
    for (const time of times) {
      const one = acceptedMail(hour + time)
      ids.push(one.id)
      await emails.insert(one, content)
    }
    for (const limit of [1, 3, 100]) {
      const found: string[] = []
      for (let [after, pages] = [0, 0]; after < query.until; pages++) {
        assert.ok(pages < 1_000, 'no end')
        const page = await stats.changedEmails({ ...query, after, limit })
        assert.ok(page.until > after)
        found.push(...page.emails.map(({ id }) => id))
        after = page.until
      }
      assert.deepEqual(found.toSorted(), ids.toSorted(), `limit ${limit}`)
    }
  })

  it('is not found in a batch that is not accepted, and for a void id', async () => {
    const { emails, stats } = await open()
    const staged = acceptedMail(hour, { id: 'em_00000000000000000000000001' })
    const item = { number: 0, id: staged.id, sends: 1, kind: 'due' as const, bytes: 1 }
    await emails.stageBatch({ id: 'ba_1', workspace: 'ws_1', at: hour, until: hour + 1 }, [
      { email: staged, content, item },
    ])
    await emails.tombstone('em_00000000000000000000000002')
    assert.deepEqual(await stats.changedEmails(query), { emails: [], until: query.until })
    assert.equal(await stats.nextWorkspace(''), null)
  })

  it('names workspaces in the order of their ids', async () => {
    const { emails, stats } = await open()
    for (const workspace of ['ws_2', 'ws_1', 'ws_3', 'ws_1'])
      await emails.insert(acceptedMail(hour, { workspace, mode: workspace === 'ws_3' ? 'test' : 'live' }), content)
    const found: string[] = []
    for (let next = await stats.nextWorkspace(''); next !== null; next = await stats.nextWorkspace(next))
      found.push(next)
    assert.deepEqual(found, ['ws_1', 'ws_2', 'ws_3'])
  })
}

const positionTests = (open: Open) => {
  it('move once from the position that was read', async () => {
    const { stats } = await open()
    assert.equal(await stats.position(live), 0)
    assert.equal(await stats.movePosition(live, { from: 5, to: 10 }), false)
    assert.equal(await stats.movePosition(live, { from: 0, to: 10 }), true)
    assert.equal(await stats.movePosition(live, { from: 0, to: 20 }), false)
    assert.equal(await stats.movePosition(live, { from: 9, to: 20 }), false)
    assert.equal(await stats.movePosition(live, { from: 10, to: 20 }), true)
    assert.equal(await stats.position(live), 20)
    assert.equal(await stats.position({ ...live, mode: 'test' }), 0)
    assert.equal(await stats.position({ ...live, workspace: 'ws_2' }), 0)
  })

  it('move for one of many concurrent processes', async () => {
    const { stats } = await open()
    for (const [from, to] of [
      [0, 10],
      [10, 20],
    ] as const) {
      const moved = await Promise.all(Array.from({ length: 8 }, () => stats.movePosition(live, { from, to })))
      assert.equal(moved.filter(Boolean).length, 1)
    }
  })
}

const bucketTests = (open: Open) => {
  const key = { size: 'hour', at: hour } as const

  it('are replaced once if they have not changed since they were read, with all dimensions', async () => {
    const { stats } = await open()
    const [first, second] = [filled(hour, hour + 10), filled(hour, hour + 20)]
    assert.equal(await stats.writeBucket(first, 5), false)
    assert.equal(await stats.writeBucket(first, null), true)
    assert.equal(await stats.writeBucket(second, null), false)
    assert.deepEqual(await stats.buckets(live, [key, { size: 'day', at: hour }]), [first])
    assert.equal(await stats.writeBucket(second, hour + 9), false)
    assert.equal(await stats.writeBucket(second, hour + 10), true)
    assert.deepEqual(await stats.buckets(live, [key]), [second])
    assert.deepEqual(await stats.buckets(live, []), [])
    assert.deepEqual(await stats.buckets({ ...live, mode: 'test' }, [key]), [])
    assert.deepEqual(await stats.buckets({ ...live, workspace: 'ws_2' }, [key]), [])
  })

  it('are written by one of many concurrent processes', async () => {
    const { stats } = await open()
    for (const [before, upTo] of [
      [null, hour + 10],
      [hour + 10, hour + 20],
    ] as const) {
      const written = await Promise.all(Array.from({ length: 8 }, () => stats.writeBucket(filled(hour, upTo), before)))
      assert.equal(written.filter(Boolean).length, 1)
    }
  })

  it('are read by their range, each dimension on its own', async () => {
    const { stats } = await open()
    const times = [-1, 0, 1, 2].map((number) => hour + number * hourMs)
    for (const at of times) await stats.writeBucket(filled(at, at + 10), null)
    await stats.writeBucket(filled(hour, hour + 10, 'day'), null)
    for (const by of dimensions) {
      const found = await stats.bucketsIn(live, { size: 'hour', from: hour, to: hour + 2 * hourMs, by })
      const expected = times.slice(1, 3).map((at) => {
        const { groups, ...bucket } = filled(at, at + 10)
        return { ...bucket, groups: { [by]: groups[by] } }
      })
      assert.deepEqual(
        found.toSorted((one, other) => one.at - other.at),
        expected,
      )
    }
    const of = { ...live, workspace: 'ws_2' }
    assert.deepEqual(await stats.bucketsIn(of, { size: 'hour', from: 0, to: hour * 2, by: 'status' }), [])
  })

  it('are removed by their age for each size', async () => {
    const { stats } = await open()
    for (const at of [0, 1, 2, 3].map((number) => hour + number * hourMs))
      await stats.writeBucket(filled(at, at + 10), null)
    await stats.writeBucket(filled(hour, hour + 10, 'day'), null)
    assert.equal(await stats.removeBuckets('hour', hour + 3 * hourMs, 2), 2)
    assert.equal(await stats.removeBuckets('hour', hour + 3 * hourMs, 2), 1)
    assert.equal(await stats.removeBuckets('hour', hour + 3 * hourMs, 2), 0)
    const left = async (size: StatsBucket['size']) =>
      (await stats.bucketsIn(live, { size, from: hour, to: hour + 4 * hourMs, by: 'status' })).map(({ at }) => at)
    assert.deepEqual(await left('hour'), [hour + 3 * hourMs])
    assert.deepEqual(await left('day'), [hour])
  })
}
