import { maxAheadMs } from '@postrider/domain/email/testClock.ts'
import { durationText } from '@postrider/domain/time.ts'
import { z } from 'zod'
import { instantLike, oneOf, report, strictObject, time } from './schema.ts'
import { durationMs } from './times.ts'

const durationMessage = `Must be a whole number of seconds, or a duration such as PT32H, above 0 and up to ${durationText(maxAheadMs)}.`

const Advance = z
  .union([z.string(), z.int()], { error: durationMessage })
  .transform((value, context) => {
    const ms = typeof value === 'number' ? value * 1_000 : durationMs(value)
    if (ms !== null && ms > 0 && ms <= maxAheadMs) return ms
    report(context, { code: 'invalid_duration', message: durationMessage, input: value })
    return z.NEVER
  })
  .describe('How far to move the clock: whole seconds or an ISO 8601 duration.')
  .meta({ example: 'PT32H' })

const At = instantLike('2030-01-31T12:00:00Z')
  .describe('The time to which the clock is moved (RFC 3339 with offset). It is not before the time of the clock.')
  .meta({ example: '2027-01-01T00:00:00Z' })

/** Body of `POST /api/v1/test/clock`: exactly one of the fields. */
export const MoveTestClock = strictObject({ advance: Advance.optional(), at: At.optional() })
  .superRefine(({ advance, at }, context) => {
    if ((advance === undefined) !== (at === undefined)) return
    const message = 'Give either advance, such as PT32H, or at, a time.'
    report(context, { path: ['advance'], code: 'required', message, input: advance })
  })
  .meta({ id: 'MoveTestClock' })

/** The test clock of a workspace. */
export const TestClockRecord = z
  .looseObject({
    object: z.literal('test_clock'),
    now: time().describe('The time of the test mode: after a move the time to which it was moved.'),
    ahead_ms: z.number().describe('How far the clock is ahead of the real time, in milliseconds.'),
    status: oneOf(['ready', 'advancing']).describe(
      'State of the clock. `ready`: everything that was due by `now` is done. `advancing`: the work is in progress; read the clock again.',
    ),
    due_emails: z.int().describe('Emails of the test mode that are due or in progress, up to 10,000.'),
    due_webhooks: z
      .int()
      .describe('Deliveries to webhooks of the test mode that are due or in progress, up to 10,000.'),
  })
  .meta({ id: 'TestClock' })
