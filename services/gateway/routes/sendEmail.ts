import { areVarsSmall } from '@postrider/contracts/http/content.ts'
import { EmailRecord } from '@postrider/contracts/http/email.ts'
import { mostHeaders } from '@postrider/contracts/http/labels.ts'
import { mostEntries, mostRecipients, tooManyRecipients } from '@postrider/contracts/http/recipients.ts'
import { isObject } from '@postrider/contracts/http/schema.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { parseSendTime } from '@postrider/contracts/http/times.ts'
import type { CheckRequest, MailRequest, QuotaAfterSend } from '@postrider/contracts/services.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { addressKey, parseMailbox } from '@postrider/mail/address.ts'
import { contentTypeOf } from '@postrider/mail/attachments.ts'
import { checkHeader, checkHeaderPrefix } from '@postrider/mail/headers.ts'
import { route } from '../route.ts'

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
  rules: (raw, { refusedHeaders = [] }) => [...sendRules(raw), ...headerProblems(raw, refusedHeaders)],
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

const isGiven = (raw: Record<string, unknown>, name: string): boolean => raw[name] !== undefined && raw[name] !== null

const missing = (path: string, message: string): Problem => ({ path, code: 'missing', message })

/** Raw mode requires a subject and at least one body. */
const rawModeProblems = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'subject') ? [] : [missing('subject', 'A subject or a template_id is required.')]),
  ...(isGiven(raw, 'html') || isGiven(raw, 'text')
    ? []
    : [missing('html', 'At least one of html and text, or a template_id, is required.')]),
  ...(isGiven(raw, 'template_vars')
    ? [missing('template_id', 'template_vars requires the template_id of its template.')]
    : []),
]

/** Template mode requires the values and excludes the fields that the template provides. */
const templateModeProblems = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_vars')
    ? []
    : [missing('template_vars', 'A template requires template_vars; send {} if it has no placeholders.')]),
  ...['subject', 'html', 'text']
    .filter((name) => isGiven(raw, name))
    .map((name) => ({
      path: name,
      code: 'not_with_template',
      message: 'Not allowed with template_id: the template provides it.',
    })),
]

const entriesOf = (list: unknown): string[] => {
  const entries = typeof list === 'string' ? [list] : Array.isArray(list) ? list : []
  return entries.length > mostEntries ? [] : entries.filter((entry) => typeof entry === 'string')
}

const keyOf = (entry: string): string => {
  const parsed = parseMailbox(entry)
  return parsed.ok ? addressKey(parsed.mailbox.address) : entry
}

/** Counts different addresses in to, cc and bcc. The schema already refused a list that is too long to read. */
const recipientProblems = (raw: Record<string, unknown>): Problem[] => {
  const entries = [raw['to'], raw['cc'], raw['bcc']].flatMap(entriesOf)
  if (entries.length <= mostRecipients) return []
  const keys = new Set<string>()
  for (const entry of new Set(entries)) {
    keys.add(keyOf(entry))
    if (keys.size > mostRecipients) return [{ path: 'to', ...tooManyRecipients }]
  }
  return []
}

/** Returns the problems between several fields of a send. */
const sendRules = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_id') ? templateModeProblems(raw) : rawModeProblems(raw)),
  ...recipientProblems(raw),
]

/** Returns the headers that the operator excludes. The schema already refused an object with too many of them. */
const headerProblems = ({ headers }: Record<string, unknown>, refused: readonly string[]): Problem[] => {
  const names = refused.length > 0 && typeof headers === 'object' && headers !== null ? Object.keys(headers) : []
  return names.slice(0, mostHeaders).flatMap((name) => {
    const problem = checkHeader(name, '') === null ? checkHeaderPrefix(name, refused) : null
    return problem === null ? [] : [{ path: `headers.${name}`, ...problem }]
  })
}

/** Returns a checked body as intake accepts it. */
const toMail = (body: SendEmail): MailRequest => ({
  from: body.from_ ?? null,
  to: body.to,
  cc: body.cc ?? [],
  bcc: body.bcc ?? [],
  replyTo: body.reply_to ?? [],
  subject: body.subject ?? null,
  html: body.html ?? null,
  text: body.text ?? null,
  template: body.template_id === undefined ? null : { id: body.template_id, vars: body.template_vars ?? {} },
  domainId: body.domain_id ?? null,
  headers: body.headers ?? {},
  attachments: (body.attachments ?? []).map(({ filename, content, content_type, content_id }) => ({
    filename,
    content,
    contentType: content_type ?? contentTypeOf(filename),
    contentId: content_id ?? null,
  })),
  tags: body.tags ?? {},
  metadata: body.metadata ?? {},
  sendAt: body.scheduled_at ?? null,
  expiresInMs: body.expires_in ?? null,
  onUnknown: body.on_unknown ?? null,
  category: body.category ?? 'transactional',
  topic: null,
})

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Returns the well-formed parts of a refused body, which intake can still check. */
const toCheck = (raw: Record<string, unknown>): Omit<CheckRequest, 'caller'> => {
  const [templateId, vars] = [textOf(raw['template_id']), raw['template_vars']]
  return {
    template: templateId === null ? null : { id: templateId, vars: isObject(vars) && areVarsSmall(vars) ? vars : null },
    domainId: textOf(raw['domain_id']),
    sendAt: parseSendTime(textOf(raw['scheduled_at']) ?? ''),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
