import type { ListWorkspacesRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListWorkspacesRequest.ts'
import type { Workspace__Output } from '@postrider/contracts/gen/postrider/accounts/v1/Workspace.ts'
import type { WorkspaceControls__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceControls.ts'
import type { WorkspaceList__Output } from '@postrider/contracts/gen/postrider/accounts/v1/WorkspaceList.ts'
import { textProblems } from '@postrider/domain/accounts/accountRules.ts'
import { type Problem, refuseAny } from '@postrider/kit/fault.ts'
import type { WorkspaceChange } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'
import { workspaceRecord } from './records.ts'
import { noSuchWorkspace } from './workspaces.ts'

/** One more than a page, so that a caller sees whether there is another. */
const longestList = 101

/** Every workspace, newest first; `limit` 0 is a page of 20. */
export const listWorkspaces = async (
  { accounts }: Deps,
  { before, limit }: ListWorkspacesRequest__Output,
): Promise<WorkspaceList__Output> => {
  const most = limit <= 0 ? 20 : Math.min(limit, longestList)
  const workspaces = await accounts.listWorkspaces(before === '' ? null : before, most)
  return { workspaces: workspaces.map(workspaceRecord) }
}

const highest = 1_000_000

/** An override as the store keeps it (null: the plan's, 0: none), or undefined where it isn't one. */
const parseOverride = (text: string, whole: boolean): number | null | undefined => {
  if (text === 'plan') return null
  if (text === 'none') return 0
  const number = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  return number > 0 && number <= highest && (!whole || Number.isInteger(number)) ? number : undefined
}

const overrideProblems = (path: string, text: string | undefined, whole: boolean): Problem[] =>
  text === undefined || parseOverride(text, whole) !== undefined
    ? []
    : [{ path, code: 'invalid_value', message: `This is "plan", null or a ${whole ? 'whole ' : ''}number above 0.` }]

const longestNote = 2_000

const problemsOf = ({ note, rate, burst }: WorkspaceControls__Output): Problem[] => [
  ...(note === undefined ? [] : textProblems('note', note, { max: longestNote, optional: true, lines: true })),
  ...overrideProblems('limits.rate', rate, false),
  ...overrideProblems('limits.burst', burst, true),
]

const changeOf = ({ suspended, note, rate, burst }: WorkspaceControls__Output): WorkspaceChange => ({
  ...(suspended === undefined ? {} : { suspended }),
  ...(note === undefined ? {} : { note }),
  ...(rate === undefined ? {} : { rate: parseOverride(rate, false) ?? null }),
  ...(burst === undefined ? {} : { burst: parseOverride(burst, true) ?? null }),
})

/** The operator's controls over one workspace; what is absent stays. */
export const setWorkspaceControls = async (
  { accounts, audit, now }: Deps,
  request: WorkspaceControls__Output,
): Promise<Workspace__Output> => {
  refuseAny(problemsOf(request))
  const change = changeOf(request)
  const workspace = await accounts.changeWorkspace(request.workspace, change)
  if (workspace === null) throw noSuchWorkspace()
  const { note, ...plain } = change
  await audit.record({
    workspace: workspace.id,
    at: now(),
    actor: 'operator',
    action: 'workspace.control',
    target: '',
    detail: note === undefined ? plain : { ...plain, note: true },
  })
  return workspaceRecord(workspace)
}
