/** Statuses of a recipient. The order decides an email's status: see `emailStatus`. */
export const recipientStatuses = [
  'scheduled',
  'queued',
  'sending',
  'deferred',
  'unknown',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'canceled',
  'complained',
] as const

export type RecipientStatus = (typeof recipientStatuses)[number]
export type EmailStatus = Exclude<RecipientStatus, 'complained'> | 'partially_delivered'

/**
 * Statuses of an email: those of its recipients, where `complained` counts as delivered, and one for a mixed result.
 */
export const emailStatuses = [
  ...recipientStatuses.filter((status) => status !== 'complained'),
  'partially_delivered',
] as const satisfies readonly EmailStatus[]

/** Statuses of a recipient that is not final. An email with one of them changes by itself, or waits for a person. */
export const openStatuses = ['scheduled', 'queued', 'sending', 'deferred', 'unknown'] as const

/** Returns whether a recipient, or an email, with this status is not final. */
export const isOpen = (status: RecipientStatus | EmailStatus): boolean => openStatuses.some((open) => open === status)

/**
 * Statuses of mail that waits for a dispatcher or is in flight, and of parked mail. `unknown` waits for a person. A
 * store whose index has no times counts these statuses without parked mail: that is the mail of which `isWaiting`
 * (fairness/admission.ts) is true.
 */
export const waitingStatuses = openStatuses.filter((status) => status !== 'unknown')

/** Statuses of mail that waits for an attempt while it is not leased. */
const unleasedStatuses = waitingStatuses.filter((status) => status !== 'sending')

/** Statuses in which an email without an attempt may be canceled or moved to another time. */
export const cancelableStatuses = unleasedStatuses satisfies readonly EmailStatus[]

type FinalStatus = Exclude<RecipientStatus, (typeof openStatuses)[number]>

/** Whether a recipient of a final status has the message. The compiler requires each status that is not open. */
const hasMessageByStatus: Readonly<Record<FinalStatus, boolean>> = {
  delivered: true,
  bounced: false,
  failed: false,
  suppressed: false,
  canceled: false,
  complained: true,
}

type UndeliveredStatus = Exclude<FinalStatus, 'delivered' | 'complained'>

const undeliveredStatuses = recipientStatuses.filter(
  (status): status is UndeliveredStatus => !isOpen(status) && !hasMessageByStatus[status as FinalStatus],
)

/**
 * Returns an email's status: the first open status that any recipient has. When no recipient is open, it is
 * `delivered`, the first undelivered status, or `partially_delivered` when both occur; `complained` counts as
 * delivered. There is at least one recipient.
 */
export const emailStatus = (statuses: readonly RecipientStatus[]): EmailStatus => {
  const open = openStatuses.find((status) => statuses.includes(status))
  if (open) return open
  const undelivered = undeliveredStatuses.find((status) => statuses.includes(status))
  if (!undelivered) return 'delivered'
  return statuses.some(isDelivered) ? 'partially_delivered' : undelivered
}

const isDelivered = (status: RecipientStatus): boolean => !isOpen(status) && hasMessageByStatus[status as FinalStatus]

type FoldedEvent = { id: string; sequence: number; type: `email.${string}`; recipient: number | null }

/** The status a recipient has after an event. Events that change no status are absent. */
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
  'email.complained': 'complained',
}

const bySequence = (a: FoldedEvent, b: FoldedEvent): number =>
  a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Returns each recipient's status after these events. The result depends on the set of events, not on the order or the
 * number of times they arrive.
 * @param recipientCount number of recipients of the email; an event without a recipient is about all of them
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

const unleased: ReadonlySet<RecipientStatus> = new Set(unleasedStatuses)

type Waiting = { status: RecipientStatus; nextAt: number | null }
type Leased = { email: { recipients: readonly Waiting[]; clock?: { offset: number } }; leaseUntil: number | null }

/** Returns a recipient's status for a reader at `now`. A due recipient of a leased email is `sending`. */
export const recipientStatusAt = (
  recipient: Waiting,
  { leaseUntil, email }: { leaseUntil: Leased['leaseUntil']; email?: Pick<Leased['email'], 'clock'> },
  now: number,
): RecipientStatus =>
  leaseUntil !== null &&
  leaseUntil > now &&
  unleased.has(recipient.status) &&
  (recipient.nextAt ?? Infinity) - (email?.clock?.offset ?? 0) <= now
    ? 'sending'
    : recipient.status

/** Returns an email's status while it is not leased, which stores have for their filters. */
export const unleasedStatus = ({ recipients }: { recipients: readonly Pick<Waiting, 'status'>[] }): EmailStatus =>
  emailStatus(recipients.map(({ status }) => status))

/** Returns an email's status for a reader at `now`. */
export const statusAt = (stored: Leased, now: number): EmailStatus =>
  emailStatus(stored.email.recipients.map((recipient) => recipientStatusAt(recipient, stored, now)))
