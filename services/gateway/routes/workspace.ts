import { DeleteWorkspace, UpdateWorkspace, WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import type { Workspace } from '@postrider/contracts/services.ts'
import { deletionDelayMs } from '@postrider/domain/accounts/workspaceLife.ts'
import { centsOf } from '@postrider/domain/billing/money.ts'
import { durationText } from '@postrider/domain/time.ts'
import { refusedWorkspace } from '../checks/refusedBodies.ts'
import { billedWorkspace, limitsOrNull, withLimits, workspaceRecord } from '../records/workspaceRecords.ts'
import { present, sessionRoute } from '../route.ts'

export const getWorkspace = sessionRoute({
  name: 'getWorkspace',
  method: 'GET',
  path: '/api/v1/workspace',
  session: 'workspace:read',
  tag: 'Accounts',
  summary: 'Read the workspace’s settings',
  limit: 'read',
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace.' },
  handle: async ({ caller: { workspace } }, { accounts, quota, config }) => ({
    json: workspaceRecord(await billedWorkspace({ accounts, quota }, workspace), config.sender),
  }),
})

export const updateWorkspace = sessionRoute({
  name: 'updateWorkspace',
  method: 'PATCH',
  path: '/api/v1/workspace',
  session: 'workspace:write',
  tag: 'Accounts',
  summary: 'Change the workspace’s settings',
  description:
    'An absent field stays as it is. Owners and admins may do this; only owners may change the spending cap and `require_totp`.',
  limit: 'write',
  body: UpdateWorkspace,
  serviceProblems: refusedWorkspace,
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace after the change.' },
  errors: ['forbidden'],
  handle: async ({ body, caller, clientAddress }, { accounts, quota, keyCache, config }) => {
    const { spending_cap_usd: cap, retention, ...texts } = body
    const workspace = await accounts.UpdateWorkspace({
      workspace: caller.workspace,
      user: caller.userId,
      client_address: clientAddress,
      clear_spending_cap: cap === null,
      ...present({
        ...texts,
        retention,
        spending_cap_usd: cap ?? undefined,
      }),
    })
    keyCache.forget((known) => known.workspace === workspace.id)
    if (cap === undefined) {
      const limits = await limitsOrNull(quota, workspace.id)
      return { json: workspaceRecord(withLimits(workspace, limits), config.sender) }
    }
    // Accounts has checked the role. Quota stores the cap with its audit entry.
    const by = { actor: caller.userId, client_address: clientAddress }
    const limits = await quota.SetLimits({
      workspace: workspace.id,
      spending_cap_cents: cap === null ? null : centsOf(cap),
      ...by,
    })
    return { json: workspaceRecord(withCap(withLimits(workspace, limits), cap), config.sender) }
  },
})

export const deleteOwnWorkspace = sessionRoute({
  name: 'deleteOwnWorkspace',
  method: 'DELETE',
  path: '/api/v1/workspace',
  session: 'workspace:delete',
  tag: 'Accounts',
  summary: `Delete the workspace in ${durationText(deletionDelayMs)}`,
  description:
    'Stops the workspace’s mail immediately, and removes the workspace with everything in it at `deletes_at`. Every owner gets an email. Until then only the operator can restore it. Repeating the request does not move the time.',
  limit: 'write',
  body: DeleteWorkspace,
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace with `deletes_at`.' },
  errors: ['rate_limited'],
  handle: async ({ body: { password }, caller, clientAddress }, { accounts, quota, keyCache, config }) => {
    const { workspace: id, userId: user } = caller
    const workspace = await accounts.DeleteOwnWorkspace({
      ...{ workspace: id, user, password },
      client_address: clientAddress,
    })
    keyCache.forget((known) => known.workspace === id)
    const limits = await limitsOrNull(quota, id)
    return { json: workspaceRecord(withLimits(workspace, limits), config.sender) }
  },
})

/** A process of quota of release 0.1 does not report the cap that it stored. */
const withCap = ({ spending_cap_usd: _, ...workspace }: Workspace, cap: number | null): Workspace => ({
  ...workspace,
  ...(cap === null ? {} : { spending_cap_usd: cap }),
})
