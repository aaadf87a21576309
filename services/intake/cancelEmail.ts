import type { Intake, Quota } from '@postrider/contracts/services.ts'
import { afterChange } from '@postrider/domain/email/changes.ts'
import { canceled, isCancelable, isCanceled } from '@postrider/domain/email/decisions.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import { emailTime } from '@postrider/domain/email/testClock.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { emailEntry } from './emailEntry.ts'
import { emailRecordInFull } from './emailRecord.ts'
import { readToChange } from './readEmails.ts'
import { refund } from './sends.ts'

type CancelDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  quota: Pick<Quota, 'Release'>
  now: Clock
}

/**
 * Cancels mail for which no attempt was made and releases its sends. One conditional update that increments the fencing
 * token decides between a cancel and a claim.
 */
export const cancelEmail =
  ({ emails, quota, now }: CancelDeps): Intake['CancelEmail'] =>
  async (request) => {
    return retryOnConflict(
      async () => {
        const stored = await readToChange(emails, request)
        if (isCanceled(stored.email)) return { record_json: JSON.stringify(emailRecordInFull(stored, now())) }
        if (!isCancelable(stored, now())) {
          const detail = `The email is ${statusAt(stored, now())}; only mail without an attempt can be canceled.`
          throw new Fault('conflict', detail)
        }
        const email = canceled(stored.email, emailTime(stored.email, now()), request.reader.actor)
        const change = { email, nextAt: null }
        const after = afterChange(stored, change)
        const audit = emailEntry(request, 'email.cancel', { before: stored, after }, now())
        if (await emails.change(email.id, stored.fence, now(), change, audit)) {
          await refund({ emails, quota, now }, after)
          return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
        }
        return undefined
      },
      {
        rounds: 'forwardState',
        onBusy: () => new Fault('conflict', 'The email is being sent; it can no longer be canceled.'),
      },
    )
  }
