import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mongoTestClocks, testClockIndexes } from '@postrider/adapters/mongo/testClocks.ts'
import { mongoWebhookDeliveries, webhookDeliveryIndexes } from '@postrider/adapters/mongo/webhooks/deliveries.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { testClocksConformance } from '@postrider/ports/testClocks.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const everything = { actor: null, action: null, createdAfter: null, createdBefore: null, before: null, limit: 100 }
const entriesOf = (audit: Pick<Audit, 'list'>) => () => audit.list({ ...everything, workspace: 'ws_1' })

describe('test clocks', () => {
  const open = sqliteForTests()
  testClocksConformance('SQLite', () => {
    const { db } = open()
    return {
      clocks: sqliteTestClocks(db),
      emails: sqliteEmails(db),
      deliveries: sqliteWebhookDeliveries(db),
      entries: entriesOf(sqliteAudit(db)),
    }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(auditIndexes, emailIndexes, testClockIndexes, webhookDeliveryIndexes)
    testClocksConformance('MongoDB', async () => {
      const db = await openMongo()
      return {
        clocks: mongoTestClocks(db),
        emails: mongoEmails(db),
        deliveries: mongoWebhookDeliveries(db),
        entries: entriesOf(mongoAudit(db)),
      }
    })
  })
})
