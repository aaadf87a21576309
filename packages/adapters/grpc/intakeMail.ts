import type { BatchMail__Output as BatchMailMessage } from '@postrider/contracts/gen/postrider/intake/v1/BatchMail.ts'
import type { CheckRequest__Output as CheckMessage } from '@postrider/contracts/gen/postrider/intake/v1/CheckRequest.ts'
import type { Mail__Output as MailMessage } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { SubmitReply__Output as SubmitReplyMessage } from '@postrider/contracts/gen/postrider/intake/v1/SubmitReply.ts'
import type { SubmitRequest__Output as SubmitMessage } from '@postrider/contracts/gen/postrider/intake/v1/SubmitRequest.ts'
import type {
  BatchMail,
  Caller,
  CheckRequest,
  Idempotency,
  MailRequest,
  SendTime,
  SubmitReply,
  SubmitRequest,
  TemplateVars,
} from '@postrider/contracts/services.ts'
import { retentionText } from '@postrider/domain/retention/retention.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import { bufferOf } from '@postrider/mail/bytes.ts'
import { readCaller, readRetention } from './callers.ts'
import { recordCodec } from './times.ts'

/* Conversion of what is sent, to the messages of intake and back. */

const sendTimes = recordCodec({ absent: ['scheduled_at'] })
const quotaTimes = recordCodec({ always: ['resets_at'] })

export const readMailCaller = (message: CheckMessage['caller']): Caller => readCaller(requirePart(message, 'caller'))

type CheckedParts = Omit<CheckRequest, 'caller'>

export const readSubmit = (request: SubmitMessage): SubmitRequest => ({
  caller: readMailCaller(request.caller),
  mail: readMail(requirePart(request.mail, 'mail')),
  idempotency: readIdempotency(request),
  operation: request.operation,
  requestId: request.request_id,
  ...(request.is_repeat && { isRepeat: true }),
})

export const partsMessage = ({ template, from, domainId, sendAt, category, to, cc, bcc, retention }: CheckedParts) => ({
  caller: null,
  ...templateFields(template),
  ...(from && { from }),
  ...domainField(domainId),
  ...timeFields(sendAt),
  category,
  ...(retention !== undefined && { retention: retentionText(retention) }),
  ...{ to, cc, bcc },
})

export const readParts = (request: CheckMessage): CheckedParts => ({
  template: readTemplate(request),
  from: request.from ?? null,
  domainId: request.domain_id ?? null,
  sendAt: readTime(request),
  category: readCategory(request.category),
  ...(request.retention !== undefined && { retention: readRetention(request.retention) }),
  ...{ to: request.to, cc: request.cc, bcc: request.bcc },
})

export const batchMailMessage = ({ number, mail }: BatchMail): BatchMailMessage => ({ number, mail: mailMessage(mail) })

export const readBatchMail = ({ number, mail }: BatchMailMessage): BatchMail => ({
  number,
  mail: readMail(requirePart(mail, 'mail')),
})

const readIdempotency = (
  message: Pick<SubmitMessage, 'idempotency_key' | 'fingerprint' | 'former_fingerprint'>,
): Idempotency | null => {
  const { idempotency_key: key, fingerprint, former_fingerprint: formerFingerprint } = message
  if (key === '') return null
  return { key, fingerprint, ...(formerFingerprint.length > 0 && { formerFingerprint }) }
}

export const mailMessage = (mail: MailRequest): MailMessage => ({
  ...(mail.from && { from: mail.from }),
  to: mail.to,
  cc: mail.cc,
  bcc: mail.bcc,
  reply_to: mail.replyTo,
  ...(mail.subject !== null && { subject: mail.subject }),
  ...(mail.html !== null && { html: mail.html }),
  ...(mail.text !== null && { text: mail.text }),
  ...templateFields(mail.template),
  ...domainField(mail.domainId),
  headers: mail.headers,
  attachments: mail.attachments.map(({ filename, contentType, contentId, content }) => ({
    filename,
    content: bufferOf(content),
    content_type: contentType,
    content_id: contentId ?? '',
  })),
  tags: mail.tags,
  metadata: mail.metadata,
  ...timeFields(mail.sendAt),
  ...(mail.expiresInMs !== null && { expires_in_ms: mail.expiresInMs }),
  ...(mail.onUnknown !== null && { on_unknown: mail.onUnknown }),
  category: mail.category,
  ...(mail.topic !== null && { topic: mail.topic }),
  ...(mail.retention !== undefined && { retention: retentionText(mail.retention) }),
})

export const readMail = (message: MailMessage): MailRequest => {
  const template = readTemplate(message)
  return {
    from: message.from ?? null,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    replyTo: message.reply_to,
    subject: message.subject ?? null,
    html: message.html ?? null,
    text: message.text ?? null,
    template: template && { ...template, vars: requirePart(template.vars, 'template_vars_json') },
    domainId: message.domain_id ?? null,
    headers: message.headers,
    attachments: message.attachments.map(({ filename, content_type, content_id, content }) => ({
      filename,
      contentType: content_type,
      contentId: content_id === '' ? null : content_id,
      content,
    })),
    tags: message.tags,
    metadata: message.metadata,
    sendAt: readTime(message),
    expiresInMs: message.expires_in_ms ?? null,
    onUnknown: message.on_unknown === undefined ? null : message.on_unknown === 'hold' ? 'hold' : 'retry',
    category: readCategory(message.category),
    topic: message.topic ?? null,
    ...(message.retention !== undefined && { retention: readRetention(message.retention) }),
  }
}

const readCategory = (category: string): MailRequest['category'] =>
  category === 'marketing' ? 'marketing' : 'transactional'

const domainField = (domainId: string | null): { domain_id?: string } =>
  domainId === null ? {} : { domain_id: domainId }

type TemplateFields = { template_id?: string; template_vars_json?: string; template_version?: number }
type Template = { id: string; vars: TemplateVars | null; version?: number }

const templateFields = (template: Template | null): TemplateFields =>
  template === null
    ? {}
    : {
        template_id: template.id,
        ...(template.vars !== null && { template_vars_json: JSON.stringify(template.vars) }),
        ...(template.version !== undefined && { template_version: template.version }),
      }

const readTemplate = ({
  template_id: id,
  template_vars_json: json,
  template_version: version,
}: TemplateFields): Template | null =>
  id === undefined
    ? null
    : { id, vars: json === undefined ? null : JSON.parse(json), ...(version !== undefined && { version }) }

type TimeFields = { scheduled_at?: string; scheduled_in_ms?: number }

export const timeFields = (time: SendTime | null): TimeFields => {
  if (time === null) return {}
  return 'at' in time ? sendTimes.write({ scheduledAt: time.at }) : { scheduled_in_ms: time.inMs }
}

export const readTime = ({ scheduled_in_ms, ...times }: TimeFields): SendTime | null => {
  if (scheduled_in_ms !== undefined) return { inMs: scheduled_in_ms }
  const { scheduledAt } = sendTimes.read(times)
  return scheduledAt === null ? null : { at: scheduledAt }
}

export const submitReplyMessage = ({ id, status, bodyJson, replayed, quota }: SubmitReply): SubmitReplyMessage => ({
  id,
  status,
  body_json: bodyJson,
  replayed,
  ...(quota && {
    quota: {
      limit: quota.limit,
      remaining: quota.remaining,
      ...quotaTimes.write(quota),
      resets_in_ms: quota.resetsInMs,
    },
  }),
})

export const readSubmitReply = ({ id, status, body_json, replayed, quota }: SubmitReplyMessage): SubmitReply => ({
  id,
  status,
  bodyJson: body_json,
  replayed,
  quota: quota
    ? {
        limit: quota.limit,
        remaining: quota.remaining,
        ...quotaTimes.read(quota),
        resetsInMs: quota.resets_in_ms,
      }
    : null,
})
