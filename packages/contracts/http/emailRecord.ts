import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { z } from 'zod'
import { listOf, time } from './lists.ts'

const replyClass = z
  .enum(['invalid', 'full', 'policy', 'reputation', 'content', 'transient', 'unknown'])
  .nullable()
  .describe('What the last reply means, in one word; null: there was none.')

const Recipient = z
  .looseObject({
    address: z.string().describe('The address, its domain in A-labels.'),
    kind: z.enum(['to', 'cc', 'bcc']).describe('How the recipient was named.'),
    status: z.enum(recipientStatuses).describe('`delivered` means the next server took it, not that anybody read it.'),
    class: replyClass,
    reply: z.string().nullable().describe('The last reply of a server, or the reason.'),
    next_at: time().nullable().describe('When it is tried next; null: it is final, or a person decides.'),
  })
  .meta({ id: 'Recipient' })

const Step = z.looseObject({
  name: z.string().describe('Which part of the conversation.'),
  command: z.string().describe('What we sent; logins are left out.'),
  reply: z.string().describe('What the server answered.'),
  duration_ms: z.number().describe('Milliseconds until the reply.'),
})

const Attempt = z
  .looseObject({
    id: z.string(),
    at: time().describe('When it began.'),
    host: z.string().describe('The server it went to.'),
    recipients: z.array(z.string()).describe('The addresses it covered.'),
    outcome: z
      .enum(['delivered', 'deferred', 'bounced', 'partial', 'unknown', 'lost'])
      .nullable()
      .describe('Null while it runs.'),
    reply: z.string().nullable().describe('The reply that decided.'),
    possible_duplicate: z
      .boolean()
      .describe('Whether an earlier attempt may have been delivered without our learning of it.'),
    steps: z.array(Step).describe('The SMTP conversation.'),
  })
  .meta({ id: 'Attempt' })

const Event = z
  .looseObject({
    id: z.string(),
    type: z.string().meta({ example: 'email.delivered' }),
    timestamp: time(),
    sequence: z.int().describe('Counts up from 1 within an email.'),
    recipient: z.string().nullable().describe('Whom it is about; null: all.'),
    reply: z.string().nullable(),
    class: replyClass,
  })
  .meta({ id: 'EmailEvent' })

const fields = {
  object: z.literal('email'),
  id: z.string().meta({ example: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  status: z
    .enum(emailStatuses)
    .describe('Follows from the recipients: the first in this order while any isn’t final, then the common result.'),
  mode: z.enum(['live', 'test']).describe('`test`: nothing left, nothing was counted.'),
  created_at: time().describe('When it was accepted.'),
  scheduled_at: time().nullable().describe('When it is to leave; null: at once.'),
  expires_at: time().nullable().describe('No attempt is made after this; null: the retry schedule decides.'),
  from_: z.string().describe('The sender it goes out with.'),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string().describe('The subject as it was rendered.'),
  template_id: z.string().nullable(),
  template_version: z.int().nullable().describe('The version it was rendered from; later changes don’t touch it.'),
  domain_id: z.string().nullable(),
  category: z.enum(['transactional', 'marketing']),
  topic: z.string().nullable(),
  on_unknown: z.enum(['retry', 'hold']),
  tags: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.string()),
  message_id: z.string().describe('The Message-ID header.'),
  notices: z.array(z.string()).describe('What was done otherwise than asked, and why.'),
  recipients: z.array(Recipient).describe('Each address once, with what became of it.'),
}

export const EmailRecord = z.looseObject(fields).meta({ id: 'Email' })

export const EmailDetail = z
  .looseObject({
    ...fields,
    attempts: z.array(Attempt).describe('Every attempt, oldest first.'),
    events: z.array(Event).describe('All that happened, oldest first.'),
  })
  .meta({ id: 'EmailDetail' })

export const EmailList = listOf(EmailRecord, 'EmailList')
