import type { Caller, MailRequest } from '@postrider/contracts/services.ts'
import { actorIdOf, keyFamilyOf } from '@postrider/domain/accounts/apiKey.ts'
import { type EventDraft, withEvents } from '@postrider/domain/email/changes.ts'
import type { Email, Mailbox, Mode, Recipient } from '@postrider/domain/email/email.ts'
import { maxBytesSteps } from '@postrider/domain/email/message.ts'
import { bounceAddress } from '@postrider/domain/email/returnPath.ts'
import { uniqueRecipients, usesQuota } from '@postrider/domain/email/sends.ts'
import { wantedAt } from '@postrider/domain/email/sendTime.ts'
import { parseRetention } from '@postrider/domain/retention/retention.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { domainOf } from '@postrider/mail/address.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { ChosenSender } from './chooseSender.ts'
import type { IntakeLimits } from './config.ts'
import type { ResolvedContent } from './resolveContent.ts'
import { timeOf } from './testClocks.ts'

/** A request to send, with the id and the time of acceptance of its email. */
export type Submission = {
  caller: Caller
  mail: MailRequest
  requestId: string
  /** Trace of the request; undefined: it is not traced. */
  traceparent: string | undefined
  id: string
  /** Time of acceptance by the store's clock. */
  at: number
  /** The test clock of test mail. */
  clock?: Email['clock']
}

type Draft = Submission & {
  content: ResolvedContent
  sender: ChosenSender
  /** The shared sender. Its address is the return path of mail whose own return path is not verified. */
  platform: Mailbox
  limits: IntakeLimits
}

/**
 * Returns the email to store, in short steps, from a request without `acceptanceProblems`.
 * @throws Fault `too_large`
 */
export function* composeEmail(draft: Draft): Steps<Email> {
  const { mail, content, limits } = draft
  const at = timeOf(draft)
  const wanted = wantedAt(mail.sendAt, at) ?? at
  const scheduledAt = wanted <= at ? null : wanted
  const recipients = uniqueRecipients(mail).map(({ kind, entry }) =>
    recipient(entry, kind, scheduledAt ?? at, scheduledAt !== null),
  )
  const email = withEvents(
    newEmail(draft, scheduledAt, recipients),
    at,
    firstEvents(recipients, scheduledAt, actorIdOf(draft.caller) || 'system'),
  )
  const messageBytes = yield* maxBytesSteps(limits.messageBytes, email, content)
  if (messageBytes <= limits.messageBytes) return { ...email, messageBytes }
  const message = `The finished message is over ${limits.messageBytes / 2 ** 20} MiB; send fewer or smaller attachments.`
  throw new Fault('too_large', message, { problems: [{ path: '', code: 'message_too_large', message }] })
}

const newEmail = (draft: Draft, scheduledAt: number | null, recipients: Recipient[]): Email => {
  const { caller, mail, content, sender, platform } = draft
  const { workspace } = caller
  const mode = modeOf(caller)
  const retention = parseRetention(mail.retention ?? caller.retention ?? '')
  return {
    id: draft.id,
    workspace,
    mode,
    keyId: keyFamilyOf(caller),
    requestId: draft.requestId,
    category: mail.category,
    topic: mail.topic,
    createdAt: draft.at,
    scheduledAt,
    expiresAt: mail.expiresInMs === null ? null : (scheduledAt ?? timeOf(draft)) + mail.expiresInMs,
    onUnknown: (mail.onUnknown ?? caller.on_unknown) === 'hold' ? 'hold' : 'retry',
    from: sender.from,
    envelopeFrom: sender.returnPath === null ? platform.address : bounceAddress(sender.returnPath),
    replyTo: mail.replyTo,
    subject: content.subject,
    templateId: content.templateId,
    templateVersion: content.templateVersion,
    domainId: sender.domain?.id ?? null,
    tags: mail.tags,
    metadata: mail.metadata,
    // RFC 5322 §3.6.4. Every attempt sends the same Message-ID, so a receiver can recognize a duplicate.
    messageId: `<${draft.id}@${domainOf(sender.from.address)}>`,
    notices: [...sender.notices, ...marketingNotices(mail)],
    recipients,
    attempts: [],
    events: [],
    owed: [],
    counted: usesQuota({ mode, workspace }),
    ...(draft.clock !== undefined && { clock: draft.clock }),
    ...(retention !== null && { retention }),
    ...(draft.traceparent !== undefined && { traceparent: draft.traceparent }),
  }
}

/** Returns the mode of the mail that a caller sends. */
export const modeOf = ({ mode }: Pick<Caller, 'mode'>): Mode => (mode === 'test' ? 'test' : 'live')

const firstEvents = (recipients: readonly Recipient[], scheduledAt: number | null, actor: string): EventDraft[] => {
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

const marketingNotices = ({ category }: MailRequest): string[] =>
  category === 'marketing'
    ? [
        'This version adds neither an unsubscribe link nor a postal address to marketing mail; put both into its content.',
      ]
    : []

/** Whether an address gets no mail: so far only a magic recipient. */
export const isSuppressed = (address: string): boolean => simulatorOutcome(address) === 'suppressed'

const recipient = (mailbox: Mailbox, kind: Recipient['kind'], dueAt: number, scheduled: boolean): Recipient => {
  const suppressed = isSuppressed(mailbox.address)
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
