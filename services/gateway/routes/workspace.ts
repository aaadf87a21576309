import { UpdateWorkspace, UsageRecord, WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import { present, usageRecord, workspaceRecord } from '../records.ts'
import { sessionRoute } from '../route.ts'

export const getWorkspace = sessionRoute({
  name: 'getWorkspace',
  method: 'GET',
  path: '/api/v1/workspace',
  session: true,
  tag: 'Accounts',
  summary: 'Read the workspace’s settings',
  limit: 'read',
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace.' },
  handle: async ({ caller: { workspace } }, { accounts, config }) => ({
    json: workspaceRecord(await accounts.GetWorkspace({ workspace }), config.sender),
  }),
})

export const updateWorkspace = sessionRoute({
  name: 'updateWorkspace',
  method: 'PATCH',
  path: '/api/v1/workspace',
  session: true,
  tag: 'Accounts',
  summary: 'Change the workspace’s settings',
  description:
    'An absent field stays as it is. Owners and admins may do this; only owners may change the spending cap.',
  limit: 'write',
  body: UpdateWorkspace,
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace after the change.' },
  errors: ['forbidden'],
  handle: async ({ body, caller }, { accounts, quota, keyCache, config }) => {
    const { spending_cap_usd: cap, retention, ...texts } = body
    const workspace = await accounts.UpdateWorkspace({
      workspace: caller.workspace,
      user: caller.user_id,
      clear_spending_cap: cap === null,
      ...present({
        ...texts,
        retention: retention === null ? '' : undefined,
        spending_cap_usd: cap ?? undefined,
      }),
    })
    // The accounts service has checked the role; the ledger is what enforces the cap.
    if (cap !== undefined) await quota.SetLimits({ workspace: workspace.id, spending_cap_usd: capText(cap) })
    keyCache.forget((known) => known.workspace === workspace.id)
    return { json: workspaceRecord(workspace, config.sender) }
  },
})

const capText = (cap: number | null): string => (cap === null ? 'none' : cap.toFixed(2))

export const getUsage = sessionRoute({
  name: 'getUsage',
  method: 'GET',
  path: '/api/v1/billing/usage',
  session: true,
  tag: 'Billing',
  summary: 'Read the current usage against the plan’s quotas',
  limit: 'read',
  reply: { status: 200, body: UsageRecord, description: 'The month and day so far, UTC.' },
  handle: async ({ caller }, { quota }) => ({
    json: usageRecord(await quota.GetUsage({ workspace: caller.workspace, at: '' })),
  }),
})
