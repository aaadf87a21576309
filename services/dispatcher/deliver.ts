import { withEvents } from '@postrider/domain/email/changes.ts'
import { endOrphans, mayRepeat } from '@postrider/domain/email/doubt.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Attempt, ClaimedEmail, Email, Lane } from '@postrider/domain/email/email.ts'
import { expire } from '@postrider/domain/email/expire.ts'
import { messageOf } from '@postrider/domain/email/message.ts'
import { settleTransmission } from '@postrider/domain/email/outcome.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { newId } from '@postrider/kit/ids.ts'
import { inSpan, markFailed, type SpanOptions, serverOf } from '@postrider/kit/trace.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Transport } from '@postrider/ports/transport.ts'
import type { ByteBudget, Share } from './byteBudget.ts'
import { isUnavailable, type KeepDeps, keep } from './keep.ts'
import type { Leases } from './leases.ts'
import type { Attempted } from './observe.ts'
import type { Routes } from './routes.ts'

/**
 * Now, later or never, for one claimed email. The plan:
 *
 * 1. settle what needs no server: attempts of dead workers end, recipients out of time fail, recipients in doubt under
 *    `hold` wait for a person;
 * 2. compose the message once; the recipients that are due go out by transport, as few transactions as servers allow;
 * 3. before each final dot the gate writes who was accepted (`committed`) under our fence, waits for the disk, and
 *    looks whether the lease is still ours: from there on, and only then, a recipient can be in doubt;
 * 4. fold the replies into the email, write it under the fence with its next time, and end the lease.
 *
 * Where the gate stays closed, or the process is to stop, the rest stays due and no try of the schedule is used.
 * Whoever finds the fence raised stops without a word: somebody else has the email now.
 */
export type DeliverDeps = KeepDeps & {
  emails: Pick<EmailStore, 'content' | 'write'>
  leases: Pick<Leases, 'isHeld'>
  routes: Routes
  /** Room for finished messages, each lane's own: long marketing mail must not keep a password from its owner. */
  room: Record<Lane, Pick<ByteBudget, 'take'>>
  /** What a finished message may have at most, in bytes, where its email doesn't say. */
  heaviestBytes: number
  random: () => number
  /** Told once for each transmission, as soon as its outcome is known. */
  attempted(email: Email, attempted: Attempted): void
}

/** `lost`: another worker has the email; nothing was written. */
export type Delivery = { kind: 'done'; email: Email; nextAt: number | null } | { kind: 'lost' }

/** One email under one claim; `email` is replaced as things happen to it. */
type Work = {
  email: Email
  readonly fence: number
  readonly raw: Uint8Array
  /** `email` holds an outcome that the store doesn't. */
  unkept: boolean
}

export const deliver =
  (deps: DeliverDeps) =>
  async (claimed: ClaimedEmail): Promise<Delivery> => {
    const at = deps.now()
    const email = expire(endOrphans(claimed.email, at), at)
    const due = dueOf(email, at)
    if (due.length === 0) return finish(deps, email, claimed.fence)
    using share = await deps.room[email.category].take(email.workspace, email.messageBytes ?? deps.heaviestBytes)
    const work: Work = { email, fence: claimed.fence, raw: await composed(deps, email, share), unkept: false }
    for (const { transport, numbers } of deps.routes(email, due)) {
      if (!(await sendAll(deps, work, transport, numbers))) break
    }
    return finish(deps, work.email, work.fence)
  }

const dueOf = ({ recipients }: Email, at: number): number[] =>
  recipients.flatMap(({ nextAt }, number) => (nextAt !== null && nextAt <= at ? [number] : []))

/** The finished message; how much room it really needs is known only now. */
const composed = async ({ emails }: DeliverDeps, email: Email, share: Share): Promise<Uint8Array> => {
  const content = await emails.content(email.id)
  if (!content) throw new Error('an email that is due has no content')
  const raw = messageOf(email, content)
  share.shrinkTo(raw.byteLength)
  return raw
}

const finish = async (deps: DeliverDeps, email: Email, fence: number): Promise<Delivery> => {
  const nextAt = nextDueOf(email)
  return (await keep(deps, email, fence, { done: true })) ? { kind: 'done', email, nextAt } : { kind: 'lost' }
}

/**
 * Sends to recipients of one transport. A server may take only some of them in a transaction (RFC 5321 §4.5.3.1.10);
 * the rest get another at once.
 * @returns false: nothing more is to be sent now
 */
const sendAll = async (deps: DeliverDeps, work: Work, transport: Transport, numbers: number[]): Promise<boolean> => {
  for (let waiting = numbers; waiting.length > 0; ) {
    // What is known is kept before more is done: a crash in the next transaction must not put it in doubt.
    if (work.unkept && !(await keep(deps, work.email, work.fence, { done: false }))) return false
    if (deps.stopping.aborted) return false
    const results = await sendOnce(deps, work, transport, waiting)
    if (results.some(({ kind }) => kind === 'gate_closed')) return false
    waiting = waiting.filter((_, index) => results[index]?.kind === 'next_transaction')
  }
  return true
}

const sendOnce = (
  deps: DeliverDeps,
  work: Work,
  transport: Transport,
  numbers: readonly number[],
): Promise<readonly RecipientResult[]> => {
  const attempt = newAttempt(work.email, numbers, deps.now())
  work.email = { ...work.email, attempts: [...work.email.attempts, attempt] }
  return inSpan(spanOf(work.email, attempt), async (span) => {
    const results = await transmit(deps, work, transport, attempt)
    const { host = '', outcome = null } = work.email.attempts.find(({ id }) => id === attempt.id) ?? {}
    span.setAttributes({ ...serverOf(host), 'postrider.outcome': outcome ?? 'none' })
    if (outcome !== 'delivered') markFailed(span, outcome ?? 'none')
    return results
  })
}

const spanOf = ({ id }: Email, attempt: Attempt): SpanOptions => ({
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
  deps: DeliverDeps,
  work: Work,
  transport: Transport,
  { id: attemptId, at: startedAt, recipients: numbers }: Attempt,
): Promise<readonly RecipientResult[]> => {
  const { id, workspace, mode, envelopeFrom, recipients } = work.email
  const sent = await transport.send({
    emailId: id,
    attemptId,
    workspace,
    mode,
    from: envelopeFrom,
    to: numbers.map((number) => recipients[number]?.address ?? ''),
    raw: work.raw,
    gate: (accepted) =>
      gate(
        deps,
        work,
        attemptId,
        accepted.map((index) => numbers[index] ?? -1),
      ),
  })
  const at = deps.now()
  const transmission = { ...sent, results: fairResults(sent.results, deps.stopping.aborted) }
  work.email = settleTransmission(work.email, attemptId, numbers, transmission, { at, random: deps.random })
  work.unkept = true
  deps.attempted(work.email, { route: transport.route, transmission, durationMs: at - startedAt })
  return transmission.results
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

/**
 * What we cut off before the dot because we stop is no try of the schedule. And where everybody was left to a next
 * transaction it was one, or the same would be asked for ever.
 */
const fairResults = (results: readonly RecipientResult[], stopping: boolean): RecipientResult[] => {
  if (results.every(({ kind }) => kind === 'next_transaction')) {
    return results.map(() => ({ kind: 'lost_before_dot', reason: 'The server took no recipient at all.' }))
  }
  return results.map((result) => (stopping && result.kind === 'lost_before_dot' ? { kind: 'gate_closed' } : result))
}

/** The last chance to stop: true lets the final dot go out. What can't be written must not be sent. */
const gate = async (deps: DeliverDeps, work: Work, attemptId: string, accepted: number[]): Promise<boolean> => {
  try {
    return deps.leases.isHeld(work.email.id, work.fence) && (await commit(deps, work, attemptId, accepted))
  } catch (thrown) {
    if (isUnavailable(thrown)) return false
    throw thrown
  }
}

const commit = async (deps: DeliverDeps, work: Work, attemptId: string, accepted: number[]): Promise<boolean> => {
  const attempts = work.email.attempts.map((attempt) =>
    attempt.id === attemptId ? { ...attempt, committed: accepted } : attempt,
  )
  const drafts = accepted.map((recipient) => ({ type: 'email.sent' as const, recipient }))
  const email = withEvents({ ...work.email, attempts }, deps.now(), drafts)
  const written = await deps.emails.write(email.id, work.fence, { email, nextAt: nextDueOf(email), done: false })
  if (!written) return false
  await deps.durable.settled()
  work.email = email
  return deps.leases.isHeld(email.id, work.fence)
}
