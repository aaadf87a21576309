import { decidePurge, dueFrom, type PurgeDecision, type Removal } from '@postrider/domain/retention/purge.ts'
import type { RetentionLimits } from '@postrider/domain/retention/retention.ts'
import { repeatBatches } from '@postrider/kit/repeatBatches.ts'
import type { DuePurge, EmailPurges } from '@postrider/ports/emailPurges.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'

export type PurgeDeps = {
  emails: EmailPurges
  mailbox: Pick<MailboxStore, 'remove'>
  workspaceEvents: Pick<WorkspaceEventStore, 'removeUntil'>
  retention: RetentionLimits
  /** Called with the number of emails of each removal. */
  purged(removal: Removal, emails: number): void
  /** Called after each round with how long the oldest mail is due that was not removed; 0: none is. */
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
  await inBatches((limit) => deps.emails.adoptPurges(at, limit))
  let mustScrub = false
  await inBatches(async (limit) => {
    const due = await deps.emails.duePurges((step) => dueFrom(step, at, deps.retention), limit)
    const decided = due.map((one) => ({ due: one, decision: decidePurge(one, one.purge.step, at, deps.retention) }))
    await applyAll(deps, decided)
    mustScrub ||= decided.some(({ due: { email }, decision: { kind } }) => kind === 'remove' && isShortLived(email))
    return due.length
  })
  // Events of emails are parts of their records.
  await inBatches((limit) => deps.workspaceEvents.removeUntil(at - deps.retention.recordMs, limit))
  await deps.emails.scrub(mustScrub)
  const left = await deps.emails.purgeBacklog((step) => dueFrom(step, at, deps.retention), 1)
  const lateBy = left.map(({ step, oldest }) => (oldest === null ? 0 : dueFrom(step, at, deps.retention) - oldest))
  deps.overdue('mail', Math.max(0, ...lateBy))
}

/**
 * Whether its sender requested less than the installation's time: then the files of the store must not have it either.
 */
const isShortLived = ({ retention }: DuePurge['email']): boolean => retention !== undefined

const inBatches = (run: (limit: number) => Promise<number>): Promise<void> =>
  repeatBatches({ size: purgeBatch, max: maxBatches, run })

const applyAll = async ({ emails, mailbox, purged }: PurgeDeps, decided: readonly Decided[]): Promise<void> => {
  const postponed = decided.flatMap(({ due, decision }) =>
    decision.kind === 'postpone' ? [{ id: due.email.id, was: due.purge, purge: decision.purge }] : [],
  )
  const removed = decided.flatMap(({ due, decision }) => (decision.kind === 'remove' ? [{ due, decision }] : []))
  const captured = removed.filter(({ decision }) => decision.removal !== 'attachments')
  await mailbox.remove(captured.flatMap(({ due }) => due.email.attempts.map(({ id }) => id)))
  const records = removed.filter(({ decision }) => decision.removal === 'record')
  const changes = removed.filter(({ decision }) => decision.removal !== 'record')
  await emails.setPurges(postponed)
  await emails.purge(changes.map(({ due, decision }) => changeOf(due, decision)))
  await emails.removeEmails(records.map(({ due: { email, fence } }) => ({ id: email.id, fence })))
  for (const [removal, all] of Map.groupBy(removed, ({ decision }) => decision.removal)) purged(removal, all.length)
}

const changeOf = ({ fence }: DuePurge, { removal, email, purge }: Removed) => ({
  email,
  fence,
  purge,
  remove: removal === 'attachments' ? ('attachments' as const) : ('content' as const),
})
