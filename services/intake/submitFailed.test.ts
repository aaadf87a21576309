import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { mail, testIntake as open, request, withKey } from '../../test/support/testIntake.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { defaultIntakeLimits } from './config.ts'
import { submit } from './submit.ts'

// A request that failed with 500 or 503 did not release its lease, so a retry got 409 for 30 s.
describe('a request that failed', () => {
  type Broken = (deps: SubmitDeps) => Partial<SubmitDeps>
  const keyed = (over: Partial<SubmitRequest> = {}) => request({ ...withKey('order-1'), ...over })
  const away = async (): Promise<never> => {
    throw new Fault('unavailable', 'away')
  }
  const bug = async (): Promise<never> => {
    throw new TypeError('a bug')
  }
  const failures: [name: string, broken: (fail: () => Promise<never>) => Broken][] = [
    [
      'reserving the quota',
      (fail) =>
        ({ quota }) => ({ quota: { ...quota, Reserve: fail } }),
    ],
    [
      'inserting the email',
      (fail) =>
        ({ emails }) => ({ emails: { ...emails, insert: fail } }),
    ],
    [
      'inserting the email, which the store did nevertheless',
      (fail) => (deps) => ({
        emails: { ...deps.emails, insert: async (...args) => (await deps.emails.insert(...args)) && fail() },
      }),
    ],
    ['storing the response', (fail) => (deps) => ({ idempotency: { ...deps.idempotency, finish: fail } })],
    [
      'storing the response, which the store did nevertheless',
      (fail) => (deps) => ({
        idempotency: {
          ...deps.idempotency,
          finish: async (answer) => {
            await deps.idempotency.finish(answer)
            await fail()
          },
        },
      }),
    ],
    [
      'claiming the key, which the store did nevertheless',
      (fail) => (deps) => ({
        idempotency: {
          ...deps.idempotency,
          claim: async (sent) => {
            await deps.idempotency.claim(sent)
            return fail()
          },
        },
      }),
    ],
    [
      'reading the template',
      (fail) => () => ({ templates: { get: fail, renderSteps: () => assert.fail('rendered a template') } }),
    ],
    ['waiting for the disk', (fail) => () => ({ durable: { synced: once(fail) } })],
  ]
  /** Returns a function that fails once and then does nothing. */
  const once = (fail: () => Promise<never>): (() => Promise<void>) => {
    let failed = false
    return async () => {
      if (failed) return
      failed = true
      await fail()
    }
  }
  const template = { id: 'tpl_1', vars: {} }

  for (const [fail, error] of [
    [away, 'a 503'],
    [bug, 'a 500'],
  ] as const)
    for (const [name, broken] of failures)
      it(`lets its repetition take over immediately, as one email, with ${error} after ${name}`, async () => {
        await using system = await open()
        const isTemplate = name === 'reading the template'
        const sent = keyed(isTemplate ? { mail: mail({ template, subject: null, text: null }) } : {})
        const deps = { ...system.deps, ...broken(fail)(system.deps) }
        await assert.rejects(submit(deps)(sent), fail === away ? { code: 'unavailable' } : TypeError)
        if (isTemplate) {
          const answer = submit({ ...system.deps, ...broken(fail)(system.deps) })({ ...sent, requestId: 'req_2' })
          await assert.rejects(answer, fail === away ? { code: 'unavailable' } : TypeError)
          return
        }
        const reply = await submit(system.deps)({ ...sent, requestId: 'req_2' })
        assert.equal(reply.status, 202)
        assert.deepEqual(
          (await system.all()).map(({ email }) => email.id),
          [reply.id],
        )
        assert.equal(await system.used(), 2)
        assert.equal((await submit(system.deps)({ ...sent, requestId: 'req_3' })).replayed, true)
      })

  it('keeps the id of its email', async () => {
    await using system = await open()
    let first = ''
    const quota = {
      ...system.deps.quota,
      Reserve: async ({ id }: { id: string }) => {
        first = id
        return away()
      },
    }
    await assert.rejects(submit({ ...system.deps, quota })(keyed()), { code: 'unavailable' })
    assert.equal((await submit(system.deps)(keyed())).id, first)
  })

  it('does not free its key for another body', async () => {
    await using system = await open()
    await assert.rejects(submit({ ...system.deps, quota: { ...system.deps.quota, Reserve: away } })(keyed()))
    await assert.rejects(submit(system.deps)(keyed(withKey('order-1', 'other'))), { code: 'idempotency_mismatch' })
  })

  it('repeatedly, still returns the cause and never “still running”', async () => {
    await using system = await open()
    const broken = submit({ ...system.deps, quota: { ...system.deps.quota, Reserve: away } })
    for (let n = 0; n < 20; n++) await assert.rejects(broken(keyed({ requestId: `req_${n}` })), { code: 'unavailable' })
  })

  it('gets 409 while it really runs, and its response after that', async () => {
    await using system = await open()
    const reserving = Promise.withResolvers<void>()
    const quota = {
      ...system.deps.quota,
      Reserve: async () => {
        await reserving.promise
        return away()
      },
    }
    const running = submit({ ...system.deps, quota })(keyed())
    await assert.rejects(submit(system.deps)(keyed({ requestId: 'req_2' })), { code: 'idempotency_in_flight' })
    reserving.resolve()
    await assert.rejects(running, { code: 'unavailable' })
    assert.equal((await submit(system.deps)(keyed({ requestId: 'req_2' }))).status, 202)
  })

  it('a request that fails after its lease does not release the key of its successor', async () => {
    await using system = await open()
    const reserving = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const waiting = (n: 0 | 1) => ({
      ...system.deps,
      quota: {
        ...system.deps.quota,
        Reserve: async () => {
          await reserving[n].promise
          return away()
        },
      },
    })
    const first = submit(waiting(0))(keyed())
    await assert.rejects(submit(system.deps)(keyed()), { code: 'idempotency_in_flight' })
    system.time.at += defaultIntakeLimits.claimLeaseMs
    const second = submit(waiting(1))(keyed({ requestId: 'req_2' }))
    await assert.rejects(submit(system.deps)(keyed({ requestId: 'req_3' })), { code: 'idempotency_in_flight' })
    reserving[0].resolve()
    await assert.rejects(first, { code: 'unavailable' })
    await assert.rejects(submit(system.deps)(keyed({ requestId: 'req_3' })), { code: 'idempotency_in_flight' })
    reserving[1].resolve()
    await assert.rejects(second, { code: 'unavailable' })
  })

  it('frees its key for another body if nothing was begun, because the queue is full', async () => {
    await using system = await open()
    const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault('unavailable', 'full')) } }
    await assert.rejects(submit(full)(keyed()), { code: 'unavailable' })
    assert.equal((await submit(system.deps)(keyed(withKey('order-1', 'other')))).status, 202)
  })

  it('ends its claim again and keeps the id when it is repeated while the queue is full', async () => {
    await using system = await open()
    await assert.rejects(submit({ ...system.deps, quota: { ...system.deps.quota, Reserve: away } })(keyed()))
    const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault('unavailable', 'full')) } }
    await assert.rejects(submit(full)(keyed()), { code: 'unavailable' })
    await assert.rejects(submit(full)(keyed(withKey('order-1', 'other'))), { code: 'idempotency_mismatch' })
    assert.equal((await submit(system.deps)(keyed())).status, 202)
  })
})
