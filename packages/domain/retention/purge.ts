import { platformWorkspace } from '../domains/domain.ts'
import { capturedNotice } from '../email/conversation.ts'
import type { Email, Recipient, StoredEmail } from '../email/email.ts'
import { owesSends } from '../email/sends.ts'
import { isOpen, unleasedStatus } from '../email/status.ts'
import { scheduledInStore } from '../email/testClock.ts'
import { dayMs, hourMs } from '../time.ts'
import type { Retention, RetentionLimits } from './retention.ts'

/**
 * Next removal of an email, and the time from which its age counts. Stores index both, so that mail is found without
 * reading the rest, and a change of the installation's times applies to all mail immediately. Steps:
 *
 * | step | removes | when |
 * |---|---|---|
 * | `final` | the content; of `none` also addresses and labels | when the email is final; captured system mail after a day |
 * | `attachments`, `attachments:<days>` | attachments | days after the email became final |
 * | `content`, `content:<days>` | the content | days after acceptance or the scheduled time, never before it is final |
 * | `record` | everything | days after that time, never before it is final |
 */
export type Purge = { step: string; from: number }

/** Stands for an address that was removed (RFC 2606 §2: no domain has this name). */
export const removedAddress = 'removed@removed.invalid'

/** When mail that is not final is checked again. The write that makes mail final moves `final` to its time. */
const waitMs = { final: hourMs, other: dayMs }

/** Returns the start of the retention by the store's clock: a test clock moves no removal. */
const startOf = (email: Pick<Email, 'scheduledAt' | 'createdAt' | 'clock'>): number =>
  Math.max(email.createdAt, scheduledInStore(email) ?? 0)

const withDays = (kind: 'attachments' | 'content', retention: Retention | undefined): string =>
  typeof retention === 'number' ? `${kind}:${retention}` : kind

const contentPurge = (email: Email): Purge => ({ step: withDays('content', email.retention), from: startOf(email) })
/** Returns the next step of an email whose content was removed. */
export const recordPurge = (email: Email): Purge => ({ step: 'record', from: startOf(email) })

const isUntilFinal = ({ retention }: Pick<Email, 'retention'>): boolean => typeof retention === 'string'

/** Returns the first step of a new email. */
export const firstPurge = (email: Email, hasAttachments: boolean): Purge => {
  if (isUntilFinal(email)) return { step: 'final', from: startOf(email) + waitMs.final }
  return hasAttachments ? { step: withDays('attachments', email.retention), from: startOf(email) } : contentPurge(email)
}

/** Returns the next step of a record that has none: an earlier release stored it, or the id is void (`email` null). */
export const adoptedPurge = (email: Email | null, now: number): Purge => {
  if (email === null) return { step: 'record', from: now }
  return email.contentRemovedAt === undefined ? firstPurge(email, true) : recordPurge(email)
}

/** Returns whether the email has its last status and no sends to release: nothing changes it any more. */
export const isFinal = ({ recipients, owed }: Pick<Email, 'recipients' | 'owed'>): boolean =>
  !owesSends({ owed }) && !isOpen(unleasedStatus({ recipients }))

/** Returns from when the step `final` counts after the write of this email; null: the write does not make it due. */
export const finalPurgeFrom = (email: Email): number | null =>
  isUntilFinal(email) && email.contentRemovedAt === undefined && isFinal(email)
    ? (email.events.at(-1)?.at ?? email.createdAt)
    : null

/** Whether a person reads this system mail in the mailbox, because no server received it: then it stays for a day. */
const isReadInMailbox = ({ workspace, notices }: Email): boolean =>
  workspace === platformWorkspace && notices.includes(capturedNotice)

const daysOf = (step: string): number => Number(step.split(':')[1] ?? Number.POSITIVE_INFINITY) * dayMs

/** Returns the latest start of mail whose step is due at `now`. */
export const dueFrom = (step: string, now: number, limits: RetentionLimits): number => {
  if (step === 'final') return now
  if (step === 'record') return now - limits.recordMs
  if (step.startsWith('attachments')) return now - Math.min(limits.attachmentsMs, limits.contentMs, daysOf(step))
  return now - Math.min(limits.contentMs, daysOf(step))
}

/** Returns the steps in the order of their urgency. */
export const urgentFirst = (steps: readonly string[]): string[] =>
  steps.toSorted((a, b) => Number(b === 'final') - Number(a === 'final'))

/** A class of what is removed. `personal`: the content with addresses and labels. */
export const removals = ['attachments', 'content', 'personal', 'record'] as const
export type Removal = (typeof removals)[number]

export type PurgeDecision =
  | { kind: 'postpone'; purge: Purge }
  /** `email` is what is left, with its next step. */
  | { kind: 'remove'; removal: Exclude<Removal, 'record'>; email: Email; purge: Purge }
  | { kind: 'remove'; removal: 'record' }

/**
 * Decides what is removed of an email whose step is due. Mail that is not final is never touched.
 * @param due.email null: the id is void, and only its record exists
 */
export const decidePurge = (
  { email, leaseUntil }: Pick<StoredEmail, 'leaseUntil'> & { email: Email | null },
  step: string,
  now: number,
  limits: RetentionLimits,
): PurgeDecision => {
  const postponed = (dueAt: number): PurgeDecision => ({
    kind: 'postpone',
    purge: { step, from: dueFrom(step, dueAt, limits) },
  })
  if (email === null) return { kind: 'remove', removal: 'record' }
  if (leaseUntil !== null || !isFinal(email)) return postponed(now + (step === 'final' ? waitMs.final : waitMs.other))
  if (step === 'record') return { kind: 'remove', removal: 'record' }
  const remove = (removal: Exclude<Removal, 'record'>, after: Email, purge: Purge): PurgeDecision => ({
    kind: 'remove',
    removal,
    email: after,
    purge,
  })
  if (step === 'final' && isReadInMailbox(email)) {
    return { kind: 'postpone', purge: { step: 'content:1', from: startOf(email) } }
  }
  if (email.retention === 'none') return remove('personal', withoutPersonal(email, now), recordPurge(email))
  const content = contentPurge(email)
  if (step === 'final' || content.from <= dueFrom(content.step, now, limits)) {
    return remove('content', withoutContent(email, now), recordPurge(email))
  }
  const finalAt = email.events.at(-1)?.at ?? startOf(email)
  if (finalAt > dueFrom(step, now, limits)) return { kind: 'postpone', purge: { step, from: finalAt } }
  return remove('attachments', { ...email, attachmentsRemovedAt: now }, content)
}

/** Returns the email after its content was removed. The subject is part of the content. */
export const withoutContent = (email: Email, at: number): Email => ({
  ...email,
  subject: '',
  contentRemovedAt: email.contentRemovedAt ?? at,
})

const withoutAddress = (recipient: Recipient): Recipient => ({
  ...recipient,
  name: '',
  address: removedAddress,
  reply: null,
})

/**
 * Returns the email without content, addresses of recipients, labels, and replies of servers, which repeat addresses.
 */
export const withoutPersonal = (email: Email, at: number): Email => {
  const { held: _, ...rest } = withoutContent(email, at)
  return {
    ...rest,
    replyTo: [],
    tags: {},
    metadata: {},
    topic: null,
    notices: [],
    recipients: email.recipients.map(withoutAddress),
    attempts: email.attempts.map((attempt) => ({ ...attempt, reply: null, steps: [] })),
    events: email.events.map(({ reply: _reply, ...event }) => event),
  }
}

/**
 * Returns the email without one recipient: without the content, which may be about that person, and without replies and
 * labels. Other recipients stay.
 */
export const withoutPerson = (email: Email, isErased: (address: string) => boolean, at: number): Email => {
  const bare = withoutPersonal(email, at)
  const recipients = email.recipients.map((recipient) =>
    isErased(recipient.address) ? withoutAddress(recipient) : { ...recipient, reply: null },
  )
  return { ...bare, recipients, replyTo: email.replyTo.filter(({ address }) => !isErased(address)) }
}

/** Returns the part of an email that the response to a repeated request may contain. */
export const withoutShortLived = (email: Email): Email => {
  if (email.retention === undefined) return email
  const { contentRemovedAt: _, ...rest } =
    email.retention === 'none' ? withoutPersonal(email, 0) : withoutContent(email, 0)
  return rest
}

/**
 * Returns a function that replaces an erased address in a text, in any case. An address that only contains it, such as
 * `joann@example.com` of `ann@example.com`, stays.
 */
export const withoutAddressIn = (address: string): ((text: string) => string) => {
  const whole = String.raw`(?<![\p{L}\p{N}._%+-])${RegExp.escape(address)}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`
  const pattern = new RegExp(whole, 'giu')
  return (text) => text.replaceAll(pattern, removedAddress)
}
