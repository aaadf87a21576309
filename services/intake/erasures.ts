import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Erasure, Intake } from '@postrider/contracts/services.ts'
import { auditEntry } from '@postrider/domain/audit/entry.ts'
import { countText } from '@postrider/domain/countText.ts'
import { isBatchId } from '@postrider/domain/email/batch.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import { dueFrom, isFinal, recordPurge, withoutPerson } from '@postrider/domain/retention/purge.ts'
import type { RetentionLimits } from '@postrider/domain/retention/retention.ts'
import { maxOpenErasures, mayBeginErasure } from '@postrider/domain/retention/retention.ts'
import { dayMs } from '@postrider/domain/time.ts'
import { deliveryId } from '@postrider/domain/webhooks/delivery.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { addressKey } from '@postrider/mail/address.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { ErasureStore, StoredErasure } from '@postrider/ports/erasures.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import { withRecords } from './batchResponse.ts'
import { emailRecord } from './emailRecord.ts'
import { type FinishRunningDeps, finishRunning } from './finishRunning.ts'
import { redactLog } from './redactLog.ts'
import { redactResponses } from './redactResponses.ts'

type ServiceDeps = {
  erasures: ErasureStore
  emails: Pick<EmailStore, 'purgeBacklog'>
  limits: { retention: RetentionLimits }
  now: Clock
}

/** Maximum number of emails that a report counts for each step. */
const maxCounted = 10_000

export const erasureService = ({
  erasures,
  emails,
  limits: { retention },
  now,
}: ServiceDeps): Pick<Intake, 'GetRetention' | 'CreateErasure' | 'GetErasure'> => ({
  GetRetention: async () => {
    const at = now()
    const backlog = await emails.purgeBacklog((step) => dueFrom(step, at, retention), maxCounted)
    const classes = backlog.map(({ step, due, oldest }) => {
      const dueSince = oldest === null ? null : Math.min(at, oldest + at - dueFrom(step, at, retention))
      return { step, due, due_since: dueSince }
    })
    return {
      classes,
      content_days: retention.contentMs / dayMs,
      record_days: retention.recordMs / dayMs,
      attachment_days: retention.attachmentsMs / dayMs,
    }
  },
  CreateErasure: async ({ workspace, address, actor, client_address: clientAddress }) => {
    if (!mayBeginErasure(await erasures.countOpen(workspace, maxOpenErasures))) {
      const detail = `The workspace has ${countText(maxOpenErasures)} pending erasures; retry after some have completed.`
      throw new Fault('rate_limited', detail, { retryAfterMs: againMs })
    }
    const at = now()
    const otherFields = { createdAt: at, completedAt: null, nextAt: at, emails: 0, waiting: 0 }
    const erasure = { id: newId('era'), workspace, address, ...otherFields }
    // The entry does not have the address: it would outlive what is erased.
    const act = { workspace, action: 'erasure.create', target: erasure.id } as const
    await erasures.insert(erasure, auditEntry(newId('aud'), { actor, clientAddress, at }, act))
    return shownErasure(erasure)
  },
  GetErasure: async ({ workspace, id }) => {
    const found = await erasures.get(workspace, id)
    if (found === null) throw new Fault('not_found', 'There is no erasure with this id.')
    return shownErasure(found)
  },
})

const shownErasure = (erasure: StoredErasure): Erasure => ({
  id: erasure.id,
  done: erasure.completedAt !== null,
  created_at: erasure.createdAt,
  completed_at: erasure.completedAt,
  emails: erasure.emails,
  waiting: erasure.waiting,
})

export type ErasureDeps = FinishRunningDeps & {
  erasures: ErasureStore
  emails: Pick<EmailStore, 'list' | 'purge' | 'scrub' | 'changeResults' | 'completeBatches'>
  mailbox: Pick<MailboxStore, 'remove'>
  idempotency: Pick<IdempotencyStore, 'replaceResponses' | 'changeResponses'>
  audit: Pick<Audit, 'complete' | 'list' | 'redact'>
  /** Called after each round, even if it failed, with how long the oldest erasure is due; 0: none is. */
  overdue(kind: 'mail' | 'recipient', ms: number): void
  /** Responses of webhook receivers. */
  webhooks: {
    endpoints: Pick<WebhookEndpointStore, 'list'>
    deliveries: Pick<WebhookDeliveryStore, 'forgetResponses'>
  }
}

/** Erasures of one sweep, and emails of one step. */
const [maxErasures, stepEmails] = [5, 50]
/**
 * Emails of an erasure, about, after which a sweep leaves the others to the next one. Otherwise a person with a million
 * emails would stop the other chores and the erasures of all workspaces for hours.
 */
const maxErased = 500
/** When mail that was not final is sought again, and when another process continues after one that died. */
const againMs = 60_000

/**
 * Works on the erasures that are due. It can be repeated and run concurrently with another: one of them takes each
 * erasure, so that what it counts is not replaced by what the other has left to count.
 */
export const eraseRecipients = async (deps: ErasureDeps, at: number): Promise<void> => {
  const due = await deps.erasures.due(at, maxErasures)
  const claimedUntil = at + againMs
  try {
    for (const erasure of due)
      if (await deps.erasures.claim(erasure, claimedUntil))
        // If this process was stopped for longer, another one has claimed the erasure, and only its result is stored.
        await deps.erasures.update(await runErasure(deps, erasure, at), claimedUntil)
  } finally {
    if (due.length > 0) await deps.emails.scrub(true)
    const [oldest] = await deps.erasures.due(at, 1)
    deps.overdue('recipient', oldest === undefined ? 0 : at - oldest.nextAt)
  }
}

/**
 * Removes the address from all mail that is final, or from a part of it.
 * @returns the erasure with its counts and its next time
 */
const runErasure = async (deps: ErasureDeps, erasure: StoredErasure, at: number): Promise<StoredErasure> => {
  const { workspace, address } = erasure
  if (erasure.logPosition !== undefined) return finishLog(deps, erasure, at)
  if (erasure.responsePosition) return finishResponses(deps, erasure, at)
  // The emails of a batch that was accepted before are found too.
  await deps.emails.completeBatches(workspace, deps.now())
  let [before, erased, waiting] = [null as string | null, 0, 0]
  for (;;) {
    const found = await deps.emails.list(queryOf({ workspace, to: address, before, now: at }))
    const final = found.emails.filter(({ email, leaseUntil }) => leaseUntil === null && isFinal(email))
    const count = await eraseFrom(deps, { erasure, found: final, at })
    erased += count
    waiting += found.emails.length - count
    before = found.emails.at(-1)?.email.id ?? null
    if (!found.hasMore || before === null) break
    // The next sweep does not find the emails of this one.
    if (erased >= maxErased) return { ...erasure, emails: erasure.emails + erased, waiting, nextAt: at }
  }
  const emails = erasure.emails + erased
  if (waiting > 0) return { ...erasure, emails, waiting, nextAt: at + againMs }
  return finishResponses(deps, { ...erasure, emails, waiting }, at)
}

/** Removes the address from the stored responses to batches, or from a part of them. */
const finishResponses = async (deps: ErasureDeps, erasure: StoredErasure, at: number): Promise<StoredErasure> => {
  const running = () => finishRunning(deps, erasure.workspace, isBatchId)
  const responsePosition = await redactResponses({ ...deps, finishRunning: running }, erasure)
  // The next sweep continues.
  if (responsePosition) return { ...erasure, responsePosition, nextAt: at }
  return finishLog(deps, { ...erasure, responsePosition }, at)
}

/** Removes the address from the audit log, or from a part of it. */
const finishLog = async ({ audit }: ErasureDeps, erasure: StoredErasure, at: number): Promise<StoredErasure> => {
  const logPosition = await redactLog(audit, erasure, at)
  // The next sweep continues.
  if (logPosition) return { ...erasure, logPosition, nextAt: at }
  // A key of its position may contain the address. A former release stores the position that it has read again.
  return { ...erasure, address: '', responsePosition: null, completedAt: at }
}

type Found = Awaited<ReturnType<EmailStore['list']>>['emails']

/** @returns how many documents were changed; another writer may be faster */
const eraseFrom = async (
  deps: ErasureDeps,
  { erasure, found, at }: { erasure: StoredErasure; found: Found; at: number },
): Promise<number> => {
  if (found.length === 0) return 0
  const { emails, mailbox, idempotency, webhooks } = deps
  const key = addressKey(erasure.address)
  const changes = found.map(({ email, fence }) => ({
    email: withoutPerson(email, (address) => addressKey(address) === key, at),
    fence,
    purge: recordPurge(email),
    remove: 'content' as const,
  }))
  await mailbox.remove(found.flatMap(({ email }) => email.attempts.map(({ id }) => id)))
  await forgetResponses(webhooks, erasure.workspace, found)
  const erased = changes.map(({ email }) => email)
  const about = new Set(erased.flatMap(({ id, batch }) => [id, ...(batch ? [batch.id] : [])]))
  await finishRunning(deps, erasure.workspace, (id) => about.has(id))
  await idempotency.replaceResponses(erasure.workspace, responseChanges(erased, at))
  const count = await emails.purge(changes)
  // Attempts between the first time and the purge sent the address. The next ones read the event without it.
  await forgetResponses(webhooks, erasure.workspace, found)
  return count
}

/** Returns the changes of the responses about erased emails. Emails of a batch have one response. */
const responseChanges = (erased: readonly Email[], at: number): Parameters<IdempotencyStore['replaceResponses']>[1] => {
  const recordOf = (email: Email) => emailRecord({ email, leaseUntil: null }, at)
  function* replaced(email: Email): Steps<string> {
    yield
    return JSON.stringify(recordOf(email))
  }
  const ofBatches = Map.groupBy(erased, ({ batch }) => batch?.id ?? null)
  return [...ofBatches].flatMap(([batch, emails]) => {
    if (batch === null) return emails.map((email) => ({ emailId: email.id, change: () => replaced(email) }))
    const records = new Map(emails.map((email) => [email.id, recordOf(email)]))
    return [{ emailId: batch, change: (stored: string) => withRecords(stored, records) }]
  })
}

/** A page has every endpoint that a workspace may have, unless the operator raised the limit. */
const endpointPage = 1_000

/** Deliveries of one step. A workspace with 100 endpoints and 50 emails to many recipients has 500,000. */
const stepDeliveries = 200

/** The response of a receiver may repeat what it got. The payload itself is not stored. */
const forgetResponses = async (
  { endpoints, deliveries }: ErasureDeps['webhooks'],
  workspace: string,
  found: Found,
): Promise<void> => {
  const events = found.flatMap(({ email }) => email.events)
  for (let before: string | null = null; ; ) {
    const page = await endpoints.list({ workspace, mode: null, before, limit: endpointPage })
    for (const { id } of page.endpoints)
      for (let from = 0; from < events.length; from += stepDeliveries) {
        const step = events.slice(from, from + stepDeliveries)
        await deliveries.forgetResponses(step.map((event) => deliveryId(id, event.id)))
        await nextIteration()
      }
    before = page.endpoints.at(-1)?.id ?? null
    if (!page.hasMore || before === null) return
  }
}

const queryOf = (fields: Pick<EmailQuery, 'workspace' | 'to' | 'before' | 'now'>): EmailQuery => ({
  ...noFilter,
  ...fields,
  limit: stepEmails,
})
