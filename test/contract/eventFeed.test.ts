import assert from 'node:assert/strict'
import { sweepOutboxes } from '@postrider/adapters/mongo/audit/sweep.ts'
import { domainIndexes, domainOutboxes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { sweepPending } from '@postrider/adapters/mongo/events/pending.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { withEvents } from '@postrider/domain/email/changes.ts'
import { dayMs, hourMs } from '@postrider/domain/time.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { domainEventsConformance, eventsOf, verified } from '@postrider/ports/domainEvents.conformance.ts'
import { inserted } from '@postrider/ports/domainsFixtures.conformance.ts'
import { content, email } from '@postrider/ports/emailsFixtures.conformance.ts'
import { eventFeedConformance } from '@postrider/ports/eventFeed.conformance.ts'
import type { Collection, Db, Document, Filter } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const cause = { kind: 'request', actor: 'key_1' } as const

/**
 * Returns a database that counts reads of emails, and the records that are read by their ids.
 * @param hasEmails whether a read finds any, by its number
 */
const countingFinds = (db: Db, hasEmails: (number: number) => boolean = () => true) => {
  const filters: Filter<Document>[] = []
  const idsOf = ({ _id }: Filter<Document>) => (_id as { $in?: string[] } | undefined)?.$in?.length ?? 0
  const counted = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (filter: Filter<Document>, ...options: unknown[]) => {
          filters.push(filter)
          return member.call(target, hasEmails(filters.length) ? filter : { _id: 'none' }, ...options)
        }
      },
    })
  return {
    db: {
      collection: (name: string) => (name === 'emails' ? counted(db.collection(name)) : db.collection(name)),
    } as Db,
    reset: () => void filters.splice(0),
    finds: () => filters.length,
    records: () => filters.reduce((sum, filter) => sum + idsOf(filter), 0),
  }
}

describe('stores of events', () => {
  const open = sqliteForTests()
  eventFeedConformance('SQLite', (now, maxRead) => {
    const { db } = open()
    return {
      emails: sqliteEmails(db),
      events: sqliteEventFeed(db, maxRead),
      workspaceEvents: sqliteWorkspaceEvents(db, now),
    }
  })

  domainEventsConformance('SQLite', (now) => {
    const { db } = open()
    return { domains: sqliteDomains(db, now), events: sqliteEventFeed(db) }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(emailIndexes, workspaceEventIndexes, domainIndexes)
    eventFeedConformance('MongoDB', async (now, maxRead) => {
      const db = await openMongo()
      return {
        emails: mongoEmails(db),
        events: mongoEventFeed(db, maxRead),
        workspaceEvents: mongoWorkspaceEvents(db, now),
      }
    })

    domainEventsConformance('MongoDB', async (now) => {
      const db = await openMongo()
      return { domains: mongoDomains(db, now), events: mongoEventFeed(db) }
    })

    // After a pause the windows grew and shrank in turn: 274 reads for a page, each of up to 201 emails.
    for (const order of ['asc', 'desc'] as const)
      it(`reads few windows and emails for a page before or after a long pause, ${order}`, async () => {
        const db = await openMongo()
        const [emails, start, count] = [mongoEmails(db), 1_790_000_000_000, 300]
        for (let number = 0; number < count; number++) {
          const events = Array.from({ length: 5 }, () => ({ type: 'email.deferred' as const, recipient: 0, cause }))
          await emails.insert(withEvents(email({ createdAt: start }), start + number, events), content)
        }
        const counted = countingFinds(db)
        const query = { workspace: 'ws_1', mode: 'live' as const, order, after: null, limit: 20 }
        for (const pauseMs of [hourMs / 2, 10 * dayMs, 300 * dayMs]) {
          counted.reset()
          const { events } = await mongoEventFeed(counted.db).readEvents({ ...query, until: start + pauseMs })
          assert.equal(events.length, 20)
          const first = order === 'asc' ? 0 : count - 4
          assert.ok(events.every(({ at }) => at >= start + first && at < start + first + 4))
          assert.ok(counted.finds() <= 40, `${counted.finds()} reads`)
          assert.ok(counted.records() <= 8, `${counted.records()} records`)
        }
      })

    // Each later window had 1 ms: a page after a year without events never ended.
    for (const [order, firstMs, untilMs] of [
      ['asc', 0, 300 * dayMs],
      ['desc', -300 * dayMs, 1_000],
    ] as const)
      it(`reads few windows after the emails of one with too many were removed, ${order}`, async () => {
        const db = await openMongo()
        const [emails, start] = [mongoEmails(db), 1_790_000_000_000]
        const events = [{ type: 'email.deferred' as const, recipient: 0, cause }]
        for (let number = 0; number < 30; number++) {
          const createdAt = number === 0 ? start + firstMs : start
          await emails.insert(withEvents(email({ createdAt }), createdAt, events), content)
        }
        // The first read finds the time of the oldest email, and the second one has too many.
        const counted = countingFinds(db, (number) => {
          assert.ok(number <= 60, 'too many reads')
          return number <= 2
        })
        const query = { workspace: 'ws_1', mode: 'live' as const, order, after: null, limit: 5 }
        const page = await mongoEventFeed(counted.db).readEvents({ ...query, until: start + untilMs })
        assert.deepEqual([page.events, page.hasMore], [[], false])
        assert.ok(counted.finds() > 10)
      })

    for (const writes of [1, 2, 3])
      it(`has the event of a domain once if its process dies after ${writes} writes of the change`, async () => {
        const db = await openMongo()
        const one = await inserted(mongoDomains(db))
        const { after, event } = verified(one)
        let left = writes
        const dying = wrappedDb(db, { write: ({ run }) => (left-- > 0 ? run() : Promise.reject(new Error('died'))) })
        const change = { domain: after, nextCheckAt: 9_000, event }
        await mongoDomains(dying)
          .write(one.id, 0, change, [anEntry()])
          .catch(() => {})
        const now = Date.now
        await sweepOutboxes(db, domainOutboxes, now() + 60_000)
        await sweepPending(db, 'domains', mongoWorkspaceEvents(db, now))
        await sweepPending(db, 'domains', mongoWorkspaceEvents(db, now))
        const query = { workspace: 'ws_1', mode: null, order: 'desc' as const, after: null, until: now(), limit: 10 }
        const found = await mongoEventFeed(db).readEvents(query)
        assert.deepEqual(
          found.events.map(({ id }) => id),
          [event.id],
        )
        assert.equal((await mongoDomains(db).get('ws_1', one.id))?.domain.status, 'verified')
        assert.equal(await db.collection('domains').countDocuments({ 'pendingEvents.0': { $exists: true } }), 0)
      })

    it('removes a domain with an event that is not in the feed yet, and keeps the event', async () => {
      const db = await openMongo()
      const now = () => 1_790_000_000_000
      const one = await inserted(mongoDomains(db, now))
      const { after, event } = verified(one)
      const broken = wrappedDb(db, {
        write: ({ run, all }) => (all.length > 0 || left-- > 0 ? run() : Promise.reject(new Error('died'))),
      })
      let left = 1
      await mongoDomains(broken, now)
        .write(one.id, 0, { domain: after, nextCheckAt: 9_000, event }, [])
        .catch(() => {})
      assert.ok(await mongoDomains(db, now).remove('ws_1', one.id, () => anEntry()))
      assert.equal((await eventsOf(mongoEventFeed(db))).length, 1)
    })
  })
})
