import { EmailRecord } from '@postrider/contracts/http/email.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { newId } from '@postrider/kit/ids.ts'
import { route } from '../route.ts'
import {
  freeContents,
  messageRules,
  serviceProblemsOf,
  submitHeaders,
  submitResponse,
  toMail,
} from '../sending/message.ts'

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
  rules: messageRules,
  serviceProblems: (raw, { caller }, { intake }) => serviceProblemsOf(raw, caller, intake),
  reply: { status: 202, body: EmailRecord, description: 'The accepted email.' },
  replyHeaders: { Location: 'Path of the email’s record.', ...submitHeaders },
  handle: async ({ body, caller, idempotency, requestId }, { intake }) => {
    const mail = toMail(body)
    const reply = await intake.Submit({
      caller,
      mail,
      emailId: newId('em'),
      idempotency,
      operation: `${method} ${path}`,
      requestId,
    })
    freeContents(mail)
    return submitResponse(reply, { about: reply.id, headers: { Location: `${path}/${reply.id}` } })
  },
})
