import { withEvents } from '@postrider/domain/email/changes.ts'
import { mayRepeat } from '@postrider/domain/email/decisions.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Attempt, Email } from '@postrider/domain/email/email.ts'
import { wantsUtf8 } from '@postrider/domain/email/message.ts'
import {
  type RecipientResult,
  settleTransmission,
  withNotice,
  withoutSharedRefusals,
} from '@postrider/domain/email/transmission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { inSpan, markFailed, type SpanOptions, serverOf } from '@postrider/kit/trace.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Transport } from '@postrider/ports/transport.ts'
import type { Leases } from './leases.ts'
import type { FinishedAttempt } from './observe.ts'
import type { SuspendedWorkspaces } from './suspended.ts'

export type AttemptDeps = {
  emails: Pick<EmailStore, 'write'>
  durable: Durable
  leases: Pick<Leases, 'isHeld'>
  suspended: Pick<SuspendedWorkspaces, 'has'>
  now: Clock
  random: () => number
  pause(ms: number): Promise<unknown>
  /** Aborted when the process stops. */
  stopping: AbortSignal
  /** Called once for each transmission, as soon as its outcome is known. */
  onAttempt(email: Email, attempt: FinishedAttempt): void
}

/** One delivery under one claim. `email` is replaced as it changes. */
export type OpenDelivery = {
  email: Email
  readonly fence: number
  readonly raw: Uint8Array
  /** Returns the message with its addresses in UTF-8; undefined: all of them are ASCII. */
  readonly utf8: (() => Promise<Uint8Array>) | undefined
  /** Whether `email` has an outcome that is not written yet. */
  isUnsaved: boolean
}

/** Makes one transmission to these recipients and records it as an attempt of the email. */
export const attemptDelivery = (
  deps: AttemptDeps,
  work: OpenDelivery,
  transport: Transport,
  numbers: readonly number[],
): Promise<readonly RecipientResult[]> => {
  const attempt = newAttempt(work.email, numbers, deps.now())
  work.email = { ...work.email, attempts: [...work.email.attempts, attempt] }
  return inSpan(attemptSpan(work.email, attempt), async (span) => {
    const results = await transmit(deps, work, transport, attempt)
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

const newAttempt = (email: Email, numbers: readonly number[], at: number): Attempt => ({
  id: newId('att'),
  at,
  host: '',
  recipients: [...numbers],
  outcome: null,
  reply: null,
  possibleDuplicate: mayRepeat(email, numbers),
  committed: null,
  steps: [],
})

const transmit = async (
  deps: AttemptDeps,
  work: OpenDelivery,
  transport: Transport,
  { id: attemptId, at: startedAt, recipients: numbers }: Attempt,
): Promise<readonly RecipientResult[]> => {
  const { id, workspace, mode, envelopeFrom, recipients } = work.email
  const to = numbers.map((number) => recipients[number]?.address ?? '')
  const sent = await transport.send({
    emailId: id,
    attemptId,
    workspace,
    mode,
    from: envelopeFrom,
    to,
    raw: work.raw,
    utf8: wantsUtf8(work.email, to) ? work.utf8 : undefined,
    gate: (accepted) => {
      const acceptedNumbers = accepted.map((index) => numbers[index] ?? -1)
      return openGate(deps, work, attemptId, acceptedNumbers)
    },
  })
  const at = deps.now()
  const results = withoutSharedRefusals(sent.results, to)
  const transmission = { ...sent, results: countedResults(results, deps.stopping.aborted) }
  const settled = settleTransmission(work.email, attemptId, numbers, transmission, { at, random: deps.random })
  work.email = wasCaptured(settled, transport, transmission.results) ? withNotice(settled, captured) : settled
  work.isUnsaved = true
  deps.onAttempt(work.email, { mailRoute: transport.mailRoute, transmission, durationMs: at - startedAt })
  return transmission.results
}

const captured =
  'This message did not leave the service: the mail route is mailbox:, so it was captured in the mailbox instead of being sent.'

/** Live mail that is stored in the mailbox counts as delivered, so the record must show that no server received it. */
const wasCaptured = ({ mode }: Email, { mailRoute }: Transport, results: readonly RecipientResult[]): boolean =>
  mode === 'live' && mailRoute === 'mailbox' && results.some(({ kind }) => kind === 'answered')

/**
 * Returns the results as they count for the schedule. A connection that we cut off before the dot because the process
 * stops uses no try. A server that leaves every recipient to the next transaction does use one, or it would be asked
 * for another transaction endlessly.
 */
const countedResults = (results: readonly RecipientResult[], isStopping: boolean): RecipientResult[] => {
  if (results.every(({ kind }) => kind === 'next_transaction')) {
    return results.map(() => ({ kind: 'lost_before_dot', reason: 'The server accepted no recipient.' }))
  }
  return results.map((result) => (isStopping && result.kind === 'lost_before_dot' ? { kind: 'gate_closed' } : result))
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
    return deps.leases.isHeld(work.email.id, work.fence) && (await commit(deps, work, attemptId, accepted))
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
  const attempts = work.email.attempts.map((attempt) =>
    attempt.id === attemptId ? { ...attempt, committed: accepted } : attempt,
  )
  const drafts = accepted.map((recipient) => ({ type: 'email.sent' as const, recipient }))
  const email = withEvents({ ...work.email, attempts }, now(), drafts)
  const isWritten = await emails.write(email.id, work.fence, { email, nextAt: nextDueOf(email), done: false })
  if (!isWritten) return false
  await durable.settled()
  work.email = email
  return leases.isHeld(email.id, work.fence)
}

/** How long a stopping process retries: a part of its time to stop, because a store may take seconds to fail. */
const retryWhenStoppingMs = 5_000

/**
 * Writes an outcome under the fence and waits for the disk. Retries while the store is unavailable: only this process
 * knows what became of a message that was sent, and the fence shows when another worker owns the email.
 * @returns false when another worker owns the email
 * @throws Fault `unavailable` when the process stops and the store does not recover
 */
export const saveOutcome = (
  { emails, durable, now, pause, stopping }: AttemptDeps,
  email: Email,
  fence: number,
  { done }: { done: boolean },
): Promise<boolean> => {
  const change = { email, nextAt: nextDueOf(email), done }
  const write = async (): Promise<boolean> => {
    if (!(await emails.write(email.id, fence, change))) return false
    await durable.settled()
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
