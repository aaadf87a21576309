import { contentTypeOf } from '@postrider/mail/headers.ts'
import type { MailRequest } from '../services.ts'
import type { SendEmail } from './sendEmail.ts'

/** Returns a checked body as intake accepts it. */
export const toMail = (body: SendEmail): MailRequest => ({
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
  topic: body.topic ?? null,
})
