import assert from 'node:assert/strict'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoStats, statsIndexes } from '@postrider/adapters/mongo/events/stats.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import {
  addOutcomesSteps,
  byBucket,
  dimensions,
  emptyBucket,
  type StatsBucket,
} from '@postrider/domain/stats/bucket.ts'
import { bucketMs, bucketSizes } from '@postrider/domain/stats/range.ts'
import { seriesSteps } from '@postrider/domain/stats/series.ts'
import { catchUp, statsChore } from '@postrider/intake/stats.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { content } from '@postrider/ports/emailsFixtures.conformance.ts'
import { type StatsStores, statsConformance } from '@postrider/ports/stats.conformance.ts'
import type { StatsStore } from '@postrider/ports/stats.ts'
import { acceptedMail, randomLife } from '@postrider/ports/statsFixtures.conformance.ts'
import { printedSeed, seeded } from '../faults/random.ts'
import { assertIterationsBelow, assertStepsBelow } from '../support/cost.ts'
import { inOneStep } from '../support/inOneStep.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const addOutcomes = inOneStep(addOutcomesSteps)
const seriesOf = inOneStep(seriesSteps)

const start = Date.parse('2026-11-23T22:00:00Z')
const spanMs = 4 * 3_600_000
const live = { workspace: 'ws_1', mode: 'live' } as const
const range = { from: start - bucketMs.day, to: start + 3 * bucketMs.day }

class Died extends Error {}

/** Returns a store whose process dies around some of its writes: before a write, or after it, before its response. */
const dying = (stats: StatsStore, random: () => number): StatsStore => {
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    const chance = random()
    if (chance < 0.15) throw new Died()
    const done = await write()
    if (chance < 0.3) throw new Died()
    return done
  }
  return {
    ...stats,
    writeBucket: (bucket, before) => around(() => stats.writeBucket(bucket, before)),
    movePosition: (owner, move) => around(() => stats.movePosition(owner, move)),
  }
}

/** Maximum number of deaths of one worker; its next tries do not die. */
const maxDeaths = 6

/** Catches up, and starts again after each death. */
const worker = async (stats: StatsStore, until: number, random: () => number): Promise<void> => {
  for (let deaths = 0; ; deaths++)
    try {
      await catchUp({ stats: deaths < maxDeaths ? dying(stats, random) : stats, slices: makeSlices() }, live, until)
      return
    } catch (thrown) {
      if (!(thrown instanceof Died)) throw thrown
    }
}

/** Checks that the stored buckets have what a count of all mail has. */
const checkSums = async (stats: StatsStore, emails: readonly Email[], until: number): Promise<void> => {
  for (const size of bucketSizes)
    for (const by of dimensions) {
      const stored = await stats.bucketsIn(live, { size, ...range, by })
      const expected = [...byBucket(emails, size)].map(([at, own]) => {
        const bucket = emptyBucket({ ...live, size, at }, [by])
        addOutcomes(bucket, own, { from: 0, to: until })
        return bucket
      })
      const series = (buckets: typeof stored) => seriesOf(buckets, by, { bucket: size, ...range })
      assert.deepEqual(series(stored), series(expected), `${size} by ${by}`)
    }
}

const foldTests = (open: () => StatsStores | Promise<StatsStores>) => {
  it('counts each event once, regardless of how many workers run and where they die', async () => {
    const random = seeded(printedSeed())
    const { emails, stats } = await open()
    const lives = Array.from({ length: 30 }, () => randomLife(random, { start, spanMs }))
    const stored = new Map<string, Email>()
    for (const until of [1, 2, 3, 5, 8, 12].map((part) => start + (part * spanMs) / 4)) {
      for (const life of lives) {
        // All that is stored before `until`, and what is stored right after it.
        const now = life.findLast(({ events }) => (events.at(-1)?.at ?? 0) <= until + random() * 60_000)
        const before = now && stored.get(now.id)
        if (now === undefined || before === now) continue
        if (before === undefined) await emails.insert(now, content)
        else await emails.change(now.id, (await emails.get(now.id))?.fence ?? -1, until, { email: now, nextAt: null })
        stored.set(now.id, now)
      }
      await Promise.all([
        worker(stats, until, random),
        worker(stats, until - 1_000, random),
        worker(stats, until, random),
      ])
      await checkSums(stats, [...stored.values()], until)
    }
    assert.equal(stored.size, lives.length)
  })

  it('is continued by the chore over all workspaces, in limited time, and old buckets are removed', async () => {
    const { emails, stats } = await open()
    const workspaces = ['ws_1', 'ws_2', 'ws_3', 'platform']
    for (const workspace of workspaces) await emails.insert(acceptedMail(start, { workspace }), content)
    const elapsed = { ms: 0 }
    const { catchUpSome } = statsChore({ stats, slices: makeSlices() }, () => (elapsed.ms += 200))
    const counted = async () => {
      const positions = await Promise.all(workspaces.map((workspace) => stats.position({ workspace, mode: 'live' })))
      return positions.filter((at) => at > 0).length
    }
    await catchUpSome(start + 60_000)
    const first = await counted()
    assert.ok(first >= 1 && first < 3, `${first} workspaces in the first call`)
    for (let calls = 0; calls < 20; calls++) await catchUpSome(start + 60_000 + calls)
    assert.equal(await counted(), 3)
    assert.equal((await stats.bucketsIn(live, { size: 'hour', ...range, by: 'status' })).length, 1)
    for (let calls = 0; calls < 20; calls++) await catchUpSome(start + 150 * bucketMs.day)
    assert.equal((await stats.bucketsIn(live, { size: 'hour', ...range, by: 'status' })).length, 0)
    assert.equal((await stats.bucketsIn(live, { size: 'day', ...range, by: 'status' })).length, 1)
  })
}

/** Returns a bucket with the most groups, each with latencies in many intervals. */
const fullBucket = (at: number): StatsBucket => {
  const latencies = new Map(Array.from({ length: 40 }, (_, interval) => [interval, 1_000 + interval]))
  const groups = new Map(
    Array.from({ length: 50 }, (_, number) => [
      `${'n'.repeat(60)}:${number}`,
      { statuses: new Map([['delivered', 100 + number]] as const), firstAttempt: latencies, delivery: latencies },
    ]),
  )
  return {
    ...live,
    size: 'hour',
    at,
    upTo: at + 1,
    groups: { ...emptyBucket({ ...live, size: 'hour', at }).groups, tag: groups },
  }
}

const longRangeTests = (open: () => StatsStores | Promise<StatsStores>) =>
  // All buckets of a range were parsed in one event loop iteration, and added in another: 0.2 s.
  it('reads a long range with many groups in short event loop iterations', async () => {
    const { stats } = await open()
    const [from, hours] = [start - 3 * bucketMs.day, 7 * 24]
    for (let hour = 0; hour < hours; hour++) await stats.writeBucket(fullBucket(from + hour * bucketMs.hour), null)
    const week = { from, to: from + hours * bucketMs.hour }
    let found: StatsBucket[] = []
    await assertIterationsBelow(25, async () => {
      found = await stats.bucketsIn(live, { size: 'hour', ...week, by: 'tag' })
    })
    assert.equal(found.length, hours)
    const keys = found.map(({ size, at }) => ({ size, at }))
    await assertIterationsBelow(25, async () => assert.equal((await stats.buckets(live, keys)).length, hours))
    const { totals } = await assertStepsBelow(10, () => seriesSteps(found, 'tag', { bucket: 'hour', ...week }))
    assert.equal(totals.length, 11)
  })

describe('statistics', () => {
  const openFile = sqliteForTests()
  const onSqlite = () => {
    const { db } = openFile()
    return { emails: sqliteEmails(db), stats: sqliteStats(db) }
  }
  statsConformance('SQLite', onSqlite)
  describe('the fold on SQLite', () => foldTests(onSqlite))
  describe('long ranges on SQLite', () => longRangeTests(onSqlite))

  describe('cluster', () => {
    const openMongo = mongoForTests(emailIndexes, statsIndexes)
    const onMongo = async () => {
      const db = await openMongo()
      return { emails: mongoEmails(db), stats: mongoStats(db) }
    }
    statsConformance('MongoDB', onMongo)
    describe('the fold on MongoDB', () => foldTests(onMongo))
    describe('long ranges on MongoDB', () => longRangeTests(onMongo))
  })
})
