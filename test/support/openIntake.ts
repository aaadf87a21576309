import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit.ts'
import { openDatabase, type SqliteDatabase } from '@postrider/adapters/sqlite/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/mailbox.ts'
import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { Reader__Output as Reader } from '@postrider/contracts/gen/postrider/intake/v1/Reader.ts'
import type { SubmitRequest__Output as SubmitRequest } from '@postrider/contracts/gen/postrider/intake/v1/SubmitRequest.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { quotaService } from '@postrider/quota/quota.ts'
import { type IntakeDeps, intakeService } from '../../services/intake/intake.ts'
import { defaultLimits } from '../../services/intake/limits.ts'
import { type SweepDeps, sweepOnce } from '../../services/intake/sweep.ts'

export const noon = Date.UTC(2026, 10, 21, 12)
export const workspace = 'ws_01m7yr6cabfzvahf8pz72f0kb4'

export const caller = (over: Partial<Caller> = {}): Caller => ({
  workspace,
  key_id: 'key_01m7yr6cabfzvahf8pz72f0kb4',
  user_id: '',
  role: '',
  mode: 'live',
  scopes: ['emails:send'],
  sender_name: '',
  has_postal_address: false,
  on_unknown: 'retry',
  suspended: false,
  domains: [],
  ...over,
})

export const mail = (over: Partial<Mail> = {}): Mail => ({
  to: [
    { name: '', address: 'ann@example.com' },
    { name: '', address: 'bob@example.com' },
  ],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Hello',
  text: 'It works.',
  headers: {},
  attachments: [],
  tags: {},
  metadata: {},
  category: 'transactional',
  ...over,
})

export const request = (over: Partial<SubmitRequest> = {}): SubmitRequest => ({
  caller: caller(),
  mail: mail(),
  idempotency_key: '',
  operation: 'POST /api/v1/emails',
  fingerprint: Buffer.from('one body'),
  request_id: 'req_1',
  ...over,
})

/** Who reads: a session of the workspace. */
export const reader = (over: Partial<Reader> = {}): Reader => ({
  workspace,
  mode: '',
  sent_by: '',
  actor: 'usr_1',
  ...over,
})

/** The real store on a fresh file, with the clock in the test's hand. */
export const openIntake = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-intake-'))
  const db: SqliteDatabase = openDatabase({
    path: join(directory, 'db'),
    onFatal: (reason) => assert.fail(String(reason)),
  })
  const time = { at: noon }
  const now = () => time.at
  const emails = sqliteEmails(db)
  const idempotency = sqliteIdempotency(db)
  const ledger = sqliteLedger(db)
  const { service: quota } = quotaService({ ledger, now })
  const rung: string[] = []
  const deps: IntakeDeps = {
    emails,
    idempotency,
    quota,
    templates: {
      get: () => Promise.reject(new Fault('not_found', 'none')),
      render: () => assert.fail('nothing to render'),
    },
    doorbell: { ring: (_, due) => void rung.push(...due.map(({ id }) => id)) },
    durable: db,
    mailbox: sqliteMailbox(db),
    audit: sqliteAudit(db),
    sender: { name: '', address: 'mail@postrider.test' },
    limits: defaultLimits,
    now,
    full: () => false,
    accepted: () => {},
  }
  const all = async () =>
    (
      await emails.list({
        workspace,
        mode: null,
        keyId: null,
        before: null,
        limit: 100,
        now: noon,
        status: null,
        to: null,
        from: null,
        subject: null,
        templateId: null,
        tag: null,
        category: null,
        createdAfter: null,
        createdBefore: null,
      })
    ).emails
  const used = async () => (await ledger.recount(workspace, '2026-11')).used
  const close = async () => {
    await db[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  }
  const intake = intakeService(deps)
  /** Takes one live email to ann and bob. @returns its id */
  const send = async (over: Partial<Mail> = {}): Promise<string> =>
    (await intake.Submit(request({ mail: mail(over) }))).id
  const stored = async (id: string): Promise<StoredEmail> => (await emails.get(id)) ?? assert.fail(`${id} is not kept`)
  const sweepDeps: SweepDeps = { ...deps, quota, watch: () => {}, swept: () => {}, leaseMs: defaultLimits.claimLeaseMs }
  const sweep = (over: Partial<SweepDeps> = {}): Promise<void> => sweepOnce({ ...sweepDeps, ...over })
  return {
    deps,
    intake,
    send,
    stored,
    sweep,
    sweepDeps,
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
