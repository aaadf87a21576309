/**
 * Response bodies of the API according to its contract. They do not use the types of the server, so that a change there
 * fails tests.
 */
export type RecipientRecord = {
  address: string
  kind: 'to' | 'cc' | 'bcc'
  status: string
  class: string | null
  reply: string | null
  next_at: string | null
}

export type AttemptRecord = {
  id: string
  at: string
  host: string
  recipients: unknown[]
  outcome: string | null
  reply: string | null
  possible_duplicate: boolean
  steps: { name: string; command: string; reply: string; duration_ms: number }[]
}

export type EmailRecord = {
  object: 'email'
  id: string
  status: string
  mode: 'live' | 'test'
  created_at: string
  scheduled_at: string | null
  from_: string
  to: string[]
  cc: string[]
  bcc: string[]
  reply_to: string[]
  subject: string
  template_id: string | null
  template_version: number | null
  domain_id: string | null
  category: string
  tags: Record<string, string>
  metadata: Record<string, string>
  message_id: string
  notices: string[]
  recipients: RecipientRecord[]
  attempts?: AttemptRecord[]
  events?: { id: string; type: string; sequence: number; timestamp: string }[]
}

export type AuditRecord = {
  object: 'audit_entry'
  id: string
  created_at: string
  actor: { type: string; id: string | null; email: string | null; name: string | null }
  action: string
  target: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  client_address: string | null
  /** In the operator's list only. */
  workspace?: string | null
}

export type TemplateRecord = {
  object: 'template'
  alias: string | null
  notices: string[]
  id: string
  name: string
  subject: string
  html_body: string | null
  text_body: string | null
  variables: string[]
  version: number
  created_at: string
  updated_at: string
}

export type DnsRecord = {
  purpose: string
  type: 'TXT' | 'MX'
  name: string
  value: string
  priority?: number
  required: boolean
  status: string
  found: string | null
  problem?: string
}

export type DomainRecord = {
  object: 'domain'
  id: string
  name: string
  status: string
  subdomains: boolean
  created_at: string
  verified_at: string | null
  checked_at: string | null
  records: DnsRecord[]
}

export type KeyRecord = {
  id: string
  name: string
  mode: 'live' | 'test'
  scopes: string[]
  key: string
  prefix: string
  last_four: string
  expires_at: string | null
  last_used_at: string | null
  last_used_from: string | null
  unused_since: string | null
  notices: string[]
  domains: string[]
  networks: string[]
  recipients: string[]
  rolled_to: string | null
  rolled_from: string | null
}

export type SessionRecord = {
  user: { id: string; email: string; email_confirmed: boolean; totp_enabled: boolean }
  workspace: { id: string; name: string; plan: string; sender: string }
  role: string
  csrf_token: string
}

export type UsageRecord = {
  plan: string
  period: { start: string; end: string }
  monthly: { limit: number | null; used: number; remaining: number | null }
  daily: { limit: number | null; used: number; remaining: number | null; resets_at: string }
  overage: { allowed: boolean; sends: number; blocks: number; amount_usd: string; cap_usd: string | null }
  overrides: unknown
  history: { date: string; sends: number }[]
}

export type ListRecord<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null }

export type ProblemRecord = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  request_id: string
  errors?: { path: string; code: string; message: string }[]
}
