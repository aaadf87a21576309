import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import { lanes, unknownPolicies } from '@postrider/domain/email/email.ts'
import { emailStatuses } from '@postrider/domain/email/status.ts'
import { z } from 'zod'
import { listOf, oneOf, time } from './schema.ts'

const QueueLane = z.looseObject({
  lane: oneOf(lanes).describe('The `category` of its mail. Each lane has its own workers.'),
  due: z.int().describe('Emails that are due, and that no worker has.'),
  oldest_due_at: time().nullable().describe('Time since when the first of them is due; null: none is due.'),
  waiting: z
    .int()
    .describe('Emails that wait or are in flight, `scheduled` and `test` included. Parked mail does not wait.'),
  scheduled: z.int().describe('Live emails whose scheduled time has not come.'),
  test: z.int().describe('Emails of the test mode.'),
  bytes: z.int().describe('Size of the messages of the emails that wait.'),
})

const QueueDestination = z.looseObject({
  domain: z.string().describe('The domain of the recipients.'),
  recipients: z.int().describe('Recipients that wait.'),
  due: z.int().describe('Recipients that are due or in flight.'),
  deferred: z.int().describe('Recipients that were deferred.'),
  next_at: time().describe('When the first of them is due; a time in the past: since when it is.'),
})

export const QueuesRecord = z
  .looseObject({
    object: z.literal('queues'),
    lanes: z.array(QueueLane),
    parked: z.int().describe('Emails that wait for the operator (`GET /api/v1/operator/parked`), up to 10,000.'),
    destinations: z
      .array(QueueDestination)
      .describe('A sample: where the emails in `sample` go, by recipient, most recipients first, at most 100 domains.'),
    sample: z
      .looseObject({
        emails: z
          .int()
          .describe('Number of emails in the sample for `destinations`: those of each lane that are due first.'),
        limit: z
          .int()
          .describe(
            'Maximum number of emails counted in each lane. A lane with fewer waiting emails is counted completely.',
          ),
      })
      .describe('What `destinations` are counted by.'),
  })
  .meta({ id: 'Queues' })

export const ParkedEmailRecord = z
  .looseObject({
    object: z.literal('parked_email'),
    id: z.string().describe('The id of the email.'),
    workspace_id: z.string(),
    mode: oneOf(keyModes),
    category: oneOf(lanes),
    status: oneOf(emailStatuses),
    created_at: time(),
    parked_at: time()
      .nullable()
      .describe('When the email was parked; null: it was released or dropped by this request.'),
    on_unknown: oneOf(unknownPolicies).describe(
      'What becomes of recipients that may have the message after a release.',
    ),
    attempts: z.int(),
    last_attempt_at: time().nullable().describe('When the last attempt began; null: there was none.'),
    may_have_arrived: z
      .boolean()
      .describe('Whether a recipient that waits may have the message already: its attempt ended without a reply.'),
    recipients: z.int().describe('Recipients that wait.'),
    domains: z.array(z.string()).describe('The domains of these recipients.'),
  })
  .meta({ id: 'ParkedEmail' })

export const ParkedEmailList = listOf(ParkedEmailRecord, 'ParkedEmailList')
