import type { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { mail } from './migrations/0001_mail.ts'
import { accounts } from './migrations/0002_accounts.ts'
import { fairClaims } from './migrations/0003_fair_claims.ts'

/** The schema's history, oldest first and never edited once released: `PRAGMA user_version` counts how many a file has. */
const migrations: readonly { name: string; sql: string }[] = [
  { name: '0001_mail', sql: mail },
  { name: '0002_accounts', sql: accounts },
  { name: '0003_fair_claims', sql: fairClaims },
]

const schemaOf = (file: DatabaseSync): number => Number(file.prepare('PRAGMA user_version').get()?.['user_version'])

/**
 * Brings a file to the newest schema, one transaction a step, so a crash in between leaves a whole one.
 * @throws Fault `conflict`: the file was written by a newer Postrider
 */
export const migrate = (file: DatabaseSync, path: string): void => {
  const found = schemaOf(file)
  if (found > migrations.length) {
    throw new Fault(
      'conflict',
      `${path} has schema ${found}, and this Postrider knows schemas up to ${migrations.length}: ` +
        'it was written by a newer version. Start that one, or restore a backup made before the upgrade.',
    )
  }
  for (const [index, { sql }] of migrations.entries()) {
    if (index < found) continue
    file.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
