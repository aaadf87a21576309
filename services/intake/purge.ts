import { decidePurge, dueFrom, type PurgeDecision, type Removal } from '@postrider/domain/retention/purge.ts'
import type { RetentionLimits } from '@postrider/domain/retention/retention.ts'
import { repeatBatches } from '@postrider/kit/repeatBatches.ts'
import type { DuePurge, EmailPurges, PurgeChange } from '@postrider/ports/emailPurges.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'

export type PurgeDeps = {
  emails: EmailPurges
  mailbox: Pick<MailboxStore, 'remove'>
  workspaceEvents: Pick<WorkspaceEventStore, 'removeUntil'>
  retention: RetentionLimits
  /** Called with the number of emails of each removal. */
  purged(removal: Removal, emails: number): void
  /** Called after each round, even if it failed, with how long the oldest mail has been due; 0: none is. */
  overdue(kind: 'mail' | 'recipient', ms: number): void
}

/**
 * Emails of a step, and most steps of a round: requests run in between, and the other chores must not wait for long.
 */
export const purgeBatch = 100
const maxBatches = 50

type Removed = Extract<PurgeDecision, { kind: 'remove' }>
type Decided = { due: DuePurge; decision: PurgeDecision }

/**
 * Removes what is stored long enough, in small steps. Each can be repeated and run concurrently with another: captured
 * mail and contents are removed before the record reports it.
 */
export const purgeMail = async (deps: PurgeDeps, at: number): Promise<void> => {
  try {
    await inBatches((limit) => deps.emails.adoptPurges(at, limit))
    await removeDue(deps, at)
    // Events of emails are parts of their records.
    await inBatches((limit) => deps.workspaceEvents.removeUntil(at - deps.retention.recordMs, limit))
  } finally {
    // Even after a failure: a removal that fails in every round must raise the alert of overdue removals.
    await reportOverdue(deps, at)
  }
}

const removeDue = async (deps: PurgeDeps, at: number): Promise<void> => {
  let mustScrub = false
  try {
    await inBatches(async (limit) => {
      const due = await deps.emails.duePurges((step) => dueFrom(step, at, deps.retention), limit)
      const decided = due.map((one) => ({ due: one, decision: decidePurge(one, one.purge.step, at, deps.retention) }))
      // Before the removal: if it fails, a part of the mail may be removed.
      mustScrub ||= decided.some(({ due: { email }, decision: { kind } }) => kind === 'remove' && isShortLived(email))
      await applyAll(deps, decided)
      return due.length
    })
  } finally {
    await deps.emails.scrub(mustScrub)
  }
}

const reportOverdue = async ({ emails, retention, overdue }: PurgeDeps, at: number): Promise<void> => {
  const left = await emails.purgeBacklog((step) => dueFrom(step, at, retention), 1)
  const lateBy = left.map(({ step, oldest }) => (oldest === null ? 0 : dueFrom(step, at, retention) - oldest))
  overdue('mail', Math.max(0, ...lateBy))
}

/**
 * Whether its sender requested less than the installation's time: then the files of the store must not have it either.
 */
const isShortLived = (email: DuePurge['email']): boolean => email?.retention !== undefined

const inBatches = (run: (limit: number) => Promise<number>): Promise<void> =>
  repeatBatches({ size: purgeBatch, max: maxBatches, run })

const applyAll = async ({ emails, mailbox, purged }: PurgeDeps, decided: readonly Decided[]): Promise<void> => {
  const postponed = decided.flatMap(({ due, decision }) =>
    decision.kind === 'postpone' ? [{ id: due.id, was: due.purge, purge: decision.purge }] : [],
  )
  const removed = decided.flatMap(({ due, decision }) => (decision.kind === 'remove' ? [{ due, decision }] : []))
  const captured = removed.filter(({ decision }) => decision.removal !== 'attachments')
  await mailbox.remove(captured.flatMap(({ due }) => due.email?.attempts.map(({ id }) => id) ?? []))
  const records = removed.filter(({ decision }) => decision.removal === 'record')
  await emails.setPurges(postponed)
  await emails.purge(removed.flatMap(({ due, decision }) => changesOf(due, decision)))
  await emails.removeEmails(records.map(({ due: { id, fence } }) => ({ id, fence })))
  const ofEmails = removed.filter(({ due }) => due.email !== null)
  for (const [removal, all] of Map.groupBy(ofEmails, ({ decision }) => decision.removal)) purged(removal, all.length)
}

/** Returns the change of an email of which a part is left, as a list of one; an empty list: nothing is left. */
const changesOf = ({ fence }: DuePurge, decision: Removed): PurgeChange[] => {
  if (decision.removal === 'record') return []
  const { removal, email, purge } = decision
  return [{ email, fence, purge, remove: removal === 'attachments' ? 'attachments' : 'content' }]
}
