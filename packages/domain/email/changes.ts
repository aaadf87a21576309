import { feedDelayMs } from '../events/event.ts'
import { base32 } from '../ids.ts'
import type { Email, EmailEvent, Recipient, StoredEmail } from './email.ts'

/**
 * A change by a writer that has no lease. `resetsDeaths`: its deaths are forgotten, so that parked mail can be claimed
 * again.
 */
export type EmailChange = Pick<StoredEmail, 'email' | 'nextAt'> & { resetsDeaths?: true }

/** Returns a stored email as it is after a change: the store increments its fencing token. */
export const afterChange = (stored: StoredEmail, { resetsDeaths, ...change }: EmailChange): StoredEmail => ({
  ...stored,
  ...change,
  fence: stored.fence + 1,
  deaths: resetsDeaths ? 0 : stored.deaths,
})

/** An event without its id, time and sequence number. */
export type EventDraft = Omit<EmailEvent, 'id' | 'sequence' | 'at' | 'clockAt'>

/**
 * Returns the email with these events appended.
 * @param at by the clock of the email (`emailTime`)
 */
export const withEvents = (email: Email, at: number, drafts: readonly EventDraft[]): Email => {
  const last = email.events.length
  const times = eventTimes(email, at)
  const events = drafts.map((draft, index) => {
    const sequence = last + index + 1
    return { id: eventId(email.id, sequence, times.at), sequence, ...times, ...draft }
  })
  return { ...email, events: [...email.events, ...events] }
}

/** An event is never older in the feed than the one before it, however far the test clock was moved between them. */
const eventTimes = ({ clock, events }: Email, at: number): Pick<EmailEvent, 'at' | 'clockAt'> =>
  clock === undefined ? { at } : { at: Math.max(at - clock.offset, events.at(-1)?.at ?? 0), clockAt: at }

/**
 * Age up to which an event is stored with its own time. A reader of the feed relies on it: no event is stored so late
 * that the reader has passed its time. The rest of `feedDelayMs` is for the write itself.
 */
const maxUnstoredMs = 2_000

/**
 * A write that took longer counts as late: a reader of the feed may have passed the time of its events, which are at
 * most `maxUnstoredMs` older than the write. The rest is a margin.
 */
export const latestWriteMs = feedDelayMs - maxUnstoredMs - 500

/**
 * Age up to which a stored event was stored in time: a reader sees it when it is `feedDelayMs` old, with some margin.
 */
const maxStoredMs = feedDelayMs - 2_000

/**
 * Returns the email for a write that begins at `now`. If the events that the store does not have are old, because an
 * earlier try of the write failed, they get this time; their ids stay.
 * @param stored how many of its events the store has
 */
export const withFreshEvents = (email: Email, stored: number, now: number): Email => {
  const oldest = email.events[stored]
  if (oldest === undefined || now - oldest.at <= maxUnstoredMs) return email
  const events = email.events.map((event, index) => (index < stored ? event : { ...event, at: now }))
  return { ...email, events }
}

/**
 * Returns the email of a write that is repeated because the response of an earlier try was lost. Events that the store
 * has keep their stored times, because readers may have seen them.
 * @param stored the events that the store has, all of which are events of the email
 * @param late index of the first of them that was stored late: from there on they get the time `now`
 */
export const withStoredEvents = (
  email: Email,
  stored: readonly EmailEvent[],
  { late, now }: { late: number; now: number },
): Email => ({
  ...email,
  events: email.events.map((event, index) => (index < late ? (stored[index] ?? event) : { ...event, at: now })),
})

/** Returns whether a write was made so late that readers have passed the time of its first event. */
export const isStoredLate = (first: Pick<EmailEvent, 'at'> | undefined, writtenAt: number | null): boolean =>
  first !== undefined && writtenAt !== null && writtenAt - first.at > maxStoredMs

/** Returns whether an email has these stored events, and perhaps more. Their times may differ. */
export const hasEvents = ({ events }: Email, stored: readonly EmailEvent[]): boolean =>
  stored.every(({ id, type, recipient }, index) => {
    const own = events[index]
    return own?.id === id && own.type === type && own.recipient === recipient
  })

const sequenceBits = 12
const version = 7
/** The variant bits of RFC 9562, shifted to their position in the digit. */
const variant = 0b10 << 2
/** Digits of an id that are random, without those that share a digit with other fields. */
const randomDigits = 12

/**
 * Returns the id of an email's event: a TypeID over a UUIDv7 (RFC 9562 §5.7) of the event's time and sequence, with the
 * random digits of the email's id. So the same event has the same id each time, and ids of an email sort by sequence. A
 * sequence that is too large for its 12 bits carries into the time (§6.2). It is written digit by digit, because every
 * email has several.
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
