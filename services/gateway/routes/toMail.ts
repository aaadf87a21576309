import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { parseSendTime, type SendTime } from '@postrider/contracts/http/times.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { contentTypeOf } from '@postrider/mail/headers.ts'

/** A duration is passed on as one: intake counts it from acceptance, because the clock of this process may be wrong. */
const sendTimeFields = (time: SendTime): { scheduled_at: string } | { scheduled_in_ms: number } =>
  'at' in time ? { scheduled_at: isoTime(time.at) } : { scheduled_in_ms: time.inMs }

/** Returns a checked body as intake's message. */
export const toMail = (body: SendEmail): Mail => {
  const { scheduled_at: time, expires_in, attachments, from_, template_vars } = body
  return {
    to: body.to,
    cc: body.cc ?? [],
    bcc: body.bcc ?? [],
    reply_to: body.reply_to ?? [],
    ...(from_ && { from: from_ }),
    ...(body.subject !== undefined && { subject: body.subject }),
    ...(body.html !== undefined && { html: body.html }),
    ...(body.text !== undefined && { text: body.text }),
    ...(body.template_id !== undefined && { template_id: body.template_id }),
    ...(template_vars !== undefined && { template_vars_json: template_vars }),
    ...(body.domain_id !== undefined && { domain_id: body.domain_id }),
    headers: body.headers ?? {},
    attachments: (attachments ?? []).map((attachment) => ({
      filename: attachment.filename,
      content: attachment.content,
      content_type: attachment.content_type ?? contentTypeOf(attachment.filename),
      content_id: attachment.content_id ?? '',
    })),
    tags: body.tags ?? {},
    metadata: body.metadata ?? {},
    ...(time && sendTimeFields(time)),
    ...(expires_in !== undefined && { expires_in_ms: expires_in }),
    ...(body.on_unknown && { on_unknown: body.on_unknown }),
    category: body.category ?? 'transactional',
    ...(body.topic !== undefined && { topic: body.topic }),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns the well-formed parts of a refused body, which intake can still check. */
export const toCheck = (raw: Record<string, unknown>) => {
  const template_id = textOf(raw['template_id'])
  const domain_id = textOf(raw['domain_id'])
  const time = parseSendTime(textOf(raw['scheduled_at']) ?? '')
  const vars = raw['template_vars']
  return {
    ...(template_id !== undefined && { template_id }),
    ...(typeof vars === 'object' && vars !== null && { template_vars_json: JSON.stringify(vars) }),
    ...(domain_id !== undefined && { domain_id }),
    ...(time && sendTimeFields(time)),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
