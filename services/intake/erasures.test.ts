import assert from 'node:assert/strict'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import { webhookEndpoint } from '@postrider/ports/webhooksFixtures.conformance.ts'
import { anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { caller, mail, request, testIntake, withKey, workspace } from '../../test/support/testIntake.ts'
import { type ErasureDeps, eraseRecipients } from './erasures.ts'

type System = Awaited<ReturnType<typeof testIntake>>

const deliver = async ({ emails, time }: System, id: string): Promise<void> => {
  const [claimed] = await emails.claim({ lane: 'transactional', now: time.at, limit: 1, leaseMs: 1_000, ids: [id] })
  assert.ok(claimed)
  const recipients = claimed.email.recipients.map((one) => ({
    ...one,
    status: 'delivered' as const,
    nextAt: null,
    reply: `250 ok <${one.address}>`,
  }))
  await emails.write(id, claimed.fence, { email: { ...claimed.email, recipients }, nextAt: null, done: true })
}

const create = ({ intake }: System, address: string) =>
  intake.CreateErasure({ workspace, address, actor: 'usr_1', client_address: '203.0.113.9' })

const stored = ({ db }: System): string =>
  ['emails', 'contents', 'captured_mail', 'idempotency_keys', 'audit_log', 'erasures', 'webhook_deliveries']
    .flatMap((table) => db.prepare(`SELECT * FROM ${table}`).all())
    .map((row) => JSON.stringify(row))
    .join('\n')

describe('the erasure of a recipient', () => {
  it('removes the address everywhere and keeps other recipients', async () => {
    await using system = await testIntake()
    const { id } = await system.intake.Submit(request(withKey('k1')))
    await deliver(system, id)
    const erasure = await create(system, 'ANN@Example.com')
    assert.equal(erasure.done, false)
    await system.sweep()
    const { done, emails, waiting } = await system.intake.GetErasure({ workspace, id: erasure.id })
    assert.deepEqual([done, emails, waiting], [true, 1, 0])
    assert.doesNotMatch(stored(system), /ann@example\.com/i)
    const { recipients, subject } = (await system.stored(id)).email
    assert.deepEqual(
      [subject, ...recipients.map(({ address, status }) => `${address} ${status}`)],
      ['', 'removed@removed.invalid delivered', 'bob@example.com delivered'],
    )
    const repeated = await system.intake.Submit(request(withKey('k1')))
    assert.deepEqual(
      [repeated.replayed, JSON.parse(repeated.bodyJson).to],
      [true, ['removed@removed.invalid', 'bob@example.com']],
    )
  })

  // The second process found nothing left, and its count of 0 replaced the count of the first.
  it('counts the emails once if two processes work on it', async () => {
    await using system = await testIntake()
    await deliver(system, (await system.intake.Submit(request())).id)
    const { id } = await create(system, 'ann@example.com')
    const { emails } = system.sweepDeps
    const list: typeof emails.list = async (query) => {
      await system.sweep()
      return emails.list(query)
    }
    await system.sweep({ emails: { ...emails, list } })
    const found = await system.intake.GetErasure({ workspace, id })
    assert.deepEqual([found.done, found.emails], [true, 1])
  })

  // The responses are changed one after the other. The mail leads to them, so it keeps the address until all are
  // changed.
  it('is repeated after a crash between the changes of two responses', async () => {
    await using system = await testIntake()
    for (const key of ['k1', 'k2']) await deliver(system, (await system.intake.Submit(request(withKey(key)))).id)
    const { id } = await create(system, 'ann@example.com')
    const { idempotency } = system.sweepDeps
    const replaceResponses: typeof idempotency.replaceResponses = async (of, changes) => {
      assert.equal(changes.length, 2)
      await idempotency.replaceResponses(of, changes.slice(0, 1))
      throw new Error('crash')
    }
    await assert.rejects(
      eraseRecipients({ ...system.sweepDeps, idempotency: { ...idempotency, replaceResponses } }, system.time.at),
    )
    assert.equal((await system.intake.GetErasure({ workspace, id })).done, false)
    assert.match(stored(system), /ann@example\.com/i)
    system.time.at += 60_000
    await eraseRecipients(system.sweepDeps, system.time.at)
    const { done, emails } = await system.intake.GetErasure({ workspace, id })
    assert.deepEqual([done, emails], [true, 2])
    assert.doesNotMatch(stored(system), /ann@example\.com/i)
  })

  it('replaces the address in the audit log of the workspace, and notes where', async () => {
    await using system = await testIntake()
    const audit = sqliteAudit(system.db)
    const entry = (over: Partial<AuditEntry>) => anEntry({ workspace, before: null, ...over })
    const invited = entry({ after: { email: 'Ann@example.com', role: 'admin' } })
    const others = [entry({ after: { email: 'bob@example.com' } }), entry({ workspace: 'ws_2', after: invited.after })]
    const many = Array.from({ length: 250 }, (_, number) => entry({ at: number, after: { number } }))
    for (const one of [invited, ...others, ...many]) await audit.record(one)
    const { id: erasure } = await create(system, 'ann@example.com')
    await system.sweep()
    const entries = await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 })
    const redactions = [{ at: system.time.at, erasure, fields: ['after.email'] }]
    assert.deepEqual(
      entries.find(({ id }) => id === invited.id),
      { ...invited, after: { email: 'removed@removed.invalid', role: 'admin' }, redactions },
    )
    for (const other of [...others, ...many])
      assert.deepEqual(
        entries.find(({ id }) => id === other.id),
        other,
      )
  })

  it('removes the responses of webhook receivers about the mail', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await deliver(system, id)
    const { endpoints, deliveries } = system.sweepDeps.webhooks
    const endpoint = webhookEndpoint({ workspace })
    await (endpoints as WebhookEndpointStore).insert(endpoint, 10, anEntry())
    const [event] = (await system.stored(id)).email.events
    assert.ok(event)
    const response = { body: 'thanks for ann@example.com', isCut: false }
    const attempts = [{ at: 1, statusCode: 200, durationMs: 1, error: null, response }]
    const delivery = { ...newDelivery(endpoint, { ...event, mode: 'live' }, 1), attempts }
    await (deliveries as WebhookDeliveryStore).insert([{ delivery, leaseUntil: null }])
    assert.match(stored(system), /thanks for ann/)
    await create(system, 'ann@example.com')
    await system.sweep()
    assert.doesNotMatch(stored(system), /ann@example\.com/)
  })

  // The erasures of other workspaces waited for all that one had requested.
  it('is refused while a workspace has a thousand that are not done', async () => {
    await using system = await testIntake()
    for (let count = 0; count < 1_000; count++) await create(system, 'ann@example.com')
    await assert.rejects(create(system, 'ann@example.com'), { code: 'rate_limited', retryAfterMs: 60_000 })
    const requested = { workspace: 'ws_2', address: 'ann@example.com', actor: 'usr_1', client_address: '203.0.113.9' }
    await system.intake.CreateErasure(requested)
    await system.sweep()
    await create(system, 'ann@example.com')
  })

  // One tenant could block the process for seconds: with 100 webhooks, or with changes of a URL of 2,000 characters.
  it('an erasure never blocks the process', async () => {
    await using system = await testIntake()
    const { endpoints } = system.sweepDeps.webhooks
    for (let number = 0; number < 30; number++)
      await (endpoints as WebhookEndpointStore).insert(
        webhookEndpoint({ workspace, id: `wh_${number}` }),
        100,
        anEntry(),
      )
    const url = `https://example.com/${'a'.repeat(2_000)}`
    const audit = sqliteAudit(system.db)
    for (let at = 0; at < 60; at++) await audit.record(anEntry({ workspace, at, before: { url }, after: { url } }))
    const to = Array.from({ length: 50 }, (_, number) => ({ name: '', address: `person${number}@example.com` }))
    for (let sent = 0; sent < 20; sent++)
      await deliver(
        system,
        (await system.intake.Submit(request({ caller: caller({ mode: 'test' }), mail: mail({ to }) }))).id,
      )
    const error = { detail: to.map(({ address }) => `${'x'.repeat(1_000)} ${address}`).join() }
    const data = Array.from({ length: 100 }, (_, index) => ({ index, status: 422, error }))
    const one = { scope: `${workspace} test POST /api/v1/emails/batch`, key: 'k', emailId: 'bat_1' }
    const claim = { fingerprint: Uint8Array.of(1), at: system.time.at, leaseMs: 1_000, requestId: 'req_1' }
    await system.idempotency.claim({ ...one, ...claim })
    const body = JSON.stringify({ object: 'list', data })
    await system.idempotency.finish({ ...one, status: 202, body, expiresAt: system.time.at + 86_400_000 })
    let erased = 0
    await assertIterationsBelow(50, async () => {
      const { id } = await create(system, `person${erased++}@example.com`)
      await system.sweep()
      const { done, emails } = await system.intake.GetErasure({ workspace, id })
      assert.deepEqual([done, emails], [true, 20])
    })
  })

  it('waits for mail that is not final', async () => {
    await using system = await testIntake()
    const id = await system.send()
    const erasure = await create(system, 'ann@example.com')
    await system.sweep()
    const running = await system.intake.GetErasure({ workspace, id: erasure.id })
    assert.deepEqual([running.done, running.waiting], [false, 1])
    assert.equal((await system.stored(id)).email.subject, 'Hello')
    await deliver(system, id)
    system.time.at += 60_000
    await system.sweep()
    assert.equal((await system.intake.GetErasure({ workspace, id: erasure.id })).done, true)
    assert.doesNotMatch(stored(system), /ann@example\.com/)
  })

  // All mail to the address was erased in one round of the sweep, so a person with a million emails stopped the other
  // chores and the erasures of other workspaces for hours.
  it('handles a part of very much mail in a round, and the rest in the next ones', async () => {
    await using system = await testIntake()
    const [emails, perRound] = [1_200, 500]
    const { id } = await create(system, 'ann@example.com')
    const email = anEmail({ workspace, recipients: [aRecipient({ status: 'delivered', nextAt: null })] })
    let left = emails
    const list = async ({ limit }: { limit: number }) => ({
      emails: Array.from({ length: Math.min(limit, left) }, () => ({ email, leaseUntil: null, fence: 0 })),
      hasMore: left > limit,
    })
    const purge = async (changes: readonly unknown[]) => {
      left -= changes.length
      return changes.length
    }
    const deps = { ...system.sweepDeps, emails: { ...system.sweepDeps.emails, list, purge } } as unknown as ErasureDeps
    const rounds: [left: number, emails: number, isDone: boolean][] = []
    for (let isDone = false; !isDone; ) {
      await eraseRecipients(deps, system.time.at)
      const erasure = await system.intake.GetErasure({ workspace, id })
      isDone = erasure.done
      rounds.push([left, erasure.emails, isDone])
    }
    assert.deepEqual(rounds, [
      [emails - perRound, perRound, false],
      [emails - 2 * perRound, 2 * perRound, false],
      [0, emails, true],
    ])
  })

  // All of the log was read in one round of the sweep, which delayed the other chores and erasures.
  it('reads a part of a long audit log in a round, and the rest in the next ones', async () => {
    await using system = await testIntake()
    const audit = sqliteAudit(system.db)
    const oldest = anEntry({ workspace, at: 1, before: null, after: { email: 'ann@example.com' } })
    await audit.record(oldest)
    const [entries, perRound] = [4_500, 2_000]
    for (let number = 0; number < entries; number++) await audit.record(anEntry({ workspace, at: 2 + number }))
    const { id } = await create(system, 'ann@example.com')
    let [lists, reads] = [0, 0]
    const { emails } = system.sweepDeps
    const list: typeof emails.list = async (query) => {
      lists += 1
      return emails.list(query)
    }
    const counted: ErasureDeps = {
      ...system.sweepDeps,
      emails: { ...emails, list },
      audit: {
        ...audit,
        list: async (query) => {
          const found = await audit.list(query)
          reads += found.length
          return found
        },
      },
    }
    const rounds: [reads: number, isDone: boolean][] = []
    for (let isDone = false; !isDone; ) {
      await eraseRecipients(counted, system.time.at)
      isDone = (await system.intake.GetErasure({ workspace, id })).done
      rounds.push([reads, isDone])
    }
    // The entries of the creation and of the one with the address are read too.
    const all = entries + 2
    assert.deepEqual(rounds, [
      [perRound, false],
      [2 * perRound, false],
      [all, true],
    ])
    assert.equal(lists, 1)
    assert.doesNotMatch(stored(system), /ann@example\.com/)
  })

  // Regression: all responses were read in one round of the sweep, and again after a crash.
  it('reads a part of very many responses in a round, and continues there after a crash', async () => {
    await using system = await testIntake()
    const { idempotency } = system
    const [responses, perRound, maxBatches] = [4_500, 2_000, 12]
    const scope = `${workspace} live POST /api/v1/emails/batch`
    const refused = [{ index: 0, status: 422, error: { detail: 'not to ann@example.com' } }]
    for (let number = 0; number < responses; number++) {
      const one = { scope, key: `ann@example.com ${number}`, emailId: `bat_${number}` }
      const claim = { fingerprint: Uint8Array.of(1), at: system.time.at, leaseMs: 1_000, requestId: 'req_1' }
      await idempotency.claim({ ...one, ...claim })
      const body = JSON.stringify({ object: 'list', data: refused })
      await idempotency.finish({ ...one, status: 202, body, expiresAt: system.time.at + 86_400_000 })
    }
    const results = JSON.stringify({ isPermissive: true, refused })
    for (let number = 0; number < maxBatches; number++) {
      const head = { id: `bat_${number}`, workspace, at: system.time.at, until: system.time.at }
      await system.emails.acceptBatch(head, [], { results, now: system.time.at })
    }
    const { id } = await create(system, 'ann@example.com')
    let [lists, reads, diesAt] = [0, 0, perRound + 500]
    const { emails } = system.sweepDeps
    const counted: ErasureDeps = {
      ...system.sweepDeps,
      emails: {
        ...emails,
        list: async (query) => {
          lists += 1
          return emails.list(query)
        },
      },
      idempotency: {
        ...idempotency,
        changeResponses: (of, page, change) =>
          idempotency.changeResponses(of, page, (stored) => {
            reads += 1
            if (reads === diesAt) throw new Error('crash')
            return change(stored)
          }),
      },
    }
    const rounds: number[] = []
    for (let isDone = false; !isDone; ) {
      const before = reads
      await eraseRecipients(counted, system.time.at).catch(() => {
        diesAt = 0
        system.time.at += 60_000
      })
      rounds.push(reads - before)
      isDone = (await system.intake.GetErasure({ workspace, id })).done
    }
    const first = perRound - 20
    assert.deepEqual(rounds, [first, 520, perRound, responses - first - perRound])
    assert.equal(lists, 1)
    const texts = ['idempotency_keys', 'batches', 'erasures'].flatMap((table) =>
      system.db
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map(({ key: _, ...row }) => JSON.stringify(row)),
    )
    assert.doesNotMatch(texts.join(), /ann@example\.com/)
  })

  // Regression: a process of a release without the position ended the erasure, and the key stayed in its record.
  it('stores no key in an erasure that is done, although another release has read its responses again', async () => {
    await using system = await testIntake()
    const { erasures } = system.sweepDeps
    await create(system, 'ann@example.com')
    const [erasure] = await erasures.due(system.time.at, 1)
    assert.ok(erasure)
    const claimedUntil = system.time.at + 1
    assert.ok(await erasures.claim(erasure, claimedUntil))
    const responsePosition = { part: 'live', after: 'ann@example.com 1' } as const
    const logPosition = { at: system.time.at + 1_000, id: 'aud_z' }
    await erasures.update({ ...erasure, responsePosition, logPosition, nextAt: system.time.at }, claimedUntil)
    await eraseRecipients(system.sweepDeps, system.time.at)
    assert.deepEqual(await erasures.due(system.time.at + 86_400_000, 1), [])
    assert.doesNotMatch(JSON.stringify(system.db.prepare('SELECT * FROM erasures').all()), /ann@example\.com/)
  })

  it('reports how long the oldest erasure that it did not reach has been due', async () => {
    await using system = await testIntake()
    for (let number = 0; number < 6; number++) await create(system, `p${number}@example.com`)
    system.time.at += 7_000
    const late: unknown[] = []
    const overdue = (kind: string, ms: number) => void (kind === 'recipient' && late.push(ms))
    await system.sweep({ overdue })
    await system.sweep({ overdue })
    assert.deepEqual(late, [7_000, 0])
  })

  it('is visible to its workspace only', async () => {
    await using system = await testIntake()
    const { id } = await create(system, 'ann@example.com')
    await assert.rejects(system.intake.GetErasure({ workspace: 'ws_other', id }), /no erasure/)
  })
})

describe('the report of removals', () => {
  it('counts due removals and removes nothing', async () => {
    await using system = await testIntake()
    await deliver(system, await system.send())
    const before = await system.intake.GetRetention({})
    assert.deepEqual(before.classes, [{ step: 'content', due: 0, due_since: null }])
    system.time.at += 31 * 86_400_000
    const { classes, content_days, record_days, attachment_days } = await system.intake.GetRetention({})
    assert.deepEqual(classes, [{ step: 'content', due: 1, due_since: Date.parse('2026-12-21T12:00:00.000Z') }])
    assert.deepEqual([content_days, record_days, attachment_days], [30, 90, 3])
    assert.equal(system.db.prepare('SELECT count(*) AS n FROM contents').get()?.['n'], 1)
  })
})
