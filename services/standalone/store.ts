import { join } from 'node:path'
import { sqliteAccounts, sqliteSuspensions } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteKeyNotices } from '@postrider/adapters/sqlite/accounts/keyNotices.ts'
import { sqliteLinks } from '@postrider/adapters/sqlite/accounts/links.ts'
import { sqliteUsers } from '@postrider/adapters/sqlite/accounts/users.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { spaceFault } from '@postrider/adapters/sqlite/client/diskSpace.ts'
import { lockDataDirectory } from '@postrider/adapters/sqlite/client/lock.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import { removeUnusedParts } from '@postrider/adapters/sqlite/emails/contentParts.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteWorkspaceErasure } from '@postrider/adapters/sqlite/erasure/workspaceErasure.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { sqliteNotifications } from '@postrider/adapters/sqlite/notifications/notifications.ts'
import { sqliteReputation } from '@postrider/adapters/sqlite/notifications/reputation.ts'
import { templateRemoval } from '@postrider/adapters/sqlite/templateRemoval.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import { sqliteWebhookReplays } from '@postrider/adapters/sqlite/webhooks/replays.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Slices } from '@postrider/kit/slices.ts'

type OpenStoreOptions = {
  onFatal(reason: unknown): void
  onParked(emailId: string): void
  /** See `OpenDatabaseOptions`. */
  onDiskFull(reason: unknown): void
  /** The runner of the process for long work; absent: the store's own. */
  slices?: Slices
  /** Sets the times of events without an email. */
  now?: Clock
}

/**
 * Opens all stores in one SQLite file, which is locked against other processes. No other process can hold a lease or a
 * claim, so both are ended at the start: mail and checks that were in progress are due again immediately.
 */
export const openStore = async (directory: string, options: OpenStoreOptions) => {
  const { onFatal, onParked, onDiskFull, slices } = options
  const stack = new AsyncDisposableStack()
  const path = join(directory, 'postrider.db')
  try {
    stack.use(lockDataDirectory(directory))
    const db = stack.use(openDatabase({ path, onFatal, onDiskFull }))
    const emails = sqliteEmails(db, onParked, slices)
    const domains = sqliteDomains(db, options.now)
    const idempotency = sqliteIdempotency(db, slices)
    const webhooks = {
      endpoints: sqliteWebhookEndpoints(db),
      deliveries: sqliteWebhookDeliveries(db, slices),
      replays: sqliteWebhookReplays(db),
    }
    const allowances = sqliteAllowances(db)
    await emails.clearLeases()
    // What a dead process staged is never accepted.
    await emails.voidOpenBatches()
    await domains.clearLeases()
    await webhooks.endpoints.clearScans()
    await webhooks.deliveries.clearLeases()
    await webhooks.replays.clearLeases()
    await idempotency.releaseAbandoned()
    removeUnusedParts(db)
    await templateRemoval(db, slices).forget()
    await db.synced()
    return {
      db,
      emails,
      domains,
      webhooks,
      idempotency,
      ledger: sqliteLedger(db, allowances, options.now),
      billing: sqliteBilling(db, allowances),
      templates: sqliteTemplates(db, slices),
      accounts: sqliteAccounts(db, slices),
      links: sqliteLinks(db),
      keyNotices: sqliteKeyNotices(db),
      notifications: sqliteNotifications(db),
      reputation: sqliteReputation(db),
      users: sqliteUsers(db),
      mailbox: sqliteMailbox(db),
      audit: sqliteAudit(db, slices),
      suspensions: sqliteSuspensions(db),
      erasure: sqliteWorkspaceErasure(db, allowances),
      erasures: sqliteErasures(db),
      events: sqliteEventFeed(db, undefined, slices),
      stats: sqliteStats(db, slices),
      testClocks: sqliteTestClocks(db),
      workspaceEvents: sqliteWorkspaceEvents(db, options.now ?? Date.now),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    // The directory is free for the next start, also in this process.
    await stack.disposeAsync()
    throw spaceFault(path, thrown)
  }
}
