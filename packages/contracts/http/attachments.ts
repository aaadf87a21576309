import { attachmentName, checkContentId, checkContentType } from '@postrider/mail/headers.ts'
import { z } from 'zod'
import { closed, report } from './closed.ts'

export const mostAttachments = 10

const filename = z
  .string()
  .min(1)
  .transform((given, context) => {
    const named = attachmentName(given)
    if (named.ok) return named.name
    report(context, { ...named, input: given })
    return z.NEVER
  })

const content = z.string().transform((text, context) => {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  const message = text.startsWith('data:')
    ? 'Must be the base64 alone, without "data:…;base64," before it.'
    : 'Must be base64 (RFC 4648 §4) with its padding, without line breaks.'
  report(context, { code: 'invalid_base64', message })
  return z.NEVER
})

/** Strict: `Buffer.from` skips what it doesn't know, so a length that isn't the expected one tells of it. */
const decodeBase64 = (text: string): Buffer | null => {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null
}

const headerValue = (check: (value: string) => { code: string; message: string } | null) =>
  z.string().superRefine((value, context) => {
    const problem = check(value)
    if (problem) report(context, { ...problem, input: value })
  })

const Attachment = closed({
  filename: filename.describe(
    'Name of the file as the reader sees it, up to 255 characters. Folders before it are dropped.',
  ),
  content: content.describe('The file’s bytes in base64 (RFC 4648 §4), without line breaks.'),
  content_type: headerValue(checkContentType)
    .optional()
    .describe('Media type, such as `application/pdf`; default: by the ending of the name.'),
  content_id: headerValue(checkContentId)
    .optional()
    .describe('Makes it an inline part that `html` shows with `<img src="cid:…">`.'),
}).meta({ id: 'Attachment' })

export const Attachments = z.preprocess((raw, context) => {
  if (!Array.isArray(raw) || raw.length <= mostAttachments) return raw
  report(context, { code: 'too_many_attachments', message: `A message has at most ${mostAttachments} attachments.` })
  return z.NEVER
}, z.array(Attachment))
