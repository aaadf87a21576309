import { z } from 'zod'

/** Response of `POST /api/v1/emails/validate`. */
export const Validation = z
  .looseObject({
    object: z.literal('validation'),
    would_send: z
      .boolean()
      .describe('Whether `POST /api/v1/emails` would accept this message now and send it to at least one recipient.'),
    problems: z
      .array(
        z.looseObject({
          code: z
            .string()
            .describe(
              'Code of the problem, as in `errors[].code`, or the code of the refusal: `quota_exceeded`, `rate_limited`, `forbidden`.',
            ),
          path: z.string().optional().describe('Path of the field; absent: the problem is about no single field.'),
          message: z.string().describe('What is wrong, and what to do.'),
        }),
      )
      .describe(
        'Every reason for which the message would be refused, and recipients that would get no mail (`suppressed`). Suppressed recipients alone do not cause a refusal.',
      ),
  })
  .meta({ id: 'Validation' })
