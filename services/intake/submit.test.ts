import assert from 'node:assert/strict'
import type { SubmitRequest__Output as SubmitRequest } from '@postrider/contracts/gen/postrider/intake/v1/SubmitRequest.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, openIntake as open, request, workspace } from '../../test/support/openIntake.ts'
import { defaultLimits } from './limits.ts'
import { type SubmitDeps, submitter } from './submit.ts'

describe('submit', () => {
  it('keeps the email, counts its recipients, rings, and answers the record', async () => {
    await using system = await open()
    const reply = await submitter(system.deps)(request())
    assert.equal(reply.status, 202)
    assert.equal(JSON.parse(reply.body_json).id, reply.id)
    assert.equal(JSON.parse(reply.body_json).status, 'queued')
    assert.deepEqual(system.rung, [reply.id])
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  it('names everybody once, as who they were first', async () => {
    await using system = await open()
    const cc = [{ name: 'Ann', address: 'ANN@example.com' }]
    const reply = await submitter(system.deps)(request({ mail: mail({ cc }) }))
    assert.deepEqual(JSON.parse(reply.body_json).cc, [])
    assert.equal(await system.used(), 2)
  })

  it('counts nothing for test mail', async () => {
    await using system = await open()
    const reply = await submitter(system.deps)(request({ caller: caller({ mode: 'test' }) }))
    assert.equal(reply.quota, undefined)
    assert.equal(await system.used(), 0)
  })

  it('replaces from_ by the shared sender, with a notice, while no domain is verified', async () => {
    await using system = await open()
    const reply = await submitter(system.deps)(
      request({ mail: mail({ from: { name: '', address: 'me@mine.example' } }) }),
    )
    const record = JSON.parse(reply.body_json)
    assert.equal(record.from_, 'mail@postrider.test')
    assert.match(record.notices[0], /shared sender mail@postrider\.test/)
  })

  it('tells who names the shared sender itself whose name it shows', async () => {
    await using system = await open()
    const from = { name: 'Ops', address: 'MAIL@postrider.test' }
    const { notices } = JSON.parse((await submitter(system.deps)(request({ mail: mail({ from }) }))).body_json)
    assert.deepEqual(notices, ['from_ is the shared sender; the name it shows is the workspace’s sender_name.'])
  })

  it('writes names so that a send takes them again', async () => {
    await using system = await open()
    const to = [{ name: 'Doe, Jane', address: 'jane@example.com' }]
    const record = JSON.parse((await submitter(system.deps)(request({ mail: mail({ to }) }))).body_json)
    assert.deepEqual(record.to, ['"Doe, Jane" <jane@example.com>'])
  })

  it('tells everything at once that is wrong with the template, the time, the domain and the category', async () => {
    await using system = await open()
    const over = { template_id: 'tpl_1', template_vars_json: '{}', domain_id: 'dom_1', category: 'marketing' }
    const send = submitter(system.deps)(request({ mail: mail({ ...over, scheduled_at: '2026-11-21T11:58:59Z' }) }))
    await assert.rejects(send, (fault: Fault) => {
      const codes = ['unknown_template', 'in_the_past', 'unknown_domain', 'postal_address_required']
      assert.deepEqual(
        fault.problems.map(({ code }) => code),
        codes,
      )
      return true
    })
  })

  const refusals: [name: string, over: Partial<SubmitRequest>, code: string, problem?: string][] = [
    [
      'a domain id while none is verified',
      { mail: mail({ domain_id: 'dom_1' }) },
      'validation_failed',
      'unknown_domain',
    ],
    [
      'a send time in the past',
      { mail: mail({ scheduled_at: '2026-11-21T11:58:59Z' }) },
      'validation_failed',
      'in_the_past',
    ],
    [
      'a send time past 30 days',
      { mail: mail({ scheduled_at: '2026-12-21T12:00:01Z' }) },
      'validation_failed',
      'too_far_ahead',
    ],
    [
      'a send 30 days and a bit from now',
      { mail: mail({ scheduled_in_ms: 30 * 86_400_000 + 1 }) },
      'validation_failed',
      'too_far_ahead',
    ],
    [
      'marketing without a postal address',
      { mail: mail({ category: 'marketing' }) },
      'validation_failed',
      'postal_address_required',
    ],
    [
      'an unknown template',
      { mail: mail({ template_id: 'tpl_1', template_vars_json: '{}' }) },
      'validation_failed',
      'unknown_template',
    ],
    ['a suspended workspace', { caller: caller({ suspended: true }) }, 'forbidden'],
  ]
  for (const [name, over, code, problem] of refusals) {
    it(`refuses ${name}, and keeps and counts nothing`, async () => {
      await using system = await open()
      const keyed = request({ ...over, idempotency_key: 'k' })
      await assert.rejects(submitter(system.deps)(keyed), (fault) => {
        assert.ok(fault instanceof Fault)
        assert.equal(fault.code, code)
        if (problem)
          assert.deepEqual(
            fault.problems.map((found) => found.code),
            [problem],
          )
        return true
      })
      assert.equal((await system.all()).length, 0)
      assert.equal(await system.used(), 0)
      assert.equal((await submitter(system.deps)(request({ idempotency_key: 'k' }))).status, 202)
    })
  }

  it('counts how long a send is put off from its own now', async () => {
    await using system = await open()
    const reply = await submitter(system.deps)(request({ mail: mail({ scheduled_in_ms: 3_600_000 }) }))
    assert.equal(JSON.parse(reply.body_json).scheduled_at, new Date(noon + 3_600_000).toISOString())
  })

  it('tells how long the tighter quota lasts yet, by its own now', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    const { quota } = await submitter(system.deps)(request())
    const halfADay = 43_200_000
    const resets_at = new Date(noon + halfADay).toISOString()
    assert.deepEqual(quota, { limit: 3, remaining: 1, resets_at, resets_in_ms: halfADay })
  })

  it('refuses wholly what doesn’t fit into the quota wholly', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    await submitter(system.deps)(request())
    await assert.rejects(submitter(system.deps)(request()), { code: 'quota_exceeded' })
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  it('takes nothing more while too much waits', async () => {
    await using system = await open()
    await assert.rejects(submitter({ ...system.deps, full: () => true })(request()), { code: 'unavailable' })
  })
})

describe('a repeated Idempotency-Key', () => {
  const keyed = (over: Partial<SubmitRequest> = {}) => request({ idempotency_key: 'order-1', ...over })

  it('gets the first answer, byte for byte, and takes nothing more', async () => {
    await using system = await open()
    const first = await submitter(system.deps)(keyed())
    system.time.at += 3_600_000
    const again = await submitter(system.deps)(keyed())
    assert.deepEqual(again, { id: first.id, status: 202, body_json: first.body_json, replayed: true })
    assert.equal(await system.used(), 2)
  })

  it('gets it although the send time has passed since', async () => {
    await using system = await open()
    const soon = keyed({ mail: mail({ scheduled_at: new Date(noon + 60_000).toISOString() }) })
    const first = await submitter(system.deps)(soon)
    system.time.at += 3_600_000
    assert.equal((await submitter(system.deps)(soon)).id, first.id)
  })

  it('with another body is refused', async () => {
    await using system = await open()
    await submitter(system.deps)(keyed())
    const other = keyed({ fingerprint: Buffer.from('other body') })
    await assert.rejects(submitter(system.deps)(other), { code: 'idempotency_mismatch' })
  })

  it('is another key for another workspace and mode', async () => {
    await using system = await open()
    const ids = await Promise.all(
      [caller(), caller({ mode: 'test' }), caller({ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })].map(
        async (who) => (await submitter(system.deps)(keyed({ caller: who }))).id,
      ),
    )
    assert.equal(new Set(ids).size, 3)
  })

  it('is free again 24 hours after, or after the scheduled time', async () => {
    await using system = await open()
    const day = 86_400_000
    const later = keyed({ mail: mail({ scheduled_at: new Date(noon + day).toISOString() }) })
    const first = await submitter(system.deps)(later)
    system.time.at = noon + 2 * day - 1
    await system.idempotency.sweep(system.time.at, 100)
    assert.equal((await submitter(system.deps)(later)).id, first.id)
    system.time.at = noon + 2 * day + 1
    await system.idempotency.sweep(system.time.at, 100)
    await assert.rejects(submitter(system.deps)(later), { code: 'validation_failed' })
  })
})

describe('a crash at any point of submit', () => {
  const die = (): never => {
    throw new Error('the process died here')
  }
  /** Each step of submit, done and then the process is gone. */
  const points: [name: string, broken: (deps: SubmitDeps) => SubmitDeps][] = [
    ['after the claim', (deps) => ({ ...deps, quota: { ...deps.quota, Reserve: async () => die() } })],
    ['after the reservation', (deps) => ({ ...deps, emails: { ...deps.emails, insert: async () => die() } })],
    ['after the insert', (deps) => ({ ...deps, quota: { ...deps.quota, Commit: async () => die() } })],
    ['after the line', (deps) => ({ ...deps, idempotency: { ...deps.idempotency, finish: async () => die() } })],
    ['before the answer', (deps) => ({ ...deps, durable: { settled: async () => die() } })],
  ]
  for (const [name, broken] of points) {
    it(`${name} ends as one email, counted once, when the request comes again`, async () => {
      await using system = await open()
      const keyed = request({ idempotency_key: 'order-1' })
      await assert.rejects(submitter(broken(system.deps))(keyed), /died here/)
      await system.idempotency.releaseAbandoned()
      const reply = await submitter(system.deps)(keyed)
      assert.equal(reply.status, 202)
      assert.deepEqual(
        (await system.all()).map(({ email }) => email.id),
        [reply.id],
      )
      assert.equal(await system.used(), 2)
    })
  }

  it('leaves the key to a taker-over once the lease is out, and to nobody before', async () => {
    await using system = await open()
    const keyed = request({ idempotency_key: 'order-1' })
    const broken = { ...system.deps, quota: { ...system.deps.quota, Commit: async () => die() } }
    await assert.rejects(submitter(broken)(keyed), /died here/)
    await assert.rejects(submitter(system.deps)(keyed), { code: 'idempotency_in_flight' })
    system.time.at += defaultLimits.claimLeaseMs + 1
    assert.equal((await submitter(system.deps)(keyed)).status, 202)
    assert.equal(await system.used(), 2)
  })

  // It was answered 503, and a client without a key sent the mail once more.
  it('takes mail whose line can’t be written now, and the sweeper writes it', async () => {
    await using system = await open()
    const away = async () => {
      throw new Fault('unavailable', 'quota doesn’t answer')
    }
    const broken = { ...system.deps, quota: { ...system.deps.quota, Commit: away } }
    const reply = await submitter(broken)(request())
    assert.equal(reply.status, 202)
    assert.deepEqual(system.rung, [reply.id])
    system.time.at = noon + 60_000
    await system.sweep()
    assert.equal(await system.used(), 2)
    assert.deepEqual(
      await system.sweepDeps.quota.ListPending({ before: new Date(noon + 120_000).toISOString(), limit: 9 }),
      {
        pending: [],
      },
    )
  })

  it('without a second request gives the reservation back', async () => {
    await using system = await open()
    const broken = { ...system.deps, emails: { ...system.deps.emails, insert: async () => die() } }
    await assert.rejects(submitter(broken)(request()), /died here/)
    assert.equal(await system.used(), 2)
    system.time.at = noon + 60_000
    await system.sweep()
    assert.equal(await system.used(), 0)
  })
})
