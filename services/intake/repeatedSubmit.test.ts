import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { assertOneEmail, noon, testIntake as open, request, workspace } from '../../test/support/testIntake.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { defaultIntakeLimits } from './config.ts'
import { submit } from './submit.ts'

type System = Awaited<ReturnType<typeof open>>

const id = 'em_01kb0000000000000000000000'
const first = () => request({ emailId: id })
const repeated = () => ({ ...first(), isRepeat: true })
const full = { enter: () => Promise.reject(new Fault('rate_limited', 'full')) }
const midnight = Date.UTC(2026, 10, 22)

/** The calls of a send in their order; `before` is called before each. */
const steps = ['Reserve', 'insert', 'Commit'] as const
const withSteps = ({ emails, quota, ...deps }: SubmitDeps, before: (step: string) => Promise<void>): SubmitDeps => ({
  ...deps,
  emails: {
    ...emails,
    insert: async (...args) => {
      await before('insert')
      return emails.insert(...args)
    },
  },
  quota: {
    ...quota,
    Reserve: async (entry) => {
      await before('Reserve')
      return quota.Reserve(entry)
    },
    Commit: async (entry) => {
      await before('Commit')
      return quota.Commit(entry)
    },
  },
})

/** Starts the first call, which waits before a step until `resume`. */
const paused = async ({ deps }: System, at: string) => {
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const before = async (step: string): Promise<void> => {
    if (step !== at) return
    reached.resolve()
    await resumed.promise
  }
  const answer = submit(withSteps(deps, before))(first())
  await reached.promise
  return { answer, resume: resumed.resolve }
}

const assertOneAfterMinute = async (system: System): Promise<void> => {
  system.time.at += 60_000
  await assertOneEmail(system, id)
}

describe('a send without a key that is repeated under its id', () => {
  it('returns the email that the first call accepted, and announces nothing more', async () => {
    await using system = await open()
    const accepted: string[] = []
    const send = submit({ ...system.deps, accepted: (email) => void accepted.push(email.id) })
    const answer = await send(first())
    const again = await send(repeated())
    assert.deepEqual([again.id, again.status, again.bodyJson], [id, 202, answer.bodyJson])
    assert.deepEqual(again.quota, answer.quota)
    assert.deepEqual(accepted, [id])
    assert.deepEqual(system.rung, [id])
    await assertOneAfterMinute(system)
  })

  it('is accepted if the first call did not arrive', async () => {
    await using system = await open()
    assert.equal((await submit(system.deps)(repeated())).id, id)
    assert.deepEqual(system.rung, [id])
    await assertOneAfterMinute(system)
  })

  for (const step of steps) {
    it(`accepts one email if the first call died before ${step}`, async () => {
      await using system = await open()
      await paused(system, step)
      assert.equal((await submit(system.deps)(repeated())).id, id)
      await assertOneAfterMinute(system)
    })

    it(`accepts one email if the first call runs on before ${step}`, async () => {
      await using system = await open()
      const { answer, resume } = await paused(system, step)
      assert.equal((await submit(system.deps)(repeated())).id, id)
      resume()
      assert.equal((await answer).id, id)
      await assertOneAfterMinute(system)
    })
  }

  it('fits in a quota whose last sends the first call has reserved', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { monthly: 2 })
    await paused(system, 'insert')
    assert.equal((await submit(system.deps)(repeated())).id, id)
    await assertOneAfterMinute(system)
  })

  it('stores no email of the first call after it was refused', async () => {
    await using system = await open()
    const { answer, resume } = await paused(system, 'insert')
    await assert.rejects(submit({ ...system.deps, queue: full })(repeated()), { code: 'rate_limited' })
    resume()
    await assert.rejects(answer, { code: 'unavailable' })
    assert.deepEqual(await system.all(), [])
    assert.equal(await system.used(), 0)
  })

  it('returns the email that the first call stored while the repeated call was refused', async () => {
    await using system = await open()
    const { answer, resume } = await paused(system, 'insert')
    const enter = async () => {
      resume()
      await answer
      return full.enter()
    }
    assert.equal((await submit({ ...system.deps, queue: { enter } })(repeated())).id, id)
    await assertOneAfterMinute(system)
  })

  it('stays possible after a call that failed, because the id is not made void', async () => {
    await using system = await open()
    const away = { enter: () => Promise.reject(new Fault('unavailable', 'away')) }
    await assert.rejects(submit({ ...system.deps, queue: away })(repeated()), { code: 'unavailable' })
    assert.equal((await submit(system.deps)(repeated())).id, id)
    await assertOneAfterMinute(system)
  })

  it('is not accepted under another id after the sweep has made its id void', async () => {
    await using system = await open()
    const { answer, resume } = await paused(system, 'insert')
    system.time.at += defaultIntakeLimits.claimLeaseMs + 1
    await system.sweep()
    resume()
    await assert.rejects(answer, { code: 'unavailable', accepted: 'no' })
    await assert.rejects(submit(system.deps)(repeated()), { code: 'unavailable' })
    assert.deepEqual(await system.all(), [])
    assert.equal(await system.used(), 0)
  })

  it('is not accepted right after midnight, where the first call may have reserved the sends of the day before', async () => {
    await using system = await open()
    system.time.at = midnight - 1
    await paused(system, 'insert')
    system.time.at = midnight
    await assert.rejects(submit(system.deps)(repeated()), { code: 'unavailable' })
    system.time.at = midnight - 1 + defaultIntakeLimits.claimLeaseMs
    await assert.rejects(submit(system.deps)(repeated()), { code: 'unavailable' })
    system.time.at = midnight + defaultIntakeLimits.claimLeaseMs
    assert.equal((await submit(system.deps)({ ...repeated(), emailId: `${id.slice(0, -1)}1` })).status, 202)
  })

  it('finds the email of the first call right after midnight, and counts it on the day of acceptance', async () => {
    await using system = await open()
    system.time.at = midnight - 1
    await submit(system.deps)(first())
    system.time.at = midnight
    assert.equal((await submit(system.deps)(repeated())).id, id)
    assert.deepEqual((await system.ledger.recount(workspace, '2026-11')).days, { '2026-11-21': 2 })
  })

  it('is a second email without an id, as for a gateway of release 0.1', async () => {
    await using system = await open()
    system.time.at = noon
    await submit(system.deps)(request())
    await submit(system.deps)(request())
    assert.equal((await system.all()).length, 2)
  })
})
