import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { type LeasedEmail, saveOutcome } from '@postrider/dispatcher/attempt.ts'
import { withCommitted } from '@postrider/domain/email/attemptRecord.ts'
import { withEvents, withFreshEvents } from '@postrider/domain/email/changes.ts'
import { canceled, endOrphans, isCancelable } from '@postrider/domain/email/decisions.ts'
import { dueRecipients, nextDueOf } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Email } from '@postrider/domain/email/email.ts'
import { withTransmission } from '@postrider/domain/email/withTransmission.ts'
import { byPosition, type FeedPosition, feedDelayMs } from '@postrider/domain/events/event.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { email as anyEmail, content, everything, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import { mongoForTests } from '../contract/mongo.ts'
import { sqliteForTests } from '../contract/sqlite.ts'
import { printedSeed, seeded, shortOrLong } from './random.ts'

/*
 * Writers accept, deliver and cancel mail of one workspace while a reader follows its events in ascending order. The
 * time is simulated. Writers lose responses of the store, lose calls, die between two writes, and are paused for up to
 * a minute in the middle of a delivery, so that others take over. The reader must see every stored event once, in the
 * order of time.
 */

const leaseMs = 30_000
/** Later than the clock of MongoDB, which decides whether a write was late. */
const startAt = 4_000_000_000_000

type Stores = { emails: EmailStore; events: EventFeed }
type World = Stores & { now: () => number; random: () => number; sleep(ms: number): Promise<void> }

const died = new Error('died')

const unavailable = () => new Fault('unavailable', 'The store does not respond.')

/** Returns the store as a writer sees it: some calls are lost before the write, and some responses after it. */
const flaky = ({ emails, random, sleep }: World): Pick<EmailStore, 'write' | 'lastWrite' | 'insert' | 'change'> => {
  const call = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const fate = random()
    if (fate < 0.08) throw unavailable()
    const result = await run()
    if (fate > 0.92) {
      await sleep(random() * 4_000)
      throw unavailable()
    }
    return result
  }
  return {
    write: (...given) => call(() => emails.write(...given)),
    lastWrite: (...given) => call(() => emails.lastWrite(...given)),
    insert: (...given) => call(() => emails.insert(...given)),
    change: (...given) => call(() => emails.change(...given)),
  }
}

/** Accepts an email as intake does: an insert that failed is repeated after some time, with the same id. */
const accept = async (world: World, workspace: string): Promise<void> => {
  const { now, random, sleep } = world
  const at = now()
  const recipients = [recipient({ nextAt: at }), recipient({ address: 'bob@example.com', nextAt: at })]
  const email = withEvents(anyEmail({ workspace, createdAt: at, recipients }), at, [
    { type: 'email.accepted', recipient: null },
  ])
  for (let tries = 0; tries < 3; tries++) {
    try {
      await sleep(random() < 0.1 ? 45_000 : 0)
      await flaky(world).insert(withFreshEvents(email, 0, now()), content)
      return
    } catch {
      await sleep(1_000 + random() * 40_000)
    }
  }
}

/** Delivers a claimed email as a dispatcher does, and may die or be paused at any point. */
const deliver = async (world: World, { email: stored, fence }: ClaimedEmail): Promise<void> => {
  const { now, random, sleep } = world
  const emails = flaky(world)
  const isDying = () => random() < 0.06
  const pauseMs = () => (random() < 0.1 ? random() * 60_000 : random() * 300)
  const deps = {
    emails,
    durable: { synced: async () => {} },
    now,
    pause: (ms: number) => (isDying() ? Promise.reject(died) : sleep(ms)),
    stopping: new AbortController().signal,
  }
  const save = (work: LeasedEmail): Promise<unknown> =>
    saveOutcome(deps, work, { done: true }).catch((thrown: unknown) => {
      if (thrown !== died) throw thrown
    })
  const at = now()
  let email = endOrphans(stored, at)
  const numbers = dueRecipients(email, at)
  const id = newId('att')
  const attempt = {
    id,
    at,
    host: '',
    recipients: numbers,
    outcome: null,
    reply: null,
    possibleDuplicate: false,
    committed: null,
    steps: [],
  }
  let storedEvents = stored.events.length
  if (numbers.length > 0) {
    const begun: Email = { ...email, attempts: [...email.attempts, attempt] }
    const sent = withFreshEvents(withCommitted(begun, id, numbers, now()), storedEvents, now())
    if (isDying()) return
    const isWritten = await emails
      .write(email.id, fence, { email: sent, nextAt: nextDueOf(sent), done: false, storedEvents })
      .catch(() => null)
    if (isWritten === false || isDying()) return
    await sleep(pauseMs())
    if (isWritten === null) {
      // Without a response nothing is sent.
      const results = numbers.map(() => ({ kind: 'gate_closed' as const }))
      const ended = (one: Email): Email =>
        withTransmission(one, id, numbers, { host: 'mx:25', steps: [], results }, { at: now(), random })
      await save({ email: ended(begun), ifCommitted: ended(sent), storedEvents, fence })
      return
    }
    storedEvents = sent.events.length
    const code = random() < 0.6 ? 250 : random() < 0.5 ? 451 : 550
    const results = numbers.map(() => ({ kind: 'answered' as const, reply: { code, enhanced: null, text: 'x' } }))
    email = withTransmission(sent, id, numbers, { host: 'mx:25', steps: [], results }, { at: now(), random })
  }
  await sleep(pauseMs())
  await save({ email, storedEvents, fence })
}

const cancelSome = async (world: World, workspace: string): Promise<void> => {
  const { emails, now } = world
  const found = await emails.list({ ...everything, workspace, status: 'queued', now: now(), limit: 1 })
  for (const stored of found.emails) {
    if (!isCancelable(stored, now())) continue
    const email = canceled(stored.email, now(), 'usr_1')
    await flaky(world)
      .change(email.id, stored.fence, now(), { email, nextAt: null })
      .catch(() => {})
  }
}

/** Runs tasks in simulated time: one step of the clock at a time; all due tasks run in it. */
const simulation = (random: () => number) => {
  const clock = { now: startAt }
  let sleeping: { until: number; wake(): void }[] = []
  const sleep = (ms: number): Promise<void> => {
    if (ms <= 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    sleeping.push({ until: clock.now + ms, wake: resolve })
    return promise
  }
  return {
    now: () => Math.floor(clock.now),
    sleep,
    advance: () => {
      clock.now += 20 + random() * 400
      const due = sleeping.filter(({ until }) => until <= clock.now)
      sleeping = sleeping.filter(({ until }) => until > clock.now)
      for (const { wake } of due) wake()
    },
  }
}

const allEvents = async (emails: EmailStore, workspace: string, now: number) => {
  const found = []
  for (let before: string | null = null; ; ) {
    const page = await emails.list({ ...everything, workspace, before, now, limit: 100 })
    found.push(...page.emails)
    before = page.emails.at(-1)?.email.id ?? null
    if (!page.hasMore) return found.flatMap(({ email }) => email.events)
  }
}

const run = async ({ emails, events }: Stores, seed: number, steps: number): Promise<void> => {
  const random = seeded(seed)
  const { now, sleep, advance } = simulation(random)
  const world: World = { emails, events, now, random, sleep }
  const workspace = newId('ws')
  const running = new Set<Promise<void>>()
  const start = (task: Promise<void>): void => {
    running.add(task)
    void task.finally(() => running.delete(task))
  }
  const seen: FeedPosition[] = []
  let after: FeedPosition | null = null
  const read = async (): Promise<void> => {
    for (;;) {
      const query = { workspace, mode: null, order: 'asc' as const, after, until: now() - feedDelayMs, limit: 7 }
      const page = await events.readEvents(query)
      seen.push(...page.events)
      after = page.position
      if (!page.hasMore) return
    }
  }
  const turn = async (isBusy: boolean): Promise<void> => {
    advance()
    if (isBusy && random() < 0.35) start(accept(world, workspace))
    if (isBusy && random() < 0.05) start(cancelSome(world, workspace))
    const claimed = await emails.claim({ lane: 'transactional', now: now(), limit: 3, leaseMs })
    for (const one of claimed) start(deliver(world, one))
    await read()
    await nextIteration()
  }
  for (let step = 0; step < steps; step++) await turn(true)
  while (running.size > 0) await turn(false)
  for (let step = 0; step < 60; step++) await turn(false)
  const stored = await allEvents(emails, workspace, now())
  const old = stored.filter(({ at }) => at <= now() - feedDelayMs)
  assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'an event was seen twice')
  assert.deepEqual(
    seen.map(({ id }) => id),
    seen.toSorted(byPosition).map(({ id }) => id),
    'an event was seen late',
  )
  assert.deepEqual(
    seen.map(({ id, at }) => `${at} ${id}`),
    old.toSorted(byPosition).map(({ id, at }) => `${at} ${id}`),
    'the reader and the store differ',
  )
  assert.ok(seen.length > steps / 4, `only ${seen.length} events`)
}

describe('a reader that follows events while writers fail (I27)', () => {
  const rounds = shortOrLong(2, 40)
  const steps = shortOrLong(400, 2_000)

  it('sees each event of SQLite once and in order', async function () {
    this.timeout(shortOrLong(300_000, 1_200_000))
    const seed = printedSeed()
    for (let round = 0; round < rounds; round++) {
      const { db } = open()
      await run({ emails: sqliteEmails(db), events: sqliteEventFeed(db) }, seed + round, steps)
    }
  })
  const open = sqliteForTests()

  describe('cluster', () => {
    const openMongo = mongoForTests(emailIndexes, workspaceEventIndexes)

    it('sees each event of MongoDB once and in order', async function () {
      this.timeout(shortOrLong(300_000, 2_400_000))
      const seed = printedSeed()
      for (let round = 0; round < Math.ceil(rounds / 2); round++) {
        const db = await openMongo()
        await run({ emails: mongoEmails(db), events: mongoEventFeed(db) }, seed + round, steps)
      }
    })
  })
})
