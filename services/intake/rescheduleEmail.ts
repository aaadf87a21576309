import type { Intake } from '@postrider/contracts/services.ts'
import { afterChange } from '@postrider/domain/email/changes.ts'
import { isCancelable } from '@postrider/domain/email/decisions.ts'
import { dueOf, nextDueOf } from '@postrider/domain/email/due.ts'
import { rescheduled } from '@postrider/domain/email/reschedule.ts'
import { sendTimeProblems, wantedAt } from '@postrider/domain/email/sendTime.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import { emailTime } from '@postrider/domain/email/testClock.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IntakeLimits } from './config.ts'
import { emailEntry } from './emailEntry.ts'
import { emailRecordInFull } from './emailRecord.ts'
import { readToChange } from './readEmails.ts'

type RescheduleDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  doorbell: Pick<Doorbell, 'ring'>
  limits: IntakeLimits
  now: Clock
}

/**
 * Moves mail for which no attempt was made to another time. One conditional update that increments the fencing token
 * decides between this change, a cancel and a claim.
 */
export const rescheduleEmail =
  ({ emails, doorbell, limits, now }: RescheduleDeps): Intake['RescheduleEmail'] =>
  async (request) => {
    const { sendAt } = request
    const requestedAt = now()
    return retryOnConflict(
      async () => {
        const stored = await readToChange(emails, request)
        const at = emailTime(stored.email, requestedAt)
        const dueAt = Math.max(wantedAt(sendAt, at) ?? at, at)
        refuseAny(sendTimeProblems({ sendAt, at: requestedAt, clock: stored.email.clock, limits }))
        if (!isCancelable(stored, now())) {
          const detail = `The email is ${statusAt(stored, now())}; only mail without an attempt can be moved to another time.`
          throw new Fault('conflict', detail)
        }
        const email = rescheduled(stored.email, dueAt, emailTime(stored.email, now()), request.reader.actor)
        if (email === stored.email) return { record_json: JSON.stringify(emailRecordInFull(stored, now())) }
        const change = { email, nextAt: nextDueOf(email) }
        const after = afterChange(stored, change)
        const audit = emailEntry(request, 'email.reschedule', { before: stored, after }, now())
        if (await emails.change(email.id, stored.fence, now(), change, audit)) {
          doorbell.ring(email.category, [dueOf(email)])
          return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
        }
        return undefined
      },
      {
        rounds: 'forwardState',
        onBusy: () => new Fault('conflict', 'The email is being sent; it can no longer be moved to another time.'),
      },
    )
  }
