import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { MailRequest } from '@postrider/contracts/services.ts'
import { type EventDraft, withEvents } from '@postrider/domain/email/changes.ts'
import type { Email, Mailbox, Recipient } from '@postrider/domain/email/email.ts'
import { mostBytesSteps } from '@postrider/domain/email/message.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { addressKey, sameAddress } from '@postrider/mail/address.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { wantedAt } from './acceptance.ts'
import type { IntakeLimits } from './config.ts'
import type { ResolvedContent } from './resolveContent.ts'

/** A request to send, with the id and the time of acceptance of its email. */
export type Submission = {
  caller: Caller
  mail: MailRequest
  requestId: string
  /** Trace of the request; undefined: it is not traced. */
  traceparent: string | undefined
  id: string
  at: number
}

type Draft = Submission & {
  content: ResolvedContent
  /** The shared platform sender. Mail of every workspace without a verified domain is sent from it. */
  sender: Mailbox
  limits: IntakeLimits
}

/**
 * Returns the email to store, in short steps, from a request without `acceptanceProblems`.
 * @throws Fault `too_large`
 */
export function* composeEmail(draft: Draft): Steps<Email> {
  const { mail, content, at, limits } = draft
  const wanted = wantedAt(mail.sendAt, at) ?? at
  const scheduledAt = wanted <= at ? null : wanted
  const recipients = recipientsOf(mail, scheduledAt ?? at, scheduledAt !== null)
  const email = withEvents(newEmail(draft, scheduledAt, recipients), at, firstEvents(recipients, scheduledAt))
  const messageBytes = yield* mostBytesSteps(limits.messageBytes, email, content)
  if (messageBytes <= limits.messageBytes) return { ...email, messageBytes }
  const message = `The finished message is over ${limits.messageBytes / 2 ** 20} MiB; send fewer or smaller attachments.`
  throw new Fault('too_large', message, { problems: [{ path: '', code: 'message_too_large', message }] })
}

const newEmail = (draft: Draft, scheduledAt: number | null, recipients: Recipient[]): Email => {
  const { caller, mail, content, sender, at } = draft
  return {
    id: draft.id,
    workspace: caller.workspace,
    mode: caller.mode === 'test' ? 'test' : 'live',
    keyId: caller.key_id,
    requestId: draft.requestId,
    category: mail.category,
    topic: mail.topic,
    createdAt: at,
    scheduledAt,
    expiresAt: mail.expiresInMs === null ? null : (scheduledAt ?? at) + mail.expiresInMs,
    onUnknown: (mail.onUnknown ?? caller.on_unknown) === 'hold' ? 'hold' : 'retry',
    from: { name: caller.sender_name || sender.name, address: sender.address },
    envelopeFrom: sender.address,
    replyTo: mail.replyTo,
    subject: content.subject,
    templateId: content.templateId,
    templateVersion: content.templateVersion,
    domainId: null,
    tags: mail.tags,
    metadata: mail.metadata,
    // RFC 5322 §3.6.4. Every attempt sends the same Message-ID, so a receiver can recognise a duplicate.
    messageId: `<${draft.id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    notices: [...senderNotices(mail, sender), ...marketingNotices(mail)],
    recipients,
    attempts: [],
    events: [],
    owed: [],
    counted: caller.mode === 'live',
    ...(draft.traceparent !== undefined && { traceparent: draft.traceparent }),
  }
}

const firstEvents = (recipients: readonly Recipient[], scheduledAt: number | null): EventDraft[] => [
  { type: 'email.accepted', recipient: null },
  ...(scheduledAt === null ? [] : [{ type: 'email.scheduled' as const, recipient: null }]),
  ...recipients.flatMap(({ status }, recipient) =>
    status === 'suppressed' ? [{ type: 'email.suppressed' as const, recipient }] : [],
  ),
]

const senderNotices = ({ from }: MailRequest, sender: Mailbox): string[] => {
  if (!from) return []
  if (sameAddress(from.address, sender.address)) {
    return ['from_ is the shared sender; its display name is the workspace’s sender_name.']
  }
  return [
    `from_ was replaced by the shared sender ${sender.address}: the workspace has no verified sending domain yet, so ${from.address} can't be used.`,
  ]
}

const marketingNotices = ({ category }: MailRequest): string[] =>
  category === 'marketing'
    ? ['One-click unsubscribe and the postal address are not added to marketing mail yet; add both to the message.']
    : []

/** Returns each address once, with its first name and kind. */
const recipientsOf = (mail: MailRequest, dueAt: number, scheduled: boolean): Recipient[] => {
  const seen = new Set<string>()
  return (['to', 'cc', 'bcc'] as const).flatMap((kind) =>
    mail[kind].flatMap((mailbox) => {
      const key = addressKey(mailbox.address)
      if (seen.has(key)) return []
      seen.add(key)
      return [recipient(mailbox, kind, dueAt, scheduled)]
    }),
  )
}

const recipient = (mailbox: Mailbox, kind: Recipient['kind'], dueAt: number, scheduled: boolean): Recipient => {
  const suppressed = simulatorOutcome(mailbox.address) === 'suppressed'
  return {
    name: mailbox.name,
    address: mailbox.address,
    kind,
    status: suppressed ? 'suppressed' : scheduled ? 'scheduled' : 'queued',
    class: null,
    reply: null,
    nextAt: suppressed ? null : dueAt,
    tries: 0,
  }
}
