import type { Operation } from './document.ts'
import type { Ids } from './records.ts'
import { type Draw, oneOf } from './values.ts'
import type { World } from './world.ts'

/* Which records the paths of operations name. */

const kinds: readonly [path: RegExp, kind: string][] = [
  [/^\/api\/v1\/emails\/\{id\}(\/cancel)?$/, 'scheduled'],
  [/^\/api\/v1\/emails\/\{id\}/, 'email'],
  [/^\/api\/v1\/templates\/\{id\}/, 'template'],
  [/^\/api\/v1\/domains\/\{id\}/, 'domain'],
  [/\{delivery_id\}/, 'webhook_delivery'],
  [/\{replay_id\}/, 'webhook_replay'],
  [/^\/api\/v1\/webhooks\/\{id\}/, 'webhook'],
  [/\/invoices\/\{id\}/, 'invoice'],
  [/^\/api\/v1\/auth\/sessions\/\{id\}/, 'session'],
  [/^\/api\/v1\/api-keys\/\{id\}/, 'api_key'],
  [/^\/api\/v1\/members\/invitations\/\{id\}/, 'invitation'],
  [/^\/api\/v1\/members\/\{user_id\}/, 'member'],
  [/^\/api\/v1\/workspaces\/\{id\}/, 'workspace_membership'],
  [/^\/api\/v1\/erasures\/\{id\}/, 'erasure'],
]

export const kindOf = ({ path }: Pick<Operation, 'path'>): string => kinds.find(([form]) => form.test(path))?.[1] ?? ''

/**
 * Operations that can end a session or a workspace, or take the caller's rights: a victim makes them, or they are made
 * about one.
 */
export const harmful: ReadonlySet<string> = new Set([
  ...['logOut', 'switchWorkspace', 'changeEmail', 'changePassword', 'startTotp', 'confirmTotp', 'disableTotp'],
  ...['revokeSession', 'revokeOtherSessions', 'updateWorkspace', 'deleteOwnWorkspace', 'updateMember', 'removeMember'],
  ...['transferOwnership', 'createWorkspace', 'leaveWorkspace', 'resendConfirmation', 'changePlan', 'createInvitation'],
  ...['getWorkspaceControls', 'setWorkspaceControls', 'deleteWorkspace', 'restoreWorkspace', 'createAdjustment'],
  ...['getUser', 'updateUser'],
])

/** Operations after which the victim is replaced. */
export const ending: ReadonlySet<string> = new Set([
  ...[
    'logOut',
    'switchWorkspace',
    'changePassword',
    'confirmTotp',
    'deleteOwnWorkspace',
    'updateMember',
    'removeMember',
  ],
  ...[
    'setWorkspaceControls',
    'deleteWorkspace',
    'updateUser',
    'updateWorkspace',
    'leaveWorkspace',
    'transferOwnership',
  ],
])

/** Returns ids of records that exist; null: there is none of this kind. */
export const idsFor = async (operation: Operation, world: World, draw: Draw): Promise<Ids | null> => {
  const { id, path, method } = operation
  if (!path.includes('{')) return {}
  if (harmful.has(id)) {
    const { user, workspace } = await world.victim()
    return { id: path.includes('/users/') ? user : workspace, user_id: user }
  }
  const kind = kindOf(operation)
  const known = world.records.of(kind, method !== 'GET')
  const all = known.length > 0 || kind !== 'scheduled' ? known : world.records.of('email', false)
  return all.length === 0 ? null : { version: String(oneOf(draw, [1, 2])), ...oneOf(draw, all) }
}
