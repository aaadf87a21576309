import type { DeleteOwnWorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/DeleteOwnWorkspaceRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { Workspace } from '@postrider/contracts/services.ts'
import { deletion, type LifeDecision, restoration } from '@postrider/domain/accounts/workspaceLife.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { type AuditBy, byOperator } from '@postrider/domain/audit/entry.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import { workspaceEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { deletedWorkspaceMail } from './mails.ts'
import { ownersOf } from './ownerMails.ts'
import { requireOwnPassword } from './ownPassword.ts'
import { sessionUser } from './session.ts'
import { decidedChange, existing, planned } from './workspaces.ts'

type By = Omit<AuditBy, 'at'>

const operatorOf = ({ client_address: clientAddress = '', operator }: WorkspaceRequest__Output): By => ({
  ...byOperator(operator),
  clientAddress,
})

const change = async (
  deps: Deps,
  found: StoredWorkspace,
  { action, decision, by }: { action: AuditAction; decision: LifeDecision; by: By },
): Promise<Workspace> => {
  const fields = decidedChange(decision)
  if (fields === null) return planned(deps, found)
  const entryOf = workspaceEntry({ ...by, at: deps.now() }, action)
  return planned(deps, await deps.accounts.changeWorkspace(found.id, fields, entryOf))
}

const scheduleDeletion = async (deps: Deps, found: StoredWorkspace, by: By): Promise<Workspace> =>
  change(deps, found, { action: 'workspace.delete', decision: deletion(found, deps.now()), by })

/** Schedules the deletion of a workspace and stops its mail until then. Repeating it does not move the time. */
export const deleteWorkspace = async (deps: Deps, request: WorkspaceRequest__Output): Promise<Workspace> =>
  scheduleDeletion(deps, existing(await deps.accounts.workspace(request.workspace)), operatorOf(request))

/**
 * Schedules the deletion for an owner, and emails every owner. A stolen session alone does not suffice, and only the
 * operator cancels it.
 * @throws Fault `forbidden`: the person is not an owner; `unauthenticated`; `validation_failed` at `password`;
 * `rate_limited`
 */
export const deleteOwnWorkspace = async (
  deps: Deps,
  { workspace, user: id, password, client_address: clientAddress }: DeleteOwnWorkspaceRequest__Output,
): Promise<Workspace> => {
  await requirePermission(deps, { workspace, user: id }, 'workspace:delete')
  const user = await sessionUser(deps, id)
  await requireOwnPassword(deps, user, { path: 'password', password, clientAddress })
  const found = existing(await deps.accounts.workspace(workspace))
  const deleted = await scheduleDeletion(deps, found, { actor: id, clientAddress })
  const { deletes_at: at } = deleted
  if (found.deletesAt === null && at !== null) notifyOwners(deps, found, at)
  return deleted
}

const notifyOwners = ({ accounts, mails }: Deps, { id: workspace, name }: StoredWorkspace, at: number): void => {
  mails.post(async () =>
    (await ownersOf(accounts, workspace)).map(({ id, email }) =>
      deletedWorkspaceMail({ to: email, owner: id, workspace, name, at }),
    ),
  )
}

/**
 * Cancels a scheduled deletion; mail leaves again unless the operator had stopped it before. Nothing changes if no
 * deletion is scheduled.
 * @throws Fault `conflict`: the deletion is due and may have begun
 */
export const restoreWorkspace = async (deps: Deps, request: WorkspaceRequest__Output): Promise<Workspace> => {
  const found = existing(await deps.accounts.workspace(request.workspace))
  const decision = restoration(found, deps.now())
  return change(deps, found, { action: 'workspace.restore', decision, by: operatorOf(request) })
}
