import type { Intake } from '@postrider/contracts/services.ts'
import { afterChange } from '@postrider/domain/email/changes.ts'
import { resolved, unknownRecipients } from '@postrider/domain/email/decisions.ts'
import { dueOf, nextDueOf } from '@postrider/domain/email/due.ts'
import { emailTime } from '@postrider/domain/email/testClock.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { emailEntry } from './emailEntry.ts'
import { emailRecordInFull } from './emailRecord.ts'
import { readToChange } from './readEmails.ts'

type ResolveDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  doorbell: Pick<Doorbell, 'ring'>
  now: Clock
}

/** Applies a person's decision to the recipients in doubt. */
export const resolveEmail =
  ({ emails, doorbell, now }: ResolveDeps): Intake['ResolveEmail'] =>
  async (request) => {
    const { as } = request
    const stored = await readToChange(emails, request)
    if (unknownRecipients(stored.email).length === 0) {
      throw new Fault(
        'conflict',
        'No recipient of this email is in doubt; only recipients with status `unknown` can be resolved.',
      )
    }
    const email = resolved(stored.email, as, emailTime(stored.email, now()), request.reader.actor)
    const change = { email, nextAt: nextDueOf(email) }
    const after = afterChange(stored, change)
    const audit = emailEntry(request, 'email.resolve', { before: stored, after, as }, now())
    if (!(await emails.change(email.id, stored.fence, now(), change, audit))) {
      throw new Fault('conflict', 'The email has changed since it was read; read it again and decide again.')
    }
    doorbell.ring(email.category, [dueOf(email)])
    return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
  }
