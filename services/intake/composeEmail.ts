import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import { type EventDraft, withEvents } from '@postrider/domain/email/changes.ts'
import type { Email, Mailbox, Recipient } from '@postrider/domain/email/email.ts'
import { mostBytes } from '@postrider/domain/email/message.ts'
import { Fault, type Problem } from '@postrider/kit/fault.ts'
import { addressKey, sameAddress } from '@postrider/mail/address.ts'
import { messageId } from '@postrider/mail/messageId.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { IntakeLimits } from './limits.ts'
import type { ResolvedContent } from './resolveContent.ts'

/** The shared platform sender: mail of every workspace without a verified domain leaves from it. */
export type Sender = Mailbox

type Draft = {
  caller: Caller
  mail: Mail
  requestId: string
  /** Of the request; undefined: it isn't traced. */
  traceparent: string | undefined
  id: string
  at: number
  content: ResolvedContent
  sender: Sender
  limits: IntakeLimits
}

type SendTime = Pick<Mail, 'scheduled_at' | 'scheduled_in_ms'>

type Judged = Pick<Draft, 'caller' | 'at' | 'limits'> & { mail: SendTime & Pick<Mail, 'domain_id' | 'category'> }

/** When the message is to leave, in milliseconds since the epoch; null: at once. @param at when it is accepted */
const wantedAt = ({ scheduled_at, scheduled_in_ms }: SendTime, at: number): number | null => {
  if (scheduled_in_ms !== undefined) return at + scheduled_in_ms
  return scheduled_at === undefined ? null : Date.parse(scheduled_at)
}

/** What is wrong with a well-formed request that only the time of acceptance and the workspace can tell. */
export const acceptanceProblems = (draft: Judged): Problem[] => [
  ...timeProblems(draft),
  ...domainProblems(draft.mail),
  ...marketingProblems(draft),
]

/**
 * The email as it is kept, from a request with no `acceptanceProblems`.
 * @throws Fault `too_large`
 */
export const composeEmail = (draft: Draft): Email => {
  const { mail, content, at } = draft
  const wanted = wantedAt(mail, at) ?? at
  const scheduledAt = wanted <= at ? null : wanted
  const recipients = recipientsOf(mail, scheduledAt ?? at, scheduledAt !== null)
  const email = withEvents(newEmail(draft, scheduledAt, recipients), at, firstEvents(recipients, scheduledAt))
  const messageBytes = mostBytes(draft.limits.messageBytes, email, content)
  if (messageBytes <= draft.limits.messageBytes) return { ...email, messageBytes }
  const message = `The finished message is over ${draft.limits.messageBytes / 2 ** 20} MiB.`
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
    category: mail.category === 'marketing' ? 'marketing' : 'transactional',
    topic: mail.topic ?? null,
    createdAt: at,
    scheduledAt,
    expiresAt: mail.expires_in_ms === undefined ? null : (scheduledAt ?? at) + mail.expires_in_ms,
    onUnknown: (mail.on_unknown ?? caller.on_unknown) === 'hold' ? 'hold' : 'retry',
    from: { name: caller.sender_name || sender.name, address: sender.address },
    envelopeFrom: sender.address,
    replyTo: mail.reply_to,
    subject: content.subject,
    templateId: content.templateId,
    templateVersion: content.templateVersion,
    domainId: null,
    tags: mail.tags,
    metadata: mail.metadata,
    messageId: messageId(draft.id, sender.address.slice(sender.address.lastIndexOf('@') + 1)),
    notices: noticesFor(mail, sender),
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

const timeProblems = ({ mail, at, limits }: Pick<Judged, 'mail' | 'at' | 'limits'>): Problem[] => {
  const wanted = wantedAt(mail, at)
  if (wanted === null) return []
  const path = 'scheduled_at'
  if (wanted < at - limits.schedulePastMs) {
    const message = 'This time is in the past; leave scheduled_at out to send at once.'
    return [{ path, code: 'in_the_past', message }]
  }
  if (wanted <= at + limits.scheduleAheadMs) return []
  const message = `Mail can be scheduled up to ${limits.scheduleAheadMs / 86_400_000} days ahead.`
  return [{ path, code: 'too_far_ahead', message }]
}

/** No workspace has a verified domain yet, so no domain id can be right. */
const domainProblems = ({ domain_id }: Judged['mail']): Problem[] =>
  domain_id === undefined
    ? []
    : [{ path: 'domain_id', code: 'unknown_domain', message: 'This is not a verified domain of the workspace.' }]

/** The sender's postal address is owed to whoever gets marketing mail (CAN-SPAM, 15 U.S.C. §7704(a)(5)). */
const marketingProblems = ({ mail, caller }: Pick<Judged, 'mail' | 'caller'>): Problem[] =>
  mail.category !== 'marketing' || caller.has_postal_address
    ? []
    : [
        {
          path: 'category',
          code: 'postal_address_required',
          message: 'Marketing mail needs the workspace’s postal_address; set it with PATCH /api/v1/workspace.',
        },
      ]

const noticesFor = (mail: Mail, sender: Sender): string[] => [...senderNotices(mail, sender), ...marketingNotices(mail)]

const senderNotices = ({ from }: Mail, sender: Sender): string[] => {
  if (!from) return []
  if (sameAddress(from.address, sender.address)) {
    return ['from_ is the shared sender; the name it shows is the workspace’s sender_name.']
  }
  return [
    `from_ was replaced by the shared sender ${sender.address}: the workspace has no verified sending domain yet, so ${from.address} can't be used.`,
  ]
}

const marketingNotices = ({ category }: Mail): string[] =>
  category === 'marketing'
    ? ['One-click unsubscribe and the postal address are not added to marketing mail yet; put both into the message.']
    : []

/** Everybody once, as who they were named first. */
const recipientsOf = (mail: Mail, dueAt: number, scheduled: boolean): Recipient[] => {
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
