import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isFinal, type Tenant } from '../support/client.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import type { SmtpSink } from '../support/smtpSink.ts'
import { until } from '../support/until.ts'
import { check, type Evidence, type Kept, type Taken, type Verdict } from './check.ts'
import type { Journal } from './journal.ts'

/** The client's memory and the receiver's: what a run is judged by, whatever it was done to. */
export type Recorder = { journal: Journal; sink: SmtpSink }

/** One mail that can be recognized wherever it turns up. */
export const markedMail = (testId: string, recipients: readonly string[], more: Record<string, unknown> = {}) => ({
  to: recipients,
  subject: `Fault run ${testId}`,
  text: `This is ${testId}.\n`,
  headers: { 'X-Test-Id': testId },
  metadata: { test_id: testId },
  ...more,
})

export type MarkedMail = ReturnType<typeof markedMail>

type Told = { status: number | null; emailId: string | null }

const askOnce = async (
  { journal }: Pick<Recorder, 'journal'>,
  tenant: Tenant,
  mail: MarkedMail,
  key: string | null,
): Promise<Told> => {
  const { test_id: testId } = mail.metadata
  journal.write({ at: Date.now(), event: 'asked', testId, recipients: mail.to, key })
  const askedAt = performance.now()
  try {
    const { status, body, headers } = await tenant.send(mail, key === null ? {} : { 'idempotency-key': key })
    const { id: emailId = null, code = null } = (body ?? {}) as { id?: string; code?: string }
    const told = { status, emailId, code, retryAfter: headers['retry-after'] ?? null }
    journal.write({ at: Date.now(), event: 'answered', testId, tookMs: performance.now() - askedAt, ...told })
    return told
  } catch (thrown) {
    journal.write({ at: Date.now(), event: 'unanswered', testId, reason: String(thrown) })
    return { status: null, emailId: null }
  }
}

/** Asks once and writes down what came of it. @returns the status; null: no answer */
export const ask = async (...given: Parameters<typeof askOnce>): Promise<number | null> =>
  (await askOnce(...given)).status

/** Refused for now: the key's claim is still held, the service is away or going away. */
export const passes = (status: number | null): boolean => status === null || status === 409 || status === 503

/** Asks with a key, the mail's test id, until it is answered 202. @returns the email's id */
export const askUntilKept = async (
  recorder: Pick<Recorder, 'journal'>,
  tenant: Tenant,
  mail: MarkedMail,
  { everyMs }: { everyMs: number },
): Promise<string> => {
  const { test_id: testId } = mail.metadata
  for (;;) {
    const { status, emailId } = await askOnce(recorder, tenant, mail, testId)
    if (status === 202) return emailId ?? ''
    assert.ok(passes(status), `${testId}: ${status}`)
    await pause(everyMs)
  }
}

/** What clients that work side by side do for each of the numbers. */
export const sideBySide = async (
  clients: number,
  { from, to }: { from: number; to: number },
  one: (number: number) => Promise<void>,
): Promise<void> => {
  let next = from
  const client = async () => {
    while (next < to) await one(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

export const takenBy = (sink: SmtpSink): Taken[] =>
  sink.messages.flatMap(({ raw, to }) => {
    const head = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n'))
    const field = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(head)?.[1] ?? ''
    return to.map((recipient) => ({ testId: field('X-Test-Id'), recipient, messageId: field('Message-ID') }))
  })

/** Reads, and again where the service is away for a moment: what is kept is asked for after a fault. */
const readAgain = <T>(read: () => Promise<T>): Promise<T> => {
  const look = () =>
    read().catch((thrown: unknown) => {
      if (thrown instanceof assert.AssertionError && thrown.actual === 503) return undefined
      throw thrown
    })
  return until('it can be read', look, 30_000)
}

const everyEmail = async (tenant: Tenant): Promise<EmailRecord[]> => {
  const emails: EmailRecord[] = []
  for (let query = '?limit=100'; ; ) {
    const page = await readAgain(() => tenant.list(query))
    emails.push(...page.data)
    if (!page.has_more) return emails
    query = `?limit=100&cursor=${encodeURIComponent(page.next_cursor ?? '')}`
  }
}

export const keptBy = async (tenant: Tenant): Promise<Kept[]> => {
  const emails = await everyEmail(tenant)
  const kept: Kept[] = []
  await sideBySide(8, { from: 0, to: emails.length }, async (number) => {
    const { id, recipients, attempts = [], metadata } = await readAgain(() => tenant.get(emails[number]?.id ?? ''))
    const marks = attempts.map((attempt) => ({ possibleDuplicate: attempt.possible_duplicate }))
    kept.push({ id, testId: metadata['test_id'] ?? '', recipients, attempts: marks })
  })
  return kept
}

export const usedBy = async (tenant: Tenant): Promise<number> => {
  const { body } = await readAgain(async () => {
    const answer = await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })
    assert.equal(answer.status, 200)
    return answer
  })
  return body.monthly.used
}

/** Waits until nothing that is kept now is on its way any more; `unknown` is an end for now. */
export const drained = async (tenant: Tenant, deadlineMs: number): Promise<void> => {
  const open = (await everyEmail(tenant)).filter(isOpen)
  const look = async () => {
    // One that is open says that not all have come to an end, at a hundredth of what it costs to ask for all.
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { id } = last
      if (isOpen(await readAgain(() => tenant.get(id)))) return undefined
      open.pop()
    }
    return true
  }
  await until('every email has come to an end', look, deadlineMs).catch((reason: Error) => {
    throw new Error(`${reason.message}; open are ${open.map(({ id, status }) => `${id} ${status}`).join(', ')}`)
  })
}

const isOpen = (email: EmailRecord): boolean => !isFinal(email) && email.status !== 'unknown'

export const evidence = async ({ journal, sink }: Recorder, tenant: Tenant): Promise<Evidence> => ({
  asked: journal.asked(),
  taken: takenBy(sink),
  kept: await keptBy(tenant),
  used: await usedBy(tenant),
})

export const faultless: Verdict = { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] }

export const verdict = async (recorder: Recorder, tenant: Tenant): Promise<Verdict> =>
  check(await evidence(recorder, tenant))
