import { memoryNotifications } from '@postrider/accounts/fakesNotifications.ts'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoEventFeed } from '@postrider/adapters/mongo/events/eventFeed.ts'
import { mongoWorkspaceEvents, workspaceEventIndexes } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { mongoNotifications, notificationIndexes } from '@postrider/adapters/mongo/notifications/notifications.ts'
import { mongoReputation, reputationIndexes } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { sqliteReputation } from '@postrider/adapters/sqlite/notifications/reputation.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import type { AuditQuery } from '@postrider/ports/audit.ts'
import { notificationsConformance } from '@postrider/ports/notifications.conformance.ts'
import { quotaEventsConformance } from '@postrider/ports/quotaEvents.conformance.ts'
import { reputationConformance } from '@postrider/ports/reputation.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const allEntries: AuditQuery = { ...noAuditFilter, workspace: 'ws_1', limit: 100 }

describe('stores of notifications', () => {
  notificationsConformance('memory', (now) => {
    const store = memoryNotifications(now)
    return { notifications: store, events: store, feed: null, entries: async () => [...store.entries] }
  })

  const open = sqliteForTests()
  notificationsConformance('SQLite', (now) => {
    const { db } = open()
    const events = sqliteWorkspaceEvents(db, now)
    const entries = () => sqliteAudit(db).list(allEntries)
    return { notifications: sqliteNotifications(db), events, feed: sqliteEventFeed(db), entries }
  })
  reputationConformance('SQLite', () => sqliteReputation(open().db))
  quotaEventsConformance('SQLite', (now) => {
    const { db } = open()
    return { ledger: sqliteLedger(db, sqliteAllowances(db), now), feed: sqliteEventFeed(db) }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(
      auditIndexes,
      ledgerIndexes,
      notificationIndexes,
      reputationIndexes,
      workspaceEventIndexes,
    )
    notificationsConformance('MongoDB', async (now) => {
      const db = await openMongo()
      const events = mongoWorkspaceEvents(db, now)
      const entries = () => mongoAudit(db).list(allEntries)
      return { notifications: mongoNotifications(db), events, feed: mongoEventFeed(db), entries }
    })
    reputationConformance('MongoDB', async () => mongoReputation(await openMongo()))
    quotaEventsConformance('MongoDB', async (now) => {
      const db = await openMongo()
      return { ledger: mongoLedger(db, now), feed: mongoEventFeed(db) }
    })
  })
})
