import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { assertOneEmail, noon, testIntake as open, request, withKey, workspace } from '../../test/support/testIntake.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { defaultIntakeLimits } from './config.ts'
import { submit } from './submit.ts'

describe('a crash during submit', () => {
  const die = (): never => {
    throw new Error('the process died here')
  }
  /** Runs a request up to its ledger line, where it never continues, as in a process that died. */
  const untilCommit = async (deps: SubmitDeps, keyed: SubmitRequest): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const Commit = () => {
      resolve()
      return new Promise<never>(() => {})
    }
    void submit({ ...deps, quota: { ...deps.quota, Commit } })(keyed)
    await promise
  }
  /** Each step of submit, after which the process is gone. */
  const points: [name: string, broken: (deps: SubmitDeps) => SubmitDeps][] = [
    ['after the claim', (deps) => ({ ...deps, quota: { ...deps.quota, Reserve: async () => die() } })],
    ['after the reservation', (deps) => ({ ...deps, emails: { ...deps.emails, insert: async () => die() } })],
    ['after the insert', (deps) => ({ ...deps, quota: { ...deps.quota, Commit: async () => die() } })],
    ['after the line', (deps) => ({ ...deps, idempotency: { ...deps.idempotency, finish: async () => die() } })],
    ['before the response', (deps) => ({ ...deps, durable: { synced: async () => die() } })],
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
    await untilCommit(system.deps, keyed)
    await assert.rejects(submit(system.deps)(keyed), { code: 'idempotency_in_flight' })
    system.time.at += defaultIntakeLimits.claimLeaseMs + 1
    assert.equal((await submit(system.deps)(keyed)).status, 202)
    assert.equal(await system.used(), 2)
  })

  it('lets the call that the gateway repeats for the same request take over immediately', async () => {
    await using system = await open()
    const keyed = request(withKey('order-1'))
    await untilCommit(system.deps, keyed)
    const other = { ...keyed, requestId: 'req_2', isRepeat: true }
    await assert.rejects(submit(system.deps)(other), { code: 'idempotency_in_flight' })
    assert.equal((await submit(system.deps)({ ...keyed, isRepeat: true })).status, 202)
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  /** Starts a request that waits before its insert until `resume`. */
  const paused = async ({ deps }: { deps: SubmitDeps }, keyed: SubmitRequest) => {
    const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const insert: SubmitDeps['emails']['insert'] = async (...args) => {
      reached.resolve()
      await resumed.promise
      return deps.emails.insert(...args)
    }
    const answer = submit({ ...deps, emails: { ...deps.emails, insert } })(keyed)
    await reached.promise
    return { answer, resume: resumed.resolve }
  }
  // Regression: the void id used the last sends of the quota, so the request was refused although nothing had been
  // sent.
  it('uses its own sends again after the sweep has made its id void', async () => {
    await using system = await open()
    await system.ledger.setAllowance(workspace, { monthly: 2 })
    const { answer, resume } = await paused(system, request(withKey('order-1')))
    system.time.at += defaultIntakeLimits.claimLeaseMs + 1
    const Settle = () => Promise.reject(new Fault('unavailable', 'away'))
    await assert.rejects(system.sweep({ quota: { ...system.sweepDeps.quota, Settle } }))
    resume()
    const { id, status } = await answer
    assert.equal(status, 202)
    await assertOneEmail(system, id)
  })

  const full = { enter: () => Promise.reject(new Fault('rate_limited', 'full')) }

  // Regression: the email of the first call was stored after the refusal, and the key was free for a second email.
  it('stores no email of an earlier call after the repeated call was refused', async () => {
    await using system = await open()
    const keyed = request(withKey('order-1'))
    const { answer, resume } = await paused(system, keyed)
    const repeated = submit({ ...system.deps, queue: full })({ ...keyed, isRepeat: true })
    await assert.rejects(repeated, { code: 'rate_limited' })
    resume()
    await assert.rejects(answer, { code: 'idempotency_in_flight' })
    assert.deepEqual(await system.all(), [])
    const { id } = await submit(system.deps)({ ...keyed, ...withKey('order-1', 'corrected') })
    system.time.at += 60_000
    await assertOneEmail(system, id)
  })

  it('returns the email that the earlier call stored while the repeated call was refused', async () => {
    await using system = await open()
    const keyed = request(withKey('order-1'))
    const { answer, resume } = await paused(system, keyed)
    const enter = async () => {
      resume()
      while ((await system.all()).length === 0) await Promise.resolve()
      return full.enter()
    }
    const repeated = submit({ ...system.deps, queue: { enter } })({ ...keyed, isRepeat: true })
    await assert.rejects(repeated, { code: 'idempotency_in_flight' })
    const { id } = await submit(system.deps)(keyed)
    assert.equal((await answer).id, id)
    assert.equal((await system.all()).length, 1)
    assert.equal(await system.used(), 2)
  })

  // The response was a 503, and a client without a key sent the mail again.
  it('accepts mail whose ledger line cannot be written; the sweep writes it', async () => {
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

  it('releases the reservation if the request is not repeated', async () => {
    await using system = await open()
    const broken = { ...system.deps, emails: { ...system.deps.emails, insert: async () => die() } }
    await assert.rejects(submit(broken)(request()), /died here/)
    assert.equal(await system.used(), 2)
    system.time.at = noon + 60_000
    await system.sweep()
    assert.equal(await system.used(), 0)
  })
})
