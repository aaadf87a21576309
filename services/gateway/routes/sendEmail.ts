import { EmailRecord } from '@postrider/contracts/http/emailRecord.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { sendRules } from '@postrider/contracts/http/sendRules.ts'
import { toCheck } from '@postrider/contracts/http/toCheck.ts'
import { toMail } from '@postrider/contracts/http/toMail.ts'
import type { Intake, QuotaAfterSend } from '@postrider/contracts/services.ts'
import { route } from '../route.ts'

type Deps = { intake: Pick<Intake, 'Check' | 'Submit'> }

const [method, path] = ['POST', '/api/v1/emails'] as const

export const sendEmail = route({
  name: 'sendEmail',
  method,
  path,
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Accept one email for delivery',
  description:
    'Takes a message, raw (`subject` with `html` or `text`) or from a template (`template_id` with `template_vars`), keeps it and answers 202. ' +
    'What was answered with 202 is not lost. Every address in `to`, `cc` and `bcc` counts as one send.',
  limit: 'send',
  carriesMessage: true,
  idempotent: true,
  body: SendEmail,
  rules: sendRules,
  further: async (raw, { caller }, { intake }: Deps) => (await intake.Check({ caller, ...toCheck(raw) })).problems,
  reply: { status: 202, body: EmailRecord, description: 'The email as it was accepted.' },
  replyHeaders: {
    Location: 'Path of the email’s record.',
    'Quota-Limit': 'Sends of the tighter quota; absent where nothing is limited.',
    'Quota-Remaining': 'Sends left of it.',
    'Quota-Reset': 'Seconds until it starts anew.',
    'Idempotent-Replayed': '`true` where this is the first answer again.',
  },
  handle: async ({ body, caller, idempotency, requestId }, { intake }: Deps) => {
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
