import type { Quota, QuotaAfterSend } from '@postrider/contracts/services.ts'
import { ledgerKeyOf } from '@postrider/domain/email/batch.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { owesSends } from '@postrider/domain/email/sends.ts'
import type { Reservation } from '@postrider/domain/quota/quota.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

/*
 * How intake uses the quota. Sends are reserved before the email or the batch is stored, committed when it is, and
 * released when mail is not sent after all. domain/email/sends.ts decides what counts, and domain/email/decisions.ts
 * what is released. The chores `pay` and `settle` of sweep.ts complete these steps after a crash.
 */

/** Sends that are reserved, as `Commit` and `Settle` name them, and the standing that the response shows. */
export type Reserved = { entry: Parameters<Quota['Commit']>[0]; quota: QuotaAfterSend | null }

/**
 * Reserves sends under the id of an email or a batch. A repeated call reserves nothing more.
 * @returns null: there are none
 */
export const reserveSends = async (
  { quota, now }: { quota: Pick<Quota, 'Reserve'>; now: Clock },
  entry: Reservation,
): Promise<Reserved | null> => {
  if (entry.count === 0) return null
  const { token, standing } = await quota.Reserve(entry)
  if (standing === null) return { entry: { ...entry, token }, quota: null }
  const { limit, remaining, resetsAt } = standing
  return { entry: { ...entry, token }, quota: { limit, remaining, resetsAt, resetsInMs: resetsAt - now() } }
}

/**
 * The email is stored and will be sent, so an unavailable ledger is not an error: the sweep settles the reservation.
 */
export const commitSends = async (
  { quota }: { quota: Pick<Quota, 'Commit'> },
  reserved: Reserved | null,
): Promise<void> => {
  try {
    if (reserved) await quota.Commit(reserved.entry)
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown
  }
}

export type RefundDeps = { emails: Pick<EmailStore, 'change'>; quota: Pick<Quota, 'Release'>; now: Clock }

/**
 * Releases the sends that the ledger still counts for an email (`Email.owed`), then clears `owed`. After a crash
 * between the two steps the sweep repeats both; a release is idempotent.
 */
export const refund = async ({ emails, quota, now }: RefundDeps, stored: StoredEmail): Promise<void> => {
  const { email, fence, nextAt } = stored
  if (!owesSends(email)) return
  const { id, workspace, owed } = email
  await quota.Release({ workspace, ...ledgerKeyOf(email, owed) })
  await emails.change(id, fence, now(), { email: { ...email, owed: [] }, nextAt })
}
