import { accountIndexes } from './accounts/accounts.ts'
import { auditIndexes } from './accounts/audit.ts'
import type { Indexes } from './client/connect.ts'
import { emailIndexes } from './emails/emails.ts'
import { mailboxIndexes } from './emails/mailbox.ts'
import { idempotencyIndexes } from './idempotency.ts'
import { ledgerIndexes } from './ledger/docs.ts'
import { templateIndexes } from './templates.ts'

/** Indexes of all collections. services/prepare creates them before the services that own them start. */
export const allIndexes: Indexes = {
  ...accountIndexes,
  ...auditIndexes,
  ...emailIndexes,
  ...idempotencyIndexes,
  ...ledgerIndexes,
  ...mailboxIndexes,
  ...templateIndexes,
}
