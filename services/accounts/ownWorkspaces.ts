import type { CreateWorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreateWorkspaceRequest.ts'
import type { OwnWorkspacesRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/OwnWorkspacesRequest.ts'
import type { SwitchWorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SwitchWorkspaceRequest.ts'
import type { OwnWorkspace, SessionReply } from '@postrider/contracts/services.ts'
import { notAuthenticated } from '@postrider/domain/accounts/apiKey.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { maxWorkspaceNameLength, textProblems } from '@postrider/domain/accounts/textRules.ts'
import { isStoppedByOperator, newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { newAllowance, type PlanName } from '@postrider/domain/quota/plans.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import { newEntry } from './auditEntries.ts'
import { refuseClosedSignUp } from './closedSignUp.ts'
import type { Deps } from './deps.ts'
import { limitSignUps } from './rateLimits.ts'
import { moveSession, sessionOf } from './session.ts'
import { currentAllowance } from './workspaces.ts'

/* The workspaces of one user. A session is in one of them at a time. */

type Own = { role: Role; plan: PlanName }

const recordOf = ({ id, name, createdAt }: StoredWorkspace, { role, plan }: Own): OwnWorkspace => ({
  id,
  name,
  plan,
  role,
  created_at: createdAt,
})

/** Returns the workspaces of a user in the order of joining. */
export const listOwnWorkspaces = async (
  deps: Pick<Deps, 'accounts' | 'ledger' | 'now'>,
  { user }: OwnWorkspacesRequest__Output,
): Promise<{ workspaces: OwnWorkspace[] }> => {
  const { accounts } = deps
  const memberships = await accounts.memberships(user)
  const found = await Promise.all(
    memberships.map(async ({ workspace, role }) => {
      const stored = await accounts.workspace(workspace)
      return stored === null ? [] : [recordOf(stored, { role, plan: (await currentAllowance(deps, workspace)).plan })]
    }),
  )
  return { workspaces: found.flat() }
}

type NewWorkspaceDeps = Pick<Deps, 'accounts' | 'ledger' | 'now' | 'defaultPlan'>
type NewOwned = { user: string; name: string; clientAddress: string }

/**
 * Stores another workspace of a user. The plan is written first: a process that ends in between leaves no workspace
 * without it.
 */
export const insertOwned = async (
  { accounts, ledger, now, defaultPlan: plan }: NewWorkspaceDeps,
  { user, name, clientAddress }: NewOwned,
): Promise<StoredWorkspace> => {
  const at = now()
  const workspace = newWorkspace({ id: newId('ws'), name: name.trim(), plan, createdAt: at })
  if (plan !== newAllowance.plan) await ledger.setAllowance(workspace.id, { plan, since: at })
  const act = { workspace: workspace.id, action: 'workspace.create' as const, target: workspace.id }
  const entry = newEntry({ actor: user, clientAddress, at }, { ...act, after: { name: workspace.name, plan } })
  await accounts.insertWorkspace(workspace, user, entry)
  return workspace
}

/** Mail that the operator stopped must not leave from another workspace of the same owner. @throws Fault `forbidden` */
const refuseStopped = async ({ accounts }: Deps, workspaces: readonly string[]): Promise<void> => {
  const stored = await Promise.all(workspaces.map((id) => accounts.workspace(id)))
  const stopped = stored.find((one) => one !== null && isStoppedByOperator(one))
  if (!stopped) return
  const { name, suspendedReason: reason } = stopped
  const detail = `You cannot create another workspace while your workspace "${name}" is suspended`
  throw new Fault('forbidden', reason === '' ? `${detail}.` : `${detail}: ${reason}`)
}

/**
 * Creates another workspace of a user, who owns it. It counts as a sign-up, because each workspace has a quota.
 * @throws Fault `forbidden`: sign-up is closed, or the operator stopped a workspace of the user; `rate_limited`;
 * `conflict`: the user has too many
 */
export const createWorkspace = async (
  deps: Deps,
  { user, name, client_address: clientAddress }: CreateWorkspaceRequest__Output,
): Promise<OwnWorkspace> => {
  refuseClosedSignUp(deps)
  refuseAny(textProblems('name', name, { max: maxWorkspaceNameLength }))
  await limitSignUps(deps, clientAddress)
  const max = deps.limits.workspacesOfUser
  const memberships = await deps.accounts.memberships(user)
  const owned = memberships.filter(({ role }) => role === 'owner').map(({ workspace }) => workspace)
  await refuseStopped(deps, owned)
  if (memberships.length >= max)
    throw new Fault('conflict', `A person may be in at most ${max} workspaces; leave one first.`)
  const workspace = await insertOwned(deps, { user, name, clientAddress })
  return recordOf(workspace, { role: 'owner', plan: deps.defaultPlan })
}

/** Moves a session to another workspace of its user. Other sessions of the user stay where they are. */
export const switchWorkspace = async (
  deps: Deps,
  { token, workspace, client_address: clientAddress }: SwitchWorkspaceRequest__Output,
): Promise<SessionReply> => {
  const open = await sessionOf(deps, token)
  if (open === null) throw new Fault('unauthenticated', notAuthenticated)
  return moveSession(deps, { token, open, workspace, clientAddress })
}
