import type { Intake, Quota } from '@postrider/contracts/services.ts'
import { canceled, isCancelable, isCanceled } from '@postrider/domain/email/decisions.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { readEmail } from './readEmails.ts'
import { emailRecordInFull } from './record.ts'
import { refund } from './refunds.ts'

type CancelDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  quota: Pick<Quota, 'Release'>
  audit: Audit
  now: Clock
}

/** How often the email is read again after a lost race. The winner is usually a claim, which ends the loop. */
const rounds = 5

/**
 * Cancels mail for which no attempt was made and gives its sends back. One conditional update that raises the fence
 * decides between a cancel and a claim.
 */
export const cancelEmail =
  ({ emails, quota, audit, now }: CancelDeps): Intake['CancelEmail'] =>
  async (request) => {
    for (let round = 0; round < rounds; round++) {
      const stored = await readEmail(emails, request)
      if (isCanceled(stored.email)) return { record_json: JSON.stringify(emailRecordInFull(stored, now())) }
      if (!isCancelable(stored, now())) {
        const detail = `The email is ${statusAt(stored, now())}; only mail without an attempt can be cancelled.`
        throw new Fault('conflict', detail)
      }
      const email = canceled(stored.email, now())
      if (await emails.change(email.id, stored.fence, now(), { email, nextAt: null })) {
        const { actor, workspace } = given(request.reader, 'reader')
        await audit.record({ workspace, at: now(), actor, action: 'email.cancel', target: email.id, detail: {} })
        const after = { ...stored, email, nextAt: null, fence: stored.fence + 1 }
        await refund({ emails, quota, now }, after)
        return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
      }
    }
    throw new Fault('conflict', 'The email is being sent; it can no longer be cancelled.')
  }
