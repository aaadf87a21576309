import { accountIndexes } from './accounts/accounts.ts'
import { linkIndexes } from './accounts/links.ts'
import { auditIndexes } from './audit/audit.ts'
import { billingIndexes } from './billing/docs.ts'
import type { Indexes } from './client/connect.ts'
import { domainIndexes } from './domains/domains.ts'
import { emailIndexes } from './emails/emails.ts'
import { mailboxIndexes } from './emails/mailbox.ts'
import { erasureIndexes } from './erasure/erasures.ts'
import { removedWorkspaceIndexes } from './erasure/workspaceErasure.ts'
import { statsIndexes } from './events/stats.ts'
import { workspaceEventIndexes } from './events/workspaceEvents.ts'
import { idempotencyIndexes } from './idempotency.ts'
import { ledgerIndexes } from './ledger/docs.ts'
import { notificationIndexes } from './notifications/notifications.ts'
import { reputationIndexes } from './notifications/reputation.ts'
import { templateIndexes } from './templates.ts'
import { testClockIndexes } from './testClocks.ts'
import { webhookIndexes } from './webhooks/webhooks.ts'

/** Indexes of all collections. services/prepare creates them before the services that own them start. */
export const allIndexes: Indexes = {
  ...accountIndexes,
  ...auditIndexes,
  ...billingIndexes,
  ...domainIndexes,
  ...emailIndexes,
  ...erasureIndexes,
  ...idempotencyIndexes,
  ...ledgerIndexes,
  ...linkIndexes,
  ...mailboxIndexes,
  ...notificationIndexes,
  ...removedWorkspaceIndexes,
  ...reputationIndexes,
  ...statsIndexes,
  ...templateIndexes,
  ...testClockIndexes,
  ...workspaceEventIndexes,
  ...webhookIndexes,
}
