import type { Intake, Quota } from '@postrider/contracts/services.ts'
import { canceled, isCancelable, isCanceled } from '@postrider/domain/email/decisions.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { readEmail } from './readEmails.ts'
import { emailRecordInFull } from './record.ts'
import { giveBack } from './sweep.ts'

type CancelDeps = {
  emails: Pick<EmailStore, 'get' | 'change'>
  quota: Pick<Quota, 'Release'>
  audit: Audit
  now: Clock
}

/** How often a lost race is read again: the loser finds a claim, and then it is too late. */
const rounds = 5

/**
 * Cancels mail that no attempt was made for. One conditional update that raises the fence decides between a cancel and
 * a claim; the sends go back to the quota.
 */
export const cancelEmail =
  ({ emails, quota, audit, now }: CancelDeps): Intake['CancelEmail'] =>
  async (request) => {
    for (let round = 0; round < rounds; round++) {
      const stored = await readEmail(emails, request)
      if (isCanceled(stored.email)) return { record_json: JSON.stringify(emailRecordInFull(stored, now())) }
      refuseIfBegun(stored, now())
      const email = canceled(stored.email, now())
      if (await emails.change(email.id, stored.fence, now(), { email, nextAt: null })) {
        const { actor, workspace } = given(request.reader, 'reader')
        await audit.record({ workspace, at: now(), actor, action: 'email.cancel', target: email.id, detail: {} })
        const after = { ...stored, email, nextAt: null, fence: stored.fence + 1 }
        await giveBack({ emails, quota, now }, after)
        return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
      }
    }
    throw new Fault('conflict', 'The email is being sent right now; it can’t be cancelled any more.')
  }

const refuseIfBegun = (stored: StoredEmail, now: number): void => {
  if (isCancelable(stored, now)) return
  const status = statusAt(stored, now)
  throw new Fault('conflict', `The email is ${status}; only mail that no attempt was made for can be cancelled.`)
}
