import {
  admissionRefusal,
  type QueueAmount,
  type QueueBounds,
  type QueueKind,
  type QueueLimit,
  queueKinds,
  retryAfterMs,
  shareOf,
} from '@postrider/domain/fairness/admission.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import { mebibyte } from '@postrider/mail/units.ts'
import type { QueueCount } from '@postrider/ports/emails.ts'

export type QueueEntry = { workspace: string; kind: QueueKind; bytes: number }

export type QueueAdmission = {
  /**
   * Counts mail that is about to be accepted.
   * @returns a function to call when the mail was accepted or refused
   * @throws Fault `rate_limited`: the workspace's own mail fills its share; `unavailable`: all mail together fills the
   *   bound, and the workspace has its part of it, or the queue cannot be counted
   */
  enter(entry: QueueEntry): Promise<(isAccepted: boolean) => void>
  /** Counts the queue again if the last count is old enough. */
  recount(): Promise<void>
}

/**
 * Runs `accept` while all of this mail is admitted to the queue. Unless `accept` reports that the mail was accepted,
 * its admission is undone at the end.
 * @throws Fault of `enter`: nothing is admitted, and `accept` does not run; what `accept` throws
 */
export const withQueueRoom = async <Result>(
  { enter }: Pick<QueueAdmission, 'enter'>,
  entries: readonly QueueEntry[],
  accept: (onAccepted: () => void) => Promise<Result>,
): Promise<Result> => {
  const leave: ((isAccepted: boolean) => void)[] = []
  let isAccepted = false
  try {
    for (const entry of entries) leave.push(await enter(entry))
    return await accept(() => {
      isAccepted = true
    })
  } finally {
    for (const one of leave) one(isAccepted)
  }
}

export type QueueAdmissionOptions = {
  bounds: QueueBounds
  /** Returns the waiting mail in the store, without mail of suspended workspaces. */
  count(): Promise<readonly QueueCount[]>
  /** Monotonic time in milliseconds. */
  elapsed: Monotonic
  onRefused(kind: QueueKind, limit: QueueLimit): void
}

/** A count uses at most this part of the store's time: its cost grows with the queue in MongoDB. */
const countShare = 1 / 20
const countEveryMs = 4_000
/** Maximum age of a count for a refusal, because mail leaves between two counts. */
const refuseByCountOfMs = 1_000

/**
 * Limits waiting mail. Mail counts from its admission until a count of the store shows that it has left. Mail of other
 * replicas is known only from the count, so together they may exceed a limit by the mail that they accept between two
 * counts.
 */
export const queueAdmission = (options: QueueAdmissionOptions): QueueAdmission => {
  const { bounds, count, elapsed, onRefused } = options
  let tally = makeTally()
  /** Mail that entered and may not be stored yet. */
  const open = new Set<QueueEntry>()
  /** Mail that a running count may not contain: admissions that were open at its start or were added since. */
  let uncounted: Set<QueueEntry> | null = null
  let last = { begunAt: Number.NEGATIVE_INFINITY, tookMs: 0 }

  const countNow = async (): Promise<void> => {
    const begunAt = elapsed()
    uncounted = new Set(open)
    try {
      const counts = await count()
      const next = makeTally()
      for (const one of counts) next.add(one, one.emails, one.bytes)
      for (const entry of uncounted) next.add(entry, 1, entry.bytes)
      tally = next
    } finally {
      uncounted = null
      last = { begunAt, tookMs: elapsed() - begunAt }
    }
  }
  const counting = singleFlight(countNow)
  const countIfOlder = async (ms: number): Promise<boolean> => {
    if (counting.inFlight() === null && elapsed() - last.begunAt < Math.max(ms, last.tookMs / countShare)) return false
    await counting.run()
    return true
  }
  const limitOf = ({ workspace, kind }: QueueEntry): QueueLimit | null =>
    admissionRefusal(bounds, kind, tally.of(workspace, kind))

  return {
    enter: async (entry) => {
      let limit = limitOf(entry)
      if (limit !== null && (await countIfOlder(refuseByCountOfMs))) limit = limitOf(entry)
      if (limit !== null) {
        onRefused(entry.kind, limit)
        throw refusalFault(entry.kind, limit, bounds)
      }
      const own = { ...entry }
      const enteredInto = tally
      enteredInto.add(own, 1, own.bytes)
      for (const entries of [open, uncounted]) entries?.add(own)
      return (isAccepted) => {
        open.delete(own)
        if (isAccepted) return
        uncounted?.delete(own)
        if (tally === enteredInto) enteredInto.add(own, -1, -own.bytes)
      }
    },
    recount: async () => void (await countIfOlder(countEveryMs)),
  }
}

/** Sums by kind, and by workspace within a kind. */
const makeTally = () => {
  const kinds = new Map(
    queueKinds.map((kind) => [kind, { total: zero(), byWorkspace: new Map<string, QueueAmount>() }]),
  )
  const kindOf = (kind: QueueKind) => kinds.get(kind) ?? { total: zero(), byWorkspace: new Map<string, QueueAmount>() }
  return {
    add: ({ workspace, kind }: Pick<QueueEntry, 'workspace' | 'kind'>, emails: number, bytes: number): void => {
      const { total, byWorkspace } = kindOf(kind)
      const own = byWorkspace.get(workspace) ?? zero()
      for (const sum of [own, total]) {
        sum.emails += emails
        sum.bytes += bytes
      }
      if (own.emails > 0) byWorkspace.set(workspace, own)
      else byWorkspace.delete(workspace)
    },
    of: (workspace: string, kind: QueueKind) => {
      const { total, byWorkspace } = kindOf(kind)
      const own = byWorkspace.get(workspace)
      return { own: own ?? zero(), total, workspaces: byWorkspace.size + (own ? 0 : 1) }
    },
  }
}

const zero = (): QueueAmount => ({ emails: 0, bytes: 0 })

const nouns: Record<QueueKind, string> = { due: 'emails', scheduled: 'scheduled emails', test: 'test emails' }
const refusalFault = (kind: QueueKind, limit: QueueLimit, bounds: QueueBounds): Fault => {
  const isBytes = limit === 'share_bytes' || limit === 'total_bytes'
  const bound = isBytes ? bounds.testBytes : bounds[kind]
  const amount = (max: number): string =>
    isBytes ? `${Math.floor(max / mebibyte)} MiB of ${nouns[kind]}` : `${max} ${nouns[kind]}`
  const again = { retryAfterMs: retryAfterMs[kind], accepted: 'no' } as const
  if (limit === 'share' || limit === 'share_bytes') {
    const detail = `This workspace has reached its limit of ${amount(shareOf(bound))} that wait. The email was not accepted; retry after some have been delivered.`
    return new Fault('rate_limited', detail, again)
  }
  const detail = `The queue is full (${amount(bound)}), and this workspace already uses its share; retry later.`
  return new Fault('unavailable', detail, { ...again, expected: true })
}
