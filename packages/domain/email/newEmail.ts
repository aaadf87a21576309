import { domainOf, type Mailbox } from '@postrider/mail/address.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { SenderDecision } from '../domains/sender.ts'
import type { Retention } from '../retention/retention.ts'
import { type EventDraft, withEvents } from './changes.ts'
import type { Email, Recipient, RecipientKind, UnknownPolicy } from './email.ts'
import { marketingNotices } from './marketing.ts'
import { bounceAddress } from './returnPath.ts'
import { uniqueRecipients, usesQuota } from './sends.ts'
import { type SendTime, scheduledTime } from './sendTime.ts'
import { emailTime } from './testClock.ts'

/** The fields of a request without problems that its email depends on. */
export type RequestedMail = Pick<Email, 'category' | 'topic' | 'replyTo' | 'tags' | 'metadata'> &
  Readonly<Record<RecipientKind, readonly Mailbox[]>> & {
    /** Null: immediately. */
    sendAt: SendTime | null
    /** From the time at which the email is to leave; null: it does not expire. */
    expiresInMs: number | null
    /** Null: the workspace's setting applies. */
    onUnknown: UnknownPolicy | null
    /** Absent: the workspace's setting applies. */
    retention?: Retention
  }

/** An accepted request, with its sender, its rendered content, and the settings of its workspace. */
export type AcceptedMail = Pick<Email, 'id' | 'workspace' | 'mode' | 'keyId' | 'requestId'> & {
  /** Time of acceptance by the store's clock. */
  createdAt: number
  /** Offset of the test clock of its workspace, for test mail; absent: the clock was never moved. */
  clock?: Email['clock']
  mail: RequestedMail
  content: Pick<Email, 'subject' | 'templateId' | 'templateVersion'>
  sender: Omit<Extract<SenderDecision, { kind: 'send' }>, 'kind'>
  /** Address of the shared sender, which is the return path of mail whose own return path is not verified. */
  platformAddress: string
  /** Settings of the workspace. `retention` null: the installation's applies. */
  settings: { onUnknown: UnknownPolicy; retention: Retention | null }
  /** Who requested it: a user or key id, or `system`. */
  actor: string
  traceparent: string | undefined
}

/** Returns an email in its first state: the status and due time of each recipient, its expiry, and its first events. */
export const newEmail = (accepted: AcceptedMail): Email => {
  const { id, workspace, mode, mail, content, sender, settings, clock, traceparent } = accepted
  const at = emailTime(accepted, accepted.createdAt)
  const scheduledAt = scheduledTime(mail.sendAt, at)
  const leavesAt = scheduledAt ?? at
  const status = scheduledAt === null ? 'queued' : 'scheduled'
  const recipients = uniqueRecipients(mail).map(({ kind, entry }) => newRecipient(entry, kind, status, leavesAt))
  const retention = mail.retention ?? settings.retention
  const email: Email = {
    id,
    workspace,
    mode,
    keyId: accepted.keyId,
    requestId: accepted.requestId,
    category: mail.category,
    topic: mail.topic,
    createdAt: accepted.createdAt,
    scheduledAt,
    expiresAt: mail.expiresInMs === null ? null : leavesAt + mail.expiresInMs,
    onUnknown: mail.onUnknown ?? settings.onUnknown,
    from: sender.from,
    envelopeFrom: sender.returnPath === null ? accepted.platformAddress : bounceAddress(sender.returnPath),
    replyTo: mail.replyTo,
    subject: content.subject,
    templateId: content.templateId,
    templateVersion: content.templateVersion,
    domainId: sender.domain?.id ?? null,
    tags: mail.tags,
    metadata: mail.metadata,
    // RFC 5322 §3.6.4. Every attempt sends the same Message-ID, so a receiver can recognize a duplicate.
    messageId: `<${id}@${domainOf(sender.from.address)}>`,
    notices: [...sender.notices, ...marketingNotices(mail)],
    recipients,
    attempts: [],
    events: [],
    owed: [],
    counted: usesQuota({ mode, workspace }),
    ...(clock !== undefined && { clock }),
    ...(retention !== null && { retention }),
    ...(traceparent !== undefined && { traceparent }),
  }
  return withEvents(email, at, firstEvents(email, accepted.actor))
}

/** Returns whether an address gets no mail: so far only a magic recipient. */
export const isSuppressed = (address: string): boolean => simulatorOutcome(address) === 'suppressed'

const newRecipient = (
  { name, address }: Mailbox,
  kind: RecipientKind,
  status: 'queued' | 'scheduled',
  dueAt: number,
): Recipient => {
  const suppressed = isSuppressed(address)
  return {
    name,
    address,
    kind,
    status: suppressed ? 'suppressed' : status,
    class: null,
    reply: null,
    nextAt: suppressed ? null : dueAt,
    tries: 0,
  }
}

const firstEvents = ({ recipients, scheduledAt }: Email, actor: string): EventDraft[] => {
  const cause = { kind: 'request', actor } as const
  const suppressed = { kind: 'system', reason: 'suppressed' } as const
  return [
    { type: 'email.accepted', recipient: null, cause },
    ...(scheduledAt === null ? [] : [{ type: 'email.scheduled' as const, recipient: null, cause }]),
    ...recipients.flatMap(({ status }, recipient) =>
      status === 'suppressed' ? [{ type: 'email.suppressed' as const, recipient, cause: suppressed }] : [],
    ),
  ]
}
