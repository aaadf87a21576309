import type { ClaimedEmail, Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { owesSends } from '@postrider/domain/email/sends.ts'
import { unleasedStatus } from '@postrider/domain/email/status.ts'
import { queuedBytes } from '@postrider/domain/email/storedBytes.ts'
import { termsOf } from '@postrider/domain/email/terms.ts'
import { finalPurgeFrom, firstPurge } from '@postrider/domain/retention/purge.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { ObjectId } from 'mongodb'
import type { WithOutbox } from '../audit/outbox.ts'

/**
 * A stored email. `doc` is the email as JSON: the driver handles that faster than nested documents, and users' names of
 * tags and metadata cannot clash with field names. The other fields are those that filters and guards use.
 */
export type EmailDoc = WithOutbox & {
  _id: string
  /** Empty: a tombstone, which reserves the id so that no email can use it. */
  workspace: string
  mode: string
  lane: string
  createdAt: number
  /** The status while the email is not leased. */
  status: string
  nextAt: number | null
  leaseUntil: number | null
  /**
   * The earliest time of a claim; `neverMs` if no recipient waits. Every update sets it: while the email is
   * leased it is at least `leaseUntil`, otherwise `nextAt`.
   */
  dueAt: number
  fence: number
  deaths: number
  owing: boolean
  /** Id of the last claim. */
  claim: ObjectId | null
  /** What it counts in the queue; absent in documents written before this field existed. */
  bytes?: number
  /** Its workspace, if the mail was set aside because that is suspended. */
  suspended?: string
  /** When it was parked; absent: it is not, or version 0.1 parked it and the sweep of intake has not found it yet. */
  parkedAt?: number
  /** `Email.clock.offset`; absent: it belongs to no test clock. */
  clock?: number
  /** `_id` of its content; absent: the email's own id. */
  content?: string
  /** What is removed next, and from when its time counts; absent in documents written before these fields existed. */
  purgeStep?: string
  purgeFrom?: number
  /** Times of its events. The feed finds them by these times; absent in documents of version 0.1. */
  eventsAt?: number[]
  /** Terms by which lists find it; absent in documents of version 0.1 until the sweep of intake adds them. */
  terms?: string[]
  /** The store's time at the last write of a holder; absent until then, and after writes of version 0.1. */
  writtenAt?: Date
  doc: string
}

/**
 * Returns the `_id` of an email's content. That of mail which leaves only with a signature has a key of its own:
 * dispatchers of version 0.1 do not support signatures, and find no content under the email's id. They fail on such
 * mail, and a later claim by a dispatcher that signs sends it.
 */
export const contentKeyOf = ({ id, domainId }: Pick<Email, 'id' | 'domainId'>): string =>
  domainId === null ? id : signedContentKey(id)

export const signedContentKey = (id: string): string => `${id}/signed`

/**
 * `deathsAfter` of packages/domain/email/leases.ts as an increment, for an update of emails whose leases have expired.
 */
export const deathIncrement = { deaths: 1 } as const

/** Matches emails that are leased, or were until their worker died. */
export const withLease = { leaseUntil: { $ne: null } } as const

/** Returns the fields that follow from the email itself. */
export const emailFields = (email: Email, nextAt: number | null) => ({
  doc: JSON.stringify(email),
  status: unleasedStatus(email),
  owing: owesSends(email),
  nextAt,
  eventsAt: email.events.map(({ at }) => at),
  ...(email.clock !== undefined && { clock: email.clock.offset }),
})

/** Returns each term once: an array that has one twice would only be longer. */
export const termsField = (email: Email): string[] => [...new Set(termsOf(email))]

/** Makes the step `final` due with the write that makes the email final. */
export const purgeFields = (email: Email): { purgeFrom?: number } => {
  const from = finalPurgeFrom(email)
  return from === null ? {} : { purgeFrom: from }
}

const unleased = { leaseUntil: null, fence: 0, deaths: 0, claim: null } as const

export const emailDoc = (email: Email, nextAt: number | null, hasAttachments: boolean): EmailDoc => {
  const { id, workspace, mode, category: lane, createdAt } = email
  const bytes = queuedBytes(email)
  const fields = { ...emailFields(email, nextAt), ...unleased, dueAt: nextAt ?? neverMs, bytes }
  const content = contentKeyOf(email)
  const { step: purgeStep, from: purgeFrom } = firstPurge(email, hasAttachments)
  return {
    _id: id,
    workspace,
    mode,
    lane,
    createdAt,
    ...fields,
    purgeStep,
    purgeFrom,
    terms: termsField(email),
    ...(content !== id && { content }),
  }
}

export const tombstoneDoc = (id: string): EmailDoc => {
  const empty = { workspace: '', mode: '', lane: '', createdAt: 0, status: '', nextAt: null, owing: false, doc: '' }
  return { _id: id, ...empty, ...unleased, dueAt: neverMs, terms: [] }
}

/** The fields that `storedOf` and `claimedOf` read. */
export const storedFields = { doc: 1, nextAt: 1, leaseUntil: 1, fence: 1, deaths: 1 } as const
type Stored = Pick<EmailDoc, keyof typeof storedFields>

export const storedOf = ({ doc, nextAt, leaseUntil, fence, deaths }: Stored): StoredEmail => ({
  email: JSON.parse(doc) as Email,
  nextAt,
  leaseUntil,
  fence,
  deaths,
})

export const claimedOf = ({ doc, fence, deaths }: Stored): ClaimedEmail => ({
  email: JSON.parse(doc) as Email,
  fence,
  deaths,
})
