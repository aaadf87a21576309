import type { ListWorkspacesRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListWorkspacesRequest.ts'
import type { UpdateWorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateWorkspaceRequest.ts'
import type { Workspace__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { WorkspaceControls__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceControls.ts'
import type { WorkspaceList__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceList.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import { spenders, workspaceManagers } from '@postrider/domain/accounts/roles.ts'
import { controlsProblems, parseOverride, workspaceProblems } from '@postrider/domain/accounts/workspaceRules.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import type { StoredWorkspace, WorkspaceChange } from '@postrider/ports/accounts.ts'
import { type Deps, requireRole } from './deps.ts'
import { workspaceRecord } from './records.ts'

const existing = (workspace: StoredWorkspace | null): StoredWorkspace => {
  if (workspace === null) throw new Fault('not_found', 'There is no such workspace.')
  return workspace
}

export const getWorkspace = async ({ accounts }: Deps, request: WorkspaceRequest__Output): Promise<Workspace__Output> =>
  workspaceRecord(existing(await accounts.workspace(request.workspace)))

const changeOf = (request: UpdateWorkspaceRequest__Output): WorkspaceChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.sender_name === undefined ? {} : { senderName: request.sender_name.trim() }),
  ...(request.postal_address === undefined ? {} : { postalAddress: request.postal_address }),
  ...(request.on_unknown === undefined ? {} : { onUnknown: request.on_unknown === 'hold' ? 'hold' : 'retry' }),
  ...(request.retention === undefined ? {} : { retention: request.retention }),
  ...(request.spending_cap_usd === undefined ? {} : { spendingCapUsd: request.spending_cap_usd }),
  ...(request.clear_spending_cap ? { spendingCapUsd: null } : {}),
})

/** The changed fields for the audit log. Of free text only the change is recorded. */
const auditDetail = ({ name, senderName, postalAddress, note, ...plain }: WorkspaceChange) => ({
  ...plain,
  ...(name === undefined ? {} : { name: true }),
  ...(senderName === undefined ? {} : { senderName: true }),
  ...(postalAddress === undefined ? {} : { postalAddress: true }),
  ...(note === undefined ? {} : { note: true }),
})

/** Changes the given fields. Only an owner may change the spending cap: it is their money, and it can stop their mail. */
export const updateWorkspace = async (
  deps: Deps,
  request: UpdateWorkspaceRequest__Output,
): Promise<Workspace__Output> => {
  const changesCap = request.spending_cap_usd !== undefined || request.clear_spending_cap
  await requireRole(deps, request, changesCap ? spenders : workspaceManagers)
  refuseAny(workspaceProblems(request))
  const change = changeOf(request)
  const workspace = existing(await deps.accounts.changeWorkspace(request.workspace, change))
  await deps.audit.record({
    workspace: workspace.id,
    at: deps.now(),
    actor: request.user,
    action: 'workspace.update',
    target: '',
    detail: auditDetail(change),
  })
  return workspaceRecord(workspace)
}

const defaultPage = 20
/** One more than the largest page, so that a caller sees whether there is a next one. */
const longestList = 101

/** Returns every workspace to the operator, newest first; `limit` 0 is a page of 20. */
export const listWorkspaces = async (
  { accounts }: Deps,
  { before, limit }: ListWorkspacesRequest__Output,
): Promise<WorkspaceList__Output> => {
  const most = limit <= 0 ? defaultPage : Math.min(limit, longestList)
  const workspaces = await accounts.listWorkspaces(before === '' ? null : before, most)
  return { workspaces: workspaces.map(workspaceRecord) }
}

const controlsChange = ({ suspended, note, rate, burst }: WorkspaceControls__Output): WorkspaceChange => ({
  ...(suspended === undefined ? {} : { suspended }),
  ...(note === undefined ? {} : { note }),
  ...(rate === undefined ? {} : { rate: parseOverride(rate, 'rate') ?? null }),
  ...(burst === undefined ? {} : { burst: parseOverride(burst, 'burst') ?? null }),
})

/** Applies the operator's controls to one workspace; a field that is absent stays as it is. */
export const setWorkspaceControls = async (
  { accounts, audit, now }: Deps,
  request: WorkspaceControls__Output,
): Promise<Workspace__Output> => {
  refuseAny(controlsProblems(request))
  const change = controlsChange(request)
  const workspace = existing(await accounts.changeWorkspace(request.workspace, change))
  await audit.record({
    workspace: workspace.id,
    at: now(),
    actor: 'operator',
    action: 'workspace.control',
    target: '',
    detail: auditDetail(change),
  })
  return workspaceRecord(workspace)
}
