import { contentTypeOf } from '@postrider/mail/headers.ts'
import type { Mail__Output as Mail } from '../gen/postrider/intake/v1/Mail.ts'
import type { SendEmail } from './sendEmail.ts'
import { sendTimeFields } from './times.ts'

/** A checked body as the services speak of it. */
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
