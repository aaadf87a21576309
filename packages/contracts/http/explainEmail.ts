import { mailRouteReasons } from '@postrider/domain/email/conversation.ts'
import { attemptOutcomes, recipientKinds } from '@postrider/domain/email/email.ts'
import { nextReasons } from '@postrider/domain/email/nextAttempt.ts'
import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { replyClasses } from '@postrider/mail/replies/rule.ts'
import { z } from 'zod'
import { Step } from './email.ts'
import { type RecordOf, time } from './schema.ts'
import { emailStatusText, outcomeText, recipientStatusText, replyClassText } from './values.ts'

const notRecorded = 'version 0.1 did not record it'

const Route = z
  .looseObject({
    name: z
      .string()
      .nullable()
      .describe('`mailbox`, `smtp` or `simulator`; null: no attempt has begun, or it was not recorded.'),
    reason: z.enum(mailRouteReasons).nullable().describe(`Reason for the route; null: ${notRecorded}.`),
    detail: z.string().describe('The reason as a text for people.'),
  })
  .nullable()

const Next = z
  .looseObject({
    at: time().nullable().describe('Time of the next attempt; null: none follows, or the time is not known.'),
    reason: z
      .enum(nextReasons)
      .describe(
        'Reason for the next attempt: `scheduled`: its time has not come. `due`: it waits for a free worker. `in_progress`: a worker has it. `retry`: the retry schedule. `held`: it cannot be signed now. `worker_died`, `gate_closed`, `tried_alone`: an attempt ended for a reason of the service. `resolved`: a person decided to send it again. `workspace_suspended`: it waits until the workspace is resumed. `parked`: it waits for the operator. `decision_needed`: a person decides (`resolve`). `final`: no attempt follows.',
      ),
    detail: z.string().describe('The reason as a text for people.'),
  })
  .meta({ id: 'NextAttempt' })

const Rule = z
  .looseObject({
    id: z
      .string()
      .nullable()
      .describe('The rule of docs/replies.md; null: no rule matched, and the first digit of the code decided.'),
    source: z.string().nullable().describe('The document that gives the rule its meaning.'),
    changed: z
      .enum(['about_us', 'names_sender'])
      .nullable()
      .describe(
        'Reason why the class is not that of the rule. `about_us`: the reply is to a command before RCPT. `names_sender`: it names the sender.',
      ),
  })
  .nullable()

const replyClass = z
  .enum(replyClasses)
  .nullable()
  .describe(`Class of the reply; null: there was no refusal. ${replyClassText}`)

const Refusal = z.looseObject({
  recipients: z.array(z.string()),
  class: z.enum(replyClasses).describe(replyClassText),
  phase: z
    .string()
    .nullable()
    .describe(
      'The step that the reply belongs to: greeting, ehlo, auth, mail, rcpt, data, dot; null: there was no reply.',
    ),
  rule: Rule.describe('The rule that decided the class; null: there was no reply.'),
})

const timing = (text: string) => z.number().nullable().describe(`Milliseconds ${text}`)

const Timings = z
  .looseObject({
    wait_ms: timing('until a connection was free.'),
    connect_ms: timing('until the connection was open.'),
    tls_ms: timing('until TLS was open.'),
    session_ms: timing('of greeting, EHLO and login.'),
    envelope_ms: timing('of MAIL, RCPT and DATA.'),
    body_ms: timing('until the message was written.'),
    gate_ms: timing('of the write before the final dot.'),
    final_dot_ms: timing('until the reply to the final dot.'),
  })
  .nullable()

const Attempt = z
  .looseObject({
    id: z.string(),
    at: time().describe('When it began.'),
    duration_ms: z.number().nullable().describe(`Milliseconds until its outcome; null: it runs, or ${notRecorded}.`),
    route: Route,
    mx: z.array(z.looseObject({})).nullable().describe('The MX answers of the domain; null: the route needs none.'),
    host: z.string().describe('Server as `name:port`; empty: there was no connection.'),
    address: z
      .string()
      .nullable()
      .describe('IP address of the server; null: there was no connection, or it was not recorded.'),
    connection_reused: z.boolean().nullable().describe('Whether an earlier message opened the connection.'),
    encrypted: z
      .boolean()
      .nullable()
      .describe('Whether TLS encrypted it; null: there was no connection, or it was not recorded.'),
    tls: z
      .looseObject({
        version: z.string().meta({ example: 'TLSv1.3' }),
        cipher: z.string(),
        verified: z.boolean().describe('Whether the certificate was verified.'),
        problem: z
          .string()
          .nullable()
          .describe('Reason why it was not verified, as a code of OpenSSL; null: it was verified.'),
      })
      .nullable(),
    tls_failure: z.string().nullable().describe('Reason why STARTTLS failed before; null: it did not fail.'),
    recipients: z.array(z.string()).describe('The addresses it covered.'),
    outcome: z.enum(attemptOutcomes).nullable().describe(`Outcome of the attempt; null while it runs. ${outcomeText}`),
    reply: z.string().nullable(),
    possible_duplicate: z.boolean(),
    timings: Timings,
    conversation: z
      .array(Step)
      .describe('Each command with its reply; the first message of a connection has its greeting.'),
    refusals: z
      .array(Refusal)
      .nullable()
      .describe(`What recipients were refused with; null: it runs, or ${notRecorded}.`),
  })
  .meta({ id: 'ExplainedAttempt' })

const Recipient = z
  .looseObject({
    address: z.string(),
    kind: z.enum(recipientKinds),
    status: z.enum(recipientStatuses).describe(recipientStatusText),
    route: Route.describe('Mail route of the recipient; null: no attempt is made for it.'),
    class: replyClass,
    rule: Rule.describe('The rule that decided the class; null: there is none, or it was not recorded.'),
    reply: z.string().nullable().describe('The last reply of a server, or the reason.'),
    tries: z.int().describe('Used tries of the retry schedule.'),
    next_attempt: Next,
  })
  .meta({ id: 'ExplainedRecipient' })

const fields = {
  object: z.literal('email_explanation'),
  id: z.string().meta({ example: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  status: z.enum(emailStatuses).describe(emailStatusText),
  route: Route.describe('Mail route of all recipients; null: they differ, or no attempt is made.'),
  next_attempt: Next,
  expires_at: time().nullable().describe('No attempt is made after this time.'),
  recipients: z.array(Recipient),
  attempts: z.array(Attempt).describe('Every attempt, oldest first.'),
}

/** Response of `GET /api/v1/emails/{id}/explain`. */
export const EmailExplanation = z.looseObject(fields).meta({ id: 'EmailExplanation' })
export type EmailExplanation = RecordOf<typeof EmailExplanation>
