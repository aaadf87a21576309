import type { Intake } from '@postrider/contracts/services.ts'
import { withEvents, withRecipients } from '@postrider/domain/email/changes.ts'
import { dueOf, nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email, Recipient } from '@postrider/domain/email/email.ts'
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

type Decision = 'delivered' | 'failed' | 'retry'

const decisions: readonly string[] = ['delivered', 'failed', 'retry'] satisfies Decision[]

/** A person decides what became of recipients whose final dot went out and whose reply never came. */
export const resolveEmail =
  ({ emails, doorbell, audit, now }: ResolveDeps): Intake['ResolveEmail'] =>
  async (request) => {
    if (!decisions.includes(request.as)) throw new Fault('internal', `No decision is named ${request.as}.`)
    const stored = await readEmail(emails, request)
    const doubtful = stored.email.recipients.flatMap(({ status }, number) => (status === 'unknown' ? [number] : []))
    if (doubtful.length === 0) throw new Fault('conflict', 'No recipient of this email is in doubt.')
    const email = resolved(stored.email, doubtful, request.as as Decision, now())
    const nextAt = nextDueOf(email)
    if (!(await emails.change(email.id, stored.fence, now(), { email, nextAt }))) {
      throw new Fault('conflict', 'The email changed meanwhile; read it again and decide again.')
    }
    const { actor, workspace } = given(request.reader, 'reader')
    const detail = { as: request.as }
    await audit.record({ workspace, at: now(), actor, action: 'email.resolve', target: email.id, detail })
    doorbell.ring(email.category, [dueOf(email)])
    const after = { ...stored, email, nextAt, fence: stored.fence + 1 }
    return { record_json: JSON.stringify(emailRecordInFull(after, now())) }
  }

const outcomes = {
  delivered: { type: 'email.delivered', status: 'delivered', reply: 'Resolved by a person: delivered.' },
  failed: { type: 'email.failed', status: 'failed', reply: 'Resolved by a person: failed.' },
  retry: { type: 'email.deferred', status: 'deferred', reply: 'Resolved by a person: sent again.' },
} as const

const resolved = (email: Email, doubtful: readonly number[], decision: Decision, at: number): Email => {
  const { type, status, reply } = outcomes[decision]
  const change = (recipient: Recipient): Recipient => ({
    ...recipient,
    status,
    reply,
    nextAt: decision === 'retry' ? at : null,
  })
  const drafts = doubtful.map((recipient) => ({ type, recipient, reply }))
  return withEvents(withRecipients(email, doubtful, change), at, drafts)
}
