import { afterChange, withFreshEvents } from '@postrider/domain/email/changes.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { suspendedMail } from '@postrider/domain/email/waiting.ts'
import { repeatBatches } from '@postrider/kit/repeatBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import { type RefundDeps, refund } from './sends.ts'

export type SuspensionDeps = RefundDeps & {
  emails: Pick<EmailStore, 'change' | 'dueOf' | 'suspend' | 'resume'>
  suspensions: Suspensions
}

/** Maximum number of emails per query, so that a store in this process does not block it. */
const batchSize = 200
/** Maximum number of batches per query: the other chores must not wait for a queue of millions. */
const maxBatches = 50
/** Workspaces per query. */
const maxWorkspaces = 100

/**
 * Sets due mail of suspended workspaces aside, so that claims do not find it, fails what has expired, and returns the
 * mail of resumed workspaces to the queue. It can be repeated and run concurrently with another.
 */
export const setAsideSuspended = async (deps: SuspensionDeps, at: number): Promise<void> => {
  const except = await deps.suspensions.suspended()
  await inBatches((limit) => deps.emails.resume({ except, limit }))
  const all = [...except]
  for (let start = 0; start < all.length; start += maxWorkspaces) {
    const chunk = all.slice(start, start + maxWorkspaces)
    await inBatches((limit) => setAside(deps, chunk, at, limit))
  }
}

const inBatches = (run: (limit: number) => Promise<number>): Promise<void> =>
  repeatBatches({ size: batchSize, max: maxBatches, run })

/** @returns how many emails were found */
const setAside = async (
  deps: SuspensionDeps,
  workspaces: readonly string[],
  at: number,
  limit: number,
): Promise<number> => {
  const { emails } = deps
  const due = await emails.dueOf(workspaces, at, limit)
  const decided = due.map((stored) => ({ stored, after: suspendedMail(stored.email, at) }))
  const waiting = decided.flatMap(({ stored: { email, fence }, after }) =>
    after.kind === 'waits' ? [{ id: email.id, workspace: email.workspace, fence, until: after.until }] : [],
  )
  if (waiting.length > 0) await emails.suspend(waiting, at)
  // Together: each needs several calls, and a failure must not stop the others.
  await Promise.all(
    decided.map(({ stored, after }) => (after.kind === 'ended' ? end(deps, stored, after.email, at) : null)),
  )
  return due.length
}

/** Writes the email that has ended and releases its sends, unless another writer was faster. */
const end = async (deps: SuspensionDeps, stored: StoredEmail, email: Email, at: number): Promise<void> => {
  const nextAt = nextDueOf(email)
  const change = { email: withFreshEvents(email, stored.email.events.length, deps.now()), nextAt }
  if (!(await deps.emails.change(email.id, stored.fence, at, change))) return
  await refund(deps, afterChange(stored, change))
}
