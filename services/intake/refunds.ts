import type { Quota } from '@postrider/contracts/services.ts'
import { ledgerPlaceOf } from '@postrider/domain/email/batch.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

export type RefundDeps = { emails: Pick<EmailStore, 'change'>; quota: Pick<Quota, 'Release'>; now: Clock }

/**
 * Gives back the sends that an email owes the ledger (`Email.owed`), then clears the debt. After a crash between the
 * two steps the sweeper repeats both; a release is idempotent.
 */
export const refund = async ({ emails, quota, now }: RefundDeps, stored: StoredEmail): Promise<void> => {
  const { email, fence, nextAt } = stored
  if (email.owed.length === 0) return
  const { id, workspace, owed } = email
  await quota.Release({ workspace, ...ledgerPlaceOf(email, owed) })
  await emails.change(id, fence, now(), { email: { ...email, owed: [] }, nextAt })
}
