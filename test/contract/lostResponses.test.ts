import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { deliver } from '@postrider/dispatcher/deliver.ts'
import type { EmailEvent } from '@postrider/domain/email/email.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { byPosition, type FeedPosition, feedDelayMs } from '@postrider/domain/events/event.ts'
import { byteBudget } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { email as anyEmail, content, leaseMs, recipient } from '@postrider/ports/emailsFixtures.conformance.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import { type Db, MongoNetworkError } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { transportsOver } from '../support/transportsOver.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

/*
 * A worker delivers one email while responses of its store are lost. Between its writes a reader reads the record and
 * follows the feed. What it has seen stays: no event is lost, and none gets another id or time.
 */

/** Later than the clock of MongoDB, so that no write is late. */
const startAt = 4_000_000_000_000
/** Readers have passed the time of an event that is older. */
const passedMs = feedDelayMs + 5_000

/** How a write ends: as it does, or without a response, after or before it is made. */
type Ending = 'response' | 'lost response' | 'lost call'
const endings: readonly Ending[] = ['response', 'lost response', 'lost call']

type Stores = { emails: EmailStore; events: EventFeed }

const accepted: RecipientResult = { kind: 'answered', reply: { code: 250, enhanced: null, text: 'queued' } }
const roomy = byteBudget({ capacityBytes: 1_000_000, maxBytesPerOwner: 1_000_000 })

/** Opens a world with one email to two recipients; the server accepts one of them in a transaction. */
const openWorld = async ({ emails, events }: Stores, from = startAt) => {
  const workspace = newId('ws')
  const clock = { ms: from }
  const to = ['ann', 'bob'].map((name) => recipient({ address: `${name}@example.com`, nextAt: clock.ms }))
  const { id } = anyEmail()
  await emails.insert(anyEmail({ id, workspace, createdAt: clock.ms, recipients: to }), content)
  const dots: string[] = []
  const seen = new Map<string, EmailEvent>()
  const followed: FeedPosition[] = []
  let after: FeedPosition | null = null

  const check = async (): Promise<void> => {
    for (const event of (await emails.get(id))?.email.events ?? []) {
      assert.deepEqual(event, seen.get(event.id) ?? event, 'an event has changed')
      seen.set(event.id, event)
    }
    const until = clock.ms - feedDelayMs
    const page = await events.readEvents({ workspace, mode: null, order: 'asc', after, until, limit: 100 })
    followed.push(...page.events)
    after = page.position
  }

  /** Delivers until no recipient is due, with a store that `through` wraps for the worker. */
  const deliverAll = async (through: EmailStore): Promise<void> => {
    const transport = {
      mailRoute: 'smtp' as const,
      readsMessage: true,
      close: async () => {},
      send: async ({ to, gate }: { to: readonly string[]; gate(numbers: number[]): Promise<boolean> }) => {
        const isOpen = await gate([0])
        if (isOpen) dots.push(to[0] ?? '')
        const first: RecipientResult = isOpen ? accepted : { kind: 'gate_closed' }
        return {
          host: 'mx:25',
          steps: [],
          results: [first, ...to.slice(1).map(() => ({ kind: 'next_transaction' }) as const)],
        }
      },
    }
    const deliverOne = deliver({
      emails: through,
      durable: { synced: async () => {} },
      leases: { isLeased: () => true },
      suspended: { has: () => false },
      transports: transportsOver(transport),
      signer: { prepare: async () => ({ kind: 'unsigned' }) },
      platformAddress: 'mail@postrider.test',
      onHeld: () => {},
      messageBytes: { transactional: roomy, marketing: roomy },
      maxMessageBytes: 1_000_000,
      now: () => clock.ms,
      random: () => 0.5,
      pause: async (ms) => {
        clock.ms += ms
      },
      stopping: new AbortController().signal,
      onAttempt: () => {},
    })
    for (let claims = 0; claims < 20; claims++) {
      const claimed = await emails.claim({ lane: 'transactional', now: clock.ms, limit: 1, leaseMs, ids: [id] })
      if (claimed[0] === undefined) return
      await deliverOne(claimed[0])
    }
    assert.fail('the email is still due')
  }

  const assertKept = async (): Promise<readonly EmailEvent[]> => {
    clock.ms += passedMs
    await check()
    const { email } = (await emails.get(id)) ?? assert.fail('no email')
    assert.deepEqual([...seen.values()], email.events)
    assert.deepEqual(
      followed.map(({ at, id: event }) => `${at} ${event}`),
      email.events.toSorted(byPosition).map(({ at, id: event }) => `${at} ${event}`),
    )
    assert.deepEqual(
      email.recipients.map(({ status }) => status),
      ['delivered', 'delivered'],
    )
    assert.deepEqual(dots.toSorted(), ['ann@example.com', 'bob@example.com'], 'copies')
    return email.events
  }
  return { id, clock, check, deliverAll, assertKept }
}

/** Returns the store of a worker whose writes end so, in their order; all later ones get their response. */
const losing = (emails: EmailStore, endingsOf: readonly Ending[], afterEach: () => Promise<void>): EmailStore => {
  const left = [...endingsOf]
  return {
    ...emails,
    write: async (...given) => {
      const ending = left.shift() ?? 'response'
      const isWritten = ending !== 'lost call' && (await emails.write(...given))
      await afterEach()
      if (ending === 'response') return isWritten
      throw new Fault('unavailable', 'The response was lost.')
    },
  }
}

const combinations = (length: number): Ending[][] =>
  length === 0 ? [[]] : combinations(length - 1).flatMap((some) => endings.map((one) => [...some, one]))

/** @param writes how many writes of the delivery may lose their responses */
const lostResponses = (open: () => Promise<Stores>, writes: number): void => {
  it(`keeps the events that a reader saw if any of the first ${writes} writes of a delivery have no response`, async () => {
    const stores = await open()
    for (const endingsOf of combinations(writes)) {
      const { clock, check, deliverAll, assertKept } = await openWorld(stores)
      const emails = losing(stores.emails, endingsOf, async () => {
        await check()
        clock.ms += passedMs
        await check()
      })
      try {
        await deliverAll(emails)
        await assertKept()
      } catch (thrown) {
        throw new Error(`with ${endingsOf.join(', ')}`, { cause: thrown })
      }
    }
  })
}

describe('a delivery whose store loses responses', () => {
  describe('SQLite', () => {
    const open = sqliteForTests()
    lostResponses(async () => {
      const { db } = open()
      return { emails: sqliteEmails(db), events: sqliteEventFeed(db) }
    }, 5)
  })

  describe('cluster', () => {
    const open = mongoForTests(emailIndexes, workspaceEventIndexes)
    afterEach(() => mock.reset())
    const stores = (db: Db): Stores => ({ emails: mongoEmails(db), events: mongoEventFeed(db) })
    const lost = () => new MongoNetworkError('the connection was lost')
    lostResponses(async () => stores(await open()), 4)

    it('needs one command for each write if none is lost, and reads only the content', async () => {
      // No pause of the machine makes a response late.
      mock.method(performance, 'now', () => 0)
      const db = await open()
      const { deliverAll, assertKept } = await openWorld(stores(db))
      const commands: string[] = []
      const noted = (what: string) => (run: () => Promise<unknown>) => {
        commands.push(what)
        return run()
      }
      const around = { write: ({ run }: { run(): Promise<unknown> }) => noted('write')(run), read: noted('read') }
      await deliverAll(mongoEmails(wrappedDb(db, around)))
      await assertKept()
      assert.deepEqual(commands, ['read', 'write', 'write', 'write', 'write'])
    })

    for (const [when, order] of [
      ['before the next write', ['delayed', 'next']],
      ['after the next write', ['next', 'delayed']],
    ] as const)
      for (const delayed of [1, 2, 3, 4])
        it(`keeps its events if write ${delayed} is made ${when}, after its response was lost`, async () => {
          const db = await open()
          const { check, deliverAll, assertKept } = await openWorld(stores(db))
          const waiting: (() => Promise<unknown>)[] = []
          let writes = 0
          const write = async ({ run }: { run(): Promise<unknown> }): Promise<unknown> => {
            writes += 1
            if (writes === delayed) {
              waiting.push(run)
              throw lost()
            }
            const first = waiting.shift()
            if (first === undefined) return run()
            const answers: Record<string, unknown> = {}
            for (const one of order) {
              answers[one] = await (one === 'next' ? run : first)()
              await check()
            }
            return answers['next']
          }
          await deliverAll(mongoEmails(wrappedDb(db, { write })))
          await check()
          await assertKept()
        })

    for (const [made, isLate] of [
      ['in time', false],
      ['late', true],
    ] as const)
      for (const write of [1, 4])
        it(`${isLate ? 'gives events of a write a new time' : 'keeps the times'} if write ${write} was made ${made} and its response was lost`, async () => {
          const db = await open()
          // The store decides by its own clock.
          const from = isLate ? Date.now() - 10 * passedMs : startAt
          const { id, clock, deliverAll } = await openWorld(stores(db), from)
          let written: readonly EmailEvent[] = []
          let writes = 0
          await deliverAll(
            mongoEmails(
              wrappedDb(db, {
                write: async ({ run }) => {
                  writes += 1
                  const answer = await run()
                  if (writes !== write) return answer
                  written = (await mongoEmails(db).get(id))?.email.events ?? []
                  clock.ms += passedMs
                  throw lost()
                },
              }),
            ),
          )
          const events = (await mongoEmails(db).get(id))?.email.events.slice(0, written.length) ?? []
          assert.deepEqual(
            events.map((event) => event.id),
            written.map((event) => event.id),
          )
          const moved = written.map(({ at }, index) => events[index]?.at !== at)
          const expected = written.map((_, index) => isLate && index === written.length - 1)
          assert.deepEqual(moved, expected)
        })
  })
})
