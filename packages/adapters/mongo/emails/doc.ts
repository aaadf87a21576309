import type { ClaimedEmail, Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import type { ObjectId } from 'mongodb'

/**
 * An email as it is kept. `doc` is the email itself as JSON: cheaper for the driver than nested documents, and users'
 * own names of tags and metadata can't clash with what a field name may be. Beside it stands what filters and guards
 * ask for.
 */
export type EmailDoc = {
  _id: string
  /** Empty: the id was taken back. Such a document only keeps an email from coming under that id. */
  workspace: string
  mode: string
  lane: string
  createdAt: number
  /** While nobody holds it. */
  status: string
  nextAt: number | null
  leaseUntil: number | null
  /**
   * When a claim may take it; `never` where nobody waits. Kept by hand beside every change: while somebody holds it, no
   * earlier than `leaseUntil`; else `nextAt`.
   */
  dueAt: number
  fence: number
  deaths: number
  owing: boolean
  /** The claim that took it last. */
  claim: ObjectId | null
  /** Where its content is, unless that is under the email's own id. */
  content?: string
  doc: string
}

/** A time that doesn't come. A number rather than null, so that `$max` leaves it and no bound on a time finds it. */
export const never = Number.MAX_SAFE_INTEGER

const statusOf = (email: Email): string => statusAt({ email, leaseUntil: null }, 0)

/** What changes with the email. */
export const changing = (email: Email, nextAt: number | null) => ({
  doc: JSON.stringify(email),
  status: statusOf(email),
  owing: email.owed.length > 0,
  nextAt,
})

const unheld = { leaseUntil: null, fence: 0, deaths: 0, claim: null } as const

export const emailDoc = (email: Email, nextAt: number | null): EmailDoc => {
  const { id, workspace, mode, category: lane, createdAt } = email
  return { _id: id, workspace, mode, lane, createdAt, ...changing(email, nextAt), ...unheld, dueAt: nextAt ?? never }
}

export const voidDoc = (id: string): EmailDoc => {
  const nothing = { mode: '', lane: '', createdAt: 0, status: '', nextAt: null, owing: false, doc: '' }
  return { _id: id, workspace: '', ...nothing, ...unheld, dueAt: never }
}

/** Fields that `storedOf` and `claimedOf` read. */
export const storedFields = { doc: 1, nextAt: 1, leaseUntil: 1, fence: 1, deaths: 1 } as const
type Stored = Pick<EmailDoc, keyof typeof storedFields>

const emailOf = ({ doc }: Pick<EmailDoc, 'doc'>): Email => JSON.parse(doc) as Email

export const storedOf = (found: Stored): StoredEmail => {
  const { nextAt, leaseUntil, fence, deaths } = found
  return { email: emailOf(found), nextAt, leaseUntil, fence, deaths }
}

export const claimedOf = (found: Stored): ClaimedEmail => {
  const { fence, deaths } = found
  return { email: emailOf(found), fence, deaths }
}
