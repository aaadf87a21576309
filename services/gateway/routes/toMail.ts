import type { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { parseSendTime } from '@postrider/contracts/http/times.ts'
import type { CheckRequest, MailRequest, TemplateVars } from '@postrider/contracts/services.ts'
import { contentTypeOf } from '@postrider/mail/headers.ts'

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

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Returns the well-formed parts of a refused body, which intake can still check. */
export const toCheck = (raw: Record<string, unknown>): Omit<CheckRequest, 'caller'> => {
  const [templateId, vars] = [textOf(raw['template_id']), raw['template_vars']]
  return {
    template:
      templateId === null
        ? null
        : { id: templateId, vars: typeof vars === 'object' ? (vars as TemplateVars | null) : null },
    domainId: textOf(raw['domain_id']),
    sendAt: parseSendTime(textOf(raw['scheduled_at']) ?? ''),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
  }
}
