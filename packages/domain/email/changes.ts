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

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns a number as base32 digits of a TypeID. */
const base32 = (number: number, length: number): string => {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32)) text = digits.charAt(rest % 32) + text
  return text
}

const sequenceBits = 12
const version = 7
/** The variant of RFC 9562, in the place that it has in a digit. */
const variant = 0b10 << 2
/** Digits of an id that are random, without those that share a digit with other fields. */
const randomDigits = 12

/**
 * Returns the id of an email's event: a TypeID over a UUIDv7 (RFC 9562 §5.7) of the event's time and sequence, with the
 * random digits of the email's id. So the same event has the same id each time, and ids of an email sort by sequence. A
 * sequence that is too large for its 12 bits carries into the time (§6.2). It is written digit by digit, because every mail
 * has several.
 */
const eventId = (emailId: string, sequence: number, at: number): string => {
  const low = sequence % 2 ** sequenceBits
  const time = base32(at + (sequence - low) / 2 ** sequenceBits, 10)
  const fields = base32((version * 2 ** sequenceBits + low) * 2 ** 4 + variant, 4)
  return `evt_${time}${fields}${emailId.slice(-randomDigits)}`
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
