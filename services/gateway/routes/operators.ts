import { AddOperator, ListOperators, OperatorList, OperatorRecord } from '@postrider/contracts/http/operator.ts'
import { Id, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { OperatorState } from '@postrider/contracts/services.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { operatorRoute } from '../route.ts'

const path = '/api/v1/operator/operators'

const operatorRecord = ({ id, email, totp_enabled, disabled, last_seen_at, since }: OperatorState) =>
  ({
    object: 'operator',
    id,
    email,
    totp_enabled,
    disabled,
    last_seen_at: isoTimeOrNull(last_seen_at),
    created_at: isoTime(since),
  }) satisfies RecordOf<typeof OperatorRecord>

export const listOperators = operatorRoute({
  name: 'listOperators',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'List the users who are operators',
  limit: null,
  query: ListOperators,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: OperatorList, description: 'A page of operators, the newest account first.' },
  handle: async ({ query }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, '', query)
    // One more than the page shows whether another page follows.
    const { operators } = await accounts.ListOperators({ limit: limit + 1, before, query: '' })
    return { json: body(operators.slice(0, limit).map(operatorRecord), operators.length > limit) }
  },
})

export const addOperator = operatorRoute({
  name: 'addOperator',
  method: 'POST',
  path,
  operator: 'token',
  tag: 'Operator',
  summary: 'Make a user an operator',
  description:
    'The sessions of the user may then use every operation of the operator but this one and the removal, if the session was opened with a code of two-factor authentication. API keys never may. The user must have confirmed the address (otherwise 422 with `unconfirmed_address` at `email`) and have switched on two-factor authentication (422 with `totp_required`: the person does so with `POST /auth/totp` and `POST /auth/totp/confirm`, or in the dashboard). Only the operator’s token makes operators. Repeating the request changes nothing.',
  limit: null,
  body: AddOperator,
  reply: { status: 201, body: OperatorRecord, description: 'The operator.' },
  errors: ['forbidden'],
  handle: async ({ body: { email }, by }, { accounts }) => ({
    json: operatorRecord(await accounts.AddOperator({ email, client_address: by.client_address })),
  }),
})

export const removeOperator = operatorRoute({
  name: 'removeOperator',
  method: 'DELETE',
  path: `${path}/:id`,
  operator: 'token',
  tag: 'Operator',
  summary: 'Remove an operator',
  description:
    'The next request of the user as the operator is refused. The account, its sessions and its workspaces stay. Only the operator’s token removes operators.',
  limit: null,
  params: Id,
  reply: { status: 204, description: 'The user is no longer an operator.' },
  errors: ['forbidden'],
  handle: async ({ params: { id }, by }, { accounts }) => {
    await accounts.RemoveOperator({ id, client_address: by.client_address })
    return { empty: true }
  },
})
