import type { UpdateWorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/UpdateWorkspaceRequest.ts'
import type { Workspace__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { WorkspaceRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceRequest.ts'
import { longestWorkspaceName, textProblems } from '@postrider/domain/accounts/accountRules.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import type { WorkspaceChange } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { workspaceRecord } from './records.ts'
import { managers, requireRole } from './roles.ts'
import { senderNameProblems } from './senderName.ts'

export const noSuchWorkspace = () => new Fault('not_found', 'There is no such workspace.')

export const getWorkspace = async (
  { accounts }: Deps,
  request: WorkspaceRequest__Output,
): Promise<Workspace__Output> => {
  const workspace = await accounts.workspace(request.workspace)
  if (workspace === null) throw noSuchWorkspace()
  return workspaceRecord(workspace)
}

const longestPostalAddress = 500
const longestRetentionDays = 3_650
const highestCapUsd = 1_000_000

const isRetention = (text: string): boolean =>
  ['', 'none', 'metadata'].includes(text) || (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= longestRetentionDays)

/** Whole cents: `0.1 + 0.2` is not an amount of money. */
const isAmount = (usd: number): boolean =>
  usd >= 0 && usd <= highestCapUsd && Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6

const unless = (fits: boolean, problem: Problem): Problem[] => (fits ? [] : [problem])

const problemsOf = (request: UpdateWorkspaceRequest__Output): Problem[] => {
  const { name, sender_name, postal_address, on_unknown, retention, spending_cap_usd } = request
  return [
    ...(name === undefined ? [] : textProblems('name', name, { max: longestWorkspaceName })),
    ...(sender_name === undefined ? [] : senderNameProblems('sender_name', sender_name)),
    ...(postal_address === undefined
      ? []
      : textProblems('postal_address', postal_address, { max: longestPostalAddress, optional: true, lines: true })),
    ...unless(on_unknown === undefined || on_unknown === 'retry' || on_unknown === 'hold', {
      path: 'on_unknown',
      code: 'invalid_value',
      message: 'This is "retry" or "hold".',
    }),
    ...unless(retention === undefined || isRetention(retention), {
      path: 'retention',
      code: 'invalid_value',
      message: `This is "none", "metadata" or a number of days from 1 to ${longestRetentionDays}.`,
    }),
    ...unless(spending_cap_usd === undefined || isAmount(spending_cap_usd), {
      path: 'spending_cap_usd',
      code: 'invalid_value',
      message: `This is an amount in US dollars and whole cents, from 0 to ${highestCapUsd}.`,
    }),
  ]
}

const changeOf = (request: UpdateWorkspaceRequest__Output): WorkspaceChange => ({
  ...(request.name === undefined ? {} : { name: request.name.trim() }),
  ...(request.sender_name === undefined ? {} : { senderName: request.sender_name.trim() }),
  ...(request.postal_address === undefined ? {} : { postalAddress: request.postal_address }),
  ...(request.on_unknown === undefined ? {} : { onUnknown: request.on_unknown === 'hold' ? 'hold' : 'retry' }),
  ...(request.retention === undefined ? {} : { retention: request.retention }),
  ...(request.spending_cap_usd === undefined ? {} : { spendingCapUsd: request.spending_cap_usd }),
  ...(request.clear_spending_cap ? { spendingCapUsd: null } : {}),
})

/** The fields that changed; what a person wrote is only said to have changed. */
const auditDetail = ({ name, senderName, postalAddress, ...plain }: WorkspaceChange) => ({
  ...plain,
  ...(name === undefined ? {} : { name: true }),
  ...(senderName === undefined ? {} : { senderName: true }),
  ...(postalAddress === undefined ? {} : { postalAddress: true }),
})

/** Changes the given fields. A spending cap is the owner's alone: it is their money, and their mail that stops. */
export const updateWorkspace = async (
  deps: Deps,
  request: UpdateWorkspaceRequest__Output,
): Promise<Workspace__Output> => {
  const money = request.spending_cap_usd !== undefined || request.clear_spending_cap
  await requireRole(deps, request, money ? ['owner'] : managers)
  refuseAny(problemsOf(request))
  const change = changeOf(request)
  const workspace = await deps.accounts.changeWorkspace(request.workspace, change)
  if (workspace === null) throw noSuchWorkspace()
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
