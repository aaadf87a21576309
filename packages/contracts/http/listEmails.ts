import { emailStatuses } from '@postrider/domain/email/status.ts'
import { parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'
import { report } from './closed.ts'
import { page } from './lists.ts'
import { parseTime } from './times.ts'

const address = z.string().transform((text, context) => {
  const parsed = parseMailbox(text)
  if (parsed.ok) return parsed.mailbox.address
  report(context, { ...parsed, input: text })
  return z.NEVER
})

const instant = z.string().transform((text, context) => {
  const at = parseTime(text)
  if (at !== null) return at
  const message = 'Must be a time with its offset, such as 2026-01-31T12:00:00Z.'
  report(context, { code: 'invalid_time', message, input: text })
  return z.NEVER
})

/** Query of `GET /api/v1/emails`. */
export const ListEmails = z.object({
  ...page,
  status: z.enum(emailStatuses).optional().describe('Only mail of this status.'),
  to: address.optional().describe('Only mail with this address in `to`, `cc` or `bcc`.'),
  from_: address.optional().describe('Only mail from this address.'),
  subject: z.string().min(1).max(998).optional().describe('Only mail whose subject contains this, letter case aside.'),
  template_id: z.string().min(1).max(100).optional().describe('Only mail made from this template.'),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/, 'Must be name:value.')
    .optional()
    .describe('Only mail with this tag, as `name:value`.')
    .meta({ example: 'team:billing' }),
  category: z.enum(['transactional', 'marketing']).optional().describe('Only mail of this category.'),
  created_after: instant.optional().describe('Only mail accepted after this time (RFC 3339).'),
  created_before: instant.optional().describe('Only mail accepted before this time (RFC 3339).'),
})
