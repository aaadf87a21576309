import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offlinePayments } from '@postrider/adapters/payments.ts'
import { sqliteSuspensions } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteEventFeed } from '@postrider/adapters/sqlite/events/eventFeed.ts'
import { sqliteStats } from '@postrider/adapters/sqlite/events/stats.ts'
import { sqliteWorkspaceEvents } from '@postrider/adapters/sqlite/events/workspaceEvents.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteTestClocks } from '@postrider/adapters/sqlite/testClocks.ts'
import { sqliteWebhookDeliveries } from '@postrider/adapters/sqlite/webhooks/deliveries.ts'
import { sqliteWebhookEndpoints } from '@postrider/adapters/sqlite/webhooks/endpoints.ts'
import type { Caller, ListEmailsRequest, MailRequest, Reader, SubmitRequest } from '@postrider/contracts/services.ts'
import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { quotaMetrics } from '@postrider/quota/metrics.ts'
import { quotaService } from '@postrider/quota/quota.ts'
import { verifiedDomains } from '../../services/intake/chooseSender.ts'
import { defaultIntakeLimits } from '../../services/intake/config.ts'
import { type IntakeDeps, intakeService } from '../../services/intake/intake.ts'
import { type SweepDeps, sweepOnce } from '../../services/intake/sweep.ts'
import { countedSqliteLedger } from './countedLedgers.ts'
import { openNewDatabase } from './newDatabase.ts'

export const noon = Date.UTC(2026, 10, 21, 12)
export const workspace = 'ws_01m7yr6cabfzvahf8pz72f0kb4'

export const caller = (over: Partial<Caller> = {}): Caller => ({
  workspace,
  keyId: 'key_01m7yr6cabfzvahf8pz72f0kb4',
  userId: null,
  role: null,
  mode: 'live',
  scopes: ['emails:send'],
  needsTotp: false,
  senderName: '',
  hasPostalAddress: false,
  onUnknown: 'retry',
  retention: null,
  suspended: false,
  domains: [],
  recipients: [],
  keyFamily: null,
  suspendedReason: null,
  deletesAt: null,
  ...over,
})

/** Returns mail in raw mode to ann and bob. */
export const mail = (over: Partial<MailRequest> = {}): MailRequest => ({
  from: null,
  to: [
    { name: '', address: 'ann@example.com' },
    { name: '', address: 'bob@example.com' },
  ],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: 'It works.',
  template: null,
  domainId: null,
  headers: {},
  attachments: [],
  tags: {},
  metadata: {},
  sendAt: null,
  expiresInMs: null,
  onUnknown: null,
  category: 'transactional',
  topic: null,
  ...over,
})

export const request = (over: Partial<SubmitRequest> = {}): SubmitRequest => ({
  caller: caller(),
  mail: mail(),
  idempotency: null,
  operation: 'POST /api/v1/emails',
  requestId: 'req_1',
  ...over,
})

/** The part of a request that carries an `Idempotency-Key`. */
export const withKey = (key: string, body = 'one body') => ({ idempotency: { key, fingerprint: Buffer.from(body) } })

/** Returns a reader that is a session of the workspace. */
export const reader = (over: Partial<Reader> = {}): Reader => ({
  workspace,
  mode: null,
  sentBy: null,
  actor: 'usr_1',
  recipients: [],
  domains: [],
  ...over,
})

/** Returns the request for the first page of all mail of the workspace. */
export const listRequest = (over: Partial<ListEmailsRequest> = {}): ListEmailsRequest => ({
  reader: reader(),
  limit: 20,
  before: null,
  status: null,
  to: null,
  from: null,
  subject: null,
  templateId: null,
  tag: null,
  category: null,
  createdAfter: null,
  createdBefore: null,
  ...over,
})

/** Opens intake on a SQLite database in a new file. The test sets the clock with `time.at`. */
export const testIntake = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-intake-'))
  const db: SqliteDatabase = openNewDatabase({
    path: join(directory, 'db'),
    onFatal: (reason) => assert.fail(String(reason)),
  })
  const time = { at: noon }
  const now = () => time.at
  const emails = sqliteEmails(db)
  const idempotency = sqliteIdempotency(db)
  const allowances = sqliteAllowances(db)
  const ledger = countedSqliteLedger(db, allowances)
  const quota = quotaService({
    ledger,
    billing: sqliteBilling(db, allowances),
    payments: offlinePayments(),
    accounts: { workspace: async () => null },
    now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    metrics: makeMetrics(quotaMetrics),
  })
  const rung: string[] = []
  /** Verified domains by workspace, the faults of the next reads, and the workspaces that were read. */
  const domains = { of: new Map<string, SenderDomain[]>(), faults: [] as Fault[], reads: [] as string[] }
  const senders = async (of: string): Promise<SenderDomain[]> => {
    domains.reads.push(of)
    const fault = domains.faults.shift()
    if (fault) throw fault
    return domains.of.get(of) ?? []
  }
  const deps: IntakeDeps = {
    emails,
    idempotency,
    quota,
    templates: {
      get: () => Promise.reject(new Fault('not_found', 'none')),
      renderSteps: () => assert.fail('rendered a template'),
    },
    doorbell: {
      ring: (_, due) => void rung.push(...due.map(({ id }) => id)),
      listeners: async () => ({ transactional: 1, marketing: 1 }),
    },
    durable: db,
    mailbox: sqliteMailbox(db),
    erasures: sqliteErasures(db),
    events: sqliteEventFeed(db),
    stats: sqliteStats(db),
    testClocks: sqliteTestClocks(db),
    webhooks: { endpoints: sqliteWebhookEndpoints(db), deliveries: sqliteWebhookDeliveries(db) },
    hints: { ring: () => {} },
    verified: verifiedDomains({ domains: { senders }, elapsed: now }),
    sender: { name: '', address: 'mail@postrider.test' },
    platformDomains: ['postrider.test'],
    limits: { ...defaultIntakeLimits, clockWaitMs: 0 },
    now,
    queue: { enter: async () => () => {} },
    accepted: () => {},
  }
  const all = async (): Promise<StoredEmail[]> =>
    (await emails.list({ ...noFilter, workspace, limit: 100, now: noon })).emails
  const used = async () => (await ledger.recount(workspace, '2026-11')).used
  const close = async () => {
    await db[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  }
  const intake = intakeService(deps)
  /** Accepts one live email to ann and bob. Returns its id. */
  const send = async (over: Partial<MailRequest> = {}): Promise<string> =>
    (await intake.Submit(request({ mail: mail(over) }))).id
  const stored = async (id: string): Promise<StoredEmail> => (await emails.get(id)) ?? assert.fail(`no email ${id}`)
  const sweepDeps: SweepDeps = {
    ...deps,
    quota,
    suspensions: sqliteSuspensions(db),
    workspaceEvents: sqliteWorkspaceEvents(db, now),
    webhooks: { endpoints: sqliteWebhookEndpoints(db), deliveries: sqliteWebhookDeliveries(db) },
    queue: { recount: async () => {} },
    watch: () => {},
    swept: () => {},
    retention: defaultIntakeLimits.retention,
    idempotencyMs: defaultIntakeLimits.idempotencyMs,
    slices: makeSlices(),
    purged: () => {},
    overdue: () => {},
    statsChore: { catchUpSome: async () => {} },
    audit: sqliteAudit(db),
    abandonedAfterMs: defaultIntakeLimits.claimLeaseMs,
  }
  const sweep = (over: Partial<SweepDeps> = {}): Promise<void> => sweepOnce({ ...sweepDeps, ...over })
  return {
    deps,
    intake,
    send,
    stored,
    sweep,
    sweepDeps,
    domains,
    db,
    emails,
    idempotency,
    ledger,
    time,
    rung,
    all,
    used,
    [Symbol.asyncDispose]: close,
  }
}

/** Sweeps, and asserts that exactly one email is stored, and counted once: its two recipients. */
export const assertOneEmail = async (
  { sweep, all, used }: Pick<Awaited<ReturnType<typeof testIntake>>, 'sweep' | 'all' | 'used'>,
  id: string,
): Promise<void> => {
  await sweep()
  assert.deepEqual(
    (await all()).map(({ email }) => email.id),
    [id],
  )
  assert.equal(await used(), 2)
}
