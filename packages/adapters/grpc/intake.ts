import type { Mail__Output as MailMessage } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { SubmitReply__Output as SubmitReplyMessage } from '@postrider/contracts/gen/postrider/intake/v1/SubmitReply.ts'
import type { SubmitRequest__Output as SubmitMessage } from '@postrider/contracts/gen/postrider/intake/v1/SubmitRequest.ts'
import type {
  Idempotency,
  Intake,
  IntakeRpc,
  ListEmailsRequest,
  MailRequest,
  SendTime,
  SubmitReply,
  TemplateVars,
} from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { given } from '@postrider/kit/fault.ts'

/** Returns intake for its callers, over a gRPC client. */
export const intakeClient = (rpc: IntakeRpc): Intake => ({
  ...rpc,
  Submit: async ({ caller, mail, idempotency, operation, requestId }) =>
    readSubmitReply(
      await rpc.Submit({
        caller,
        mail: mailMessage(mail),
        idempotency_key: idempotency?.key ?? '',
        fingerprint: Buffer.from(idempotency?.fingerprint ?? []),
        former_fingerprint: Buffer.from(idempotency?.formerFingerprint ?? []),
        operation,
        request_id: requestId,
        // The gRPC client sets it when it repeats the call (`repeatField`).
        is_repeat: false,
      }),
    ),
  Check: ({ caller, template, domainId, sendAt, category }) =>
    rpc.Check({ caller, ...templateFields(template), ...domainField(domainId), ...timeFields(sendAt), category }),
  ListEmails: ({ created_after, created_before, ...request }, signal) => {
    const times = {
      ...(created_after !== undefined && { created_after: isoTime(created_after) }),
      ...(created_before !== undefined && { created_before: isoTime(created_before) }),
    }
    return rpc.ListEmails({ ...request, ...times }, signal)
  },
})

/** Returns the gRPC handlers of intake. */
export const intakeHandlers = (intake: Intake): IntakeRpc => ({
  ...intake,
  Submit: async (request) =>
    submitReplyMessage(
      await intake.Submit({
        caller: given(request.caller, 'caller'),
        mail: readMail(given(request.mail, 'mail')),
        idempotency: readIdempotency(request),
        operation: request.operation,
        requestId: request.request_id,
        ...(request.is_repeat && { isRepeat: true }),
      }),
    ),
  Check: (request) =>
    intake.Check({
      caller: given(request.caller, 'caller'),
      template: readTemplate(request),
      domainId: request.domain_id ?? null,
      sendAt: readTime(request),
      category: readCategory(request.category),
    }),
  ListEmails: ({ created_after, created_before, ...request }, signal) => {
    const times: Pick<ListEmailsRequest, 'created_after' | 'created_before'> = {
      ...(created_after !== undefined && { created_after: Date.parse(created_after) }),
      ...(created_before !== undefined && { created_before: Date.parse(created_before) }),
    }
    return intake.ListEmails({ ...request, ...times }, signal)
  },
})

const readIdempotency = (
  message: Pick<SubmitMessage, 'idempotency_key' | 'fingerprint' | 'former_fingerprint'>,
): Idempotency | null => {
  const { idempotency_key: key, fingerprint, former_fingerprint: formerFingerprint } = message
  if (key === '') return null
  return { key, fingerprint, ...(formerFingerprint.length > 0 && { formerFingerprint }) }
}

const mailMessage = (mail: MailRequest): MailMessage => ({
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
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
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
})

const readMail = (message: MailMessage): MailRequest => {
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
    template: template && { id: template.id, vars: given(template.vars, 'template_vars_json') },
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
  }
}

const readCategory = (category: string): MailRequest['category'] =>
  category === 'marketing' ? 'marketing' : 'transactional'

const domainField = (domainId: string | null): { domain_id?: string } =>
  domainId === null ? {} : { domain_id: domainId }

type TemplateFields = { template_id?: string; template_vars_json?: string }
type Template = { id: string; vars: TemplateVars | null }

const templateFields = (template: Template | null): TemplateFields =>
  template === null
    ? {}
    : {
        template_id: template.id,
        ...(template.vars !== null && { template_vars_json: JSON.stringify(template.vars) }),
      }

const readTemplate = ({ template_id: id, template_vars_json: json }: TemplateFields): Template | null =>
  id === undefined ? null : { id, vars: json === undefined ? null : JSON.parse(json) }

type TimeFields = { scheduled_at?: string; scheduled_in_ms?: number }

const timeFields = (time: SendTime | null): TimeFields => {
  if (time === null) return {}
  return 'at' in time ? { scheduled_at: isoTime(time.at) } : { scheduled_in_ms: time.inMs }
}

const readTime = ({ scheduled_at, scheduled_in_ms }: TimeFields): SendTime | null => {
  if (scheduled_in_ms !== undefined) return { inMs: scheduled_in_ms }
  return scheduled_at === undefined ? null : { at: Date.parse(scheduled_at) }
}

const submitReplyMessage = ({ id, status, bodyJson, replayed, quota }: SubmitReply): SubmitReplyMessage => ({
  id,
  status,
  body_json: bodyJson,
  replayed,
  ...(quota && {
    quota: {
      limit: quota.limit,
      remaining: quota.remaining,
      resets_at: isoTime(quota.resetsAt),
      resets_in_ms: quota.resetsInMs,
    },
  }),
})

const readSubmitReply = ({ id, status, body_json, replayed, quota }: SubmitReplyMessage): SubmitReply => ({
  id,
  status,
  bodyJson: body_json,
  replayed,
  quota: quota
    ? {
        limit: quota.limit,
        remaining: quota.remaining,
        resetsAt: Date.parse(quota.resets_at),
        resetsInMs: quota.resets_in_ms,
      }
    : null,
})
