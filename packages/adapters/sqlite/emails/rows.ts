import type { Attachment, Content, Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { owesSends } from '@postrider/domain/email/sends.ts'
import type { Row } from '../client/database.ts'

export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))

/** Returns the email of a row's `doc`. */
export const emailOf = (row: Row): Email => JSON.parse(String(row['doc'])) as Email

/** The columns that `storedOf` reads. */
export const storedColumns = 'doc, next_at, lease_until, fence, deaths'

/** `deathsAfter` of packages/domain/email/leases.ts, for an update of emails whose leases have expired. */
export const deathsAfterLease = 'deaths + (lease_until IS NOT NULL)'

export const storedOf = (row: Row): StoredEmail => ({
  email: emailOf(row),
  nextAt: numberOrNull(row['next_at']),
  leaseUntil: numberOrNull(row['lease_until']),
  fence: Number(row['fence']),
  deaths: Number(row['deaths']),
})

/** Estimates the bytes of a record as JSON: most of it is its recipients, their attempts and their events. */
export const aboutBytes = ({ recipients, attempts, events }: Email): number =>
  (recipients.length + attempts.length + events.length) * 300

/** Returns the value of the `owing` column. */
export const owingOf = (email: Email): number => (owesSends(email) ? 1 : 0)

/** Returns the content of a `contents` row and its `attachments` rows. */
export const contentOf = (row: Row, attachments: Row[]): Content => ({
  html: row['html'] as string | null,
  text: row['text'] as string | null,
  headers: JSON.parse(String(row['headers'])) as Record<string, string>,
  attachments: attachments.map(attachmentOf),
})

const attachmentOf = (row: Row): Attachment => ({
  filename: String(row['filename']),
  contentType: String(row['content_type']),
  contentId: row['content_id'] as string | null,
  content: row['content'] as Uint8Array,
})
