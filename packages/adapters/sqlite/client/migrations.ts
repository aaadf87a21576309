import type { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { mail } from '../migrations/0001_mail.ts'
import { accounts } from '../migrations/0002_accounts.ts'
import { fairClaims } from '../migrations/0003_fair_claims.ts'
import { queueShares } from '../migrations/0004_queue_shares.ts'
import { queueCounts } from '../migrations/0005_queue_counts.ts'
import { contentParts } from '../migrations/0006_content_parts.ts'
import { keyLeases } from '../migrations/0007_key_leases.ts'
import { domains } from '../migrations/0008_domains.ts'
import { audit } from '../migrations/0009_audit.ts'
import { billing } from '../migrations/0010_billing.ts'
import { keyRestrictions } from '../migrations/0011_key_restrictions.ts'
import { operator } from '../migrations/0012_operator.ts'
import { links } from '../migrations/0013_links.ts'
import { members } from '../migrations/0014_members.ts'
import { accountSecurity } from '../migrations/0015_account_security.ts'
import { keyNotices } from '../migrations/0016_key_notices.ts'
import { retention } from '../migrations/0017_retention.ts'
import { planSearch } from '../migrations/0018_plan_search.ts'
import { paymentNotices } from '../migrations/0019_payment_notices.ts'
import { redactions } from '../migrations/0020_redactions.ts'
import { events } from '../migrations/0021_events.ts'
import { webhooks } from '../migrations/0022_webhooks.ts'
import { notifications } from '../migrations/0023_notifications.ts'
import { templateAliases } from '../migrations/0024_template_aliases.ts'
import { batches } from '../migrations/0025_batches.ts'
import { testClocks } from '../migrations/0026_test_clocks.ts'
import { stats } from '../migrations/0027_stats.ts'
import { emailTerms } from '../migrations/0028_email_terms.ts'
import { parkedMail } from '../migrations/0029_parked_mail.ts'
import { operators } from '../migrations/0030_operators.ts'
import { keptRows } from '../migrations/0031_kept_rows.ts'
import { lastSeen } from '../migrations/0032_last_seen.ts'
import { emailTermEntries } from '../migrations/0033_email_term_entries.ts'
import { removalIndexes } from '../migrations/0034_removal_indexes.ts'
import { capturedOrder } from '../migrations/0035_captured_order.ts'

/** All migrations, oldest first; released ones never change. `PRAGMA user_version` is how many a file has had. */
const migrations: readonly { name: string; sql: string }[] = [
  { name: '0001_mail', sql: mail },
  { name: '0002_accounts', sql: accounts },
  { name: '0003_fair_claims', sql: fairClaims },
  { name: '0004_queue_shares', sql: queueShares },
  { name: '0005_queue_counts', sql: queueCounts },
  { name: '0006_content_parts', sql: contentParts },
  { name: '0007_key_leases', sql: keyLeases },
  { name: '0008_domains', sql: domains },
  { name: '0009_audit', sql: audit },
  { name: '0010_billing', sql: billing },
  { name: '0011_key_restrictions', sql: keyRestrictions },
  { name: '0012_operator', sql: operator },
  { name: '0013_links', sql: links },
  { name: '0014_members', sql: members },
  { name: '0015_account_security', sql: accountSecurity },
  { name: '0016_key_notices', sql: keyNotices },
  { name: '0017_retention', sql: retention },
  { name: '0018_plan_search', sql: planSearch },
  { name: '0019_payment_notices', sql: paymentNotices },
  { name: '0020_redactions', sql: redactions },
  { name: '0021_events', sql: events },
  { name: '0022_webhooks', sql: webhooks },
  { name: '0023_notifications', sql: notifications },
  { name: '0024_template_aliases', sql: templateAliases },
  { name: '0025_batches', sql: batches },
  { name: '0026_test_clocks', sql: testClocks },
  { name: '0027_stats', sql: stats },
  { name: '0028_email_terms', sql: emailTerms },
  { name: '0029_parked_mail', sql: parkedMail },
  { name: '0030_operators', sql: operators },
  { name: '0031_kept_rows', sql: keptRows },
  { name: '0032_last_seen', sql: lastSeen },
  { name: '0033_email_term_entries', sql: emailTermEntries },
  { name: '0034_removal_indexes', sql: removalIndexes },
  { name: '0035_captured_order', sql: capturedOrder },
]

/** Returns how many migrations a file has had. */
export const schemaOf = (file: Pick<DatabaseSync, 'prepare'>): number =>
  Number(file.prepare('PRAGMA user_version').get()?.['user_version'])

/**
 * Migrates a file to the newest schema. Each migration is one transaction, so a crash leaves a complete schema. A new
 * file gets all in one transaction, which waits for the disk once. Returns whether anything was left to do.
 * @throws Fault `conflict`: a newer Postrider wrote the file
 */
export const migrate = (file: DatabaseSync, path: string): boolean => {
  const found = schemaOf(file)
  if (found > migrations.length) {
    throw new Fault(
      'conflict',
      `${path} has schema ${found}, and this Postrider supports schemas up to ${migrations.length}: ` +
        'a newer version wrote it. Start that version, or restore a backup made before the upgrade.',
    )
  }
  const steps = migrations.map(({ sql }, index) => `${sql}; PRAGMA user_version = ${index + 1};`).slice(found)
  for (const step of found === 0 ? [steps.join('')] : steps) file.exec(`BEGIN IMMEDIATE; ${step} COMMIT`)
  return found < migrations.length
}
