import type { ListWorkspacesRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListWorkspacesRequest.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import type { UpdateWorkspaceRequest, Workspace, WorkspaceControls } from '@postrider/contracts/services.ts'
import { type LifeDecision, suspension, type WorkspaceLife } from '@postrider/domain/accounts/workspaceLife.ts'
import {
  controlsProblems,
  maxSearchedUsers,
  tooManySearchedUsers,
  workspaceProblems,
} from '@postrider/domain/accounts/workspaceRules.ts'
import { byOperator } from '@postrider/domain/audit/entry.ts'
import { type Allowance, allowanceAt, type PlanName, planNames } from '@postrider/domain/quota/plans.ts'
import { storedOverride } from '@postrider/domain/rateLimit/override.ts'
import { retentionText } from '@postrider/domain/retention/retention.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import type { StoredWorkspace, WorkspaceChange } from '@postrider/ports/accounts.ts'
import { workspaceEntry } from './auditEntries.ts'
import { type Deps, requirePermission } from './deps.ts'
import { workspaceRecord } from './records.ts'

export const existing = (workspace: StoredWorkspace | null): StoredWorkspace => {
  if (workspace === null) throw new Fault('not_found', 'There is no such workspace.')
  return workspace
}

/** Returns the plan and limits of a workspace that are in effect now. */
export const currentAllowance = async (
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  workspace: string,
): Promise<Allowance> => allowanceAt(await ledger.allowance(workspace), now())

/** Returns a workspace with its plan. @throws Fault `not_found`: there is none */
export const planned = async (
  deps: Pick<Deps, 'ledger' | 'now'>,
  found: StoredWorkspace | null,
): Promise<Workspace> => {
  const workspace = existing(found)
  return workspaceRecord(workspace, await currentAllowance(deps, workspace.id))
}

export const getWorkspace = async (deps: Deps, request: WorkspaceRequest__Output): Promise<Workspace> =>
  planned(deps, await deps.accounts.workspace(request.workspace))

const changeOf = (request: UpdateWorkspaceRequest): WorkspaceChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.sender_name === undefined ? {} : { senderName: request.sender_name.trim() }),
  ...(request.postal_address === undefined ? {} : { postalAddress: request.postal_address }),
  ...(request.on_unknown === undefined ? {} : { onUnknown: request.on_unknown === 'hold' ? 'hold' : 'retry' }),
  ...(request.retention === undefined ? {} : { retention: retentionText(request.retention) }),
  ...(request.require_totp === undefined ? {} : { requireTotp: request.require_totp }),
})

/**
 * Changes the given fields. Only an owner may change the spending cap, because it is their money and can stop their
 * mail, and whether members need a second factor. The cap is checked here and not stored: quota stores it with its
 * entry.
 */
export const updateWorkspace = async (deps: Deps, request: UpdateWorkspaceRequest): Promise<Workspace> => {
  const changesCap = request.spending_cap_usd !== undefined || request.clear_spending_cap
  await requirePermission(deps, request, changesCap ? 'billing:write' : 'workspace:write')
  if (request.require_totp !== undefined) await requirePermission(deps, request, 'security:write')
  refuseAny(workspaceProblems(request, deps.retention))
  const by = { actor: request.user, clientAddress: request.client_address, at: deps.now() }
  const entryOf = workspaceEntry(by, 'workspace.update')
  return planned(deps, await deps.accounts.changeWorkspace(request.workspace, changeOf(request), entryOf))
}

const defaultPage = 20
/** One more than the largest page, so that a caller sees whether there is a next one. */
const maxListLength = 101

/** Returns the size of a page; 0 is the default. */
export const pageSize = (limit: number): number => (limit <= 0 ? defaultPage : Math.min(limit, maxListLength))

const planOf = (text: string): PlanName | null => planNames.find((name) => name === text) ?? null

/**
 * Returns workspaces to the operator, newest first; `limit` 0 is a page of 20.
 * @throws Fault `malformed_request`: too many users have the text in their addresses
 */
export const listWorkspaces = async (
  deps: Deps,
  { before, limit, query, plan, suspended, deleting }: ListWorkspacesRequest__Output,
): Promise<{ workspaces: Workspace[] }> => {
  const { accounts, now } = deps
  const name = planOf(plan)
  const workspaces = await accounts.findWorkspaces({
    before: before || null,
    limit: pageSize(limit),
    text: query || null,
    maxUsers: maxSearchedUsers,
    plan: name && { name, at: now() },
    suspended: suspended ?? null,
    deleting: deleting ?? null,
  })
  if (workspaces === 'too_many_users') {
    const { path, message } = tooManySearchedUsers
    throw new Fault('malformed_request', `${path}: ${message}`, { problems: [tooManySearchedUsers] })
  }
  return { workspaces: await Promise.all(workspaces.map((one) => planned(deps, one))) }
}

/** Returns the fields to write; null: none change. @throws Fault `conflict`, `validation_failed` */
export const decidedChange = (decision: LifeDecision): Partial<WorkspaceLife> | null => {
  if (decision.kind === 'refused') throw new Fault('conflict', decision.message)
  if (decision.kind === 'invalid') refuseAny(decision.problems)
  return decision.kind === 'change' ? decision.change : null
}

const controlsChange = ({ note, rate, burst }: WorkspaceControls): WorkspaceChange => ({
  ...(note === undefined ? {} : { note }),
  ...(rate === undefined ? {} : { rate: storedOverride(rate) }),
  ...(burst === undefined ? {} : { burst: storedOverride(burst) }),
})

/** Applies the operator's controls to one workspace; a field that is absent stays as it is. Quota stores the plan. */
export const setWorkspaceControls = async (deps: Deps, request: WorkspaceControls): Promise<Workspace> => {
  const { accounts, now } = deps
  const before = existing(await accounts.workspace(request.workspace))
  refuseAny(controlsProblems(request))
  const change = { ...controlsChange(request), ...decidedChange(suspension(before, request)) }
  const by = { ...byOperator(request.operator), clientAddress: request.client_address, at: now() }
  const entryOf = workspaceEntry(by, 'workspace.control')
  return planned(deps, await accounts.changeWorkspace(request.workspace, change, entryOf))
}
