import type { EmailEvent } from '../../api/types.ts'
import type { StateLabel } from '../../ui/Badge.tsx'

/** Labels of the events of an email. */
export const eventLabels: Readonly<Record<EmailEvent['type'], StateLabel>> = {
  'email.accepted': { label: 'Accepted', tone: 'idle' },
  'email.scheduled': { label: 'Scheduled', tone: 'idle' },
  'email.sent': { label: 'Attempt began', tone: 'info' },
  'email.delivered': { label: 'Delivered', tone: 'good' },
  'email.deferred': { label: 'Deferred', tone: 'warn' },
  'email.bounced': { label: 'Bounced', tone: 'bad' },
  'email.failed': { label: 'Failed', tone: 'bad' },
  'email.suppressed': { label: 'Suppressed', tone: 'idle' },
  'email.canceled': { label: 'Canceled', tone: 'idle' },
  'email.unknown': { label: 'Reply lost', tone: 'warn' },
  'email.complained': { label: 'Reported as spam', tone: 'bad' },
  'email.opened': { label: 'Opened', tone: 'good' },
  'email.clicked': { label: 'Link followed', tone: 'good' },
  'email.unsubscribed': { label: 'Unsubscribed', tone: 'warn' },
}

/** Meaning of each class of refusals, and what to do. */
export const classTexts: Readonly<Record<NonNullable<EmailEvent['class']>, string>> = {
  invalid: 'The address does not exist. Remove it from your list.',
  full: 'The mailbox is full. Another attempt may succeed later.',
  policy: 'A rule of the receiving server refused it. Its reply states which.',
  reputation: 'The receiving server does not trust the sending address or domain. Check the records of the domain.',
  content: 'The receiving server refused the content of the message.',
  transient: 'A failure of the moment. It is tried again.',
  unknown: 'The reply fits no known rule.',
}
