/** The verbs of each noun in the audit log. An entry has a noun and a verb, such as `key.revoke`. */
const verbs = {
  adjustment: ['create'],
  domain: ['create', 'delete', 'key', 'rotate_key', 'status', 'update'],
  email: ['cancel', 'drop', 'release', 'reschedule', 'resolve'],
  erasure: ['create'],
  invitation: ['accept', 'create', 'resend', 'revoke'],
  invoice: ['update'],
  key: ['create', 'revoke', 'roll', 'update'],
  member: ['leave', 'remove', 'update'],
  operator: ['add', 'remove'],
  payment: ['receive'],
  plan: ['update'],
  session: ['close', 'open', 'refuse', 'revoke', 'switch'],
  template: ['create', 'delete', 'restore', 'update'],
  test_clock: ['move'],
  user: [
    'change_email',
    'change_password',
    'confirm_email',
    'create',
    'disable',
    'disable_totp',
    'enable',
    'enable_totp',
    'reset_password',
    'start_totp',
    'update_notifications',
    'use_recovery_code',
  ],
  webhook: ['create', 'delete', 'redeliver', 'replay', 'rotate_secret', 'test', 'update'],
  workspace: ['control', 'create', 'delete', 'erase', 'limits', 'restore', 'transfer', 'update'],
} as const

type Verbs = typeof verbs
export type AuditNoun = keyof Verbs
export type AuditVerb<Noun extends AuditNoun> = Verbs[Noun][number]
export type AuditAction = { [Noun in AuditNoun]: `${Noun}.${AuditVerb<Noun>}` }[AuditNoun]

const nouns = Object.keys(verbs) as AuditNoun[]

const actionsOf = (noun: AuditNoun): string[] => verbs[noun].map((verb) => `${noun}.${verb}`)

/** Every action, ordered by noun. */
export const auditActions: readonly string[] = nouns.flatMap(actionsOf)

/** Every value of an `action` filter: an action, or all actions of a noun. */
export const auditActionFilters: readonly string[] = [...auditActions, ...nouns.map((noun) => `${noun}.*`)]

/** Returns what is wrong with an `action` filter, and which actions exist; null: nothing. */
export const actionFilterProblem = (filter: string): string | null => {
  if (auditActionFilters.includes(filter)) return null
  const noun = nouns.find((one) => filter === one || filter.startsWith(`${one}.`))
  if (noun !== undefined) return `Must be one of ${actionsOf(noun).join(', ')}, or ${noun}.* for all of them.`
  return `Must be an action such as key.revoke, or key.* for all of a noun. Actions: ${auditActions.join(', ')}.`
}
