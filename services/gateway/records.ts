import type { ApiKey__Output as ApiKey } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { Workspace__Output as Workspace } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { Meter__Output as Meter } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { Usage__Output as Usage } from '@postrider/contracts/gen/postrider/quota/v1/Usage.ts'
import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { given } from '@postrider/kit/fault.ts'

/** Records of the API, made from the messages of the services. Each route checks its record against its schema. */

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Returns the fields that are not undefined: in the messages of the services an absent field stays as it is. */
export const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>

/** An API key without its secret. */
export const apiKeyRecord = (key: ApiKey) => ({
  object: 'api_key' as const,
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  mode: key.mode,
  prefix: key.prefix,
  last_four: key.last_four,
  created_at: key.created_at,
  expires_at: key.expires_at || null,
  last_used_at: key.last_used_at || null,
  revoked_at: key.revoked_at || null,
  domains: key.domains,
  networks: key.networks,
})

/** A template as lists show it. The templates service of release 0.1 sends the bodies in lists too. */
export const templateSummary = (template: Template) => ({
  object: 'template' as const,
  id: template.id,
  name: template.name,
  subject: template.subject,
  variables: template.variables,
  version: template.version,
  created_at: template.created_at,
  updated_at: template.updated_at,
})

export const templateRecord = (template: Template) => ({
  ...templateSummary(template),
  html_body: template.html_body ?? null,
  text_body: template.text_body ?? null,
})

const retentionValue = (text: string): string | number | null => {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : text
}

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
  spending_cap_usd: workspace.spending_cap_usd?.toFixed(2) ?? null,
  suspended: workspace.suspended,
  created_at: workspace.created_at,
})

/** An operator's limit in the API: a number, null for no limit, `plan` for the plan's own. */
type Override = number | null | 'plan'

/** Writes an override as the services read it: `plan`, `none` or a number; undefined stays undefined. */
export const overrideText = (value: Override | undefined): string | undefined =>
  value === undefined ? undefined : value === null ? 'none' : String(value)

const overrideValue = (text: string): Override => (text === 'plan' ? 'plan' : text === 'none' ? null : Number(text))

/** In the accounts service a rate or burst is absent for the plan's own, and 0 for no limit. */
const rateValue = (rate: number | undefined): Override => (rate === undefined ? 'plan' : rate || null)

/** A workspace as the operator sees it: with the limits that differ from its plan and with the operator's note. */
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

const meterRecord = (meter: Meter | null) => {
  const { limit, used, remaining } = given(meter, 'meter')
  return { limit: limit ?? null, used, remaining: remaining ?? null }
}

export const usageRecord = (usage: Usage) => {
  const overrides = given(usage.overrides, 'overrides')
  return {
    plan: usage.plan,
    period: { start: usage.period_start, end: usage.period_end },
    monthly: meterRecord(usage.monthly),
    daily: { ...meterRecord(usage.daily), resets_at: usage.daily_resets_at },
    overage: {
      allowed: usage.overage_allowed,
      sends: usage.overage_sends,
      blocks: usage.overage_blocks,
      amount_usd: usage.overage_amount_usd,
      cap_usd: usage.overage_cap_usd ?? null,
    },
    overrides: { monthly: overrideValue(overrides.monthly), daily: overrideValue(overrides.daily) },
    history: usage.history.map(({ date, sends }) => ({ date, sends })),
  }
}
