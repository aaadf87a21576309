import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { templatesConformance } from '@postrider/ports/templates.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

describe('template stores', () => {
  const open = sqliteForTests()
  templatesConformance('SQLite', () => sqliteTemplates(open().db))
})
