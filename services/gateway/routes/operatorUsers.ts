import { SearchUsers, UpdateUser, UserList, UserRecord } from '@postrider/contracts/http/operator.ts'
import { Id, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { UserState } from '@postrider/contracts/services.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { operatorRoute, present } from '../route.ts'

const path = '/api/v1/operator/users'

const userRecord = ({ id, email, workspaces, disabled, ...user }: UserState) =>
  ({
    object: 'user',
    id,
    email,
    workspaces: workspaces.map(({ id: workspace, name, role }) => ({ id: workspace, name, role })),
    disabled,
    disabled_reason: user.disabled_reason || null,
    last_seen_at: isoTimeOrNull(user.last_seen_at),
    created_at: isoTime(user.created_at),
  }) satisfies RecordOf<typeof UserRecord>

export const listUsers = operatorRoute({
  name: 'listUsers',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'Search users',
  limit: null,
  query: SearchUsers,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: UserList, description: 'A page of users, newest first.' },
  handle: async ({ query }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, '', query)
    const { q = '', disabled } = query
    // One more than the page shows whether another page follows.
    const { users } = await accounts.ListUsers({ limit: limit + 1, before, query: q, ...present({ disabled }) })
    return { json: body(users.slice(0, limit).map(userRecord), users.length > limit) }
  },
})

export const getUser = operatorRoute({
  name: 'getUser',
  method: 'GET',
  path: '/api/v1/operator/users/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Read a user',
  limit: null,
  params: Id,
  reply: { status: 200, body: UserRecord, description: 'The user.' },
  handle: async ({ params: { id } }, { accounts }) => ({ json: userRecord(await accounts.GetUser({ id })) }),
})

export const updateUser = operatorRoute({
  name: 'updateUser',
  method: 'PATCH',
  path: '/api/v1/operator/users/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Disable or enable a user',
  description:
    'A disabled user cannot log in, and the user’s sessions end immediately. The workspaces of the user and their API keys are not affected.',
  limit: null,
  params: Id,
  body: UpdateUser,
  reply: { status: 200, body: UserRecord, description: 'The user after the change.' },
  handle: async ({ params: { id }, body: { disabled, reason = '' }, by }, { accounts }) => ({
    json: userRecord(await accounts.SetUserControls({ id, disabled, reason, ...by })),
  }),
})
