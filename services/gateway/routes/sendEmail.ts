import { EmailRecord } from '@postrider/contracts/http/email.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import type { QuotaAfterSend } from '@postrider/contracts/services.ts'
import { route } from '../route.ts'
import { sendRules } from './sendRules.ts'
import { toCheck, toMail } from './toMail.ts'

const [method, path] = ['POST', '/api/v1/emails'] as const

export const sendEmail = route({
  name: 'sendEmail',
  method,
  path,
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Accept one email for delivery',
  description:
    'Accepts a message, raw (`subject` with `html` or `text`) or from a template (`template_id` with `template_vars`), stores it and returns 202. ' +
    'A message that got a 202 is not lost. Every address in `to`, `cc` and `bcc` counts as one send.',
  limit: 'send',
  carriesMessage: true,
  idempotent: true,
  body: SendEmail,
  rules: sendRules,
  serviceProblems: async (raw, { caller }, { intake }) => (await intake.Check({ caller, ...toCheck(raw) })).problems,
  reply: { status: 202, body: EmailRecord, description: 'The accepted email.' },
  replyHeaders: {
    Location: 'Path of the email’s record.',
    'Quota-Limit': 'Sends of the tighter quota; absent if there is no limit.',
    'Quota-Remaining': 'Sends left in it.',
    'Quota-Reset': 'Seconds until it resets.',
    'Idempotent-Replayed': '`true` if this is the response of an earlier request with the same key.',
  },
  handle: async ({ body, caller, idempotency, requestId }, { intake }) => {
    const reply = await intake.Submit({
      caller,
      mail: toMail(body),
      idempotency,
      operation: `${method} ${path}`,
      requestId,
    })
    return {
      status: reply.status,
      jsonText: reply.bodyJson,
      about: reply.id,
      durable: true,
      headers: {
        Location: `${path}/${reply.id}`,
        ...(reply.replayed && { 'Idempotent-Replayed': 'true' }),
        ...(reply.quota && quotaHeaders(reply.quota)),
      },
    }
  },
})

const quotaHeaders = ({ limit, remaining, resetsInMs }: QuotaAfterSend): Record<string, string> => ({
  'Quota-Limit': String(limit),
  'Quota-Remaining': String(remaining),
  'Quota-Reset': String(Math.max(0, Math.ceil(resetsInMs / 1_000))),
})
