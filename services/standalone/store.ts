import { join } from 'node:path'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit.ts'
import { removeUnusedParts } from '@postrider/adapters/sqlite/contentParts.ts'
import { openDatabase } from '@postrider/adapters/sqlite/database.ts'
import { spaceFault } from '@postrider/adapters/sqlite/diskSpace.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger.ts'
import { lockDataDirectory } from '@postrider/adapters/sqlite/lock.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/mailbox.ts'
import { sqliteSuspensions } from '@postrider/adapters/sqlite/suspensions.ts'
import { sqliteTemplates } from '@postrider/adapters/sqlite/templates.ts'
import type { Slices } from '@postrider/kit/slices.ts'

type OpenStoreOptions = {
  onFatal(reason: unknown): void
  onParked(emailId: string): void
  /** See `OpenDatabaseOptions`. */
  onDiskFull(reason: unknown): void
  /** The runner of the process for long work; absent: the store's own. */
  slices?: Slices
}

/**
 * Opens all stores in one SQLite file, which is locked against other processes. No other process can hold a lease or a
 * claim, so both are ended at the start: mail that was in progress is due again at once.
 */
export const openStore = async (directory: string, options: OpenStoreOptions) => {
  const { onFatal, onParked, onDiskFull, slices } = options
  const stack = new AsyncDisposableStack()
  stack.use(lockDataDirectory(directory))
  const path = join(directory, 'postrider.db')
  const db = stack.use(openDatabase({ path, onFatal, onDiskFull }))
  const emails = sqliteEmails(db, onParked, slices)
  const idempotency = sqliteIdempotency(db)
  try {
    await emails.clearLeases()
    await idempotency.releaseAbandoned()
    removeUnusedParts(db)
    await db.settled()
  } catch (thrown) {
    await stack.disposeAsync()
    throw spaceFault(path, thrown)
  }
  return {
    db,
    emails,
    idempotency,
    ledger: sqliteLedger(db),
    templates: sqliteTemplates(db),
    accounts: sqliteAccounts(db),
    mailbox: sqliteMailbox(db),
    audit: sqliteAudit(db),
    suspensions: sqliteSuspensions(db),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type Store = Awaited<ReturnType<typeof openStore>>
