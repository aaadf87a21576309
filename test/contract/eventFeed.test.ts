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
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { domainEventsConformance, eventsOf, verified } from '@postrider/ports/domainEvents.conformance.ts'
import { inserted } from '@postrider/ports/domainsFixtures.conformance.ts'
import { eventFeedConformance } from '@postrider/ports/eventFeed.conformance.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

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
