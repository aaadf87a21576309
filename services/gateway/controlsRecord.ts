import type { Workspace__Output as Workspace } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { overrideValue, rateValue } from './overrides.ts'

/** A workspace as the operator sees it: what was set beside the plan, and by whom its mail may be stopped. */
export const controlsRecord = async (quota: Pick<Quota, 'GetLimits'>, workspace: Workspace) => {
  const { monthly, daily } = await quota.GetLimits({ workspace: workspace.id })
  return {
    object: 'workspace' as const,
    id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    limits: {
      monthly: overrideValue(monthly),
      daily: overrideValue(daily),
      rate: rateValue(workspace.rate),
      burst: rateValue(workspace.burst),
    },
    suspended: workspace.suspended,
    note: workspace.note,
    created_at: workspace.created_at,
  }
}
