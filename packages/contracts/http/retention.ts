import { invalidRetention, parseRetention, type Retention } from '@postrider/domain/retention/retention.ts'
import { z } from 'zod'
import { address } from './recipients.ts'
import { oneOf, report, strictObject, time } from './schema.ts'

export const retentionDescription =
  '`none`: content, addresses of recipients, tags and metadata are removed when the mail is final. `metadata`: only the content is removed then. A number: days, at most those of the installation (30 by default). The subject is part of the content.'

/** Reads a setting; null: it is not one. */
export const retentionOf = (value: unknown): Retention | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' ? parseRetention(text) : null
}

/**
 * Retention: `none`, `metadata` or a number of days, also as text. The maximum number of days is that of the
 * installation, which intake checks.
 */
export const RetentionSetting = z
  .union([z.string(), z.number()], { error: invalidRetention })
  .transform((value, context) => {
    const retention = retentionOf(value)
    if (retention !== null) return retention
    report(context, { code: 'invalid_value', message: invalidRetention, input: value })
    return z.NEVER
  })
  .meta({
    type: ['string', 'integer'] as never,
    pattern: '^(none|metadata|[1-9][0-9]{0,3})$',
    minimum: 1,
    maximum: 9_999,
    example: 'metadata',
  })

/** A setting as records show it. */
export const retentionShown = () =>
  z
    .union([z.enum(['none', 'metadata']), z.int()])
    .nullable()
    .describe(`${retentionDescription} Null: the default.`)

/** Body of `POST /api/v1/erasures`. */
export const CreateErasure = strictObject({
  address: address.describe('The address of the person.'),
}).meta({ id: 'CreateErasure' })

export const ErasureRecord = z
  .looseObject({
    object: z.literal('erasure'),
    id: z.string(),
    status: oneOf(['running', 'done']).describe('`running` until the address is removed from all mail.'),
    emails: z.int().describe('Number of emails with erased data.'),
    waiting: z.int().describe('Emails that are not final yet; they are erased afterwards.'),
    created_at: time(),
    completed_at: time().nullable(),
  })
  .meta({ id: 'Erasure' })

export const RetentionReport = z
  .looseObject({
    object: z.literal('retention_report'),
    content_days: z.number().describe('Days for which content is stored.'),
    record_days: z.number().describe('Days that records with their events are stored.'),
    attachment_days: z.number().describe('Days that attachments are stored after the mail is final.'),
    steps: z
      .array(
        z.looseObject({
          step: z
            .string()
            .describe(
              'What is removed: `final` (content of mail with `none` or `metadata`), `attachments`, `content` or `record`; with the days that messages requested, such as `content:7`.',
            ),
          due: z.int().describe('Emails whose time has come, up to 10,000; those that are not final are postponed.'),
          due_since: time().nullable().describe('Time since when the oldest is due; null: none is due.'),
        }),
      )
      .describe('What the next removals read. Nothing is removed by this request.'),
  })
  .meta({ id: 'RetentionReport' })
