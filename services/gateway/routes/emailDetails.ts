import { EmailContent, ShowEmail } from '@postrider/contracts/http/emailContent.ts'
import { EmailExplanation } from '@postrider/contracts/http/explainEmail.ts'
import { Id } from '@postrider/contracts/http/schema.ts'
import type { ContentAttachment, ContentReply } from '@postrider/contracts/services.ts'
import { isoTimeOrNull } from '@postrider/domain/time.ts'
import { framedHeaders, framedPage } from '../pages/framedEmail.ts'
import { route } from '../route.ts'
import { readerOf, readScopes } from './emails.ts'

/** Usual most bytes of two bodies of 2 MiB as JSON. */
const contentBytes = 8 * 2 ** 20

/** An attachment as records show it. */
export const attachmentRecord = ({ filename, contentType, contentId, size }: ContentAttachment) => ({
  filename,
  content_type: contentType,
  content_id: contentId,
  size,
})

const contentRecord = (id: string, content: ContentReply): EmailContent => ({
  object: 'email_content',
  id,
  subject: content.subject,
  html: content.html,
  text: content.text,
  headers: content.headers,
  attachments: content.attachments.map(attachmentRecord),
  attachments_removed_at: isoTimeOrNull(content.attachmentsRemovedAt),
})

export const getEmailContent = route({
  name: 'getEmailContent',
  method: 'GET',
  path: '/api/v1/emails/:id/content',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read the rendered content of an email',
  description:
    'What the template or the request came to when the email was accepted; later changes of the template do not affect it. After the content was removed, it is `not_found`.',
  limit: 'read',
  responseBytes: contentBytes,
  isResponseCostly: true,
  params: Id,
  reply: { status: 200, body: EmailContent, description: 'The subject, the parts and the custom header fields.' },
  handle: async ({ params: { id }, ...identity }, { intake }) => ({
    json: contentRecord(id, await intake.GetContent({ reader: readerOf(identity), id })),
  }),
})

/** Usual most bytes of an HTML part with its images as base64. */
const markupBytes = 10 * 2 ** 20

export const getEmailHtml = route({
  name: 'getEmailHtml',
  method: 'GET',
  path: '/api/v1/emails/:id/html',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read the HTML part of an email as a page for a frame',
  description:
    'The page has a policy under which nothing in it runs, is sent or is loaded from another host: no scripts, forms or links, and an origin of its own. Only pages of this service can show it in a frame, which should have the attribute `sandbox`. Images of the message are part of the page; `images=show` also loads those of other hosts, whose servers then learn that and where the mail is read. An email without an HTML part shows its text. After the content was removed, it is `not_found`.',
  limit: 'read',
  responseBytes: markupBytes,
  isResponseCostly: true,
  params: Id,
  query: ShowEmail,
  reply: { status: 200, type: 'text/html', description: 'The page.' },
  handle: async ({ params: { id }, query: { images }, ...identity }, { intake, slices }) => {
    const content = await intake.GetContent({ reader: readerOf(identity), id, inlineImages: true })
    const bytes = await slices.of(identity.caller.workspace).run(framedPage(content))
    return { bytes, type: 'text/html; charset=utf-8', headers: framedHeaders(images === 'show') }
  },
})

/** Usual most bytes of an explanation, which has all attempts. */
const explanationBytes = 512 * 1_024

export const explainEmail = route({
  name: 'explainEmail',
  method: 'GET',
  path: '/api/v1/emails/:id/explain',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Explain why an email is where it is',
  description:
    'What each attempt recorded: its route and why, the server’s address, TLS, the SMTP conversation with its timings, the class of each refusal with the rule that decided it; and when each recipient is tried next, and why. Fields that version 0.1 did not record are null.',
  limit: 'read',
  responseBytes: explanationBytes,
  params: Id,
  reply: { status: 200, body: EmailExplanation, description: 'The explanation.' },
  handle: async ({ params: { id }, ...identity }, { intake }) => {
    const { record_json } = await intake.ExplainEmail({ reader: readerOf(identity), id })
    return { jsonText: record_json }
  },
})
