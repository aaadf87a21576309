import { UpdateWorkspace, WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import type { RouteDeps } from '../deps.ts'
import { sessionRoute } from '../route.ts'
import { workspaceRecord } from '../workspaceRecord.ts'

export const updateWorkspace = sessionRoute({
  name: 'updateWorkspace',
  method: 'PATCH',
  path: '/api/v1/workspace',
  session: true,
  tag: 'Accounts',
  summary: 'Change the workspace’s settings',
  description: 'What is absent stays. Owners and admins may; a spending cap is the owner’s alone.',
  limit: 'write',
  body: UpdateWorkspace,
  reply: { status: 200, body: WorkspaceRecord, description: 'The workspace after the change.' },
  errors: ['forbidden'],
  handle: async (
    { body, caller },
    { accounts, quota, keyCache, config }: Pick<RouteDeps, 'accounts' | 'quota' | 'keyCache' | 'config'>,
  ) => {
    const { spending_cap_usd: cap, retention, name, sender_name, postal_address, on_unknown } = body
    const workspace = await accounts.UpdateWorkspace({
      workspace: caller.workspace,
      user: caller.user_id,
      clear_spending_cap: cap === null,
      ...(name !== undefined && { name }),
      ...(sender_name !== undefined && { sender_name }),
      ...(postal_address !== undefined && { postal_address }),
      ...(on_unknown !== undefined && { on_unknown }),
      ...(retention !== undefined && { retention: String(retention ?? '') }),
      ...(typeof cap === 'number' && { spending_cap_usd: cap }),
    })
    // The accounts said that the caller may; the ledger is what stops the mail.
    if (cap !== undefined) await quota.SetLimits({ workspace: workspace.id, spending_cap_usd: capText(cap) })
    keyCache.forget((known) => known.workspace === workspace.id)
    return { json: workspaceRecord(workspace, config.sender) }
  },
})

const capText = (cap: number | null): string => (cap === null ? 'none' : cap.toFixed(2))
