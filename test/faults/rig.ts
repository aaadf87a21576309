import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../bench/ports.ts'
import { type Client, connect, isFinal, type Tenant } from '../support/client.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { type SinkOptions, type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import {
  makeDataDirectory,
  operatorToken,
  removeDataDirectory,
  type Standalone,
  startStandalone,
} from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { check, type Evidence, type Kept, type Taken, type Verdict } from './check.ts'
import { type Journal, openJournal } from './journal.ts'

/** The real process over a directory that outlives it, a sink that outlives both, and the client's memory of it all. */
export type Rig = AsyncDisposable & {
  sink: SmtpSink
  client: Client
  journal: Journal
  data: string
  /** Of the process that runs now. */
  service(): Standalone
  /** Waits until the last one has ended. */
  start(): Promise<void>
}

/** `data`: a directory that is there already, which the caller removes. */
export const openRig = async (
  options: { sink?: SinkOptions; env?: Record<string, string>; data?: string } = {},
): Promise<Rig> => {
  const sink = await smtpSink(options.sink)
  const port = await freePort()
  const data = options.data ?? (await makeDataDirectory())
  const journal = openJournal(join(tmpdir(), `postrider-faults-${randomUUID()}.jsonl`))
  const env = {
    PORT: String(port),
    POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    ...options.env,
  }
  let service = await startStandalone(env, data)
  const client = connect(service.url, operatorToken)
  return {
    sink,
    client,
    journal,
    data,
    service: () => service,
    start: async () => {
      service = await startStandalone(env, data)
    },
    [Symbol.asyncDispose]: async () => {
      client.close()
      await service.kill9()
      await sink.close()
      journal.remove()
      if (options.data === undefined) await removeDataDirectory(data)
    },
  }
}

/** One mail that can be recognized wherever it turns up. */
export const markedMail = (testId: string, recipients: readonly string[], more: Record<string, unknown> = {}) => ({
  to: recipients,
  subject: `Fault run ${testId}`,
  text: `This is ${testId}.\n`,
  headers: { 'X-Test-Id': testId },
  metadata: { test_id: testId },
  ...more,
})

/** Asks once and writes down what came of it. @returns the status; null: no answer */
export const ask = async (
  { journal }: Pick<Rig, 'journal'>,
  tenant: Tenant,
  mail: ReturnType<typeof markedMail>,
  key: string | null,
): Promise<number | null> => {
  const { test_id: testId } = mail.metadata
  journal.write({ at: Date.now(), event: 'asked', testId, recipients: mail.to, key })
  try {
    const { status, body } = await tenant.send(mail, key === null ? {} : { 'idempotency-key': key })
    const { id: emailId = null, code = null } = (body ?? {}) as { id?: string; code?: string }
    journal.write({ at: Date.now(), event: 'answered', testId, status, emailId, code })
    return status
  } catch (thrown) {
    journal.write({ at: Date.now(), event: 'unanswered', testId, reason: String(thrown) })
    return null
  }
}

export const takenBy = (sink: SmtpSink): Taken[] =>
  sink.messages.flatMap(({ raw, to }) => {
    const head = raw.toString('latin1', 0, raw.indexOf('\r\n\r\n'))
    const field = (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(head)?.[1] ?? ''
    return to.map((recipient) => ({ testId: field('X-Test-Id'), recipient, messageId: field('Message-ID') }))
  })

const everyEmail = async (tenant: Tenant): Promise<EmailRecord[]> => {
  const emails: EmailRecord[] = []
  for (let query = '?limit=100'; ; ) {
    const page = await tenant.list(query)
    emails.push(...page.data)
    if (!page.has_more) return emails
    query = `?limit=100&cursor=${encodeURIComponent(page.next_cursor ?? '')}`
  }
}

export const keptBy = async (tenant: Tenant): Promise<Kept[]> => {
  const kept: Kept[] = []
  for (const { id } of await everyEmail(tenant)) {
    const { recipients, attempts = [], metadata } = await tenant.get(id)
    const marks = attempts.map((attempt) => ({ possibleDuplicate: attempt.possible_duplicate }))
    kept.push({ id, testId: metadata['test_id'] ?? '', recipients, attempts: marks })
  }
  return kept
}

export const usedBy = async (tenant: Tenant): Promise<number> => {
  const { body } = await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })
  return body.monthly.used
}

/** Waits until nothing is on its way any more; `unknown` is an end for now. */
export const drained = async (tenant: Tenant, deadlineMs: number): Promise<void> => {
  await until(
    'every email has come to an end',
    async () =>
      (await everyEmail(tenant)).every((email) => isFinal(email) || email.status === 'unknown') ? true : undefined,
    deadlineMs,
  )
}

export const evidence = async ({ journal, sink }: Rig, tenant: Tenant): Promise<Evidence> => ({
  asked: journal.asked(),
  taken: takenBy(sink),
  kept: await keptBy(tenant),
  used: await usedBy(tenant),
})

export const faultless: Verdict = { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] }

export const verdict = async (rig: Rig, tenant: Tenant): Promise<Verdict> => check(await evidence(rig, tenant))
