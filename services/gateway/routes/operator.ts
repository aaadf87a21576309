import { SearchWorkspaces } from '@postrider/contracts/http/operator.ts'
import { Id } from '@postrider/contracts/http/schema.ts'
import { ControlsList, ControlsRecord, UpdateControls } from '@postrider/contracts/http/workspace.ts'
import { deletionDelayMs } from '@postrider/domain/accounts/workspaceLife.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { durationText } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { controlsRecord } from '../records/workspaceRecords.ts'
import { operatorRoute, present } from '../route.ts'

const path = '/api/v1/operator/workspaces'

export const listWorkspaces = operatorRoute({
  name: 'listWorkspaces',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'Search workspaces',
  limit: null,
  query: SearchWorkspaces,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: ControlsList, description: 'A page of workspaces, newest first.' },
  handle: async ({ query }, { accounts, quota, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, '', query)
    const { q = '', plan = '', suspended, deleting } = query
    const filters = { query: q, plan, ...present({ suspended, deleting }) }
    // One more than the page shows whether another page follows.
    const { workspaces } = await accounts.ListWorkspaces({ limit: limit + 1, before, ...filters })
    const shown = workspaces.slice(0, limit).map((workspace) => controlsRecord(quota, workspace))
    return { json: body(await Promise.all(shown), workspaces.length > limit) }
  },
})

export const getControls = operatorRoute({
  name: 'getWorkspaceControls',
  method: 'GET',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Read the operator’s settings for a workspace',
  limit: null,
  params: Id,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace.' },
  handle: async ({ params: { id } }, { accounts, quota }) => ({
    json: await controlsRecord(quota, await accounts.GetWorkspace({ workspace: id })),
  }),
})

export const setControls = operatorRoute({
  name: 'setWorkspaceControls',
  method: 'PATCH',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Change a workspace’s plan and limits, stop its mail, leave a note',
  description:
    'An absent field stays as it is. `rate` and `burst` replace both a key’s default and the workspace’s limit. ' +
    'While mail is stopped, sends get 403 with the `reason`, and queued mail waits. A refusal (404, 409, 422) changes nothing. ' +
    'After a 5xx a part may be changed: repeat the request, which changes and charges nothing twice.',
  limit: null,
  params: Id,
  body: UpdateControls,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace after the change.' },
  errors: ['conflict'],
  handle: async (request, { accounts, quota, keyCache }) => {
    const { by } = request
    const { id } = request.params
    const { limits, suspended, reason, note, plan } = request.body
    const { monthly, daily, rate, burst } = limits ?? {}
    const sends = present({ monthly, daily, plan })
    const changesQuota = Object.keys(sends).length > 0
    // A quota service that is unavailable fails here, before the first write. It refuses nothing that the schema
    // accepts.
    if (changesQuota) await quota.GetLimits({ workspace: id })
    // The first write, because accounts also decides whether the workspace exists and the change is possible.
    const controls = present({ suspended, reason, note, plan, rate, burst })
    const workspace = await accounts.SetWorkspaceControls({ workspace: id, ...by, ...controls })
    keyCache.forget((known) => known.workspace === id)
    if (changesQuota) await quota.SetLimits({ workspace: id, ...by, ...sends })
    return { json: await controlsRecord(quota, workspace) }
  },
})

export const deleteWorkspace = operatorRoute({
  name: 'deleteWorkspace',
  method: 'DELETE',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: `Delete a workspace in ${durationText(deletionDelayMs)}`,
  description:
    'Stops the workspace’s mail immediately and deletes the workspace at `deletes_at`. Until then it can be restored. Repeating the request does not move the time.',
  limit: null,
  params: Id,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace with `deletes_at`.' },
  handle: async ({ params: { id }, by }, { accounts, quota, keyCache }) => {
    const workspace = await accounts.DeleteWorkspace({ workspace: id, ...by })
    keyCache.forget((known) => known.workspace === id)
    return { json: await controlsRecord(quota, workspace) }
  },
})

export const restoreWorkspace = operatorRoute({
  name: 'restoreWorkspace',
  method: 'POST',
  path: '/api/v1/operator/workspaces/:id/restore',
  operator: true,
  tag: 'Operator',
  summary: 'Cancel the deletion of a workspace',
  description:
    'Mail leaves again, unless the operator had stopped it before the deletion was scheduled. Without a scheduled deletion nothing changes. 409 once the deletion is due.',
  limit: null,
  params: Id,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, by }, { accounts, quota, keyCache }) => {
    const workspace = await accounts.RestoreWorkspace({ workspace: id, ...by })
    keyCache.forget((known) => known.workspace === id)
    return { json: await controlsRecord(quota, workspace) }
  },
})
