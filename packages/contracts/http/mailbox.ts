import { modes } from '@postrider/domain/email/email.ts'
import { z } from 'zod'
import { type RecordOf, time } from './schema.ts'

/* JSON of the pages under `/mailbox`, which the dashboard reads. It is no part of the API: keys cannot read it. */

const captured = {
  object: z.literal('captured_email'),
  id: z.string(),
  email_id: z.string(),
  workspace: z.string(),
  mode: z.enum(modes),
  at: time(),
  from: z.string().describe('The sender of the envelope.'),
  to: z.array(z.string()).describe('The recipients of the envelope.'),
  subject: z.string(),
}

export const CapturedEmail = z.looseObject(captured)
export type CapturedEmail = RecordOf<typeof CapturedEmail>

const list = {
  object: z.literal('list'),
  data: z.array(z.object(captured)),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
}

export const CapturedEmailList = z.looseObject(list)
export type CapturedEmailList = RecordOf<typeof CapturedEmailList>

const detail = {
  ...captured,
  has_html: z.boolean(),
  text: z.string().nullable().describe('The text part; null: the message has none.'),
  attachments: z.array(
    z.object({
      filename: z.string(),
      content_type: z.string(),
      content_id: z.string().nullable(),
      size: z.int().nullable().describe('Size in bytes; null: the file was removed.'),
    }),
  ),
}

export const CapturedEmailDetail = z.looseObject(detail)
export type CapturedEmailDetail = RecordOf<typeof CapturedEmailDetail>
