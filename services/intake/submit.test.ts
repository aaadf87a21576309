import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, testIntake as open, request, withKey, workspace } from '../../test/support/testIntake.ts'
import { defaultLimits } from './config.ts'
import { type SubmitDeps, submit } from './submit.ts'

const day = 86_400_000

describe('submit', () => {
  it('stores the email, counts its recipients, rings, and returns the record', async () => {
    await using system = await open()
    const reply = await submit(system.deps)(request())
    assert.equal(reply.status, 202)
    const record = JSON.parse(reply.bodyJson)
    assert.equal(record.id, reply.id)
    assert.equal(record.status, 'queued')
    assert.equal(record.message_id, `<${reply.id}@postrider.test>`)
    assert.deepEqual(system.rung, [reply.id])
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  it('stores each address once, with its first kind', async () => {
    await using system = await open()
    const cc = [{ name: 'Ann', address: 'ANN@example.com' }]
    const reply = await submit(system.deps)(request({ mail: mail({ cc }) }))
    assert.deepEqual(JSON.parse(reply.bodyJson).cc, [])
    assert.equal(await system.used(), 2)
  })

  it('counts nothing for test mail', async () => {
    await using system = await open()
    const reply = await submit(system.deps)(request({ caller: caller({ mode: 'test' }) }))
    assert.equal(reply.quota, null)
    assert.equal(await system.used(), 0)
  })

  it('replaces from_ by the shared sender, with a notice, while no domain is verified', async () => {
    await using system = await open()
    const reply = await submit(system.deps)(request({ mail: mail({ from: { name: '', address: 'me@mine.example' } }) }))
    const record = JSON.parse(reply.bodyJson)
    assert.equal(record.from_, 'mail@postrider.test')
    assert.match(record.notices[0], /shared sender mail@postrider\.test/)
  })

  it('explains which name is shown if from_ is the shared sender itself', async () => {
    await using system = await open()
    const from = { name: 'Ops', address: 'MAIL@postrider.test' }
    const { notices } = JSON.parse((await submit(system.deps)(request({ mail: mail({ from }) }))).bodyJson)
    assert.deepEqual(notices, ['from_ is the shared sender; its display name is the workspace’s sender_name.'])
  })

  it('returns addresses in a form that a send accepts', async () => {
    await using system = await open()
    const to = [{ name: 'Doe, Jane', address: 'jane@example.com' }]
    const record = JSON.parse((await submit(system.deps)(request({ mail: mail({ to }) }))).bodyJson)
    assert.deepEqual(record.to, ['"Doe, Jane" <jane@example.com>'])
  })

  it('reports all problems of the template, the time, the domain and the category at once', async () => {
    await using system = await open()
    const wrong = mail({
      template: { id: 'tpl_1', vars: {} },
      domainId: 'dom_1',
      category: 'marketing',
      sendAt: { at: noon - 61_000 },
    })
    await assert.rejects(submit(system.deps)(request({ mail: wrong })), (fault: Fault) => {
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
      { mail: mail({ domainId: 'dom_1' }) },
      'validation_failed',
      'unknown_domain',
    ],
    ['a send time in the past', { mail: mail({ sendAt: { at: noon - 61_000 } }) }, 'validation_failed', 'in_the_past'],
    [
      'a send time more than 30 days ahead',
      { mail: mail({ sendAt: { at: noon + 30 * day + 1_000 } }) },
      'validation_failed',
      'too_far_ahead',
    ],
    [
      'a delay of more than 30 days',
      { mail: mail({ sendAt: { inMs: 30 * day + 1 } }) },
      'validation_failed',
      'too_far_ahead',
    ],
    [
      'marketing mail without a postal address',
      { mail: mail({ category: 'marketing' }) },
      'validation_failed',
      'postal_address_required',
    ],
    [
      'an unknown template',
      { mail: mail({ template: { id: 'tpl_1', vars: {} } }) },
      'validation_failed',
      'unknown_template',
    ],
    ['mail of a suspended workspace', { caller: caller({ suspended: true }) }, 'forbidden'],
  ]
  for (const [name, over, code, problem] of refusals) {
    it(`refuses ${name}, and stores and counts nothing`, async () => {
      await using system = await open()
      const keyed = request({ ...over, ...withKey('k') })
      await assert.rejects(submit(system.deps)(keyed), (fault) => {
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
      assert.equal((await submit(system.deps)(request(withKey('k')))).status, 202)
    })
  }

  it('counts a delay from its own clock', async () => {
    await using system = await open()
    const reply = await submit(system.deps)(request({ mail: mail({ sendAt: { inMs: 3_600_000 } }) }))
    assert.equal(JSON.parse(reply.bodyJson).scheduled_at, new Date(noon + 3_600_000).toISOString())
  })

  it('returns when the tighter quota resets, by its own clock', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    const { quota } = await submit(system.deps)(request())
    assert.deepEqual(quota, { limit: 3, remaining: 1, resetsAt: noon + day / 2, resetsInMs: day / 2 })
  })

  it('refuses an email of which only a part fits into the quota', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    await submit(system.deps)(request())
    await assert.rejects(submit(system.deps)(request()), { code: 'quota_exceeded' })
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  it('accepts nothing while the queue is full', async () => {
    await using system = await open()
    const full = new Fault('unavailable', 'full')
    const queue = { enter: () => Promise.reject(full) }
    await assert.rejects(submit({ ...system.deps, queue })(request()), full)
    assert.deepEqual(await system.all(), [])
  })
})

describe('a repeated Idempotency-Key', () => {
  const keyed = (over: Partial<SubmitRequest> = {}) => request({ ...withKey('order-1'), ...over })

  it('returns the first answer, byte for byte, and accepts nothing more', async () => {
    await using system = await open()
    const first = await submit(system.deps)(keyed())
    system.time.at += 3_600_000
    const again = await submit(system.deps)(keyed())
    assert.deepEqual(again, { id: first.id, status: 202, bodyJson: first.bodyJson, replayed: true, quota: null })
  })

  for (const code of ['rate_limited', 'unavailable'] as const)
    it(`returns the first answer while the queue is full (${code}), and is free if it was refused`, async () => {
      await using system = await open()
      const first = await submit(system.deps)(keyed())
      const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault(code, 'full')) } }
      assert.equal((await submit(full)(keyed())).bodyJson, first.bodyJson)
      await assert.rejects(submit(full)(keyed(withKey('order-1', 'another body'))), { code: 'idempotency_mismatch' })
      await assert.rejects(submit(full)(keyed(withKey('order-2'))), { code })
      assert.equal((await submit(system.deps)(keyed(withKey('order-2')))).replayed, false)
      assert.equal((await system.all()).length, 2)
    })

  it('keeps no room in the queue for a repeated or refused request', async () => {
    await using system = await open()
    const left: boolean[] = []
    const queue = { enter: async () => (isAccepted: boolean) => void left.push(isAccepted) }
    await submit({ ...system.deps, queue })(keyed())
    await submit({ ...system.deps, queue })(keyed())
    const refused = keyed({ ...withKey('order-2'), mail: mail({ domainId: 'dom_1' }) })
    await assert.rejects(submit({ ...system.deps, queue })(refused), { code: 'validation_failed' })
    assert.deepEqual(left, [true, false])
    assert.equal(await system.used(), 2)
  })

  it('returns no answer before the first one is on disk', async () => {
    await using system = await open()
    await submit(system.deps)(keyed())
    const failing = {
      ...system.deps,
      durable: { settled: () => Promise.reject(new Fault('unavailable', 'disk full')) },
    }
    await assert.rejects(submit(failing)(keyed()), { code: 'unavailable' })
  })

  it('returns the first answer after the send time has passed', async () => {
    await using system = await open()
    const soon = keyed({ mail: mail({ sendAt: { at: noon + 60_000 } }) })
    const first = await submit(system.deps)(soon)
    system.time.at += 3_600_000
    assert.equal((await submit(system.deps)(soon)).id, first.id)
  })

  it('is refused with another body', async () => {
    await using system = await open()
    await submit(system.deps)(keyed())
    const other = keyed(withKey('order-1', 'other body'))
    await assert.rejects(submit(system.deps)(other), { code: 'idempotency_mismatch' })
  })

  it('is another key in another workspace or mode', async () => {
    await using system = await open()
    const ids = await Promise.all(
      [caller(), caller({ mode: 'test' }), caller({ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' })].map(
        async (who) => (await submit(system.deps)(keyed({ caller: who }))).id,
      ),
    )
    assert.equal(new Set(ids).size, 3)
  })

  it('is free again 24 hours after the request or the scheduled time', async () => {
    await using system = await open()
    const later = keyed({ mail: mail({ sendAt: { at: noon + day } }) })
    const first = await submit(system.deps)(later)
    system.time.at = noon + 2 * day - 1
    await system.idempotency.sweep(system.time.at, 100)
    assert.equal((await submit(system.deps)(later)).id, first.id)
    system.time.at = noon + 2 * day + 1
    await system.idempotency.sweep(system.time.at, 100)
    await assert.rejects(submit(system.deps)(later), { code: 'validation_failed' })
  })
})

describe('a crash during submit', () => {
  const die = (): never => {
    throw new Error('the process died here')
  }
  /** Each step of submit, after which the process is gone. */
  const points: [name: string, broken: (deps: SubmitDeps) => SubmitDeps][] = [
    ['after the claim', (deps) => ({ ...deps, quota: { ...deps.quota, Reserve: async () => die() } })],
    ['after the reservation', (deps) => ({ ...deps, emails: { ...deps.emails, insert: async () => die() } })],
    ['after the insert', (deps) => ({ ...deps, quota: { ...deps.quota, Commit: async () => die() } })],
    ['after the line', (deps) => ({ ...deps, idempotency: { ...deps.idempotency, finish: async () => die() } })],
    ['before the answer', (deps) => ({ ...deps, durable: { settled: async () => die() } })],
  ]
  for (const [name, broken] of points) {
    it(`${name} ends as one email, counted once, when the request is repeated`, async () => {
      await using system = await open()
      const keyed = request(withKey('order-1'))
      await assert.rejects(submit(broken(system.deps))(keyed), /died here/)
      await system.idempotency.releaseAbandoned()
      const reply = await submit(system.deps)(keyed)
      assert.equal(reply.status, 202)
      assert.deepEqual(
        (await system.all()).map(({ email }) => email.id),
        [reply.id],
      )
      assert.equal(await system.used(), 2)
    })
  }

  it('keeps the key claimed until the lease ends; then another request takes it over', async () => {
    await using system = await open()
    const keyed = request(withKey('order-1'))
    const broken = { ...system.deps, quota: { ...system.deps.quota, Commit: async () => die() } }
    await assert.rejects(submit(broken)(keyed), /died here/)
    await assert.rejects(submit(system.deps)(keyed), { code: 'idempotency_in_flight' })
    system.time.at += defaultLimits.claimLeaseMs + 1
    assert.equal((await submit(system.deps)(keyed)).status, 202)
    assert.equal(await system.used(), 2)
  })

  // The answer was a 503, and a client without a key sent the mail again.
  it('accepts mail whose ledger line cannot be written; the sweeper writes it', async () => {
    await using system = await open()
    const away = async () => {
      throw new Fault('unavailable', 'quota does not respond')
    }
    const broken = { ...system.deps, quota: { ...system.deps.quota, Commit: away } }
    const reply = await submit(broken)(request())
    assert.equal(reply.status, 202)
    assert.deepEqual(system.rung, [reply.id])
    system.time.at = noon + 60_000
    await system.sweep()
    assert.equal(await system.used(), 2)
    assert.deepEqual(await system.sweepDeps.quota.ListPending({ before: noon + 120_000, limit: 9 }), [])
  })

  it('gives the reservation back if the request is not repeated', async () => {
    await using system = await open()
    const broken = { ...system.deps, emails: { ...system.deps.emails, insert: async () => die() } }
    await assert.rejects(submit(broken)(request()), /died here/)
    assert.equal(await system.used(), 2)
    system.time.at = noon + 60_000
    await system.sweep()
    assert.equal(await system.used(), 0)
  })
})
