import { newAttempt, withCommitted } from '@postrider/domain/email/attemptRecord.ts'
import { hasEvents, isStoredLate, withFreshEvents, withStoredEvents } from '@postrider/domain/email/changes.ts'
import type { MailRouteReason } from '@postrider/domain/email/conversation.ts'
import { countedResults, withoutSharedRefusals } from '@postrider/domain/email/countedResults.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Attempt, Email } from '@postrider/domain/email/email.ts'
import { knownReplies } from '@postrider/domain/email/knownReplies.ts'
import { isUtf8Sender, wantsUtf8 } from '@postrider/domain/email/message.ts'
import { deliveryTime } from '@postrider/domain/email/testClock.ts'
import { type RecipientResult, refusalOf } from '@postrider/domain/email/transmission.ts'
import { withCaptureNotice, withTransmission } from '@postrider/domain/email/withTransmission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { inSpan, markFailed, type SpanOptions, serverOf } from '@postrider/kit/trace.ts'
import { classify } from '@postrider/mail/replies/replies.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { FinishedMessage, Transport } from '@postrider/ports/transport.ts'
import type { Leases, SuspendedWorkspaces } from './mayDeliver.ts'
import type { FinishedAttempt } from './metrics.ts'

export type AttemptDeps = {
  emails: Pick<EmailStore, 'write' | 'lastWrite'>
  durable: Durable
  leases: Pick<Leases, 'isLeased'>
  suspended: Pick<SuspendedWorkspaces, 'has'>
  now: Clock
  random: () => number
  pause(ms: number): Promise<unknown>
  /** Aborted when the process stops. */
  stopping: AbortSignal
  /** Called once for each transmission, as soon as its outcome is known. */
  onAttempt(email: Email, attempt: FinishedAttempt): void
}

/** A claimed email under its lease, and how many of its events the store has. */
export type LeasedEmail = {
  email: Email
  storedEvents: number
  readonly fence: number
  /**
   * The email if the store did make the write of the gate, although its response was lost. Absent: the result of the
   * write is known.
   */
  ifCommitted?: Email | undefined
}

/** One delivery under one claim. `email` is replaced as it changes. */
export type OpenDelivery = Readonly<FinishedMessage> &
  LeasedEmail & {
    /** Returns the message with its addresses in UTF-8; undefined: all of them are ASCII. */
    readonly utf8: (() => Promise<FinishedMessage>) | undefined
    /** The runner of the workspace's jobs. */
    readonly slices: Pick<Slices, 'begin'>
    /** Whether `email` has an outcome that is not written yet. */
    isUnsaved: boolean
  }

/** The transport of recipients, and why it carries them. */
export type ChosenTransport = { transport: Transport; reason: MailRouteReason }

/** Makes one transmission to these recipients and records it as an attempt of the email. */
export const attemptDelivery = (
  deps: AttemptDeps,
  work: OpenDelivery,
  chosen: ChosenTransport,
  numbers: readonly number[],
): Promise<readonly RecipientResult[]> => {
  const route = { name: chosen.transport.mailRoute, reason: chosen.reason }
  const attempt = newAttempt(work.email, newId('att'), numbers, route, deliveryTime(work.email, deps.now()))
  work.email = { ...work.email, attempts: [...work.email.attempts, attempt] }
  return inSpan(attemptSpan(work.email, attempt), async (span) => {
    const results = await transmit(deps, work, chosen.transport, attempt)
    const { host = '', outcome = null } = work.email.attempts.find(({ id }) => id === attempt.id) ?? {}
    span.setAttributes({ ...serverOf(host), 'postrider.outcome': outcome ?? 'none' })
    if (outcome !== 'delivered') markFailed(span, outcome ?? 'none')
    return results
  })
}

const attemptSpan = ({ id }: Email, attempt: Attempt): SpanOptions => ({
  name: 'smtp attempt',
  kind: 'client',
  attributes: {
    'network.protocol.name': 'smtp',
    'postrider.email_id': id,
    'postrider.attempt_id': attempt.id,
    'postrider.recipients': attempt.recipients.length,
  },
})

const transmit = async (
  deps: AttemptDeps,
  work: OpenDelivery,
  transport: Transport,
  { id: attemptId, at: startedAt, recipients: numbers }: Attempt,
): Promise<readonly RecipientResult[]> => {
  const { id, workspace, mode, envelopeFrom, recipients } = work.email
  const to = numbers.map((number) => recipients[number]?.address ?? '')
  const begunAt = deps.now()
  const sent = await transport.send({
    emailId: id,
    attemptId,
    workspace,
    mode,
    from: envelopeFrom,
    to,
    ...(work.signatures && { signatures: work.signatures }),
    raw: work.raw,
    ...(isUtf8Sender(work.email) && { isUtf8Sender: true }),
    utf8: wantsUtf8(work.email, to) ? work.utf8 : undefined,
    gate: (accepted) => {
      const acceptedNumbers = accepted.map((index) => numbers[index] ?? -1)
      return openGate(deps, work, attemptId, acceptedNumbers)
    },
  })
  const durationMs = deps.now() - begunAt
  const counted = countedResults(withoutSharedRefusals(sent.results, to), deps.stopping.aborted)
  // An acceptance has no class, so it is stored without a wait for other work: after a crash in between its outcome is
  // unknown.
  const isRefused = counted.some((result) => refusalOf(result) !== null)
  const known = isRefused ? await work.slices.begin(knownReplies(counted, envelopeFrom)) : classify
  const transmission = { ...sent, results: counted, classify: known }
  const timing = work.email.clock === undefined ? { at: deps.now() } : { at: startedAt, durationMs }
  const withSent = (email: Email): Email => {
    const after = withTransmission(email, attemptId, numbers, transmission, { ...timing, random: deps.random })
    return withCaptureNotice(after, transport.mailRoute, transmission.results)
  }
  work.email = withSent(work.email)
  if (work.ifCommitted) work.ifCommitted = withSent(work.ifCommitted)
  work.isUnsaved = true
  deps.onAttempt(work.email, { mailRoute: transport.mailRoute, transmission, durationMs })
  return transmission.results
}

/**
 * The last chance to stop: true lets the final dot be sent. Without the write nothing must be sent, and nothing is sent
 * for a workspace that was suspended since the claim.
 */
const openGate = async (
  deps: AttemptDeps,
  work: OpenDelivery,
  attemptId: string,
  accepted: number[],
): Promise<boolean> => {
  if (deps.suspended.has(work.email.workspace)) return false
  try {
    return deps.leases.isLeased(work.email.id, work.fence) && (await commit(deps, work, attemptId, accepted))
  } catch (thrown) {
    if (isUnavailable(thrown)) return false
    throw thrown
  }
}

/** Writes the accepted recipients and waits for the disk. @returns whether the lease is still held */
const commit = async (
  { emails, durable, leases, now }: AttemptDeps,
  work: OpenDelivery,
  attemptId: string,
  accepted: number[],
): Promise<boolean> => {
  const { storedEvents } = work
  const sent = withCommitted(work.email, attemptId, accepted, deliveryTime(work.email, now()))
  const email = withFreshEvents(sent, storedEvents, now())
  work.ifCommitted = email
  const isWritten = await emails.write(email.id, work.fence, {
    email,
    nextAt: nextDueOf(email),
    done: false,
    storedEvents,
  })
  if (isWritten) await durable.synced()
  work.ifCommitted = undefined
  if (!isWritten) return false
  work.email = email
  work.storedEvents = email.events.length
  return leases.isLeased(email.id, work.fence)
}

type SaveDeps = Pick<AttemptDeps, 'emails' | 'durable' | 'now' | 'pause' | 'stopping'>

/** How long a stopping process retries: a part of its time to stop, because a store may take seconds to fail. */
const retryWhenStoppingMs = 5_000

/**
 * Writes an outcome with the fencing token and waits for the disk. Retries while the store is unavailable: only this
 * process has the outcome of a message that was sent, and the fence shows when another worker owns the email. A write
 * whose response was lost may have been made, and readers may have seen its events: the next one is based on what is
 * stored.
 * @returns false when another worker owns the email
 * @throws Fault `unavailable` when the process stops and the store does not recover
 */
export const saveOutcome = (
  { emails, durable, now, pause, stopping }: SaveDeps,
  work: LeasedEmail,
  { done }: { done: boolean },
): Promise<boolean> => {
  let known: number | null = work.storedEvents
  let isInDoubt = work.ifCommitted !== undefined
  const write = async (): Promise<boolean> => {
    if (isInDoubt) known = await adoptStored(emails, work, known ?? 0, now())
    if (known === null) return false
    isInDoubt = true
    work.email = withFreshEvents(work.email, work.storedEvents, now())
    const { email, fence, storedEvents } = work
    const isWritten = await emails.write(email.id, fence, { email, nextAt: nextDueOf(email), done, storedEvents })
    if (!isWritten) return false
    await durable.synced()
    work.storedEvents = email.events.length
    work.ifCommitted = undefined
    return true
  }
  let giveUpAt = Infinity
  return retry(write, {
    backoff: backoffs.outcome,
    shouldRetry: (ended) => {
      if (!('error' in ended)) return false
      if (stopping.aborted) giveUpAt = Math.min(giveUpAt, now() + retryWhenStoppingMs)
      return isUnavailable(ended.error) && now() < giveUpAt
    },
    pause,
  })
}

/**
 * Makes the events of `work` those that the store has, and those that are still to be written.
 * @param known how many events of the record have times that stay
 * @returns how many have them now; null when another worker owns the email
 */
const adoptStored = async (
  emails: Pick<EmailStore, 'lastWrite'>,
  work: LeasedEmail,
  known: number,
  now: number,
): Promise<number | null> => {
  const stored = await emails.lastWrite(work.email.id, work.fence)
  if (stored === null) return null
  const { events } = stored.email
  const email = [work.email, work.ifCommitted].find((one) => one && hasEvents(one, events))
  if (!email) throw new Error('the record has events that its holder did not write')
  if (email === work.ifCommitted) work.ifCommitted = undefined
  const isLate = isStoredLate(events[known], stored.writtenAt)
  work.email = withStoredEvents(email, events, { late: isLate ? known : Infinity, now })
  work.storedEvents = events.length
  return isLate ? known : events.length
}
