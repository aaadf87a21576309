import { mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { mongoWorkspaceErasure } from '@postrider/adapters/mongo/erasure/workspaceErasure.ts'
import { mongoStats } from '@postrider/adapters/mongo/events/stats.ts'
import { mongoWorkspaceEvents } from '@postrider/adapters/mongo/events/workspaceEvents.ts'
import { mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { mongoNotifications } from '@postrider/adapters/mongo/notifications/notifications.ts'
import { mongoReputation } from '@postrider/adapters/mongo/notifications/reputation.ts'
import { mongoTemplates } from '@postrider/adapters/mongo/templates.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteLinks } from '@postrider/adapters/sqlite/accounts/links.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteWorkspaceErasure } from '@postrider/adapters/sqlite/erasure/workspaceErasure.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { sqliteReputation } from '@postrider/adapters/sqlite/notifications/reputation.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { type AllStores, workspaceErasureConformance } from '@postrider/ports/workspaceErasure.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

/** Bytes as text, so that a search finds what they contain. */
const readable = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value

describe('removal of workspaces', () => {
  const openFile = sqliteForTests()
  workspaceErasureConformance('SQLite', (): AllStores => {
    const { db } = openFile()
    const allowances = sqliteAllowances(db)
    return {
      accounts: sqliteAccounts(db),
      audit: sqliteAudit(db),
      billing: sqliteBilling(db, allowances),
      domains: sqliteDomains(db),
      emails: sqliteEmails(db),
      erasures: sqliteErasures(db),
      idempotency: sqliteIdempotency(db),
      links: sqliteLinks(db),
      ledger: sqliteLedger(db, allowances),
      mailbox: sqliteMailbox(db),
      notifications: sqliteNotifications(db),
      reputation: sqliteReputation(db),
      stats: sqliteStats(db),
      workspaceEvents: sqliteWorkspaceEvents(db, Date.now),
      templates: sqliteTemplates(db),
      erasure: sqliteWorkspaceErasure(db, allowances),
      dump: async () => {
        await db.synced()
        const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
        const names = tables.map(({ name }) => String(name))
        return new Map(
          names.map((name) => [
            name,
            db
              .prepare(`SELECT * FROM ${name}`)
              .all()
              .map((row) => JSON.stringify(row, readable)),
          ]),
        )
      },
    }
  })

  describe('cluster', () => {
    const openDb = mongoForTests(allIndexes)
    workspaceErasureConformance('MongoDB', async (): Promise<AllStores> => {
      const db = await openDb()
      return {
        accounts: mongoAccounts(db),
        audit: mongoAudit(db),
        billing: mongoBilling(db),
        domains: mongoDomains(db),
        emails: mongoEmails(db),
        erasures: mongoErasures(db),
        idempotency: mongoIdempotency(db),
        links: mongoLinks(db),
        ledger: mongoLedger(db),
        mailbox: mongoMailbox(db),
        notifications: mongoNotifications(db),
        reputation: mongoReputation(db),
        stats: mongoStats(db),
        workspaceEvents: mongoWorkspaceEvents(db, Date.now),
        templates: mongoTemplates(db),
        erasure: mongoWorkspaceErasure(db),
        dump: async () => {
          const names = (await db.listCollections().toArray()).map(({ name }) => name)
          const dumped = names.map(async (name): Promise<[string, string[]]> => {
            const documents = await db.collection(name).find().toArray()
            return [name, documents.map((document) => JSON.stringify(document))]
          })
          return new Map(await Promise.all(dumped))
        },
      }
    })
  })
})
