import { sqliteMailbox } from '@postrider/adapters/sqlite/mailbox.ts'
import { mailboxConformance } from '@postrider/ports/mailbox.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

describe('mailbox stores', () => {
  const open = sqliteForTests()
  mailboxConformance('SQLite', () => sqliteMailbox(open().db))
})
