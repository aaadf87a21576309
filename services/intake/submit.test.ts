import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { dayMs } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, testIntake as open, request, withKey, workspace } from '../../test/support/testIntake.ts'
import { submit } from './submit.ts'

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

  it('reports all problems of the template, the time, the domain and the category together', async () => {
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
      { mail: mail({ sendAt: { at: noon + 30 * dayMs + 1_000 } }) },
      'validation_failed',
      'too_far_ahead',
    ],
    [
      'a delay of more than 30 days',
      { mail: mail({ sendAt: { inMs: 30 * dayMs + 1 } }) },
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
    assert.deepEqual(quota, { limit: 3, remaining: 1, resetsAt: noon + dayMs / 2, resetsInMs: dayMs / 2 })
  })

  it('refuses an email if only some of its recipients fit into the quota', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    await submit(system.deps)(request())
    await assert.rejects(submit(system.deps)(request()), { code: 'quota_exceeded' })
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  it('returns no response before the email is on disk', async () => {
    await using system = await open()
    const durable = { synced: () => Promise.reject(new Fault('unavailable', 'disk full')) }
    await assert.rejects(submit({ ...system.deps, durable })(request()), { code: 'unavailable' })
  })

  it('accepts nothing while the queue is full', async () => {
    await using system = await open()
    const full = new Fault('unavailable', 'full')
    const queue = { enter: () => Promise.reject(full) }
    await assert.rejects(submit({ ...system.deps, queue })(request()), full)
    assert.deepEqual(await system.all(), [])
  })
})
