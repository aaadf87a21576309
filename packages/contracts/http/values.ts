import type { KeyMode, Scope } from '@postrider/domain/accounts/apiKey.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { EmailEventType, Lane } from '@postrider/domain/email/email.ts'
import type { EmailStatus, RecipientStatus } from '@postrider/domain/email/status.ts'
import type { ReplyClass } from '@postrider/mail/replies.ts'

/** What each value of an enumeration means: one sentence each, for the descriptions of the schemas. */

/** Returns the sentences as Markdown. The types of the tables below make sure that no value is missing. */
const listed = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    .join(' ')

const recipientMeanings: Record<RecipientStatus, string> = {
  scheduled: 'it waits for its `scheduled_at`.',
  queued: 'it is accepted and waits for its first attempt.',
  sending: 'an attempt is in progress.',
  deferred: 'the last attempt failed for the moment, and another one follows.',
  unknown: 'the message was sent and the reply was lost; a person decides (`resolve`).',
  delivered: 'the next server accepted the message, which does not mean that a person read it.',
  bounced: 'the server refused the message permanently.',
  failed: 'all attempts failed, or it expired.',
  suppressed: 'the address gets no mail, because of earlier bounces or complaints.',
  canceled: 'it was cancelled before its first attempt.',
}

export const recipientStatusText = listed(recipientMeanings)

const emailMeanings: Record<EmailStatus, string> = {
  ...recipientMeanings,
  partially_delivered: 'all recipients are final, and only some are delivered.',
}

export const emailStatusText = listed(emailMeanings)

export const eventText = listed({
  'email.accepted': 'it was stored and answered with 202.',
  'email.scheduled': 'it waits for its `scheduled_at`.',
  'email.sent': 'an attempt began.',
  'email.delivered': 'the next server accepted the message.',
  'email.deferred': 'an attempt failed for the moment.',
  'email.bounced': 'the server refused the message permanently.',
  'email.failed': 'all attempts failed, or it expired.',
  'email.suppressed': 'the address gets no mail.',
  'email.canceled': 'it was cancelled.',
  'email.unknown': 'the message was sent and the reply was lost.',
} satisfies Record<EmailEventType, string>)

export const replyClassText = listed({
  invalid: 'the address does not exist.',
  full: 'the mailbox is full.',
  policy: 'a rule of the server refused it.',
  reputation: 'our address or domain has a bad reputation there.',
  content: 'the content of the message was refused.',
  transient: 'a failure of the moment.',
  unknown: 'the reply fits no rule.',
} satisfies Record<ReplyClass, string>)

export const scopeText = listed({
  'emails:send': 'send mail, and read and cancel what the same key sent.',
  'emails:read': 'read all mail.',
  'templates:write': 'create and read templates.',
  'templates:read': 'read templates.',
  'domains:write': 'reserved for sending domains.',
  'domains:read': 'reserved for sending domains.',
  'webhooks:write': 'reserved for webhooks.',
  'webhooks:read': 'reserved for webhooks.',
  'suppressions:write': 'reserved for suppressions.',
  'suppressions:read': 'reserved for suppressions.',
} satisfies Record<Scope, string>)

export const modeText = listed({
  live: 'mail is sent and counted.',
  test: 'mail is accepted and its delivery simulated; nothing is sent or counted.',
} satisfies Record<KeyMode, string>)

export const roleText = listed({
  owner: 'everything, including what costs money.',
  admin: 'everything else, including settings and keys.',
  member: 'sends, reads, and manages templates and API keys.',
  viewer: 'reads everything.',
} satisfies Record<Role, string>)

export const onUnknownText = listed({
  retry: 'send it again, which may deliver it twice.',
  hold: 'hold it until a person decides (`resolve`).',
})

export const categoryText = listed({
  transactional: 'mail that a person expects, such as a receipt.',
  marketing: 'has its own queue and requires the workspace’s postal address; one-click unsubscribe is not added yet.',
} satisfies Record<Lane, string>)

export const outcomeText = listed({
  delivered: 'every recipient was accepted.',
  deferred: 'every recipient is tried again.',
  bounced: 'every recipient was refused permanently.',
  partial: 'recipients have different results.',
  unknown: 'the reply after the message was lost.',
  lost: 'the process that made the attempt ended without a result.',
})
