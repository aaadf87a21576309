import { accountIndexes } from './accounts.ts'
import { auditIndexes } from './audit.ts'
import type { Indexes } from './connect.ts'
import { emailIndexes } from './emails.ts'
import { idempotencyIndexes } from './idempotency.ts'
import { ledgerIndexes } from './ledger.ts'
import { mailboxIndexes } from './mailbox.ts'
import { templateIndexes } from './templates.ts'

/** Of every collection, for whoever makes them before the services that own them start. */
export const allIndexes: Indexes = {
  ...accountIndexes,
  ...auditIndexes,
  ...emailIndexes,
  ...idempotencyIndexes,
  ...ledgerIndexes,
  ...mailboxIndexes,
  ...templateIndexes,
}
