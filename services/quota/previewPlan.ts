import type { PreviewPlanRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/PreviewPlanRequest.ts'
import type { PlanPreview } from '@postrider/contracts/services.ts'
import type { Charge } from '@postrider/domain/billing/charges.ts'
import { totalOf } from '@postrider/domain/billing/invoices.ts'
import { type ChoicePreview, previewOf } from '@postrider/domain/billing/preview.ts'
import { presentBilling } from './billingState.ts'
import { offered } from './changePlan.ts'
import type { Deps } from './deps.ts'
import { lineRecord } from './invoices.ts'

type PreviewDeps = Pick<Deps, 'billing' | 'now'>

/** Returns what the choice of a plan would do now and cost, by the same rules as the choice. Stores nothing. */
export const previewPlan = async (
  deps: PreviewDeps,
  { workspace, plan }: PreviewPlanRequest__Output,
): Promise<PlanPreview> => {
  const preview = previewOf(await presentBilling(deps, workspace), offered(plan), deps.now())
  const { choice, beginsAt, limits } = preview
  const lines = await chargesOf(deps, workspace, preview)
  const total = totalOf({ lines })
  return {
    effect: choice,
    ...(beginsAt === null ? {} : { begins_at: beginsAt }),
    lines: lines.map(lineRecord),
    total_cents: total,
    due_cents: Math.max(total, 0),
    ...(limits.monthly.limit === null ? {} : { monthly: limits.monthly.limit }),
    ...(limits.daily.limit === null ? {} : { daily: limits.daily.limit }),
  }
}

const chargesOf = async (
  { billing }: PreviewDeps,
  workspace: string,
  { lines, newLines }: ChoicePreview,
): Promise<Charge[]> => {
  if (lines.length === 0) return []
  const known = new Map([...(await billing.lines(workspace)), ...newLines].map((line) => [line.id, line]))
  return lines.flatMap((id) => known.get(id) ?? [])
}
