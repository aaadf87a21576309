import assert from 'node:assert/strict'
import { accountOutboxes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoUsers } from '@postrider/adapters/mongo/accounts/users.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { type Outboxes, openOutboxSweep, sweepOutboxes } from '@postrider/adapters/mongo/audit/sweep.ts'
import { domainOutboxes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { emailOutboxes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { ledgerOutboxes, mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { mongoNotifications, notificationOutboxes } from '@postrider/adapters/mongo/notifications/notifications.ts'
import { mongoTemplates, templateOutboxes } from '@postrider/adapters/mongo/templates.ts'
import { mongoWebhookDeliveries } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { mongoWebhookEndpoints } from '@postrider/adapters/mongo/webhooks/endpoints.ts'
import { mongoWebhookReplays } from '@postrider/adapters/mongo/webhooks/replays.ts'
import { webhookOutboxes } from '@postrider/adapters/mongo/webhooks/webhooks.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteUsers } from '@postrider/adapters/sqlite/accounts/users.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { newId } from '@postrider/kit/ids.ts'
import { aWorkspace } from '@postrider/ports/accounts.conformance.ts'
import { type AuditedStores, auditedChangesConformance } from '@postrider/ports/auditedChanges.conformance.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { domain } from '@postrider/ports/domainsFixtures.conformance.ts'
import { content, email } from '@postrider/ports/emailsFixtures.conformance.ts'
import { webhookDelivery } from '@postrider/ports/webhooksFixtures.conformance.ts'
import type { Db } from 'mongodb'
import { until } from '../support/until.ts'
import { dyingMongo, dyingSqlite } from './dying.ts'
import { reusedMongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const inSqlite = (db: SqliteDatabase): AuditedStores => ({
  accounts: sqliteAccounts(db),
  domains: sqliteDomains(db),
  emails: sqliteEmails(db),
  ledger: sqliteLedger(db),
  notifications: sqliteNotifications(db),
  templates: sqliteTemplates(db),
  users: sqliteUsers(db),
  webhookDeliveries: sqliteWebhookDeliveries(db),
  webhookEndpoints: sqliteWebhookEndpoints(db),
  webhookReplays: sqliteWebhookReplays(db),
  audit: sqliteAudit(db),
})

const inMongo = (db: Db): AuditedStores => ({
  accounts: mongoAccounts(db),
  domains: mongoDomains(db),
  emails: mongoEmails(db),
  ledger: mongoLedger(db),
  notifications: mongoNotifications(db),
  templates: mongoTemplates(db),
  users: mongoUsers(db),
  webhookDeliveries: mongoWebhookDeliveries(db),
  webhookEndpoints: mongoWebhookEndpoints(db),
  webhookReplays: mongoWebhookReplays(db),
  audit: mongoAudit(db),
})

const outboxes = {
  ...emailOutboxes,
  indexed: [
    accountOutboxes,
    domainOutboxes,
    emailOutboxes,
    ledgerOutboxes,
    notificationOutboxes,
    templateOutboxes,
    webhookOutboxes,
  ].flatMap(({ indexed }): readonly string[] => indexed),
}
const hourMs = 3_600_000

describe('audited changes', () => {
  const open = sqliteForTests()
  auditedChangesConformance('SQLite', () => {
    const { db } = open()
    return {
      ...inSqlite(db),
      dying: (writes, onDeath) => inSqlite(dyingSqlite(db, writes, onDeath)),
      sweep: async () => {},
    }
  })

  describe('in a cluster', () => {
    const openMongo = reusedMongoForTests(allIndexes)
    auditedChangesConformance('MongoDB', async () => {
      const { db, written } = await openMongo()
      // The other collections are empty; to sweep them would be most of what this suite does.
      const writtenOf = ({ indexed = [], ...others }: Outboxes): Outboxes => ({
        ...others,
        indexed: indexed.filter((name) => written.has(name)),
      })
      return {
        ...inMongo(db),
        dying: (writes, onDeath) => inMongo(dyingMongo(db, writes, onDeath)),
        sweep: async () => {
          await sweepOutboxes(db, writtenOf(outboxes), hourMs)
          await sweepOutboxes(db, writtenOf(webhookOutboxes), hourMs)
        },
      }
    })

    /** Fails every write of the log. */
    const withoutLog = (db: Db): Db =>
      new Proxy(db, {
        get: (target, name) => {
          if (name !== 'collection') return Reflect.get(target, name)
          return (of: string) => (of === 'audit_log' ? dyingMongo(db, 0) : target).collection(of)
        },
      })

    const waiting = async (db: Db): Promise<number> =>
      (await db.collection('workspaces').findOne({}))?.['outbox']?.length ?? 0

    it('wait in a bounded outbox while the log cannot be written, and none is lost', async () => {
      const { db } = await openMongo()
      const broken = mongoAccounts(withoutLog(db))
      const workspace = aWorkspace(newId('ws'))
      await mongoAccounts(db).insertOwner(
        newUser({ id: newId('usr'), email: 'a@example.com', passwordHash: 'x', createdAt: 1 }),
        workspace,
        anEntry(),
      )
      let changes = 0
      const change = (accounts: AuditedStores['accounts']) =>
        accounts.changeWorkspace(workspace.id, { note: `${changes}` }, () =>
          anEntry({ at: 2_000 + changes, action: 'test.change' }),
        )
      for (; changes < 100; changes++) {
        const done = await change(broken).catch((thrown: unknown) => thrown)
        if (done instanceof Error) break
      }
      assert.equal(changes, 20, 'the 21st change is refused')
      assert.equal(await waiting(db), 20)
      assert.deepEqual(
        await mongoAccounts(db).workspace(workspace.id),
        { ...workspace, note: '19' },
        'readers see no outbox',
      )
      await change(mongoAccounts(db))
      assert.equal(await waiting(db), 0)
      const query = { ...noAuditFilter, workspace: null, limit: 100 }
      const entries = await mongoAudit(db).list({ ...query, action: { is: 'test.change' } })
      assert.deepEqual(
        entries.map(({ at }) => at - 2_000),
        Array.from({ length: 21 }, (_, n) => 20 - n),
      )
    })

    it('are moved by the sweep of a service, even when several sweep at the same time', async () => {
      const { db } = await openMongo()
      const broken = mongoAccounts(withoutLog(db))
      const workspace = aWorkspace(newId('ws'))
      const owner = newUser({ id: newId('usr'), email: 'a@example.com', passwordHash: 'x', createdAt: 1 })
      await broken.insertOwner(owner, workspace, anEntry({ at: 1_000 }))
      await broken.changeWorkspace(workspace.id, { note: 'b' }, () => anEntry({ at: 1_000 }))
      await broken.changeWorkspace(workspace.id, { note: 'c' }, () => anEntry({ at: 5_000 }))
      assert.equal(await sweepOutboxes(db, outboxes, 10_999), 0, 'a process may still move them')
      const logged: unknown[] = []
      const log = { info: (fields: unknown) => logged.push(fields), warn: assert.fail, error: assert.fail }
      const options = { db, outboxes: accountOutboxes, now: () => hourMs, log }
      await using _one = openOutboxSweep(options)
      await using _other = openOutboxSweep(options)
      await until('the lines are moved', async () => {
        const moved = await db.collection('audit_log').countDocuments()
        return (await waiting(db)) === 0 && moved === 3 && logged.length > 0 ? moved : undefined
      })
    })

    it('leave no notice of an email, whether it was changed or not', async () => {
      const { db } = await openMongo()
      const { emails } = inMongo(db)
      const one = email()
      await emails.insert(one, content)
      const decide = (fence: number, at: number) =>
        emails.change(one.id, fence, 1_000, { email: one, nextAt: null }, anEntry({ at }))
      const notices = () => db.collection('audit_notices').countDocuments()
      assert.equal(await decide(7, 1_000), false)
      assert.equal(await notices(), 0)
      assert.equal(await decide(0, 1_000), true)
      await sweepOutboxes(db, outboxes, 11_000)
      assert.equal(await notices(), 0)
      const refused = { email: one, nextAt: null }
      const dying = inMongo(dyingMongo(db, 1)).emails
      await assert.rejects(dying.change(one.id, 0, 1_000, refused, anEntry({ at: 1_000 })))
      await sweepOutboxes(db, outboxes, 11_000)
      assert.equal(await notices(), 1, 'its process may still make the change')
      await sweepOutboxes(db, outboxes, 611_000)
      assert.equal(await notices(), 0)
      assert.equal(await db.collection('audit_log').countDocuments(), 1)
    })

    it('have a notice for a webhook delivery that the sweep of another collection does not change', async () => {
      const { db } = await openMongo()
      const one = webhookDelivery('wh_1')
      await mongoWebhookDeliveries(withoutLog(db)).insertRequested(one, anEntry({ at: 1_000 }))
      const notices = () => db.collection('audit_notices').countDocuments()
      assert.equal(await sweepOutboxes(db, emailOutboxes, hourMs), 0)
      assert.equal(await notices(), 1)
      assert.equal(await sweepOutboxes(db, webhookOutboxes, hourMs), 1)
      assert.equal(await notices(), 0)
      assert.equal(await db.collection('audit_log').countDocuments(), 1)
      assert.deepEqual((await mongoWebhookDeliveries(db).get('wh_1', one.id))?.delivery, one)
    })

    it('leave nothing of a removed domain in the store', async () => {
      const { db } = await openMongo()
      const stores = inMongo(db)
      const one = domain({ workspace: 'ws_1' })
      await stores.domains.insert(one, 1_000, 10, anEntry())
      await inMongo(withoutLog(db)).domains.remove('ws_1', one.id, () => anEntry())
      assert.equal(await stores.domains.signing(one.id), null)
      assert.equal(await stores.domains.nextDue(), null)
      assert.deepEqual(await stores.domains.claim({ now: hourMs, limit: 10, leaseMs: 1 }), [])
      assert.equal(await stores.domains.claimOne(one.id, hourMs, 1), null)
      assert.deepEqual((await stores.domains.counts(hourMs)).overdue, 0)
      assert.equal(await stores.domains.insert(domain({ workspace: 'ws_1' }), 1_000, 1, anEntry()), 'inserted')
      await sweepOutboxes(db, outboxes, hourMs)
      assert.equal(await db.collection('domains').countDocuments(), 1)
    })
  })
})
