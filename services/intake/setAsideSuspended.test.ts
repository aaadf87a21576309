import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, noon, reader, request, testIntake, workspace } from '../../test/support/testIntake.ts'

const hour = 3_600_000
const unavailable = new Fault('unavailable', 'quota is unavailable')

describe('mail of a suspended workspace', () => {
  const suspensions = (...ids: string[]) => ({ suspensions: { suspended: async () => new Set(ids) } })
  const claim = { lane: 'transactional', limit: 10, leaseMs: 30_000 } as const

  it('is set aside when it is due, scheduled mail at its time, and is due again when it is resumed', async () => {
    await using system = await testIntake()
    const now = await system.send()
    const later = await system.send({ sendAt: { at: noon + hour } })
    await system.sweep(suspensions(workspace))
    assert.equal(await system.emails.nextDue('transactional'), noon + hour)
    system.time.at = noon + hour
    await system.sweep(suspensions(workspace))
    assert.ok(((await system.emails.nextDue('transactional')) ?? 0) > noon + hour)
    const rung: string[] = []
    await system.sweep({ ...suspensions(), doorbell: { ring: (lane) => void rung.push(lane) } })
    assert.deepEqual(rung, ['transactional'])
    const claimed = await system.emails.claim({ ...claim, now: system.time.at })
    assert.deepEqual(
      claimed.map(({ email }) => email.id),
      [now, later],
    )
  })

  it('keeps its status and can be canceled', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await system.sweep(suspensions(workspace))
    assert.equal((await system.stored(id)).email.recipients[0]?.status, 'queued')
    await system.intake.CancelEmail({ id, reader: reader() })
    assert.equal(await system.used(), 0)
    await system.sweep(suspensions())
    assert.equal(await system.emails.nextDue('transactional'), null)
  })

  it('fails at its expiry while the workspace is suspended, and releases its sends', async () => {
    await using system = await testIntake()
    const id = await system.send({ expiresInMs: hour })
    assert.equal(await system.used(), 2)
    await system.sweep(suspensions(workspace))
    assert.equal(await system.emails.nextDue('transactional'), noon + hour)
    system.time.at = noon + hour
    await system.sweep(suspensions(workspace))
    const { email } = await system.stored(id)
    assert.deepEqual(
      email.recipients.map(({ status }) => status),
      ['failed', 'failed'],
    )
    assert.equal(await system.used(), 0)
    assert.equal(await system.emails.nextDue('transactional'), null)
  })

  it('fails at its expiry in full while quota is unavailable, and releases its sends later', async () => {
    await using system = await testIntake()
    for (let count = 0; count < 5; count++) await system.send({ expiresInMs: hour })
    system.time.at = noon + hour
    const quota = { ...system.deps.quota, ...system.sweepDeps.quota, Release: () => Promise.reject(unavailable) }
    await assert.rejects(system.sweep({ ...suspensions(workspace), quota }))
    assert.equal(await system.emails.nextDue('transactional'), null)
    assert.equal(await system.used(), 10)
    await system.sweep(suspensions(workspace))
    assert.equal(await system.used(), 0)
  })

  it('fails when it is resumed after its expiry without a sweep in between', async () => {
    await using system = await testIntake()
    await system.send({ expiresInMs: hour })
    await system.sweep(suspensions(workspace))
    system.time.at = noon + 2 * hour
    await system.sweep(suspensions())
    // The dispatcher's first step fails expired mail, so it only has to be due.
    assert.ok(((await system.emails.nextDue('transactional')) ?? Infinity) <= system.time.at)
  })

  it('is found again within a day if its resumption was missed', async () => {
    await using system = await testIntake()
    await system.send()
    await system.sweep(suspensions(workspace))
    assert.equal((await system.emails.claim({ ...claim, now: noon + 24 * hour })).length, 1)
  })

  it('is set aside in full, and mail of other workspaces stays due', async () => {
    await using system = await testIntake()
    const test = request({ caller: caller({ mode: 'test' }) })
    for (let count = 0; count < 450; count++) await system.intake.Submit(test)
    await system.sweep(suspensions('ws_other'))
    assert.equal((await system.emails.backlog(noon))[0]?.due, 450)
    await system.sweep(suspensions(workspace))
    assert.equal((await system.emails.backlog(noon))[0]?.due, 0)
    await system.sweep(suspensions())
    assert.equal((await system.emails.backlog(noon))[0]?.due, 450)
  })
})
