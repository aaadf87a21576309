import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { statusAt } from '@postrider/domain/email/status.ts'

export type Row = Record<string, unknown>

export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))

/** An email's own document. */
export const emailOf = (row: Row): Email => JSON.parse(String(row['doc'])) as Email

/** Columns `storedOf` reads. */
export const storedColumns = 'doc, next_at, lease_until, fence, deaths'

export const storedOf = (row: Row): StoredEmail => ({
  email: emailOf(row),
  nextAt: numberOrNull(row['next_at']),
  leaseUntil: numberOrNull(row['lease_until']),
  fence: Number(row['fence']),
  deaths: Number(row['deaths']),
})

/** The status as the column keeps it: nobody holds the email. */
export const statusOf = (email: Email): string => statusAt({ email, leaseUntil: null }, 0)

export const owes = (email: Email): number => (email.owed.length > 0 ? 1 : 0)
