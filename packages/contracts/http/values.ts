import type { KeyMode, Scope } from '@postrider/domain/accounts/apiKey.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { DomainStatus, RecordPurpose, RecordStatus } from '@postrider/domain/domains/domain.ts'
import type { AttemptOutcome, EmailEventType, Lane, UnknownPolicy } from '@postrider/domain/email/email.ts'
import type { EmailStatus, RecipientStatus } from '@postrider/domain/email/status.ts'
import type { EventType } from '@postrider/domain/events/event.ts'
import type { DeliveryReason, DeliveryStatus } from '@postrider/domain/webhooks/delivery.ts'
import type { DisabledReason } from '@postrider/domain/webhooks/endpoint.ts'
import { disableAfterHours } from '@postrider/domain/webhooks/life.ts'
import type { ReplayStatus } from '@postrider/domain/webhooks/replay.ts'
import type { ReplyClass } from '@postrider/mail/replies/replies.ts'

/* Values and rules of the domain that the dashboard uses. */
export { linkLifeMs } from '@postrider/domain/accounts/links.ts'
export { isAtLeast } from '@postrider/domain/accounts/roles.ts'
export { deletionDelayMs } from '@postrider/domain/accounts/workspaceLife.ts'
export { invoiceStatuses } from '@postrider/domain/billing/invoices.ts'
export { centsOf, usdText } from '@postrider/domain/billing/money.ts'
export { cancelableStatuses, emailStatuses, isOpen, openStatuses } from '@postrider/domain/email/status.ts'
export { reservedEventTypes } from '@postrider/domain/events/event.ts'
export { maxSendsOf, overageOf, planNames } from '@postrider/domain/quota/plans.ts'
export { warningPercent } from '@postrider/domain/quota/thresholds.ts'
export { reputationLimits } from '@postrider/domain/reputation/reputation.ts'
export { durationText } from '@postrider/domain/time.ts'
export { deliveryStatuses } from '@postrider/domain/webhooks/delivery.ts'
export { disableAfterHours } from '@postrider/domain/webhooks/life.ts'

/* Meaning of each value of an enumeration, in one sentence, for the descriptions of the schemas. */

/** Returns the sentences as Markdown. The types of the tables below make sure that no value is missing. */
const listed = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    .join(' ')

const recipientMeanings: Record<RecipientStatus, string> = {
  scheduled: 'it waits for its `scheduled_at`.',
  queued: 'it is accepted and waits for its first attempt.',
  sending: 'an attempt is in progress.',
  deferred: 'the last attempt failed temporarily, and another attempt follows.',
  unknown: 'the message was sent and the reply was lost; a person decides (`resolve`).',
  delivered: 'the relay accepted the message, which does not mean that a person read it.',
  bounced: 'the server refused the message permanently.',
  failed: 'all attempts failed, or it expired.',
  suppressed: 'the address gets no mail, because of earlier bounces or complaints.',
  canceled: 'it was canceled before its first attempt.',
  complained: 'it was delivered, and the recipient reported it as spam.',
}

export const recipientStatusText = listed(recipientMeanings)

const { complained: _, ...sharedMeanings } = recipientMeanings
const emailMeanings: Record<EmailStatus, string> = {
  ...sharedMeanings,
  partially_delivered: 'all recipients are final, and only some are delivered.',
}

export const emailStatusText = listed(emailMeanings)

const emailEventMeanings = {
  'email.accepted': 'it was stored, and the response was 202.',
  'email.scheduled': 'it waits for its `scheduled_at`.',
  'email.sent': 'an attempt began.',
  'email.delivered': 'the relay accepted the message.',
  'email.deferred': 'an attempt failed temporarily.',
  'email.bounced': 'the server refused the message permanently.',
  'email.failed': 'all attempts failed, or it expired.',
  'email.suppressed': 'the address gets no mail.',
  'email.canceled': 'it was canceled.',
  'email.unknown': 'the message was sent and the reply was lost.',
  'email.complained': 'the recipient reported it as spam.',
  'email.opened': 'reserved: no such event occurs in this version.',
  'email.clicked': 'reserved: no such event occurs in this version.',
  'email.unsubscribed': 'reserved: no such event occurs in this version.',
} satisfies Record<EmailEventType, string>

export const eventText = listed(emailEventMeanings)

/** Meaning of each type of event, for docs/events.md and the descriptions of the schemas. */
export const eventMeanings: Readonly<Record<EventType, string>> = {
  ...emailEventMeanings,
  'domain.verified': 'each required DNS record of a domain was found; mail may be sent from it.',
  'domain.failed': 'a required DNS record of a domain stayed missing or wrong for 24 hours; its mail waits.',
  'quota.warning': '80 % of a quota is used.',
  'quota.exhausted': 'a quota is used up.',
  'webhook.disabled': 'an endpoint gets no more events until it is enabled again.',
}

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
  'domains:write': 'add, change and delete sending domains, and read them.',
  'domains:read': 'read sending domains and their DNS records.',
  'webhooks:write': 'add, change, test and delete webhooks, repeat their deliveries, and read them.',
  'webhooks:read': 'read webhooks and the log of their deliveries.',
  'suppressions:write': 'reserved for suppressions, which this version does not have; it allows nothing yet.',
  'suppressions:read': 'reserved for suppressions, which this version does not have; it allows nothing yet.',
} satisfies Record<Scope, string>)

export const modeText = listed({
  live: 'mail is sent and counted.',
  test: 'mail is accepted and its delivery simulated; nothing is sent or counted.',
} satisfies Record<KeyMode, string>)

export const roleText = listed({
  owner: 'also manages billing and ownership.',
  admin: 'also manages settings, members, API keys, sending domains, webhooks and suppressions.',
  member: 'also sends mail and edits templates.',
  viewer: 'reads everything.',
} satisfies Record<Role, string>)

export const onUnknownText = listed({
  retry: 'send it again, which may deliver it twice.',
  hold: 'hold it until a person decides (`resolve`).',
} satisfies Record<UnknownPolicy, string>)

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
} satisfies Record<AttemptOutcome, string>)

export const domainStatusText = listed({
  pending: 'a required DNS record has not been found yet.',
  verified: 'each required DNS record was found; `from_` may be an address of the domain.',
  warning: 'a required DNS record is missing or wrong; mail still leaves, for 24 hours.',
  failed: 'it stayed missing or wrong for 24 hours; new mail from the domain is refused, and accepted mail waits.',
} satisfies Record<DomainStatus, string>)

const purposeMeanings = {
  ownership: 'proves that the workspace controls the DNS of the domain.',
  dkim: 'the public key with which receivers verify signatures.',
  return_path_mx: 'bounces of mail from the domain reach the service.',
  return_path_spf: 'permits the service to send with a return path of the domain.',
  dmarc: 'what receivers do with mail that is not signed; advice only.',
} satisfies Record<RecordPurpose, string>

export const recordPurposes = Object.keys(purposeMeanings)
export const recordPurposeText = listed(purposeMeanings)

const recordMeanings = {
  found: 'DNS has a record that serves the purpose.',
  missing: 'DNS has no such record.',
  wrong: 'DNS has a record that does not serve the purpose.',
  unknown: 'it was not checked yet, or the DNS servers did not answer.',
} satisfies Record<RecordStatus, string>

export const recordStatuses = Object.keys(recordMeanings)
export const recordStatusText = listed(recordMeanings)

export const disabledReasonText = listed({
  request: 'a person or a key disabled it.',
  gone: 'it returned 410.',
  failures: `every delivery failed for ${disableAfterHours} hours.`,
} satisfies Record<DisabledReason, string>)

export const deliveryStatusText = listed({
  pending: 'it waits for its next attempt, or an attempt is in progress.',
  delivered: 'the receiver returned 2xx.',
  failed: 'all attempts failed, or the event is no longer stored.',
  canceled: 'the webhook was disabled.',
} satisfies Record<DeliveryStatus, string>)

export const deliveryReasonText = listed({
  exhausted: 'all attempts failed.',
  gone: 'the receiver returned 410.',
  endpoint_disabled: 'the webhook was disabled.',
  event_removed: 'the event is no longer stored.',
} satisfies Record<DeliveryReason, string>)

export const replayStatusText = listed({
  running: 'events are being sent.',
  done: 'each event of the window was sent.',
  canceled: 'the webhook was disabled.',
} satisfies Record<ReplayStatus, string>)
