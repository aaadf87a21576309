import { type Scope, scopes } from './apiKey.ts'

/** Roles of members in a workspace, the most powerful first. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof roles)[number]

/**
 * Permissions of a person with a session, and the least powerful role that may do it. A permission with the name of a
 * scope opens the routes of the scope. docs/roles.md, the OpenAPI document and every check of a role follow from this
 * table.
 */
export const permissions = {
  'emails:send': { least: 'member', text: 'sends mail, and cancels and resolves it' },
  'emails:read': { least: 'viewer', text: 'reads mail' },
  'templates:write': { least: 'member', text: 'creates, changes and deletes templates' },
  'templates:read': { least: 'viewer', text: 'reads templates' },
  'domains:write': { least: 'admin', text: 'manages sending domains' },
  'domains:read': { least: 'viewer', text: 'reads sending domains' },
  'webhooks:write': { least: 'admin', text: 'manages webhooks' },
  'webhooks:read': { least: 'viewer', text: 'reads webhooks' },
  'suppressions:write': { least: 'admin', text: 'manages suppressions' },
  'suppressions:read': { least: 'viewer', text: 'reads suppressions' },
  'account:use': { least: 'viewer', text: 'manages their own account and session, and leaves the workspace' },
  'workspace:read': { least: 'viewer', text: 'reads the settings of the workspace' },
  'workspace:write': { least: 'admin', text: 'changes the settings of the workspace' },
  'keys:read': { least: 'viewer', text: 'reads names, scopes and last use of API keys' },
  'keys:write': { least: 'admin', text: 'makes, changes, rolls and revokes API keys' },
  'members:read': { least: 'viewer', text: 'reads the members of the workspace' },
  'members:write': { least: 'admin', text: 'invites and removes people and changes roles, up to their own role' },
  'ownership:write': { least: 'owner', text: 'makes owners, changes and removes owners, and hands over the ownership' },
  'security:write': { least: 'owner', text: 'requires two-factor authentication of members' },
  'workspace:delete': { least: 'owner', text: 'deletes the workspace' },
  'audit:read': { least: 'admin', text: 'reads the audit log' },
  'erasures:write': { least: 'admin', text: 'erases what is stored of a recipient' },
  'billing:read': { least: 'viewer', text: 'reads usage, plans and invoices' },
  'billing:write': { least: 'owner', text: 'changes the plan and the spending cap' },
} as const satisfies Record<Scope, { least: Role; text: string }> & Record<string, { least: Role; text: string }>

export type Permission = keyof typeof permissions

/** Returns whether a text names a permission. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text)

/** Returns whether a role is at least as powerful as another. A role of another release has no power. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.slice(0, roles.indexOf(least) + 1).includes(role)

/** Returns whether a role has a permission. */
export const mayDo = (role: Role, permission: Permission): boolean => isAtLeast(role, permissions[permission].least)

/** Returns the roles that have a permission, the most powerful first. */
export const rolesWith = (permission: Permission): readonly Role[] => roles.filter((role) => mayDo(role, permission))

/** Returns the `detail` of the response to a person whose role does not have a permission. */
export const roleRefusal = (permission: Permission): string =>
  `This needs one of these roles in the workspace: ${rolesWith(permission).join(', ')}.`

/** Returns whether a text names a role. */
export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

/** Returns the scopes that a session of this role has, and that the role may give to an API key. */
export const scopesOfRole = (role: Role): Scope[] => scopes.filter((scope) => mayDo(role, scope))

/** Returns why a role cannot give scopes to an API key; null: the role has all of them. */
export const scopeRefusal = (role: Role, chosen: readonly string[]): string | null => {
  const own: readonly string[] = scopesOfRole(role)
  const missing = chosen.filter((scope) => !own.includes(scope))
  return missing.length === 0
    ? null
    : `Your role lacks the scopes ${missing.join(', ')}; omit them, or ask an admin to create the key.`
}
