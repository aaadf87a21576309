import { createHash } from 'node:crypto'
import type { Caller, Intake, MailRequest, SystemMailRequest } from '@postrider/contracts/services.ts'
import { platformWorkspace } from '@postrider/domain/domains/domain.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { derivedId, newId } from '@postrider/kit/ids.ts'
import { parseMailbox } from '@postrider/mail/address.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

/** The platform as the sender of a message: the shared sender with its own name. */
const platform: Caller = {
  workspace: platformWorkspace,
  keyId: null,
  userId: null,
  role: null,
  mode: 'live',
  scopes: ['emails:send'],
  needsTotp: false,
  senderName: '',
  hasPostalAddress: false,
  onUnknown: 'retry',
  retention: null,
  suspended: false,
  suspendedReason: null,
  deletesAt: null,
  domains: [],
  recipients: [],
  keyFamily: null,
}

/**
 * Returns the method that accepts system mail itself. It is accepted, queued, signed and delivered as all mail
 * is. It is not counted (`usesQuota`), and no tenant reads it, because no tenant has its workspace.
 *
 * A key names one email, but its record is stored for a day only, and the process that repeats an email may be
 * unavailable for longer. So the id of the email follows from the key: nothing is sent while the record of that email
 * is stored.
 */
export const sendSystemMail =
  (submit: Intake['Submit'], { emails }: { emails: Pick<EmailStore, 'get'> }): Intake['SendSystemMail'] =>
  async (request) => {
    const mail = mailOf(request)
    const wanted = emailIdOf(request.idempotencyKey)
    if ((await emails.get(wanted)) !== null) return { id: wanted }
    const fingerprint = createHash('sha256').update(JSON.stringify(mail)).digest()
    const submission = {
      caller: platform,
      mail,
      emailId: wanted,
      idempotency: { key: request.idempotencyKey, fingerprint },
      operation: 'system mail',
      requestId: newId('req'),
    }
    const { id } = await submit(submission)
    return { id }
  }

/** The time in the id is 0: a retry does not have the time of the first run. */
const emailIdOf = (key: string): string => derivedId('em', 0, `system mail ${key}`)

const mailOf = ({ to, subject, text, html, expiresInMs }: SystemMailRequest): MailRequest => {
  const recipient = parseMailbox(to)
  if (!recipient.ok) throw new Fault('validation_failed', 'The recipient of a system email is not an address.')
  return {
    from: null,
    to: [recipient.mailbox],
    cc: [],
    bcc: [],
    replyTo: [],
    subject,
    html,
    text,
    template: null,
    domainId: null,
    // RFC 3834 §5: programs that reply to mail do not reply to this one.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: [],
    tags: {},
    metadata: {},
    sendAt: null,
    expiresInMs: expiresInMs ?? null,
    onUnknown: null,
    category: 'transactional',
    topic: null,
    // Its links are secrets until they are used, and an email about an account is about a person.
    retention: 'none',
  }
}
