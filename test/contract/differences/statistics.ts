import assert from 'node:assert/strict'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoStats } from '@postrider/adapters/mongo/events/stats.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { type Email, modes } from '@postrider/domain/email/email.ts'
import type { Retention } from '@postrider/domain/retention/retention.ts'
import { addOutcomesSteps, dimensions, emptyBucket, type StatsBucket } from '@postrider/domain/stats/bucket.ts'
import { bucketMs, bucketSizes, startOfBucket } from '@postrider/domain/stats/range.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import { catchUp } from '@postrider/intake/stats.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { content, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { ChangedQuery, StatsOwner, StatsStore } from '@postrider/ports/stats.ts'
import { acceptedMail, attempted } from '@postrider/ports/statsFixtures.conformance.ts'
import fc from 'fast-check'
import { inOneStep } from '../../support/inOneStep.ts'
import { type Comparison, inAnyOrder, type Moment, operationsOn, rarely, timeOf } from './compare.ts'

type Stores = { emails: EmailStore; stats: StatsStore }

const operation = operationsOn<Stores>()
const addOutcomes = inOneStep(addOutcomesSteps)

const emailCount = 6
const start = Date.UTC(2026, 10, 28, 12)
/** Workspaces of the mail, in the order of ids. One id is the beginning of another. */
const workspaces = ['ws_1', 'ws_1a', 'ws_2']
const number = fc.nat({ max: emailCount - 1 })
const mode = fc.constantFrom(...modes)
const size = fc.constantFrom(...bucketSizes)
const limit = fc.constantFrom(1, 2, 3, 100)

const emailIdOf = (of: number): string => `em_${String(of).padStart(26, '0')}`
const workspaceOf = (of: number): string => workspaces[of % workspaces.length] ?? ''

/** Reads all mail that changed in a range. The pages may end elsewhere in each store. */
const changedIn = async ({ stats }: Stores, query: ChangedQuery): Promise<Email[]> => {
  const found = new Map<string, Email>()
  for (let { after } = query; after < query.until; ) {
    const page = await stats.changedEmails({ ...query, after })
    for (const one of page.emails) found.set(one.id, one)
    assert.ok(page.until > after || page.until === Math.floor(query.until), `a page ends at ${page.until}`)
    if (page.until <= after) break
    after = page.until
  }
  return [...found.values()]
}

const ofMail = {
  insert: operation(
    {
      number,
      mode,
      isMarketing: fc.boolean(),
      tags: fc.constantFrom<Record<string, string>[]>({}, { team: 'blue' }, { 'a.b': '1', $set: 'ü', __proto__x: '' }),
      people: fc.integer({ min: 1, max: 3 }),
      retention: fc.constantFrom<(Retention | null)[]>(null, 'none', 7),
    },
    ({ emails }, { number: own, mode: as, isMarketing, people, retention, tags }, moment) => {
      const of = { id: emailIdOf(own), workspace: workspaceOf(own), mode: as, tags }
      const recipients = Array.from({ length: people }, (_, to) => recipient({ address: `ann@To${to % 2}.example` }))
      const category = isMarketing ? 'marketing' : 'transactional'
      const mail = acceptedMail(timeOf(moment), {
        ...of,
        recipients,
        category,
        ...(retention !== null && { retention }),
      })
      return emails.insert(mail, content)
    },
    6,
  ),
  attempt: operation(
    { number, to: fc.nat({ max: 2 }), outcome: fc.constantFrom('delivered', 'deferred', 'bounced'), tookMs: number },
    async ({ emails }, given, moment) => {
      const stored = await emails.get(emailIdOf(given.number))
      if (stored === null || given.to >= stored.email.recipients.length) return null
      const at = timeOf(moment)
      const after = attempted(stored.email, given.to, { beganAt: at - given.tookMs, at, outcome: given.outcome })
      return emails.change(after.id, stored.fence, moment.now, { email: after, nextAt: null })
    },
    6,
  ),
  remove: operation({ number }, async ({ emails }, given) => {
    const id = emailIdOf(given.number)
    const stored = await emails.get(id)
    return stored && emails.removeEmails([{ id, fence: stored.fence }])
  }),
  tombstone: operation({ number }, ({ emails }, given) => emails.tombstone(emailIdOf(given.number))),
  workspaces: operation({}, async ({ stats }) => {
    const found: string[] = []
    for (let next = await stats.nextWorkspace(''); next !== null; next = await stats.nextWorkspace(next))
      found.push(next)
    return found
  }),
  changed: operation(
    {
      number,
      mode,
      isWhole: fc.boolean(),
      lengthMs: fc.constantFrom(1, 1_000, minuteMs, 3 * hourMs),
      backMs: fc.constantFrom(0, 1, 1_000, hourMs),
      fraction: fc.constantFrom(0, 0.5),
      limit,
    },
    async (stores, given, moment) => {
      const until = timeOf(moment) - given.backMs + given.fraction
      const after = given.isWhole ? 0 : Math.floor(until) - given.lengthMs
      const of = { workspace: workspaceOf(given.number), mode: given.mode }
      return inAnyOrder(await changedIn(stores, { ...of, after, until, limit: given.limit }))
    },
    4,
  ),
  // Later events have later times, so that a count misses none.
  catchUp: operation(
    { number, mode, backMs: fc.constantFrom(1, 1_000, hourMs) },
    async ({ stats }, given, moment) => {
      const owner = { workspace: workspaceOf(given.number), mode: given.mode }
      const until = timeOf(moment) - given.backMs
      return (await catchUp({ stats, slices: makeSlices() }, owner, until)) >= until
    },
    4,
  ),
}

/** Positions and buckets that no count of mail changes. */
const owner = fc.record({ workspace: fc.constantFrom('ws_8', 'ws_9'), mode })

const bucketAt = (of: StatsOwner, key: Pick<StatsBucket, 'size' | 'at'>, upTo: number): StatsBucket => {
  const bucket = emptyBucket({ ...of, ...key })
  const one = acceptedMail(key.at, { tags: { 'a.b': `${upTo}` } })
  addOutcomes(bucket, [attempted(one, 0, { beganAt: key.at + 1, at: key.at + 5, outcome: 'bounced' })], {
    from: 0,
    to: upTo,
  })
  return bucket
}

const hour = fc.integer({ min: -2, max: 2 })
const beginOf = (of: StatsBucket['size'], hours: number): number => startOfBucket(of, start) + hours * bucketMs[of]
const dimension = fc.constantFrom(...dimensions)

const ofBuckets = {
  movePosition: operation(
    { owner, from: fc.constantFrom(0, 1, 2), to: fc.constantFrom(1, 2, 3) },
    async ({ stats }, given) => [await stats.movePosition(given.owner, given), await stats.position(given.owner)],
    2,
  ),
  writeBucket: operation(
    { owner, size, hour, isStale: rarely, isNew: rarely },
    async ({ stats }, given, moment) => {
      const key = { size: given.size, at: beginOf(given.size, given.hour) }
      const [stored] = await stats.buckets(given.owner, [key])
      const before = given.isNew || !stored ? null : stored.upTo
      const bucket = bucketAt(given.owner, key, key.at + timeOf(moment) - start + dayMs)
      return stats.writeBucket(bucket, given.isStale ? (before ?? 0) + 1 : before)
    },
    6,
  ),
  buckets: operation({ owner, size, hours: fc.uniqueArray(hour) }, async ({ stats }, given) => {
    const keys = given.hours.map((one) => ({ size: given.size, at: beginOf(given.size, one) }))
    return inAnyOrder(await stats.buckets(given.owner, keys))
  }),
  bucketsIn: operation({ owner, size, from: hour, to: hour, by: dimension }, async ({ stats }, given) => {
    const [from, to] = [beginOf(given.size, given.from), beginOf(given.size, given.to)]
    return inAnyOrder(await stats.bucketsIn(given.owner, { size: given.size, from, to, by: given.by }))
  }),
  removeBuckets: operation({ size, hour, limit }, async ({ stats }, given) => {
    const before = beginOf(given.size, given.hour)
    for (let all = 0; ; ) {
      const removed = await stats.removeBuckets(given.size, before, given.limit)
      all += removed
      if (removed < given.limit) return all
    }
  }),
}

/** The counts of a bucket. Up to when a store has counted depends on where its pages end. */
const countsOf = async ({ stats }: Stores, of: StatsOwner, by: StatsBucket['size']): Promise<unknown> => {
  const range = { size: by, from: 0, to: Number.MAX_SAFE_INTEGER / 2 ** 10 }
  const found = await Promise.all(dimensions.map((one) => stats.bucketsIn(of, { ...range, by: one })))
  return inAnyOrder(found.flat().map(({ at, groups }) => ({ at, groups })))
}

const contents = async (stores: Stores, _: undefined, moment: Moment): Promise<unknown> => {
  const owners = [...workspaces, 'ws_8', 'ws_9'].flatMap((workspace) => modes.map((one) => ({ workspace, mode: one })))
  const of = async (one: StatsOwner) => {
    await catchUp({ stats: stores.stats, slices: makeSlices() }, one, timeOf(moment) + 1)
    return Promise.all(bucketSizes.map((by) => countsOf(stores, one, by)))
  }
  return Promise.all(owners.map(of))
}

export const statisticsDifferences: Comparison<Stores> = {
  name: 'statistics of mail',
  sqlite: (db) => ({ emails: sqliteEmails(db), stats: sqliteStats(db) }),
  mongo: (db) => ({ emails: mongoEmails(db), stats: mongoStats(db) }),
  operations: { ...ofMail, ...ofBuckets },
  waits: [1_000, minuteMs, hourMs, dayMs],
  contents,
  maxOperations: 40,
}
