import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import {
  attemptOutcomes,
  emailEventTypes,
  lanes,
  recipientKinds,
  resolutions,
  unknownPolicies,
} from '@postrider/domain/email/email.ts'
import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { parseTag } from '@postrider/domain/email/tag.ts'
import { replyClasses } from '@postrider/mail/replies/rule.ts'
import { z } from 'zod'
import { EventCause } from './event.ts'
import { address } from './recipients.ts'
import { retentionShown } from './retention.ts'
import { instant, listOf, modeFilter, page, type RecordOf, strictObject, time } from './schema.ts'
import { ScheduledAt } from './times.ts'
import {
  categoryText,
  emailStatusText,
  eventText,
  modeText,
  onUnknownText,
  outcomeText,
  recipientStatusText,
  replyClassText,
} from './values.ts'

const replyClass = z
  .enum(replyClasses)
  .nullable()
  .describe(`What the last reply means; null: there was none. ${replyClassText}`)
  .meta({ example: null })

const Recipient = z
  .looseObject({
    address: z.string().describe('The address, its domain in A-labels.'),
    kind: z.enum(recipientKinds).describe('The field that named the recipient.'),
    status: z.enum(recipientStatuses).describe(recipientStatusText).meta({ example: 'queued' }),
    class: replyClass,
    reply: z.string().nullable().describe('The last reply of a server, or the reason.'),
    next_at: time().nullable().describe('Time of the next try; null: the status is final, or a person decides.'),
  })
  .meta({ id: 'Recipient' })

/** One command of the SMTP conversation. */
export const Step = z.looseObject({
  name: z.string().describe('Part of the conversation.'),
  command: z.string().describe('What we sent; credentials are left out.'),
  reply: z.string().describe('The server’s reply.'),
  duration_ms: z.number().describe('Time in milliseconds until the reply.'),
})

const Attempt = z
  .looseObject({
    id: z.string(),
    at: time().describe('When it began.'),
    host: z.string().describe('The server it went to.'),
    recipients: z.array(z.string()).describe('The addresses it covered.'),
    outcome: z.enum(attemptOutcomes).nullable().describe(`Outcome of the attempt; null while it runs. ${outcomeText}`),
    reply: z.string().nullable().describe('The reply that decided the outcome.'),
    possible_duplicate: z
      .boolean()
      .describe('Whether an earlier attempt may have delivered the message although its reply was lost.'),
    steps: z.array(Step).describe('The SMTP conversation.'),
  })
  .meta({ id: 'Attempt' })

const Event = z
  .looseObject({
    id: z.string(),
    type: z.enum(emailEventTypes).describe(eventText).meta({ example: 'email.delivered' }),
    timestamp: time(),
    sequence: z.int().describe('Number of the event, counted from 1 within an email.'),
    recipient: z.string().nullable().describe('The recipient it is about; null: all recipients.'),
    reply: z.string().nullable(),
    class: replyClass,
    cause: EventCause,
  })
  .meta({ id: 'EmailEvent' })

const fields = {
  object: z.literal('email'),
  id: z.string().meta({ example: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  status: z
    .enum(emailStatuses)
    .describe(
      `Derived from the recipients: while any of them is not final, the first of their statuses in this order; then their common result. ${emailStatusText}`,
    )
    .meta({ example: 'queued' }),
  mode: z.enum(keyModes).describe(modeText),
  created_at: time().describe('When it was accepted.'),
  scheduled_at: time().nullable().describe('When it is to be sent; null: immediately.'),
  expires_at: time().nullable().describe('No attempt is made after this time; null: the retry schedule decides.'),
  from_: z.string().describe('The sender that the message shows.'),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string().describe('The rendered subject; empty after the content was removed.'),
  template_id: z.string().nullable(),
  template_version: z.int().nullable().describe('The version it was rendered from; later changes do not affect it.'),
  domain_id: z.string().nullable(),
  category: z.enum(lanes).describe(categoryText),
  topic: z.string().nullable(),
  on_unknown: z.enum(unknownPolicies).describe(onUnknownText),
  tags: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.string()),
  message_id: z.string().describe('The Message-ID header.'),
  notices: z.array(z.string()).describe('What differs from the request, and why.'),
  recipients: z.array(Recipient).describe('Each address once, with its status.'),
  retention: retentionShown(),
  content_removed_at: time().nullable().describe('When the content was removed; null: it is stored.'),
  attachments_removed_at: time().nullable().describe('When the attachments were removed; null: they were not.'),
}

const detailFields = {
  ...fields,
  attempts: z.array(Attempt).describe('Every attempt, oldest first.'),
  events: z.array(Event).describe('Every event, oldest first.'),
}

export const EmailRecord = z.looseObject(fields).meta({ id: 'Email' })

export const EmailDetail = z.looseObject(detailFields).meta({ id: 'EmailDetail' })

export type EmailRecord = RecordOf<typeof EmailRecord>
export type EmailDetail = RecordOf<typeof EmailDetail>

export const EmailList = listOf(EmailRecord, 'EmailList')

/** Body of `POST /api/v1/emails/{id}/resolve`. */
export const ResolveEmail = strictObject({
  as: z
    .enum(resolutions)
    .describe('`delivered` and `failed` are final; `retry` sends the message again, which may deliver it twice.'),
}).meta({ id: 'ResolveEmail' })

/** Body of `PATCH /api/v1/emails/{id}`. */
export const RescheduleEmail = strictObject({
  scheduled_at: ScheduledAt.describe(
    'When to send it: RFC 3339 with offset, or an ISO 8601 duration from now; up to 30 days ahead. `PT0S` sends it immediately.',
  ),
}).meta({ id: 'RescheduleEmail' })

/** Query of `GET /api/v1/emails`. */
export const ListEmails = z.object({
  ...page,
  status: z.enum(emailStatuses).optional().describe(`Only mail of this status. ${emailStatusText}`),
  to: address.optional().describe('Only mail with this address in `to`, `cc` or `bcc`.'),
  from_: address.optional().describe('Only mail from this address.'),
  subject: z.string().min(1).max(998).optional().describe('Only mail whose subject contains this text, in any case.'),
  template_id: z.string().min(1).max(100).optional().describe('Only mail made from this template, by its id or alias.'),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/, 'Must be name:value.')
    .transform(parseTag)
    .optional()
    .describe('Only mail with this tag, as `name:value`.')
    .meta({ example: 'team:billing' }),
  category: z.enum(lanes).optional().describe('Only mail of this category.'),
  mode: modeFilter,
  created_after: instant.optional().describe('Only mail accepted after this time (RFC 3339).'),
  created_before: instant.optional().describe('Only mail accepted before this time (RFC 3339).'),
})
