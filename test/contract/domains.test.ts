import { domainIndexes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { domainsConformance } from '@postrider/ports/domains.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('domain stores', () => {
  const open = sqliteForTests()
  domainsConformance('SQLite', () => sqliteDomains(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(domainIndexes)
    domainsConformance('MongoDB', async () => mongoDomains(await openMongo()))
  })
})
