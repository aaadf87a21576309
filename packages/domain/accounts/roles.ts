import { type Scope, scopes } from './apiKey.ts'

/** What a member may do in a workspace, the most powerful role first. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Roles that may change the workspace. */
export const workspaceManagers: readonly Role[] = ['owner', 'admin']
/** Roles that may change what the workspace may cost. */
export const spenders: readonly Role[] = ['owner']
/** Roles that may make, change and revoke API keys. A key never has more rights than they have. */
export const keyManagers: readonly Role[] = ['owner', 'admin', 'member']

/** Returns the scopes that a session of this role has: a viewer reads, every other role has all of them. */
export const scopesOfRole = (role: Role): Scope[] =>
  role === 'viewer' ? scopes.filter((scope) => scope.endsWith(':read')) : [...scopes]
