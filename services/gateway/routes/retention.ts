import { CreateErasure, ErasureRecord, RetentionReport } from '@postrider/contracts/http/retention.ts'
import { Id, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { Erasure } from '@postrider/contracts/services.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { operatorRoute, sessionRoute } from '../route.ts'

const erasureRecord = (erasure: Erasure) =>
  ({
    object: 'erasure',
    id: erasure.id,
    status: erasure.done ? 'done' : 'running',
    emails: erasure.emails,
    waiting: erasure.waiting,
    created_at: isoTime(erasure.created_at),
    completed_at: isoTimeOrNull(erasure.completed_at),
  }) satisfies RecordOf<typeof ErasureRecord>

export const createErasure = sessionRoute({
  name: 'createErasure',
  method: 'POST',
  path: '/api/v1/erasures',
  session: 'erasures:write',
  tag: 'Accounts',
  summary: 'Erase what is stored of one recipient',
  description:
    'Of all mail of the workspace to the address, the content, captured mail, tags, metadata, replies of servers and the address itself are removed. Mail that is not final is delivered first.',
  limit: 'write',
  body: CreateErasure,
  reply: { status: 202, body: ErasureRecord, description: 'The erasure, which runs.' },
  handle: async ({ body: { address }, caller, clientAddress }, { intake }) => {
    const { workspace, userId: actor } = caller
    const erasure = await intake.CreateErasure({ workspace, address, actor, client_address: clientAddress })
    return { json: erasureRecord(erasure) }
  },
})

export const getErasure = sessionRoute({
  name: 'getErasure',
  method: 'GET',
  path: '/api/v1/erasures/:id',
  session: 'erasures:write',
  tag: 'Accounts',
  summary: 'Read the state of an erasure',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: ErasureRecord, description: 'The erasure.' },
  handle: async ({ params: { id }, caller }, { intake }) => {
    return { json: erasureRecord(await intake.GetErasure({ workspace: caller.workspace, id })) }
  },
})

export const getRetention = operatorRoute({
  name: 'getRetention',
  method: 'GET',
  path: '/api/v1/operator/retention',
  operator: true,
  tag: 'Operator',
  summary: 'Report what is removed next',
  limit: null,
  reply: { status: 200, body: RetentionReport, description: 'The report.' },
  handle: async (_, { intake }) => {
    const { classes, ...days } = await intake.GetRetention({})
    const steps = classes.map(({ step, due, due_since }) => ({ step, due, due_since: isoTimeOrNull(due_since) }))
    return { json: { object: 'retention_report' as const, ...days, steps } }
  },
})
