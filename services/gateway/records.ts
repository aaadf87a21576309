import type { ApiKey__Output as ApiKey } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'
import type { AuditLine__Output as AuditLine } from '@postrider/contracts/gen/postrider/accounts/v1/AuditLine.ts'
import type { Workspace__Output as Workspace } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { Limits__Output as Limits } from '@postrider/contracts/gen/postrider/quota/v1/Limits.ts'
import type { Meter__Output as Meter } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { Usage__Output as Usage } from '@postrider/contracts/gen/postrider/quota/v1/Usage.ts'
import type { PreviewReply__Output as TemplatePreview } from '@postrider/contracts/gen/postrider/templates/v1/PreviewReply.ts'
import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type { Accounts, DomainRecord, Quota } from '@postrider/contracts/services.ts'
import { parseRetention, type Retention } from '@postrider/domain/retention/retention.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { given, isUnavailable } from '@postrider/kit/fault.ts'
import { pendingOf } from './billingRecords.ts'

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
  recipients: key.recipients,
  last_used_from: key.last_used_from || null,
  unused_since: key.unused_since || null,
  notices: keyNotices(key),
  rolled_to: key.rolled_to || null,
  rolled_from: key.rolled_from || null,
})

/** Sentences about a key that its workspace should read. */
const keyNotices = ({ unused_since, rolled_to, expires_at, revoked_at }: ApiKey): string[] => [
  ...(unused_since === ''
    ? []
    : [`This key was not used since ${unused_since.slice(0, 10)}; revoke it if it is not needed.`]),
  ...(rolled_to === ''
    ? []
    : [
        revoked_at === ''
          ? `This key was replaced by ${rolled_to} and is valid until ${expires_at}.`
          : `This key was replaced by ${rolled_to}.`,
      ]),
]

/** A template as lists show it. The templates service of release 0.1 sends the bodies in lists too. */
export const templateSummary = (template: Template) => ({
  object: 'template' as const,
  id: template.id,
  name: template.name,
  alias: template.alias ?? null,
  subject: template.subject,
  variables: template.variables,
  version: template.version,
  // The templates service of release 0.1 sends none.
  notices: template.notices ?? [],
  created_at: template.created_at,
  updated_at: template.updated_at,
})

export const templateRecord = (template: Template) => ({
  ...templateSummary(template),
  html_body: template.html_body ?? null,
  text_body: template.text_body ?? null,
})

/** A rendered template. */
export const templatePreview = (preview: TemplatePreview) => ({
  object: 'template_preview' as const,
  template_id: preview.id || null,
  template_version: preview.version || null,
  subject: preview.subject,
  html_body: preview.html_body ?? null,
  text_body: preview.text_body ?? null,
  variables: preview.variables,
  notices: preview.notices,
})

/** A sending domain. Each member is named, so that no other member of a record, such as a sealed key, becomes public. */
export const domainRecord = ({ id, name, status, subdomains, createdAt, ...domain }: DomainRecord) => ({
  object: 'domain' as const,
  id,
  name,
  status,
  subdomains,
  created_at: isoTime(createdAt),
  ...domainCheck(domain),
})

/** The domain of the shared sender. It has no owner who could change it, so it has no id. */
export const platformDomainRecord = ({ name, status, ...domain }: DomainRecord) => ({
  object: 'platform_domain' as const,
  name,
  status,
  ...domainCheck(domain),
})

const domainCheck = ({
  verifiedAt,
  checkedAt,
  records,
}: Pick<DomainRecord, 'verifiedAt' | 'checkedAt' | 'records'>) => ({
  verified_at: isoTimeOrNull(verifiedAt),
  checked_at: isoTimeOrNull(checkedAt),
  records: records.map(({ purpose, type, name, value, priority, required, status, found, problem }) => ({
    purpose,
    type,
    name,
    value,
    ...present({ priority }),
    required,
    status,
    found,
    ...present({ problem }),
  })),
})

const retentionValue = (text: string): Retention | null => parseRetention(text)

/**
 * Returns a workspace with the plan and the spending cap that quota enforces; accounts has those of sign-up and of the last
 * change. A process of quota of release 0.1 reports none.
 */
export const withLimits = (workspace: Workspace, limits: Limits | null): Workspace => {
  if (limits === null || limits.plan === '') return workspace
  const { plan, spending_cap_usd: cap } = limits
  const { spending_cap_usd: _, ...others } = workspace
  return { ...others, plan, ...(cap === undefined ? {} : { spending_cap_usd: Number(cap) }) }
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
  require_totp: workspace.require_totp ?? false,
  suspended: workspace.suspended,
  suspended_reason: workspace.suspended_reason || null,
  deletes_at: workspace.deletes_at || null,
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
  const { monthly, daily, plan } = await quota.GetLimits({ workspace: workspace.id })
  return {
    object: 'workspace' as const,
    id: workspace.id,
    name: workspace.name,
    plan: plan || workspace.plan,
    limits: {
      monthly: overrideValue(monthly),
      daily: overrideValue(daily),
      rate: rateValue(workspace.rate),
      burst: rateValue(workspace.burst),
    },
    suspended: workspace.suspended,
    suspended_reason: workspace.suspended_reason || null,
    deletes_at: workspace.deletes_at || null,
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
    ...pendingOf(usage),
  }
}

const readState = (json: string): Record<string, unknown> | null => (json === '' ? null : JSON.parse(json))

type RedactionRecord = { redacted_at: string; erasure: string; fields: string[] }

/** An entry of the audit log. */
export const auditRecord = (line: AuditLine) => {
  const { actor_type: type, actor_id: id, actor_name: name } = line
  return {
    object: 'audit_entry' as const,
    id: line.id,
    created_at: line.created_at,
    actor: {
      type,
      id: id || null,
      email: (type !== 'key' && name) || null,
      name: (type === 'key' && name) || null,
    },
    action: line.action,
    target: line.target || null,
    before: readState(line.before_json),
    after: readState(line.after_json),
    client_address: line.client_address || null,
    ...(line.redactions_json && { redactions: JSON.parse(line.redactions_json) as RedactionRecord[] }),
  }
}
