import assert from 'node:assert/strict'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, testIntake as open, request, withKey, workspace } from '../../test/support/testIntake.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { defaultIntakeLimits } from './config.ts'
import { submit } from './submit.ts'

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

  it('refuses an email if only some of its recipients fit into the quota', async () => {
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

  it('returns the first response, byte for byte, and accepts nothing more', async () => {
    await using system = await open()
    const first = await submit(system.deps)(keyed())
    system.time.at += 3_600_000
    const again = await submit(system.deps)(keyed())
    assert.deepEqual(again, { id: first.id, status: 202, bodyJson: first.bodyJson, replayed: true, quota: null })
  })

  const limited: [name: string, limits: Parameters<typeof caller>[0], expected: string][] = [
    ['other recipients', { recipients: ['staff.example'] }, 'validation_failed'],
    ['another domain', { domains: ['mine.example'] }, 'forbidden'],
    ['both', { recipients: ['staff.example'], domains: ['mine.example'] }, 'forbidden'],
  ]
  for (const [name, limits, expected] of limited)
    it(`gives no response to a key that is limited to ${name}, before and after the first request`, async () => {
      await using system = await open()
      const byLimited = () => submit(system.deps)(keyed({ caller: caller({ keyId: 'key_2', ...limits }) }))
      await assert.rejects(byLimited(), { code: expected })
      const first = await submit(system.deps)(keyed())
      await assert.rejects(byLimited(), { code: expected })
      assert.equal((await submit(system.deps)(keyed())).bodyJson, first.bodyJson)
      assert.equal((await system.all()).length, 1)
    })

  it('returns the first response to a limited key whose limits allow the request', async () => {
    await using system = await open()
    const first = await submit(system.deps)(keyed())
    const wide = caller({ keyId: 'key_2', recipients: ['example.com'] })
    assert.equal((await submit(system.deps)(keyed({ caller: wide }))).bodyJson, first.bodyJson)
  })

  for (const code of ['rate_limited', 'unavailable'] as const)
    it(`returns the first response while the queue is full (${code}), and is free if it was refused`, async () => {
      await using system = await open()
      const first = await submit(system.deps)(keyed())
      const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault(code, 'full')) } }
      assert.equal((await submit(full)(keyed())).bodyJson, first.bodyJson)
      await assert.rejects(submit(full)(keyed(withKey('order-1', 'another body'))), { code: 'idempotency_mismatch' })
      await assert.rejects(submit(full)(keyed(withKey('order-2'))), { code })
      assert.equal((await submit(system.deps)(keyed(withKey('order-2')))).replayed, false)
      assert.equal((await system.all()).length, 2)
    })

  it('does not count a repeated or refused request against the queue', async () => {
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

  it('returns no response before the first one is on disk', async () => {
    await using system = await open()
    await submit(system.deps)(keyed())
    const failing = {
      ...system.deps,
      durable: { synced: () => Promise.reject(new Fault('unavailable', 'disk full')) },
    }
    await assert.rejects(submit(failing)(keyed()), { code: 'unavailable' })
  })

  it('returns the first response after the send time has passed', async () => {
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
    await system.sweep()
    assert.deepEqual(
      (await system.all()).map(({ email }) => email.id),
      [id],
    )
    assert.equal(await system.used(), 2)
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
    await system.sweep()
    assert.deepEqual(
      (await system.all()).map(({ email }) => email.id),
      [id],
    )
    assert.equal(await system.used(), 2)
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

  it('ends its claim again and keeps the id when it is repeated while the queue is full', async () => {
    await using system = await open()
    await assert.rejects(submit({ ...system.deps, quota: { ...system.deps.quota, Reserve: away } })(keyed()))
    const full = { ...system.deps, queue: { enter: () => Promise.reject(new Fault('unavailable', 'full')) } }
    await assert.rejects(submit(full)(keyed()), { code: 'unavailable' })
    await assert.rejects(submit(full)(keyed(withKey('order-1', 'other'))), { code: 'idempotency_mismatch' })
    assert.equal((await submit(system.deps)(keyed())).status, 202)
  })
})
