import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isFinal, type Tenant } from '../support/client.ts'
import { inParallel } from '../support/inParallel.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import type { SinkMessage, SmtpSink } from '../support/smtpSink.ts'
import { hangMs, seldom, until } from '../support/until.ts'
import type { Copy, Evidence, StoredEmail } from './check.ts'
import type { Journal } from './journal.ts'

/** The records of the clients and of the receiver, from which a run is checked. */
export type Recorder = { journal: Journal; sink: SmtpSink }

/**
 * Returns an email with a test id in its header and metadata, by which it is recognized at the sink and in the store.
 */
export const markedMail = (testId: string, recipients: readonly string[], more: Record<string, unknown> = {}) => ({
  to: recipients,
  subject: `Fault run ${testId}`,
  text: `This is ${testId}.\n`,
  headers: { 'X-Test-Id': testId },
  metadata: { test_id: testId },
  ...more,
})

export type MarkedMail = ReturnType<typeof markedMail>

type Outcome = { status: number | null; emailId: string | null }

const sendAndRecord = async (
  { journal }: Pick<Recorder, 'journal'>,
  tenant: Tenant,
  mail: MarkedMail,
  key: string | null,
): Promise<Outcome> => {
  const { test_id: testId } = mail.metadata
  journal.write({ at: Date.now(), event: 'requested', testId, recipients: mail.to, key })
  const sentAt = performance.now()
  try {
    const { status, body, headers } = await tenant.send(mail, key === null ? {} : { 'idempotency-key': key })
    const { id: emailId = null, code = null } = (body ?? {}) as { id?: string; code?: string }
    const response = { status, emailId, code, retryAfter: headers['retry-after'] ?? null }
    journal.write({ at: Date.now(), event: 'answered', testId, tookMs: performance.now() - sentAt, ...response })
    return response
  } catch (thrown) {
    journal.write({ at: Date.now(), event: 'unanswered', testId, reason: String(thrown) })
    return { status: null, emailId: null }
  }
}

/** Sends a request once and records its outcome. @returns the status, or null without a response */
export const sendOnce = async (...args: Parameters<typeof sendAndRecord>): Promise<number | null> =>
  (await sendAndRecord(...args)).status

/** Returns whether a request can be repeated: it has no response, or the service is unavailable. */
export const isTemporary = (status: number | null): boolean => status === null || status === 503

/**
 * Repeats a request with the mail's test id as its key until the response is 202: less often the longer it waits,
 * because clients that all repeat every 20 ms use more CPU than the start of the process that they wait for.
 * @param everyMs the shortest pause
 * @param mayStillRun whether a process that is lost to the client may still run an earlier one: then 409 is no failure
 * @returns the email's id
 */
export const sendUntilAccepted = async (
  recorder: Pick<Recorder, 'journal'>,
  tenant: Tenant,
  mail: MarkedMail,
  { everyMs, mayStillRun = false }: { everyMs: number; mayStillRun?: boolean },
): Promise<string> => {
  const { test_id: testId } = mail.metadata
  const startedAt = performance.now()
  for (;;) {
    const { status, emailId } = await sendAndRecord(recorder, tenant, mail, testId)
    if (status === 202) return emailId ?? ''
    assert.ok(isTemporary(status) || (mayStillRun && status === 409), `${testId}: ${status}`)
    await pause(Math.max(everyMs, seldom(everyMs)(performance.now() - startedAt)))
  }
}

/** Returns the messages that the sink accepted, without those of the platform to the owners of these tenants. */
export const messagesOfClients = (sink: SmtpSink, ...tenants: Tenant[]): SinkMessage[] => {
  const owners = new Set(tenants.map(({ email }) => email))
  return sink.messages.filter(({ to }) => !to.every((address) => owners.has(address)))
}

/** Returns whether a client of the sink has named a recipient that begins with this text. */
export const hasNamed = (sink: SmtpSink, recipient: string): boolean =>
  sink.commands.some(({ line }) => line.startsWith(`RCPT TO:<${recipient}`))

/** Returns the copies that the sink accepted, without system mail to the owners of these tenants. */
export const receivedCopies = (sink: SmtpSink, ...tenants: Tenant[]): Copy[] =>
  messagesOfClients(sink, ...tenants).flatMap(({ raw, to }) => {
    const head = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n'))
    const field = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(head)?.[1] ?? ''
    return to.map((recipient) => ({ testId: field('X-Test-Id'), recipient, messageId: field('Message-ID') }))
  })

/** Reads, and repeats while the service is unavailable. */
const readWithRetry = <T>(read: () => Promise<T>): Promise<T> => {
  const check = () =>
    read().catch((thrown: unknown) => {
      if (thrown instanceof assert.AssertionError && thrown.actual === 503) return undefined
      throw thrown
    })
  return until('the service responds to a read', check)
}

/** Returns all emails of a tenant as the API lists them, without attempts. */
export const allEmails = async (tenant: Tenant): Promise<EmailRecord[]> => {
  const emails: EmailRecord[] = []
  for (let query = '?limit=100'; ; ) {
    const page = await readWithRetry(() => tenant.list(query))
    emails.push(...page.data)
    if (!page.has_more) return emails
    query = `?limit=100&cursor=${encodeURIComponent(page.next_cursor ?? '')}`
  }
}

/** Returns all emails of a tenant with their attempts. Each costs a request. */
export const storedEmails = async (tenant: Tenant): Promise<StoredEmail[]> => {
  const emails = await allEmails(tenant)
  const stored: StoredEmail[] = []
  await inParallel(8, { from: 0, to: emails.length }, async (number) => {
    const { id, recipients, attempts = [], metadata } = await readWithRetry(() => tenant.get(emails[number]?.id ?? ''))
    const marks = attempts.map((attempt) => ({ possibleDuplicate: attempt.possible_duplicate }))
    stored.push({ id, testId: metadata['test_id'] ?? '', recipients, attempts: marks })
  })
  return stored
}

/** Returns the sends of this month that the API reports. */
export const usedSends = async (tenant: Tenant): Promise<number> => {
  const { body } = await readWithRetry(async () => {
    const response = await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })
    assert.equal(response.status, 200)
    return response
  })
  return body.monthly.used
}

/** Waits until every email that is stored now is final or `unknown`. */
export const untilDrained = async (tenant: Tenant, deadlineMs = hangMs): Promise<void> => {
  const open = (await allEmails(tenant)).filter(isOpen)
  const check = async () => {
    // Reading one email that is not final costs a hundredth of reading all.
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { id } = last
      if (isOpen(await readWithRetry(() => tenant.get(id)))) return undefined
      open.pop()
    }
    return true
  }
  await until('every email is final or unknown', check, deadlineMs).catch((reason: Error) => {
    throw new Error(`${reason.message}; these are not: ${open.map(({ id, status }) => `${id} ${status}`).join(', ')}`)
  })
}

const isOpen = (email: EmailRecord): boolean => !isFinal(email) && email.status !== 'unknown'

/** Collects what `check` compares. @param others tenants whose owners may receive system mail too */
export const evidence = async (
  { journal, sink }: Recorder,
  tenant: Tenant,
  ...others: Tenant[]
): Promise<Evidence> => ({
  requests: journal.requests(),
  copies: receivedCopies(sink, tenant, ...others),
  emails: await storedEmails(tenant),
  used: await usedSends(tenant),
})
