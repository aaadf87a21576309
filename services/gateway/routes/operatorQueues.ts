import { ParkedEmailList, ParkedEmailRecord, QueuesRecord } from '@postrider/contracts/http/queues.ts'
import { Id, Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { ParkedEmail } from '@postrider/contracts/services.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { operatorRoute } from '../route.ts'

const path = '/api/v1/operator/parked'

const parkedRecord = ({ workspace, created_at, parked_at, last_attempt_at, ...email }: ParkedEmail) =>
  ({
    object: 'parked_email',
    ...email,
    workspace_id: workspace,
    created_at: isoTime(created_at),
    parked_at: isoTimeOrNull(parked_at),
    last_attempt_at: isoTimeOrNull(last_attempt_at),
  }) satisfies RecordOf<typeof ParkedEmailRecord>

export const getQueues = operatorRoute({
  name: 'getQueues',
  method: 'GET',
  path: '/api/v1/operator/queues',
  operator: true,
  tag: 'Operator',
  summary: 'Read what waits, by lane and destination',
  description:
    'Counts of all workspaces. `lanes` counts all mail; `destinations` is a sample, by the mail of each lane that is due first, and `sample` has its size.',
  limit: null,
  reply: { status: 200, body: QueuesRecord, description: 'The queues.' },
  handle: async (_, { intake }) => {
    const { lanes, parked, destinations, sampled: emails, sample_limit: limit } = await intake.GetQueues({})
    return {
      json: {
        object: 'queues' as const,
        lanes: lanes.map((lane) => ({ ...lane, oldest_due_at: isoTimeOrNull(lane.oldest_due_at) })),
        parked,
        destinations: destinations.map((one) => ({ ...one, next_at: isoTime(one.next_at) })),
        sample: { emails, limit },
      },
    }
  },
})

export const listParked = operatorRoute({
  name: 'listParkedEmails',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'List parked emails',
  description:
    'An email is parked when 20 workers in a row stopped or failed while they had it. It stays until the operator releases or drops it.',
  limit: null,
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: ParkedEmailList, description: 'A page of parked emails, the last parked first.' },
  handle: async ({ query }, { intake, cursors }) => {
    const page = listPage(cursors, path, '', query)
    const { emails, position, hasMore } = await intake.ListParked({ limit: page.limit, before: page.position() })
    const data = emails.map(parkedRecord)
    const next_cursor = page.nextCursor(hasMore, position)
    return { json: { object: 'list' as const, data, has_more: hasMore, next_cursor } }
  },
})

export const releaseParked = operatorRoute({
  name: 'releaseParkedEmail',
  method: 'POST',
  path: `${path}/:id/release`,
  operator: true,
  tag: 'Operator',
  summary: 'Return a parked email to the queue',
  description:
    'The email is due again immediately, or at its scheduled time if that is later, and may stop 20 more workers before it is parked again. If `may_have_arrived` is true, `on_unknown` decides: `retry` sends it again, possibly as a duplicate; `hold` waits for the sender’s decision.',
  limit: null,
  params: Id,
  reply: { status: 200, body: ParkedEmailRecord, description: 'The email, which is not parked any more.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, by }, { intake }) => ({
    json: parkedRecord(await intake.ReleaseParked({ id, ...by })),
  }),
})

export const dropParked = operatorRoute({
  name: 'dropParkedEmail',
  method: 'POST',
  path: `${path}/:id/drop`,
  operator: true,
  tag: 'Operator',
  summary: 'End a parked email as failed',
  description:
    'The recipients that wait get the status `failed` and the event `email.failed`. Their sends are returned to the quota if there was no attempt. Under `on_unknown: hold` recipients that may have the message become `unknown` instead, and the sender decides.',
  limit: null,
  params: Id,
  reply: { status: 200, body: ParkedEmailRecord, description: 'The email, which has ended.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, by }, { intake }) => ({
    json: parkedRecord(await intake.DropParked({ id, ...by })),
  }),
})
