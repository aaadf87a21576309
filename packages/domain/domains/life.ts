import { dayMs, hourMs, minuteMs } from '../time.ts'
import {
  type DomainCheck,
  type DomainEvent,
  type DomainEventType,
  type DomainStatus,
  isUsable,
  type NewKey,
  platformWorkspace,
  type RecordCheck,
  type RecordStatus,
  type SendingDomain,
} from './domain.ts'
import { isRequiredKey, keysAfterCheck, shownKey } from './keys.ts'
import { dkimName } from './records.ts'

/** Time for which a domain with a broken record stays usable. */
export const graceMs = dayMs
/** Maximum number of events of a domain. A domain fails at most once in 24 h, so these are over 90 days. */
export const maxEvents = 200

/** The first row whose age is not reached is used: how long after `watchedSince`, and the time between checks. */
const schedule: readonly { untilMs: number; everyMs: number }[] = [
  // Most people add the records directly after they have seen them.
  { untilMs: 3 * minuteMs, everyMs: minuteMs / 3 },
  { untilMs: dayMs, everyMs: 5 * minuteMs },
  { untilMs: 3 * dayMs, everyMs: hourMs },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: dayMs },
]

/** The first check of a domain: many people have added the records by then, and no request is needed for it. */
export const firstCheckMs = 10_000

/** The first check after the record of a new key is shown. */
export const rotationCheckMs = 10_000

/** Time for which a process owns a domain that it checks: longer than the longest check. */
export const checkLeaseMs = 90_000

export type NewDomain = Pick<SendingDomain, 'id' | 'workspace' | 'name' | 'token'>

/** Returns a domain that waits for its records. @param keys one RSA key, and one Ed25519 key */
export const newDomain = (given: NewDomain, keys: readonly NewKey[], now: number): SendingDomain => ({
  ...given,
  createdAt: now,
  status: 'pending',
  subdomains: true,
  keys: keys.map((key) => shownKey(key, now)),
  lastCheck: null,
  watchedSince: now,
  verifiedAt: null,
  warningSince: null,
  returnPathVerified: false,
  events: [],
})

/**
 * Returns when a domain is checked next.
 * @param jitter from 0 to 1: moves the time by up to 10 % in either direction, so that domains added together spread
 * out
 */
export const nextCheckAt = (
  domain: Pick<SendingDomain, 'watchedSince' | 'status' | 'warningSince' | 'lastCheck'>,
  now: number,
  jitter: number,
): number => {
  const age = now - domain.watchedSince
  const scheduled = schedule.find(({ untilMs }) => age < untilMs)?.everyMs ?? dayMs
  // Servers of a domain in use that did not answer are queried again soon, without the load of the first day.
  const everyMs = isUsable(domain) && isUnanswered(domain.lastCheck) ? Math.min(scheduled, hourMs) : scheduled
  const next = now + Math.round(everyMs * (0.9 + 0.2 * jitter))
  const failsAt = domain.status === 'warning' && domain.warningSince !== null ? domain.warningSince + graceMs : next
  return failsAt > now ? Math.min(next, failsAt) : next
}

const isUnanswered = (check: DomainCheck | null): boolean =>
  check?.records.some(({ purpose, status }) => purpose !== 'dmarc' && status === 'unknown') ?? false

/** `eventId` is an unused `evt_…`. */
export type CheckedAt = { now: number; jitter: number; eventId: string }

/**
 * Applies the result of a check: keys, status, events and the time of the next check.
 * - A domain is verified when each required record is found by one check.
 * - A required record that is known to be missing or wrong makes a verified domain `warning`, and `failed` if one is
 *   still missing or wrong 24 h later. It is verified again when each is found.
 * - A record that DNS did not answer for changes nothing.
 */
export const afterCheck = (
  before: SendingDomain,
  records: RecordCheck[],
  { now, jitter, eventId }: CheckedAt,
): { domain: SendingDomain; nextCheckAt: number } => {
  const statuses = new Map(
    records.filter(({ purpose }) => purpose === 'dkim').map(({ name, status }) => [name, status]),
  )
  const statusOf = (key: { selector: string }): RecordStatus => statuses.get(dkimName(before, key)) ?? 'unknown'
  const keys = keysAfterCheck(before.keys, statusOf, now)
  const keyStates = keys.filter((key) => isRequiredKey(key, keys)).map(statusOf)
  const required = keyStates.length === 0 ? [] : [...ownershipIn(before, records), ...keyStates]
  const status = nextStatus(before, required, now)
  const isBroken = status === 'warning' || status === 'failed'
  const domain = withEvent(
    {
      ...before,
      keys,
      status,
      lastCheck: { at: now, records },
      returnPathVerified: isAligned(records, before.returnPathVerified),
      verifiedAt: status === 'verified' ? (before.verifiedAt ?? now) : before.verifiedAt,
      warningSince: isBroken ? (before.warningSince ?? now) : null,
      // A broken record is watched as closely as a new one.
      watchedSince: status === 'warning' && before.status === 'verified' ? now : before.watchedSince,
    },
    eventOf(before.status, status),
    { now, eventId },
  )
  return { domain, nextCheckAt: nextCheckAt(domain, now, jitter) }
}

/** The platform's own domain has no ownership record: no customer competes for it. */
const ownershipIn = ({ workspace }: SendingDomain, records: readonly RecordCheck[]): RecordStatus[] =>
  workspace === platformWorkspace ? [] : [records.find(({ purpose }) => purpose === 'ownership')?.status ?? 'unknown']

/** @param required states of the required records; empty: no key can sign */
const nextStatus = (
  { status, warningSince }: Pick<SendingDomain, 'status' | 'warningSince'>,
  required: readonly RecordStatus[],
  now: number,
): DomainStatus => {
  if (required.length > 0 && required.every((one) => one === 'found')) return 'verified'
  const isBroken = required.some((one) => one === 'missing' || one === 'wrong')
  if (!isBroken) return status
  if (status === 'verified') return 'warning'
  return status === 'warning' && now - (warningSince ?? now) >= graceMs ? 'failed' : status
}

const isAligned = (records: readonly RecordCheck[], before: boolean): boolean => {
  const statuses = records.flatMap(({ purpose, status }) =>
    purpose === 'return_path_mx' || purpose === 'return_path_spf' ? [status] : [],
  )
  if (statuses.length < 2 || statuses.some((one) => one === 'missing' || one === 'wrong')) return false
  return before || statuses.every((one) => one === 'found')
}

/** A domain that was usable all the time has no event: `warning` does not affect its mail. */
const eventOf = (before: DomainStatus, after: DomainStatus): DomainEventType | null => {
  if (after === 'verified' && (before === 'pending' || before === 'failed')) return 'domain.verified'
  return after === 'failed' && before !== 'failed' ? 'domain.failed' : null
}

const withEvent = (
  domain: SendingDomain,
  type: DomainEventType | null,
  { now, eventId }: Pick<CheckedAt, 'now' | 'eventId'>,
): SendingDomain => {
  if (type === null) return domain
  const event: DomainEvent = { id: eventId, sequence: (domain.events.at(-1)?.sequence ?? 0) + 1, type, at: now }
  return { ...domain, events: [...domain.events, event].slice(-maxEvents) }
}

/**
 * Returns the result of a check for a domain whose name another workspace has verified: the store refused the write of
 * `afterCheck` as `taken`, and this result is applied instead.
 */
export const takenRecords = (records: readonly RecordCheck[], name: string): RecordCheck[] =>
  records.map((record) =>
    record.purpose === 'ownership'
      ? {
          ...record,
          status: 'wrong',
          problem: `Another workspace has verified ${name}. Remove its record from ${record.name}: 24 h later, this workspace can verify the domain.`,
        }
      : record,
  )

/**
 * Makes a domain due now, because a person requested a check. An unverified domain is checked frequently again: its
 * records were probably just changed.
 */
export const withCheckNow = (domain: SendingDomain, now: number): { domain: SendingDomain; nextCheckAt: number } => ({
  domain: domain.status === 'verified' ? domain : { ...domain, watchedSince: now },
  nextCheckAt: now,
})

/**
 * Returns when a domain is checked next after a change by a person: at `checkAt` at the latest; null: as before. Until
 * the lease of a check that runs would have ended, no other check begins: changes in a loop start no checks.
 */
export const checkAfterChange = (
  { nextCheckAt, leaseUntil }: { nextCheckAt: number; leaseUntil: number | null },
  checkAt: number | null,
  now: number,
): number => (leaseUntil !== null && leaseUntil > now ? leaseUntil : Math.min(checkAt ?? nextCheckAt, nextCheckAt))

/** One change for the audit log. */
export type DomainChange =
  | { kind: 'status'; from: DomainStatus; to: DomainStatus }
  | { kind: 'key'; selector: string; from: string; to: string }

/** Returns what changed in a domain, for audit entries. */
export const changesBetween = (before: SendingDomain, after: SendingDomain): DomainChange[] => {
  const selectors = new Set([...before.keys, ...after.keys].map(({ selector }) => selector))
  const stateIn = ({ keys }: SendingDomain, selector: string): string =>
    keys.find((key) => key.selector === selector)?.state ?? 'none'
  return [
    ...(before.status === after.status ? [] : [{ kind: 'status' as const, from: before.status, to: after.status }]),
    ...[...selectors].flatMap((selector) => {
      const [from, to] = [stateIn(before, selector), stateIn(after, selector)]
      return from === to ? [] : [{ kind: 'key' as const, selector, from, to }]
    }),
  ]
}
