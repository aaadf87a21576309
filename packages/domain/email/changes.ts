import { hash } from 'node:crypto'
import { fromUUIDBytes } from 'typeid-js'
import type { Email, EmailEvent, Recipient } from './email.ts'

/** An event without its id, time and place in the sequence. */
export type EventDraft = Omit<EmailEvent, 'id' | 'sequence' | 'at'>

/** Returns the email with these events appended. */
export const withEvents = (email: Email, at: number, drafts: readonly EventDraft[]): Email => {
  const last = email.events.length
  const events = drafts.map((draft, index) => {
    const sequence = last + index + 1
    return { id: eventId(email.id, sequence, at), sequence, at, ...draft }
  })
  return { ...email, events: [...email.events, ...events] }
}

/** The largest number that the 12 bits beside the timestamp hold. */
const mostSequence = 0xfff

/**
 * Returns the id of an email's event: a TypeID over a UUIDv7 (RFC 9562 §5.7) of the event's time and sequence. The
 * other bits come from a hash, so the same event has the same id each time, and ids of an email sort by sequence.
 */
const eventId = (emailId: string, sequence: number, at: number): string => {
  const bytes = hash('sha256', `${emailId} ${sequence}`, 'buffer').subarray(0, 16)
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt16BE(0x7000 | Math.min(sequence, mostSequence), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return fromUUIDBytes('evt', bytes)
}

/** Returns the email with the recipients of these numbers changed. */
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
