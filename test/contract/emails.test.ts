import { sqliteEmails } from '@postrider/adapters/sqlite/emails.ts'
import { emailsConformance } from '@postrider/ports/emails.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

describe('email stores', () => {
  const open = sqliteForTests()
  emailsConformance('SQLite', () => sqliteEmails(open().db))
})
