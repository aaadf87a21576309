import type { AuditActionFilter, AuditEntry } from '../../api/auditLog.ts'

type Action = Exclude<AuditActionFilter, `${string}.*`>

/** What each action means, by what it is about. */
const groups: readonly { noun: string; label: string; actions: Partial<Record<Action, string>> }[] = [
  {
    noun: 'key',
    label: 'API keys',
    actions: {
      'key.create': 'Created API key',
      'key.update': 'Changed API key',
      'key.roll': 'Replaced API key',
      'key.revoke': 'Revoked API key',
    },
  },
  {
    noun: 'member',
    label: 'Members',
    actions: {
      'member.update': 'Changed role',
      'member.remove': 'Removed member',
      'member.leave': 'Left the workspace',
    },
  },
  {
    noun: 'invitation',
    label: 'Invitations',
    actions: {
      'invitation.create': 'Invited person',
      'invitation.resend': 'Sent invitation again',
      'invitation.accept': 'Accepted invitation',
      'invitation.revoke': 'Revoked invitation',
    },
  },
  {
    noun: 'session',
    label: 'Sessions',
    actions: {
      'session.open': 'Logged in',
      'session.refuse': 'Login refused',
      'session.close': 'Logged out',
      'session.revoke': 'Ended session',
      'session.switch': 'Switched workspace',
    },
  },
  {
    noun: 'user',
    label: 'Accounts',
    actions: {
      'user.create': 'Created account',
      'user.confirm_email': 'Confirmed address',
      'user.change_email': 'Changed address',
      'user.change_password': 'Changed password',
      'user.reset_password': 'Reset password',
      'user.start_totp': 'Began two-factor set-up',
      'user.enable_totp': 'Enabled two-factor',
      'user.disable_totp': 'Disabled two-factor',
      'user.use_recovery_code': 'Used recovery code',
      'user.update_notifications': 'Changed notifications',
      'user.disable': 'Disabled account',
      'user.enable': 'Enabled account',
      'operator.add': 'Added operator',
      'operator.remove': 'Removed operator',
    },
  },
  {
    noun: 'workspace',
    label: 'Workspace',
    actions: {
      'workspace.create': 'Created workspace',
      'workspace.update': 'Changed settings',
      'workspace.limits': 'Changed limits',
      'workspace.control': 'Controlled workspace',
      'workspace.transfer': 'Transferred ownership',
      'workspace.delete': 'Scheduled deletion',
      'workspace.restore': 'Restored workspace',
      'workspace.erase': 'Removed workspace',
    },
  },
  {
    noun: 'domain',
    label: 'Domains',
    actions: {
      'domain.create': 'Added domain',
      'domain.update': 'Changed domain',
      'domain.status': 'Checked domain',
      'domain.key': 'Made DKIM key',
      'domain.rotate_key': 'Rotated DKIM key',
      'domain.delete': 'Deleted domain',
    },
  },
  {
    noun: 'webhook',
    label: 'Webhooks',
    actions: {
      'webhook.create': 'Added endpoint',
      'webhook.update': 'Changed endpoint',
      'webhook.test': 'Sent test event',
      'webhook.redeliver': 'Sent delivery again',
      'webhook.replay': 'Replayed events',
      'webhook.rotate_secret': 'Replaced secret',
      'webhook.delete': 'Deleted endpoint',
    },
  },
  {
    noun: 'template',
    label: 'Templates',
    actions: {
      'template.create': 'Created template',
      'template.update': 'Changed template',
      'template.restore': 'Restored template',
      'template.delete': 'Deleted template',
    },
  },
  {
    noun: 'email',
    label: 'Emails',
    actions: {
      'email.cancel': 'Canceled email',
      'email.reschedule': 'Rescheduled email',
      'email.release': 'Released email',
      'email.drop': 'Dropped email',
      'email.resolve': 'Resolved email',
    },
  },
  { noun: 'erasure', label: 'Erasures', actions: { 'erasure.create': 'Erased person' } },
  {
    noun: 'plan',
    label: 'Plan',
    actions: { 'plan.update': 'Changed plan' },
  },
  { noun: 'invoice', label: 'Invoices', actions: { 'invoice.update': 'Changed invoice' } },
  { noun: 'payment', label: 'Payments', actions: { 'payment.receive': 'Received payment' } },
  { noun: 'adjustment', label: 'Adjustments', actions: { 'adjustment.create': 'Adjusted usage' } },
  { noun: 'test_clock', label: 'Test clock', actions: { 'test_clock.move': 'Moved test clock' } },
]

/** The filters of actions by noun: all of the noun first. */
export const actionGroups: readonly { label: string; choices: readonly { value: string; label: string }[] }[] =
  groups.map(({ noun, label, actions }) => {
    const own = Object.entries(actions).map(([value, text]) => ({ value, label: text }))
    return { label, choices: own.length === 1 ? own : [{ value: `${noun}.*`, label: `All: ${label}` }, ...own] }
  })

const labels: ReadonlyMap<string, string> = new Map(groups.flatMap(({ actions }) => Object.entries(actions)))

/** Returns an action in words; an unknown action as the API returns it. */
export const actionText = (action: string): string => labels.get(action) ?? action

/** Returns who did something. */
export const actorText = ({ type, id, email, name }: AuditEntry['actor']): string => {
  if (type === 'operator') return email === null ? 'Operator' : `Operator ${email}`
  if (type === 'system') return 'Postrider'
  return email ?? name ?? id ?? (type === 'key' ? 'An API key' : 'A former user')
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One changed field. `before` or `after` null: it did not exist. */
export type Change = { field: string; before: string | null; after: string | null }

/** Returns the fields that an entry changed, in the order of the API. */
export const changesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly Change[] => {
  const [old, now]: Readonly<Record<string, unknown>>[] = [before ?? {}, after ?? {}]
  const at = (values: Readonly<Record<string, unknown>> | undefined, field: string): string | null =>
    values === undefined || values[field] === undefined || values[field] === null ? null : shown(values[field])
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].map((field) => ({
    field,
    before: at(old, field),
    after: at(now, field),
  }))
}

/**
 * Returns what an entry is about as one line: a name if it has one, else the first change. A time alone explains
 * nothing.
 */
export const subjectText = (entry: AuditEntry): string => {
  const changes = changesOf(entry).filter(({ field }) => !field.endsWith('_at'))
  const named = changes.find(({ field }) => ['name', 'email', 'url', 'to', 'address'].includes(field))
  if (named) return named.after ?? named.before ?? ''
  const [first] = changes
  if (!first) return ''
  const value = [first.before, first.after].filter(Boolean).join(' → ')
  return `${first.field}: ${value === '' ? '–' : value}`
}
