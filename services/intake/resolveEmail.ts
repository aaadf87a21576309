import type { Intake } from '@postrider/contracts/services.ts'
import { dueOf, nextDueOf } from '@postrider/domain/email/due.ts'
import { isDecision, resolveDoubt } from '@postrider/domain/email/resolve.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { readEmail } from './readEmails.ts'
import { emailRecordInFull } from './record.ts'

type ResolveDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  doorbell: Pick<Doorbell, 'ring'>
  audit: Audit
  now: Clock
}

/** Applies a person's decision to the recipients in doubt. */
export const resolveEmail =
  ({ emails, doorbell, audit, now }: ResolveDeps): Intake['ResolveEmail'] =>
  async (request) => {
    if (!isDecision(request.as)) throw new Fault('internal', `${request.as} is not a decision.`)
    const stored = await readEmail(emails, request)
    const email = resolveDoubt(stored.email, request.as, now())
    if (email === null) throw new Fault('conflict', 'No recipient of this email is in doubt.')
    const nextAt = nextDueOf(email)
    if (!(await emails.change(email.id, stored.fence, now(), { email, nextAt }))) {
      throw new Fault('conflict', 'The email has changed since it was read; read it again and decide again.')
    }
    const { actor, workspace } = given(request.reader, 'reader')
    const detail = { as: request.as }
    await audit.record({ workspace, at: now(), actor, action: 'email.resolve', target: email.id, detail })
    doorbell.ring(email.category, [dueOf(email)])
    const after = { ...stored, email, nextAt, fence: stored.fence + 1 }
    return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
  }
