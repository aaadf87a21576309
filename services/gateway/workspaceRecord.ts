import type { Workspace__Output as Workspace } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'

/** A workspace as its own people see it. */
export const workspaceRecord = (workspace: Workspace, sender: string) => ({
  object: 'workspace' as const,
  id: workspace.id,
  name: workspace.name,
  plan: workspace.plan,
  sender,
  sender_name: workspace.sender_name,
  postal_address: workspace.postal_address,
  on_unknown: workspace.on_unknown === 'hold' ? ('hold' as const) : ('retry' as const),
  retention: retentionValue(workspace.retention),
  spending_cap_usd: workspace.spending_cap_usd ?? null,
  suspended: workspace.suspended,
  created_at: workspace.created_at,
})

const retentionValue = (text: string): string | number | null => {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : text
}
