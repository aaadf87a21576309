import type { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { mail } from './migrations/0001_mail.ts'
import { accounts } from './migrations/0002_accounts.ts'
import { fairClaims } from './migrations/0003_fair_claims.ts'
import { queueShares } from './migrations/0004_queue_shares.ts'
import { queueCounts } from './migrations/0005_queue_counts.ts'
import { contentParts } from './migrations/0006_content_parts.ts'
import { keyLeases } from './migrations/0007_key_leases.ts'

/** All migrations, oldest first; released ones never change. `PRAGMA user_version` is how many a file has had. */
const migrations: readonly { name: string; sql: string }[] = [
  { name: '0001_mail', sql: mail },
  { name: '0002_accounts', sql: accounts },
  { name: '0003_fair_claims', sql: fairClaims },
  { name: '0004_queue_shares', sql: queueShares },
  { name: '0005_queue_counts', sql: queueCounts },
  { name: '0006_content_parts', sql: contentParts },
  { name: '0007_key_leases', sql: keyLeases },
]

/** Returns how many migrations a file has had. */
export const schemaOf = (file: DatabaseSync): number =>
  Number(file.prepare('PRAGMA user_version').get()?.['user_version'])

/**
 * Migrates a file to the newest schema. Each migration is one transaction, so a crash leaves a complete schema.
 * @throws Fault `conflict`: a newer Postrider wrote the file
 */
export const migrate = (file: DatabaseSync, path: string): void => {
  const found = schemaOf(file)
  if (found > migrations.length) {
    throw new Fault(
      'conflict',
      `${path} has schema ${found}, and this Postrider knows schemas up to ${migrations.length}: ` +
        'a newer version wrote it. Start that version, or restore a backup made before the upgrade.',
    )
  }
  for (const [index, { sql }] of migrations.entries()) {
    if (index < found) continue
    file.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
