import type { Intake, Quota } from '@postrider/contracts/services.ts'
import { withEvents, withRecipients } from '@postrider/domain/email/changes.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
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

/** Not asked of the email's status: beside a suppressed recipient that is `suppressed`, cancelled or not. */
const isCanceled = ({ recipients }: Email): boolean => recipients.some(({ status }) => status === 'canceled')

const refuseIfBegun = (stored: StoredEmail, now: number): void => {
  const { email, leaseUntil } = stored
  const held = leaseUntil !== null && leaseUntil > now
  const begun = email.attempts.length > 0 || held
  const status = statusAt(stored, now)
  if (!begun && (status === 'queued' || status === 'scheduled')) return
  throw new Fault('conflict', `The email is ${status}; only mail that no attempt was made for can be cancelled.`)
}

const canceled = (email: Email, at: number): Email => {
  const numbers = email.recipients.flatMap(({ nextAt }, number) => (nextAt === null ? [] : [number]))
  const after = withRecipients(email, numbers, (recipient) => ({ ...recipient, status: 'canceled', nextAt: null }))
  const drafts = numbers.map((recipient) => ({ type: 'email.canceled' as const, recipient }))
  return { ...withEvents(after, at, drafts), owed: email.counted ? numbers : [] }
}
