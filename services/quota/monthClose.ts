import { randomUUID } from 'node:crypto'
import { type BillingKind, billingKind } from '@postrider/domain/billing/kind.ts'
import { closeMonth, monthToClose } from '@postrider/domain/billing/months.ts'
import { endBilling } from '@postrider/domain/billing/planChoice.ts'
import { hourMs, startOfMonth } from '@postrider/domain/time.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { logFailure } from '@postrider/kit/failureLog.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { changeBilling } from './billingState.ts'
import { collectDue } from './collect.ts'
import type { Deps } from './deps.ts'
import type { CloseOutcome } from './metrics.ts'

/** Closes months and stores what crashes left. */
export type MonthClose = AsyncDisposable & {
  /** Does what is due now. @returns false: another process is doing it */
  closeDue(): Promise<boolean>
}

/** Workspaces of one check; a lease lasts for several of them. */
const [batchSize, leaseMs] = [50, 60_000]
/** Average time between two checks. */
const pollEveryMs = 15_000
/** When a month with a send that has not ended is checked again: after the sweep has settled it. */
const waitMs = 30_000
/** Workspaces whose charges get no response, after which the others wait for the next check. */
const maxOutages = 3
/** A workspace that is due for longer counts as overdue. */
const overdueMs = hourMs

/** Closes the months that have ended, in one process at a time, until it is disposed. */
export const openMonthClose = (deps: Deps, random: () => number = Math.random): MonthClose => {
  const owner = randomUUID()
  const { run, ...job } = periodicJob(
    async (stopping) => {
      const isDone = await closeAll(deps, owner, stopping)
      deps.metrics.billingOverdue.set(await deps.billing.countDue(deps.now() - overdueMs))
      return isDone
    },
    { everyMs: pollEveryMs, log: deps.log, message: 'cannot close months', random },
  )
  return { closeDue: run, ...job }
}

/**
 * Works through all due workspaces under a lease of the store's clock. The lease saves work only: each change is
 * guarded by the state of its workspace, so two processes at the same time change nothing twice.
 */
const closeAll = async (deps: Deps, owner: string, stopping: AbortSignal): Promise<boolean> => {
  const { billing, now } = deps
  const takeLease = () => billing.lease(owner, now(), now() + leaseMs)
  if (!(await takeLease())) return false
  const seen = new Set<string>()
  try {
    for (;;) {
      const due = await billing.due(now(), batchSize + seen.size)
      const batch = due.filter((workspace) => !seen.has(workspace))
      if (batch.length === 0) break
      for (const workspace of batch) {
        if (stopping.aborted || !(await takeLease())) return true
        seen.add(workspace)
        await closeOne(deps, workspace)
      }
    }
    // After all closes, which do not wait for the payment provider.
    let outages = 0
    for (const workspace of seen) {
      if (outages === maxOutages || stopping.aborted || !(await takeLease())) break
      if (!(await collectFor(deps, workspace))) outages += 1
    }
    return true
  } finally {
    await billing.endLease(owner)
  }
}

/** An error concerns one workspace; it is due again at the next check. An unavailable store ends the check. */
const closeOne = async (deps: Deps, workspace: string): Promise<void> => {
  try {
    await closeMonths(deps, workspace)
  } catch (err) {
    if (isUnavailable(err)) throw err
    deps.metrics.monthCloses.inc({ outcome: 'failed' })
    deps.log.error({ err, workspace }, 'cannot close month')
  }
}

/**
 * Charges the invoices of a workspace that are due. An error concerns one workspace.
 * @returns false: the provider or the store does not respond
 */
const collectFor = async (deps: Deps, workspace: string): Promise<boolean> => {
  try {
    if ((await deps.billing.read(workspace)).account?.collections?.length) await collectDue(deps, workspace)
    return true
  } catch (err) {
    deps.metrics.collections.inc({ outcome: 'unavailable' })
    logFailure(deps.log, { err, workspace }, 'cannot charge invoices')
    return !isUnavailable(err)
  }
}

/**
 * Closes every month of a workspace that can be closed, the oldest first, each in a step of its own, or removes the
 * plan that a failed sign-up left.
 */
const closeMonths = async (deps: Deps, workspace: string): Promise<void> => {
  const kind = await kindOf(deps, workspace)
  if (kind === 'abandoned') return deps.ledger.deleteAllowance(workspace)
  if (kind === 'none') return
  const options = kind === 'deleted' ? { prepare: endBilling } : {}
  for (;;) {
    const state = await changeBilling(deps, workspace, (billing) => billing, options)
    const month = monthToClose(state, deps.now())
    if (month === null) return
    const outcome = await closeOldest(deps, workspace, {
      month,
      corrected: state.account.closed.map((closed) => closed.month),
    })
    deps.metrics.monthCloses.inc({ outcome })
    if (outcome === 'waiting') return
  }
}

const kindOf = async ({ accounts, billing, now }: Deps, workspace: string): Promise<BillingKind> => {
  const { account, allowance } = await billing.read(workspace)
  return billingKind({ workspace: await accounts.workspace(workspace), account, allowance }, now())
}

const closeOldest = async (
  deps: Deps,
  workspace: string,
  { month, corrected }: { month: string; corrected: readonly string[] },
): Promise<CloseOutcome> => {
  const { ledger, now } = deps
  if (!(await ledger.isSettled(workspace, month))) {
    await changeBilling(deps, workspace, (billing) => billing, { dueAt: now() + waitMs })
    return 'waiting'
  }
  const usedIn = new Map<string, number>()
  for (const one of [...corrected, month]) {
    usedIn.set(one, (await ledger.usage(workspace, startOfMonth(one))).monthly.used)
  }
  await changeBilling(deps, workspace, (billing, context) =>
    billing.account.ended[0]?.month === month ? closeMonth(billing, usedIn, context) : billing,
  )
  return 'closed'
}
