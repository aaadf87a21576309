import { SessionRecord } from '@postrider/contracts/http/account.ts'
import {
  CreateWorkspace,
  OwnWorkspaceList,
  OwnWorkspaceRecord,
  SwitchWorkspace,
} from '@postrider/contracts/http/members.ts'
import { Id, Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { OwnWorkspace } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { newSession } from '../callers/session.ts'
import { listPage } from '../lists.ts'
import { sessionRoute } from '../route.ts'

/* The workspaces of the user. The other operations concern the workspace that the session is in. */

const path = '/api/v1/workspaces'

const ownRecord = ({ id, name, plan, role, created_at }: OwnWorkspace, current: string) =>
  ({
    object: 'workspace_membership',
    id,
    name,
    plan,
    role,
    current: id === current,
    created_at: isoTime(created_at),
  }) satisfies RecordOf<typeof OwnWorkspaceRecord>

export const listOwnWorkspaces = sessionRoute({
  name: 'listOwnWorkspaces',
  method: 'GET',
  path,
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'List the workspaces of the user',
  limit: 'read',
  query: Page,
  reply: { status: 200, body: OwnWorkspaceList, description: 'A page of workspaces, the newest first.' },
  handle: async ({ query, caller: { workspace, userId: user } }, { accounts, cursors }) => {
    // The list belongs to the user and does not depend on the workspace of the session.
    const { limit, before, body } = listPage(cursors, path, user, query)
    const { workspaces } = await accounts.ListOwnWorkspaces({ user })
    const newestFirst = workspaces.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    const older = before === '' ? newestFirst : newestFirst.filter(({ id }) => id < before)
    return {
      json: body(
        older.slice(0, limit).map((one) => ownRecord(one, workspace)),
        older.length > limit,
      ),
    }
  },
})

export const createWorkspace = sessionRoute({
  name: 'createWorkspace',
  method: 'POST',
  path,
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'Create another workspace',
  description:
    'The user owns it. The session stays in its workspace; `POST /api/v1/auth/session` moves it. Refused where sign-up is closed (`POSTRIDER_SIGNUP`) and while the operator has suspended a workspace that the user owns, and limited as sign-ups are.',
  limit: 'write',
  body: CreateWorkspace,
  reply: { status: 201, body: OwnWorkspaceRecord, description: 'The new workspace.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body: { name }, caller: { workspace, userId: user }, clientAddress }, { accounts }) => ({
    json: ownRecord(await accounts.CreateWorkspace({ user, name, client_address: clientAddress }), workspace),
  }),
})

export const leaveWorkspace = sessionRoute({
  name: 'leaveWorkspace',
  method: 'POST',
  path: `${path}/:id/leave`,
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'Leave a workspace',
  description: 'The sessions of the user in that workspace end. The last owner cannot leave.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The user is not a member any more.' },
  errors: ['conflict'],
  handle: async (
    { params: { id: workspace }, caller: { userId: user }, clientAddress: client_address },
    { accounts },
  ) => {
    await accounts.RemoveMember({ workspace, user, member: user, client_address })
    return { empty: true }
  },
})

export const switchWorkspace = sessionRoute({
  name: 'switchWorkspace',
  method: 'POST',
  path: '/api/v1/auth/session',
  session: 'account:use',
  isOwnAccount: true,
  tag: 'Accounts',
  summary: 'Move the session to another workspace of the user',
  description:
    'Other sessions stay where they are. The cookie stays valid and `csrf_token` is new, so a page that still shows the former workspace cannot change the new one.',
  limit: 'write',
  body: SwitchWorkspace,
  reply: { status: 200, body: SessionRecord, description: 'The session in the other workspace.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['not_found'],
  handle: async ({ body: { workspace }, session: { token }, clientAddress, secure }, deps) => {
    const reply = await deps.accounts.SwitchWorkspace({ token, workspace, client_address: clientAddress })
    return newSession(deps, reply, secure)
  },
})
