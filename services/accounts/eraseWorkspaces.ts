import { setImmediate as nextIteration } from 'node:timers/promises'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { hourMs } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { RemovedWorkspace, WorkspaceErasure } from '@postrider/ports/workspaceErasure.ts'
import type { AccountsMetrics } from './metrics.ts'

export type EraseDeps = {
  accounts: Pick<AccountStore, 'workspacesToDelete' | 'workspace'>
  erasure: WorkspaceErasure
  audit: Pick<Audit, 'record'>
  metrics: Pick<AccountsMetrics, 'workspacesErased' | 'erasuresOverdue'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
  now: Clock
}

/** Documents of one step, and workspaces of one poll. */
const [stepSize, maxWorkspaces] = [100, 20]
/** Average time between two polls. */
const pollEveryMs = 30_000
/** A removed workspace is checked again after this time: a request that had begun may have stored something. */
const againMs = 60_000
/** Time to the next check while its billing has not ended, which takes until the end of the month at least. */
const billedAgainMs = hourMs
/** A deletion that is due for longer counts as overdue. */
const overdueMs = hourMs

export type WorkspaceEraser = AsyncDisposable & {
  /** Removes every workspace whose deletion is due, and what is left of those that were removed before. */
  eraseDue(): Promise<void>
}

/**
 * Removes deleted workspaces in small steps until it is disposed. Steps may be repeated and run concurrently with
 * others.
 */
export const openWorkspaceEraser = (deps: EraseDeps, random: () => number = Math.random): WorkspaceEraser => {
  const { run, ...job } = periodicJob(
    async (stopping) => {
      await eraseAll(deps, stopping)
      const overdue = await deps.accounts.workspacesToDelete(deps.now() - overdueMs, maxWorkspaces)
      deps.metrics.erasuresOverdue.set(overdue.length)
    },
    { everyMs: pollEveryMs, log: deps.log, message: 'cannot remove workspaces', random },
  )
  return { eraseDue: run, ...job }
}

const eraseAll = async (deps: EraseDeps, stopping: AbortSignal): Promise<void> => {
  const { accounts, erasure, now } = deps
  for (const workspace of await accounts.workspacesToDelete(now(), maxWorkspaces)) {
    if ((await removeAll(deps, workspace, stopping)) === null) return
  }
  for (const workspace of await erasure.removed(now(), maxWorkspaces)) {
    if (!(await recheck(deps, workspace, stopping))) return
  }
}

/** @returns false: the process stops */
const recheck = async (deps: EraseDeps, { id, isNew }: RemovedWorkspace, stopping: AbortSignal): Promise<boolean> => {
  const { erasure, now } = deps
  const removed = await removeAll(deps, id, stopping)
  if (removed === null) return false
  if (isNew) {
    await deps.audit.record(erasedEntry(id, now()))
    deps.metrics.workspacesErased.inc()
    deps.log.info({ workspace: id }, 'workspace removed')
  }
  // A poll that finds nothing is the last one.
  const isOver = !isNew && removed === 0
  if (isOver && (await erasure.forget(id))) return true
  await erasure.scheduleRecheck(id, now() + (isOver ? billedAgainMs : againMs))
  return true
}

/** @returns how many documents were removed; null: the process stops */
const removeAll = async ({ erasure }: EraseDeps, workspace: string, stopping: AbortSignal): Promise<number | null> => {
  let all = 0
  while (!stopping.aborted) {
    const removed = await erasure.step(workspace, stepSize)
    if (removed === 0) return all
    all += removed
    // A store in this process works synchronously; requests run in between.
    await nextIteration()
  }
  return null
}

/**
 * Returns the audit entry of the deletion, which stays in the log for the operator. Its id follows from that of the
 * workspace, so a repetition adds none.
 */
const erasedEntry = (workspace: string, at: number) => ({
  id: `aud_${workspace.slice(workspace.indexOf('_') + 1)}`,
  workspace: '',
  at,
  actor: 'system',
  clientAddress: '',
  action: 'workspace.erase' satisfies AuditAction,
  target: workspace,
  before: null,
  after: null,
})
