import type { Meter__Output as Meter } from '@postrider/contracts/gen/postrider/quota/v1/Meter.ts'
import type { ApiKeyRecord } from '@postrider/contracts/http/apiKey.ts'
import type { AuditRecord } from '@postrider/contracts/http/audit.ts'
import type { DomainRecord, PlatformDomainRecord } from '@postrider/contracts/http/domains.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { TemplatePreview, TemplateRecord, TemplateSummary } from '@postrider/contracts/http/template.ts'
import type { ControlsRecord, UsageRecord, WorkspaceRecord } from '@postrider/contracts/http/workspace.ts'
import type {
  Accounts,
  ApiKey,
  AuditLine,
  Limits,
  ListedTemplate,
  Quota,
  RenderedParts,
  DomainRecord as ShownDomain,
  Usage,
  Workspace,
} from '@postrider/contracts/services.ts'
import type { Redaction } from '@postrider/domain/audit/entry.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { overrideOf } from '@postrider/domain/rateLimit/override.ts'
import type { Template } from '@postrider/domain/templates/template.ts'
import { dayOf, isoTime, isoTimeOrEmpty, isoTimeOrNull } from '@postrider/domain/time.ts'
import { given, isUnavailable } from '@postrider/kit/fault.ts'
import { pendingOf } from './billingRecords.ts'

/** Records of the API, made from the messages of the services. Each route checks its record against its schema. */

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Returns the fields that are not undefined: in the messages of the services an absent field stays as it is. */
export const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>

/** An API key without its secret. */
export const apiKeyRecord = (key: ApiKey) =>
  ({
    object: 'api_key',
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    mode: key.mode,
    prefix: key.prefix,
    last_four: key.last_four,
    created_at: isoTime(key.created_at),
    expires_at: isoTimeOrNull(key.expires_at),
    last_used_at: isoTimeOrNull(key.last_used_at),
    revoked_at: isoTimeOrNull(key.revoked_at),
    domains: key.domains,
    networks: key.networks,
    recipients: key.recipients,
    last_used_from: key.last_used_from || null,
    unused_since: isoTimeOrNull(key.unused_since),
    notices: keyNotices(key),
    rolled_to: key.rolled_to || null,
    rolled_from: key.rolled_from || null,
  }) satisfies RecordOf<typeof ApiKeyRecord>

/** Sentences about a key that its workspace should read. */
const keyNotices = ({ unused_since, rolled_to, expires_at, revoked_at }: ApiKey): string[] => [
  ...(unused_since === null
    ? []
    : [`This key was not used since ${dayOf(unused_since)}; revoke it if it is not needed.`]),
  ...(rolled_to === ''
    ? []
    : [
        revoked_at === null
          ? `This key was replaced by ${rolled_to} and is valid until ${isoTimeOrEmpty(expires_at)}.`
          : `This key was replaced by ${rolled_to}.`,
      ]),
]

/** A template as lists show it. The templates service of release 0.1 sends the bodies in lists too. */
export const templateSummary = (template: ListedTemplate) =>
  ({
    object: 'template',
    id: template.id,
    name: template.name,
    alias: template.alias ?? null,
    subject: template.subject,
    variables: template.variables,
    version: template.version,
    notices: template.notices ?? [],
    created_at: isoTime(template.createdAt),
    updated_at: isoTime(template.updatedAt),
  }) satisfies RecordOf<typeof TemplateSummary>

export const templateRecord = (template: Template) =>
  ({
    ...templateSummary(template),
    html_body: template.htmlBody,
    text_body: template.textBody,
  }) satisfies RecordOf<typeof TemplateRecord>

/** A rendered template. */
export const templatePreview = ({ source, ...preview }: RenderedParts) =>
  ({
    object: 'template_preview',
    template_id: source?.id ?? null,
    template_version: source?.version ?? null,
    subject: preview.subject,
    html_body: preview.htmlBody,
    text_body: preview.textBody,
    variables: preview.variables,
    notices: preview.notices,
  }) satisfies RecordOf<typeof TemplatePreview>

/** A sending domain. Each member is named, so that no other member of a record, such as a sealed key, becomes public. */
export const domainRecord = ({ id, name, status, subdomains, createdAt, ...domain }: ShownDomain) =>
  ({
    object: 'domain',
    id,
    name,
    status,
    subdomains,
    created_at: isoTime(createdAt),
    ...domainCheck(domain),
  }) satisfies RecordOf<typeof DomainRecord>

/** The domain of the shared sender. It has no owner who could change it, so it has no id. */
export const platformDomainRecord = ({ name, status, ...domain }: ShownDomain) =>
  ({
    object: 'platform_domain',
    name,
    status,
    ...domainCheck(domain),
  }) satisfies RecordOf<typeof PlatformDomainRecord>

const domainCheck = ({
  verifiedAt,
  checkedAt,
  records,
}: Pick<ShownDomain, 'verifiedAt' | 'checkedAt' | 'records'>) => ({
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

/**
 * Returns a workspace with the plan and the spending cap that quota enforces; accounts has those of sign-up and of the last
 * change. A process of quota of release 0.1 reports none.
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

const meterRecord = (meter: Meter | null) => {
  const { limit, used, remaining } = given(meter, 'meter')
  return { limit: limit ?? null, used, remaining: remaining ?? null }
}

export const usageRecord = (usage: Usage) => {
  const { monthly, daily } = usage.overrides
  return {
    plan: usage.plan,
    period: { start: isoTime(usage.period_start), end: isoTime(usage.period_end) },
    monthly: meterRecord(usage.monthly),
    daily: { ...meterRecord(usage.daily), resets_at: isoTime(usage.daily_resets_at) },
    overage: {
      allowed: usage.overage_allowed,
      sends: usage.overage_sends,
      blocks: usage.overage_blocks,
      amount_usd: usdText(usage.overage_amount_cents),
      cap_usd: usage.overage_cap_cents === null ? null : usdText(usage.overage_cap_cents),
    },
    overrides: { monthly, daily },
    history: usage.history.map(({ date, sends }) => ({ date, sends })),
    ...pendingOf(usage),
  } satisfies RecordOf<typeof UsageRecord>
}

const redactionRecord = ({ at, erasure, fields }: Redaction) => ({
  redacted_at: isoTime(at),
  erasure,
  fields: [...fields],
})

/** An entry of the audit log. */
export const auditRecord = (line: AuditLine) => {
  const { actor_type: type, actor_id: id, actor_name: name } = line
  return {
    object: 'audit_entry',
    id: line.id,
    created_at: isoTime(line.created_at),
    actor: {
      type,
      id: id || null,
      email: (type !== 'key' && name) || null,
      name: (type === 'key' && name) || null,
    },
    action: line.action,
    target: line.target || null,
    before: line.before,
    after: line.after,
    client_address: line.client_address || null,
    ...(line.redactions && { redactions: line.redactions.map(redactionRecord) }),
  } satisfies RecordOf<typeof AuditRecord>
}
