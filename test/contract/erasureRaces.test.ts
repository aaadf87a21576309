import assert from 'node:assert/strict'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { sweepOutboxes } from '@postrider/adapters/mongo/audit/sweep.ts'
import { emailIndexes, emailOutboxes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { mailboxIndexes, mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { erasureIndexes, mongoErasures } from '@postrider/adapters/mongo/erasure/erasures.ts'
import { idempotencyIndexes, mongoIdempotency } from '@postrider/adapters/mongo/idempotency.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { sqliteErasures } from '@postrider/adapters/sqlite/erasure/erasures.ts'
import { sqliteIdempotency } from '@postrider/adapters/sqlite/idempotency.ts'
import type { Intake, MailRequest, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { auditEntry, noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { ErasureStore, StoredErasure } from '@postrider/ports/erasures.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { SubmitDeps } from '../../services/intake/acceptEmail.ts'
import { defaultIntakeLimits } from '../../services/intake/config.ts'
import { eraseRecipients } from '../../services/intake/erasures.ts'
import { submit } from '../../services/intake/submit.ts'
import { stageBatch, submitBatch } from '../../services/intake/submitBatch.ts'
import { type DyingProcess, dyingMongo, dyingProcess, dyingSqlite } from '../support/crashingStores.ts'
import { caller, mail, noon, request, withKey, workspace } from '../support/testIntake.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const operation = 'POST /api/v1/emails/batch'

type Stores = {
  emails: EmailStore
  idempotency: IdempotencyStore
  erasures: ErasureStore
  mailbox: MailboxStore
  audit: Audit
  /** Moves audit entries that a crash left behind. */
  sweepAudit(): Promise<void>
}
/** Opens the stores for a process that may die. */
type Open = () => ((process: DyingProcess) => Stores) | Promise<(process: DyingProcess) => Stores>

const immortal = () => dyingProcess({ write: Number.POSITIVE_INFINITY, isAfter: false })

/** Returns the methods of intake that accept mail over these stores. */
const intakeOver = ({ emails, idempotency }: Stores): Pick<Intake, 'Submit' | 'StageBatch' | 'SubmitBatch'> => {
  const deps: SubmitDeps = {
    emails,
    idempotency,
    quota: {
      Reserve: async () => ({ token: '', standing: null }),
      Commit: async () => ({}),
      Settle: async () => ({}),
    } as unknown as SubmitDeps['quota'],
    templates: {
      get: () => Promise.reject(new Fault('not_found', 'none')),
      renderSteps: () => assert.fail('rendered'),
    },
    doorbell: { ring: () => {} },
    durable: { synced: async () => {} },
    verified: { known: () => [], read: async () => [] },
    sender: { name: '', address: 'mail@postrider.test' },
    platformDomains: ['postrider.test'],
    limits: defaultIntakeLimits,
    now: () => noon,
    queue: { enter: async () => () => {} },
    accepted: () => {},
    testClocks: { get: async () => null },
  }
  return { Submit: submit(deps), StageBatch: stageBatch(deps), SubmitBatch: submitBatch(deps) }
}

/** Makes all mail final. */
const deliver = async ({ emails }: Stores): Promise<void> => {
  for (const { email, fence } of await emails.claim({ lane: 'transactional', now: noon, limit: 10, leaseMs: 1_000 })) {
    const recipients = email.recipients.map((one) => ({ ...one, status: 'delivered' as const, nextAt: null }))
    await emails.write(email.id, fence, { email: { ...email, recipients }, nextAt: null, done: true })
  }
}

/** Erases an address. @returns the erasure after one round */
const erase = async (stores: Stores, address: string): Promise<StoredErasure | null> => {
  const other = { createdAt: noon, completedAt: null, nextAt: noon, emails: 0, waiting: 0 }
  const erasure = { id: newId('era'), workspace, address, ...other }
  const act = { workspace, action: 'erasure.create', target: erasure.id } as const
  await stores.erasures.insert(erasure, auditEntry(newId('aud'), { actor: 'usr_1', clientAddress: '', at: noon }, act))
  await eraseMore(stores)
  return stores.erasures.get(workspace, erasure.id)
}

/** Works on the erasures that are due for one round of the sweep. */
const eraseMore = async ({ erasures, ...stores }: Stores): Promise<void> => {
  const webhooks = {
    endpoints: { list: async () => ({ endpoints: [], hasMore: false }) },
    deliveries: { forgetResponses: async () => {} },
  }
  const { idempotencyMs } = defaultIntakeLimits
  const deps = {
    ...stores,
    erasures,
    webhooks,
    idempotencyMs,
    slices: makeSlices(),
    now: () => noon,
    overdue: () => {},
  }
  await eraseRecipients(deps, noon)
}

/** Stores more responses to batches than a round of an erasure reads; their keys begin with "m". */
const manyResponses = async ({ idempotency }: Stores): Promise<void> => {
  const scope = `${workspace} live ${operation}`
  const body = `{"object":"list","data":["${'x'.repeat(4 * 2 ** 20)}"]}`
  for (let number = 0; number < 11; number++) {
    const one = { scope, key: `m${number}`, emailId: `bat_m${number}` }
    const claim = { fingerprint: Uint8Array.of(1), at: noon, leaseMs: 1_000, requestId: `req_m${number}` }
    await idempotency.claim({ ...one, ...claim })
    await idempotency.finish({ ...one, status: 202, body, expiresAt: noon + 86_400_000 })
  }
}

/** Returns stores that do `work` when a response was composed and is to be stored. */
const beforeFinish = (stores: Stores, work: () => Promise<unknown>): Stores => {
  const finish: IdempotencyStore['finish'] = async (response) => {
    await work()
    await stores.idempotency.finish(response)
  }
  return { ...stores, idempotency: { ...stores.idempotency, finish } }
}

const to = (address: string, over: Partial<MailRequest> = {}): MailRequest =>
  mail({ to: [{ name: '', address }], ...over })

const batchOf = (mails: MailRequest[], over: Partial<SubmitBatchRequest> = {}): SubmitBatchRequest => ({
  caller: caller(),
  staged: null,
  mails: mails.map((one, number) => ({ number, mail: one })),
  refusals: [],
  count: mails.length,
  isPermissive: false,
  operation,
  requestId: 'req_1',
  ...withKey('k'),
  ...over,
})

const erasureRaces = (name: string, open: Open): void => {
  describe(`an erasure during a request in ${name}`, () => {
    // The request had composed its response before, and stored the address after the erasure.
    it('leaves no address in the response to a send that is stored after it', async () => {
      const stores = (await open())(immortal())
      const send = request({ mail: to('gone@example.com'), ...withKey('k') })
      const racing = beforeFinish(stores, async () => {
        await deliver(stores)
        assert.equal((await erase(stores, 'gone@example.com'))?.emails, 1)
      })
      const first = await intakeOver(racing).Submit(send)
      assert.ok(first.bodyJson.includes('gone@example.com'))
      const repeated = await intakeOver(stores).Submit({ ...send, requestId: 'req_2' })
      assert.deepEqual([repeated.replayed, repeated.id, repeated.status], [true, first.id, 202])
      assert.deepEqual(JSON.parse(repeated.bodyJson).to, ['removed@removed.invalid'])
    })

    it('leaves no address in the response to a batch that is stored after it, and keeps other recipients', async () => {
      const stores = (await open())(immortal())
      const batch = batchOf([to('gone@example.com'), to('stays@example.com')])
      const racing = beforeFinish(stores, async () => {
        await deliver(stores)
        assert.equal((await erase(stores, 'gone@example.com'))?.emails, 1)
      })
      await intakeOver(racing).SubmitBatch(batch)
      const repeated = await intakeOver(stores).SubmitBatch({ ...batch, requestId: 'req_2' })
      const { data } = JSON.parse(repeated.bodyJson) as { data: { to: string[] }[] }
      assert.deepEqual(
        [repeated.replayed, ...data.flatMap((one) => one.to)],
        [true, 'removed@removed.invalid', 'stays@example.com'],
      )
    })

    it('leaves no refused address in the response to a permissive batch that is stored after it', async () => {
      const stores = (await open())(immortal())
      const limited = caller({ recipients: ['stays@example.com'] })
      const mails = [to('stays@example.com'), to('gone@example.com')]
      const batch = batchOf(mails, { isPermissive: true, caller: limited })
      const racing = beforeFinish(stores, () => erase(stores, 'gone@example.com'))
      const first = await intakeOver(racing).SubmitBatch(batch)
      assert.ok(first.bodyJson.includes('gone@example.com'))
      const repeated = await intakeOver(stores).SubmitBatch({ ...batch, requestId: 'req_2' })
      assert.equal(repeated.replayed, true)
      assert.equal(repeated.bodyJson, first.bodyJson.replaceAll('gone@example.com', 'removed@removed.invalid'))
    })

    // An erasure reads the responses in the order of keys: these are stored where it has read already.
    it('leaves no refused address in responses that are stored between two of its rounds', async () => {
      const stores = (await open())(immortal())
      await manyResponses(stores)
      const limited = caller({ recipients: ['stays@example.com'] })
      const mails = [to('stays@example.com'), to('gone@example.com')]
      const batches = ['a', 'b'].map((key) =>
        batchOf(mails, { isPermissive: true, caller: limited, requestId: `req_${key}`, ...withKey(key) }),
      )
      const [first, second] = batches as [SubmitBatchRequest, SubmitBatchRequest]
      let erasure: StoredErasure | null = null
      const duringSecond = beforeFinish(stores, async () => {
        await deliver(stores)
        erasure = await erase(stores, 'gone@example.com')
        assert.deepEqual([erasure?.completedAt, erasure?.responsePosition?.part], [null, 'live'])
      })
      const duringFirst = beforeFinish(stores, () => intakeOver(duringSecond).SubmitBatch(second))
      await intakeOver(duringFirst).SubmitBatch(first)
      await eraseMore(stores)
      const done = await stores.erasures.get(workspace, (erasure as StoredErasure | null)?.id ?? '')
      assert.deepEqual([done?.completedAt, done?.address, done?.responsePosition], [noon, '', null])
      for (const batch of batches) {
        const repeated = await intakeOver(stores).SubmitBatch({ ...batch, requestId: 'req_2' })
        assert.equal(repeated.replayed, true)
        assert.match(repeated.bodyJson, /removed@removed\.invalid/)
        assert.doesNotMatch(repeated.bodyJson, /gone@/)
      }
    })

    // Regression: the entry was added to the log after the erasure was done.
    it('removes the address from an audit entry that a crash kept out of the log', async () => {
      const openAs = await open()
      const stores = openAs(immortal())
      const ended = { createdAt: 1, completedAt: 1, nextAt: 1, emails: 0, waiting: 0 }
      const entries = ['gone@example.com', 'stays@example.com'].map((email) =>
        anEntry({ workspace, before: null, after: { email } }),
      )
      for (const entry of entries) {
        const changed = { id: newId('era'), workspace, address: '', ...ended }
        await openAs(dyingProcess({ write: 1, isAfter: false })).erasures.insert(changed, entry)
        assert.notEqual(await stores.erasures.get(workspace, changed.id), null)
      }
      assert.equal((await erase(stores, 'gone@example.com'))?.completedAt, noon)
      const addresses = async () => {
        const all = await stores.audit.list({ ...noAuditFilter, workspace, limit: 10 })
        return all.filter(({ id }) => entries.some((entry) => entry.id === id)).map(({ after }) => after?.['email'])
      }
      const expected = ['removed@removed.invalid', 'stays@example.com']
      assert.deepEqual((await addresses()).toSorted(), expected)
      await stores.sweepAudit()
      assert.deepEqual((await addresses()).toSorted(), expected)
    })

    it('does not store a response for a request that has accepted nothing yet', async () => {
      const stores = (await open())(immortal())
      const send = request({ mail: to('gone@example.com'), ...withKey('k') })
      const insert: EmailStore['insert'] = async (...email) => {
        assert.equal((await erase(stores, 'gone@example.com'))?.emails, 0)
        return stores.emails.insert(...email)
      }
      await intakeOver({ ...stores, emails: { ...stores.emails, insert } }).Submit(send)
      const repeated = await intakeOver(stores).Submit({ ...send, requestId: 'req_2' })
      assert.deepEqual(JSON.parse(repeated.bodyJson).to, ['gone@example.com'])
    })

    // The erasure was done before the emails of the accepted batch were visible, and then they were sent.
    it('waits for the emails of a batch whose process died after its acceptance', async () => {
      let accepted = 0
      for (let write = 2; write < 12; write++) {
        const openAs = await open()
        const stores = openAs(immortal())
        const { StageBatch } = intakeOver(stores)
        const mails = [{ number: 0, mail: to('gone@example.com') }]
        const { staged } = await StageBatch({ caller: caller(), staged: null, mails, requestId: 'req_1' })
        const mortal = intakeOver(openAs(dyingProcess({ write, isAfter: false })))
        await mortal.SubmitBatch(batchOf([], { staged, count: 1 })).catch(() => {})
        const isAccepted = (await stores.emails.batch(staged.id))?.state === 'accepted'
        if (isAccepted) accepted++
        const found = await erase(stores, 'gone@example.com')
        assert.deepEqual([found?.waiting, found?.completedAt !== null], isAccepted ? [1, false] : [0, true])
        const listed = await stores.emails.list({ ...noFilter, workspace, limit: 10, now: noon })
        assert.equal(listed.emails.length, isAccepted ? 1 : 0)
        await stores.emails.completeBatches(workspace, noon)
      }
      assert.ok(accepted > 0)
    })
  })
}

describe('erasures and requests that run', () => {
  const openFile = sqliteForTests()
  erasureRaces('SQLite', () => {
    const { db } = openFile()
    return (process) => {
      const own = dyingSqlite(db, process)
      return {
        emails: sqliteEmails(own),
        idempotency: sqliteIdempotency(own),
        erasures: sqliteErasures(own),
        mailbox: sqliteMailbox(own),
        audit: sqliteAudit(own),
        sweepAudit: async () => {},
      }
    }
  })

  describe('cluster', () => {
    const openDb = mongoForTests(emailIndexes, idempotencyIndexes, erasureIndexes, mailboxIndexes, auditIndexes)
    erasureRaces('MongoDB', async () => {
      const db = await openDb()
      return (process) => {
        const own = dyingMongo(db, process)
        return {
          emails: mongoEmails(own),
          idempotency: mongoIdempotency(own),
          erasures: mongoErasures(own),
          mailbox: mongoMailbox(own),
          audit: mongoAudit(own),
          sweepAudit: async () => void (await sweepOutboxes(own, emailOutboxes, noon + 60_000)),
        }
      }
    })
  })
})
