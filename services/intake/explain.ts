import type { EmailExplanation } from '@postrider/contracts/http/explainEmail.ts'
import {
  type ChosenMailRoute,
  type MailRouteReason,
  type RefusalVerdict,
  type SendPhases,
  sendPhases,
} from '@postrider/domain/email/conversation.ts'
import type { Attempt, Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { firstNextAttempt, type NextAttempt, nextAttemptOf } from '@postrider/domain/email/nextAttempt.ts'
import { transportOf } from '@postrider/domain/email/recipientGroups.ts'
import { recipientStatusAt, statusAt } from '@postrider/domain/email/status.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { ruleSource } from '@postrider/mail/replies/replies.ts'

/**
 * Returns the explanation of an email from its record. What an attempt recorded is shown as it is and never computed
 * again; what it did not record is null.
 */
export const explanation = (stored: StoredEmail, now: number) => {
  const { email } = stored
  const nextAttempts = email.recipients.map((_, number) => nextAttemptOf(stored, number, now))
  const recipients = nextAttempts.map((next, number) => explainedRecipient(stored, number, next, now))
  return {
    object: 'email_explanation',
    id: email.id,
    status: statusAt(stored, now),
    route: sharedRoute(recipients),
    next_attempt: shownNext(firstNextAttempt(nextAttempts)),
    expires_at: isoTimeOrNull(email.expiresAt),
    recipients,
    attempts: email.attempts.map((attempt) => explainedAttempt(email, attempt)),
  } satisfies EmailExplanation
}

const routeTexts: Record<MailRouteReason, string> = {
  operator_route: 'The mail route of the operator carries live mail.',
  test_mode:
    'Mail of test mode never leaves: it is stored in the mailbox if that is the mail route of the operator, and simulated otherwise.',
  magic_recipient: 'The address is a magic recipient, so its delivery is simulated.',
}

const shownMailRoute = (name: ChosenMailRoute['name'] | null, reason: MailRouteReason) => ({
  name,
  reason,
  detail: routeTexts[reason],
})

const unknownRoute = { name: null, reason: null, detail: 'The attempt did not record its route.' } as const

const routeOfAttempt = ({ route }: Attempt) => (route ? shownMailRoute(route.name, route.reason) : unknownRoute)

/** Returns the route of the last attempt for a recipient, or why one will be chosen; null: no attempt is made. */
const routeOf = ({ attempts, recipients, mode }: Email, number: number) => {
  const last = attempts.findLast((attempt) => attempt.recipients.includes(number))
  if (last) return routeOfAttempt(last)
  const recipient = recipients[number]
  if (!recipient || recipient.nextAt === null) return null
  const { transport, reason } = transportOf(mode, recipient.address)
  return shownMailRoute(transport === 'simulator' ? transport : null, reason)
}

const sharedRoute = (recipients: readonly { route: ReturnType<typeof routeOf> }[]) => {
  const [first, ...others] = recipients.map(({ route }) => route)
  const isShared = others.every((route) => route?.name === first?.name && route?.reason === first?.reason)
  return isShared ? (first ?? null) : null
}

const explainedRecipient = (stored: StoredEmail, number: number, next: NextAttempt, now: number) => {
  const { email } = stored
  const recipient = email.recipients[number]
  if (!recipient) throw new Error('there is no such recipient')
  const refusal = lastRefusal(email, number)
  return {
    address: recipient.address,
    kind: recipient.kind,
    status: recipientStatusAt(recipient, stored, now),
    route: routeOf(email, number),
    class: recipient.class,
    rule: refusal && recipient.class !== null ? shownRule(refusal) : null,
    reply: recipient.reply,
    tries: recipient.tries,
    next_attempt: shownNext(next),
  }
}

/** Returns what the last ended attempt for a recipient recorded of its refusal. */
const lastRefusal = ({ attempts }: Email, number: number): RefusalVerdict | undefined =>
  attempts
    .findLast(({ recipients, outcome }) => outcome !== null && recipients.includes(number))
    ?.refusals?.find(({ recipients }) => recipients.includes(number))

const shownRule = ({ phase, rule, changed }: RefusalVerdict) =>
  phase === null ? null : { id: rule, source: rule === null ? null : ruleSource(rule), changed: changed ?? null }

const shownNext = ({ at, reason, detail }: NextAttempt) => ({ at: isoTimeOrNull(at), reason, detail })

const explainedAttempt = (email: Email, attempt: Attempt) => {
  const { connection, refusals } = attempt
  const addresses = (numbers: readonly number[]) => numbers.flatMap((number) => email.recipients[number]?.address ?? [])
  const isRecorded = attempt.outcome !== null && attempt.durationMs !== undefined
  return {
    id: attempt.id,
    at: isoTime(attempt.at),
    duration_ms: attempt.durationMs ?? null,
    route: routeOfAttempt(attempt),
    mx: null,
    host: attempt.host,
    address: connection?.address ?? null,
    connection_reused: connection?.isReused ?? null,
    encrypted: connection ? connection.tls !== null : null,
    tls: connection?.tls ? shownTls(connection.tls) : null,
    tls_failure: connection?.tlsFailure ?? null,
    recipients: addresses(attempt.recipients),
    outcome: attempt.outcome,
    reply: attempt.reply,
    possible_duplicate: attempt.possibleDuplicate,
    timings: attempt.phases ? shownTimings(attempt.phases) : null,
    conversation: attempt.steps,
    refusals: isRecorded
      ? (refusals ?? []).map((refusal) => ({
          recipients: addresses(refusal.recipients),
          class: refusal.class,
          phase: refusal.phase,
          rule: shownRule(refusal),
        }))
      : null,
  }
}

const shownTls = ({ version, cipher, problem }: { version: string; cipher: string; problem: string | null }) => ({
  version,
  cipher,
  verified: problem === null,
  problem,
})

type Timings = Record<`${(typeof sendPhases)[number]}_ms`, number | null>

const shownTimings = (phases: SendPhases): Timings =>
  Object.fromEntries(sendPhases.map((phase) => [`${phase}_ms`, phases[phase] ?? null])) as Timings
