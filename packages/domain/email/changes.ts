import { newId } from '@postrider/kit/ids.ts'
import type { Email, EmailEvent, Recipient } from './email.ts'

/** An event before it has its id and its place in the sequence. */
export type EventDraft = Omit<EmailEvent, 'id' | 'sequence' | 'at'>

/** The email with these events after all it has; `sequence` goes on counting. */
export const withEvents = (email: Email, at: number, drafts: readonly EventDraft[]): Email => {
  const last = email.events.length
  const events = drafts.map((draft, index) => ({ id: newId('evt'), sequence: last + index + 1, at, ...draft }))
  return { ...email, events: [...email.events, ...events] }
}

/** The email with the recipients of these numbers changed. */
export const withRecipients = (
  email: Email,
  numbers: readonly number[],
  change: (recipient: Recipient, number: number) => Recipient,
): Email => ({
  ...email,
  recipients: email.recipients.map((recipient, number) =>
    numbers.includes(number) ? change(recipient, number) : recipient,
  ),
})
