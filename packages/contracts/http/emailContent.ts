import { z } from 'zod'
import { type RecordOf, time } from './schema.ts'

const fields = {
  object: z.literal('email_content'),
  id: z.string().describe('The id of the email.').meta({ example: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  subject: z.string().describe('The rendered subject.'),
  html: z.string().nullable().describe('The rendered HTML part; null: the message has none.'),
  text: z
    .string()
    .nullable()
    .describe('The text part, rendered or generated from the HTML part; null: the message has none.'),
  headers: z
    .record(z.string(), z.string())
    .describe('The custom header fields. `/raw` shows all fields, with those that the service sets.'),
  attachments: z
    .array(
      z.looseObject({
        filename: z.string(),
        content_type: z.string(),
        content_id: z
          .string()
          .nullable()
          .describe('Content id of a part that the HTML part shows; null: it is a file.'),
        size: z.int().nullable().describe('Size of the file in bytes; null: it was removed. `/raw` contains the file.'),
      }),
    )
    .describe('The files, without their content.'),
  attachments_removed_at: time().nullable().describe('When the attachments were removed; null: they were not.'),
}

/** Response of `GET /api/v1/emails/{id}/content`. */
export const EmailContent = z.looseObject(fields).meta({ id: 'EmailContent' })
export type EmailContent = RecordOf<typeof EmailContent>

/** Query of `GET /api/v1/emails/{id}/html`. */
export const ShowEmail = z.object({
  images: z
    .enum(['block', 'show'])
    .default('block')
    .describe('`block`: images of other hosts are not loaded. `show`: they are.'),
})
