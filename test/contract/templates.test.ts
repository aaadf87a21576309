import { mongoTemplates, templateIndexes } from '@postrider/adapters/mongo/templates.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { templatesConformance } from '@postrider/ports/templates.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('template stores', () => {
  const open = sqliteForTests()
  templatesConformance('SQLite', () => sqliteTemplates(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(templateIndexes)
    templatesConformance('MongoDB', async () => mongoTemplates(await openMongo()))
  })
})
