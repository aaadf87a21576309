/** While any recipient is in one of these, the email is in the first of them. */
const open = ['scheduled', 'queued', 'sending', 'deferred', 'unknown'] as const
const undelivered = ['bounced', 'failed', 'suppressed', 'canceled'] as const

/** Every status of a recipient, in the order an email's status is derived by. */
export const recipientStatuses = [...open, 'delivered', ...undelivered] as const

export const emailStatuses = [...recipientStatuses, 'partially_delivered'] as const

export type RecipientStatus = (typeof recipientStatuses)[number]
export type EmailStatus = (typeof emailStatuses)[number]

/** The email's status, derived from its recipients'; there is at least one. */
export const emailStatus = (statuses: readonly RecipientStatus[]): EmailStatus => {
  const waiting = open.find((status) => statuses.includes(status))
  if (waiting) return waiting
  const ended = undelivered.find((status) => statuses.includes(status))
  if (!ended) return 'delivered'
  return statuses.includes('delivered') ? 'partially_delivered' : ended
}

type FoldedEvent = { id: string; sequence: number; type: `email.${string}`; recipient: number | null }

/** What an event makes of a recipient; events that change no status are absent. */
const statusAfter: Readonly<Record<string, RecipientStatus>> = {
  'email.accepted': 'queued',
  'email.scheduled': 'scheduled',
  'email.sent': 'sending',
  'email.delivered': 'delivered',
  'email.deferred': 'deferred',
  'email.bounced': 'bounced',
  'email.failed': 'failed',
  'email.suppressed': 'suppressed',
  'email.canceled': 'canceled',
  'email.unknown': 'unknown',
}

const bySequence = (a: FoldedEvent, b: FoldedEvent): number =>
  a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Each recipient's status after these events: a function of the set of them, in whatever order and how often they come.
 * @param recipientCount how many recipients the email has; an event without a recipient is about all of them
 */
export const foldEvents = (events: readonly FoldedEvent[], recipientCount: number): RecipientStatus[] => {
  const statuses = new Array<RecipientStatus>(recipientCount).fill('queued')
  for (const { type, recipient } of events.toSorted(bySequence)) {
    const status = statusAfter[type]
    if (!status) continue
    if (recipient === null) statuses.fill(status)
    else if (recipient < recipientCount) statuses[recipient] = status
  }
  return statuses
}

const waiting: ReadonlySet<RecipientStatus> = new Set(['scheduled', 'queued', 'deferred'])

type Waiting = { status: RecipientStatus; nextAt: number | null }
type Leased = { email: { recipients: readonly Waiting[] }; leaseUntil: number | null }

/** A recipient's status for a reader at `now`: while somebody holds the email, what is due of it is being sent. */
export const recipientStatusAt = (recipient: Waiting, { leaseUntil }: Pick<Leased, 'leaseUntil'>, now: number) =>
  leaseUntil !== null && leaseUntil > now && waiting.has(recipient.status) && (recipient.nextAt ?? Infinity) <= now
    ? 'sending'
    : recipient.status

/** An email's status for a reader at `now`. */
export const statusAt = (stored: Leased, now: number): EmailStatus =>
  emailStatus(stored.email.recipients.map((recipient) => recipientStatusAt(recipient, stored, now)))
