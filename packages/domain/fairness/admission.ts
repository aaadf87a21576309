import type { Mode, StoredEmail } from '../email/email.ts'
import type { EmailStatus } from '../email/status.ts'

/**
 * Kinds of waiting mail. Each has bounds of its own, so mail of one kind never causes mail of another to be refused.
 */
export const queueKinds = ['due', 'scheduled', 'test'] as const
export type QueueKind = (typeof queueKinds)[number]

/** Returns whether stored mail waits for a dispatcher or is in flight. Mail that is parked or final has no time. */
export const isWaiting = ({ nextAt }: Pick<StoredEmail, 'nextAt'>): boolean => nextAt !== null

/** Returns whether waiting mail counts as scheduled: until its first attempt. */
export const countsAsScheduled = (status: EmailStatus): boolean => status === 'scheduled'

/** Returns the kind of waiting mail. */
export const queueKindOf = ({ mode, isScheduled }: { mode: Mode; isScheduled: boolean }): QueueKind =>
  mode === 'test' ? 'test' : isScheduled ? 'scheduled' : 'due'

/** Amount of waiting mail: emails, or bytes of their messages. */
export type Queued = {
  /** Waiting amount of this workspace. */
  own: number
  /** Waiting amount of all workspaces. */
  total: number
  /** How many workspaces have waiting mail, this one included. */
  workspaces: number
}

/** `share`: the workspace's own mail fills its share. `total`: all mail together fills the bound. */
export type QueueRefusal = 'share' | 'total'

/** One workspace may fill at most this part of a bound, so the rest is always free for others. */
const maxShare = 1 / 2
/** A workspace below this part of a bound is never refused because of other workspaces' mail. */
const floorShare = 1 / 1_000

/** Returns the most that one workspace may have waiting under a bound, however little others have. */
export const shareOf = (bound: number): number => Math.max(1, Math.floor(bound * maxShare))

/**
 * Decides whether a workspace may add to what waits; null: it may. Up to the bound only a workspace's own share limits
 * it. Above the bound only workspaces that have their equal part of it already are refused, so what others have waiting
 * never refuses a workspace that has less than its part. The total can therefore exceed the bound.
 */
export const queueRefusal = (bound: number, { own, total, workspaces }: Queued): QueueRefusal | null => {
  if (own >= shareOf(bound)) return 'share'
  if (total < bound) return null
  return own < Math.max(1, bound * floorShare, bound / workspaces) ? null : 'total'
}

/** Maximum number of waiting emails of each kind, and bytes of waiting test mail, which no quota limits. */
export type QueueBounds = Record<QueueKind, number> & { testBytes: number }

/**
 * Maximum number of bytes of mail that a process has stored for batches that are not accepted yet. Each workspace may
 * have its share, which is 20 of the longest batches.
 */
export const stagedBytes = 2 ** 31

/** Limit that refuses mail: a workspace's share of a bound, or the bound itself, in emails or in bytes. */
export type QueueLimit = QueueRefusal | `${QueueRefusal}_bytes`

export type QueueAmount = { emails: number; bytes: number }

/** Decides whether a workspace may add mail of a kind to what waits; null: it may. */
export const admissionRefusal = (
  bounds: QueueBounds,
  kind: QueueKind,
  { own, total, workspaces }: { own: QueueAmount; total: QueueAmount; workspaces: number },
): QueueLimit | null => {
  const emails = queueRefusal(bounds[kind], { own: own.emails, total: total.emails, workspaces })
  if (emails !== null || kind !== 'test') return emails
  const bytes = queueRefusal(bounds.testBytes, { own: own.bytes, total: total.bytes, workspaces })
  return bytes && `${bytes}_bytes`
}

/**
 * Delay after which refused mail may be sent again: scheduled mail may wait for days; other mail leaves as fast as
 * servers accept it.
 */
export const retryAfterMs: Readonly<Record<QueueKind, number>> = { due: 5_000, scheduled: 60_000, test: 5_000 }
