import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { ControlsRecord, WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import type { Accounts, Limits, Quota, Workspace } from '@postrider/contracts/services.ts'
import { overrideOf } from '@postrider/domain/rateLimit/override.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'

/**
 * Returns a workspace with the plan and the spending cap that quota enforces; accounts has those of sign-up and of the
 * last change. A process of quota of release 0.1 reports none.
 */
export const withLimits = (workspace: Workspace, limits: Limits | null): Workspace => {
  if (limits === null || limits.plan === '') return workspace
  const { plan, spending_cap_cents: cap } = limits
  const { spending_cap_usd: _, ...others } = workspace
  return { ...others, plan, ...(cap === null ? {} : { spending_cap_usd: cap / 100 }) }
}

/** Returns what quota enforces; null: it is unavailable, and people still log in and see the plan of the sign-up. */
export const limitsOrNull = async (quota: Pick<Quota, 'GetLimits'>, workspace: string): Promise<Limits | null> =>
  quota.GetLimits({ workspace }).catch((thrown: unknown) => {
    if (isUnavailable(thrown)) return null
    throw thrown
  })

/** Reads a workspace with its plan. */
export const billedWorkspace = async (
  { accounts, quota }: { accounts: Pick<Accounts, 'GetWorkspace'>; quota: Pick<Quota, 'GetLimits'> },
  id: string,
): Promise<Workspace> => {
  const [workspace, limits] = await Promise.all([accounts.GetWorkspace({ workspace: id }), limitsOrNull(quota, id)])
  return withLimits(workspace, limits)
}

/** A workspace as its own people see it. */
export const workspaceRecord = (workspace: Workspace, sender: string) =>
  ({
    object: 'workspace',
    id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    sender,
    sender_name: workspace.sender_name,
    postal_address: workspace.postal_address,
    on_unknown: workspace.on_unknown === 'hold' ? ('hold' as const) : ('retry' as const),
    retention: workspace.retention,
    spending_cap_usd: workspace.spending_cap_usd?.toFixed(2) ?? null,
    require_totp: workspace.require_totp ?? false,
    suspended: workspace.suspended,
    suspended_reason: workspace.suspended_reason || null,
    deletes_at: isoTimeOrNull(workspace.deletes_at),
    created_at: isoTime(workspace.created_at),
  }) satisfies RecordOf<typeof WorkspaceRecord>

/** A workspace as the operator sees it: with the limits that differ from its plan and with the operator's note. */
export const controlsRecord = async (quota: Pick<Quota, 'GetLimits'>, workspace: Workspace) => {
  const { monthly, daily, plan } = await quota.GetLimits({ workspace: workspace.id })
  return {
    object: 'workspace',
    id: workspace.id,
    name: workspace.name,
    plan: plan || workspace.plan,
    limits: {
      monthly,
      daily,
      rate: overrideOf(workspace.rate),
      burst: overrideOf(workspace.burst),
    },
    suspended: workspace.suspended,
    suspended_reason: workspace.suspended_reason || null,
    deletes_at: isoTimeOrNull(workspace.deletes_at),
    note: workspace.note,
    created_at: isoTime(workspace.created_at),
  } satisfies RecordOf<typeof ControlsRecord>
}
