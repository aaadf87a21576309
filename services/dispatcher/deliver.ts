import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { nextDueOf, withEvents } from '@postrider/ports/changeEmail.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { Attempt, ClaimedEmail, Content, Email, EmailStore } from '@postrider/ports/emails.ts'
import { messageOf } from '@postrider/ports/messageOf.ts'
import type { Transmission, Transport } from '@postrider/ports/transport.ts'
import { holdOrphans, mayRepeat } from './doubt.ts'
import { expire } from './expire.ts'
import type { Leases } from './leases.ts'
import { settleTransmission } from './outcome.ts'
import type { Routes } from './routes.ts'

/**
 * Now, later or never, for one claimed email. The plan:
 *
 * 1. settle what needs no server: recipients out of time fail, recipients in doubt under `hold` wait for a person;
 * 2. compose the message once; the recipients that are due go out by transport, as few transactions as servers allow;
 * 3. before each final dot the gate writes who was accepted (`committed`) under our fence, waits for the disk, and
 *    looks whether the lease is still ours: from there on, and only then, a recipient can be in doubt;
 * 4. fold the replies into the email, write it under the fence with its next time, and end the lease.
 *
 * Whoever finds the fence raised stops without a word: somebody else has the email now.
 */
export type DeliverDeps = {
  emails: Pick<EmailStore, 'content' | 'write'>
  durable: Durable
  leases: Pick<Leases, 'isHeld'>
  routes: Routes
  now: Clock
  random: () => number
  pause(ms: number): Promise<void>
  /** Told once for each transmission, after its outcome is written. */
  attempted(email: Email, transmission: Transmission, durationMs: number): void
}

/** `lost`: another worker has the email; nothing was written. */
export type Delivery = { kind: 'done'; email: Email; nextAt: number | null } | { kind: 'lost' }

/** One email under one claim; `email` is replaced as writes go through. */
type Work = { email: Email; readonly fence: number; readonly raw: Uint8Array }

export const deliver =
  (deps: DeliverDeps) =>
  async (claimed: ClaimedEmail): Promise<Delivery> => {
    const at = deps.now()
    const email = expire(holdOrphans(claimed.email, at), at)
    const due = dueOf(email, at)
    if (due.length === 0) return finish(deps, email, claimed.fence)
    const content = await deps.emails.content(email.id)
    const work: Work = { email, fence: claimed.fence, raw: messageOf(email, content ?? empty) }
    for (const { transport, numbers } of deps.routes(email, due)) {
      if (!(await sendAll(deps, work, transport, numbers))) return { kind: 'lost' }
    }
    return finish(deps, work.email, work.fence)
  }

const empty: Content = { html: null, text: null, headers: {}, attachments: [] }

const dueOf = ({ recipients }: Email, at: number): number[] =>
  recipients.flatMap(({ nextAt }, number) => (nextAt !== null && nextAt <= at ? [number] : []))

/**
 * Writes the outcome and waits for the disk. While the store can't keep it (a full disk), the outcome of a message that
 * is out of the house is worth trying again for, as long as the lease is ours.
 */
const finish = async (deps: DeliverDeps, email: Email, fence: number): Promise<Delivery> => {
  const nextAt = nextDueOf(email)
  for (;;) {
    try {
      if (!(await deps.emails.write(email.id, fence, { email, nextAt, done: true }))) return { kind: 'lost' }
      await deps.durable.settled()
      return { kind: 'done', email, nextAt }
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
      if (!deps.leases.isHeld(email.id, fence)) return { kind: 'lost' }
      await deps.pause(retryWriteMs)
    }
  }
}

const retryWriteMs = 500

/** A server may take only some recipients of a transaction (RFC 5321 §4.5.3.1.10); the rest get another at once.
 * @returns false: the email isn't ours any more */
const sendAll = async (deps: DeliverDeps, work: Work, transport: Transport, numbers: number[]): Promise<boolean> => {
  for (let waiting = numbers; waiting.length > 0; ) {
    const transmission = await sendOnce(deps, work, transport, waiting)
    if (transmission.results.some(({ kind }) => kind === 'gate_closed')) return false
    const rest = waiting.filter((_, index) => transmission.results[index]?.kind === 'next_transaction')
    if (rest.length === waiting.length) return true
    waiting = rest
  }
  return true
}

const sendOnce = async (
  deps: DeliverDeps,
  work: Work,
  transport: Transport,
  numbers: readonly number[],
): Promise<Transmission> => {
  const startedAt = deps.now()
  const attempt = newAttempt(work.email, numbers, startedAt)
  work.email = { ...work.email, attempts: [...work.email.attempts, attempt] }
  const { id, workspace, mode, envelopeFrom } = work.email
  const transmission = await transport.send({
    emailId: id,
    attemptId: attempt.id,
    workspace,
    mode,
    from: envelopeFrom,
    to: numbers.map((number) => work.email.recipients[number]?.address ?? ''),
    raw: work.raw,
    gate: (accepted) =>
      gate(
        deps,
        work,
        attempt.id,
        accepted.map((index) => numbers[index] ?? -1),
      ),
  })
  const at = deps.now()
  work.email = settleTransmission(work.email, attempt.id, numbers, transmission, { at, random: deps.random })
  deps.attempted(work.email, transmission, at - startedAt)
  return transmission
}

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

/** The last chance to stop: true lets the final dot go out. What can't be written must not be sent. */
const gate = async (deps: DeliverDeps, work: Work, attemptId: string, accepted: number[]): Promise<boolean> => {
  try {
    return await commit(deps, work, attemptId, accepted)
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'unavailable') return false
    throw thrown
  }
}

const commit = async (deps: DeliverDeps, work: Work, attemptId: string, accepted: number[]): Promise<boolean> => {
  const committed = work.email.attempts.map((attempt) =>
    attempt.id === attemptId ? { ...attempt, committed: accepted } : attempt,
  )
  const drafts = accepted.map((recipient) => ({ type: 'email.sent' as const, recipient }))
  const email = withEvents({ ...work.email, attempts: committed }, deps.now(), drafts)
  const written = await deps.emails.write(email.id, work.fence, { email, nextAt: nextDueOf(email), done: false })
  if (!written) return false
  work.email = email
  await deps.durable.settled()
  return deps.leases.isHeld(email.id, work.fence)
}
