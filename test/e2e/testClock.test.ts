import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { assertSince } from '../support/assertSince.ts'
import { type Caller, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { type DeliveryRecord, type Hook, startHook, verified, type WebhookRecord } from '../support/hooks.ts'
import type { AttemptRecord, EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type ClockRecord = {
  object: string
  now: string
  ahead_ms: number
  status: string
  due_emails: number
  due_webhooks: number
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const path = '/api/v1/test/clock'
const scopes = ['emails:send', 'emails:read', 'webhooks:write']

/** The schedule of retries: what the contract states, which may be shorter or longer by a tenth. */
const gapsMs = [5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 16 * hourMs]
/** The schedule of webhooks, of which each delay may be longer by a tenth: at most 30 h 21 min in total. */
const webhookGapsMs = [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs]
const wholeWebhookSchedule = 'PT31H'

const timesOf = (attempts: readonly Pick<AttemptRecord, 'at'>[] = []): number[] =>
  attempts.map(({ at }) => Date.parse(at))
const gapsOf = (times: readonly number[]): number[] => times.slice(1).map((at, index) => at - (times[index] ?? 0))

/**
 * Asserts that each gap is the one of the schedule. The clock must have been moved before the first attempt: without a
 * move a gap also has the duration of the attempt.
 */
const assertGaps = (gaps: readonly number[], wanted: readonly number[], less: number, more: number): void => {
  assert.equal(gaps.length, wanted.length, String(gaps))
  for (const [index, gap] of gaps.entries()) {
    const ms = wanted[index] ?? 0
    assert.ok(
      gap >= ms * (1 - less) - 1 && gap <= ms * (1 + more) + 1,
      `gap ${index + 1} is ${gap} ms, not about ${ms}`,
    )
  }
}

describe('the test clock', () => {
  const system = useSystem()
  let tenant: Tenant
  let test: Caller
  before(async () => {
    tenant = await system().client.tenant()
    test = await tenant.makeKey({ mode: 'test', scopes })
  })

  const send = async (caller: Caller, over: Record<string, unknown> = {}): Promise<EmailRecord> => {
    const response = await caller.call<EmailRecord>({
      path: '/api/v1/emails',
      json: rawMail({ to: ['deferred@simulator.postrider.dev'], ...over }),
    })
    assert.equal(response.status, 202, response.text)
    return response.body
  }
  const get = async (caller: Caller, id: string): Promise<EmailRecord> =>
    (await caller.call<EmailRecord>({ path: `/api/v1/emails/${id}` })).body
  const read = async (caller: Caller = test): Promise<ClockRecord> => (await caller.call<ClockRecord>({ path })).body
  /** Moves the clock and waits until nothing is due. */
  const move = async (json: Record<string, unknown>, caller: Caller = test): Promise<ClockRecord> => {
    const { status, body, text } = await caller.call<ClockRecord>({ path, json })
    assert.equal(status, 200, text)
    if (body.status !== 'ready')
      await until('nothing is due', async () => ((await read(caller)).status === 'ready' ? true : undefined))
    return body
  }

  it('is the real time until it is moved, and then runs on from where it was moved to', async () => {
    const before = Date.now()
    const unmoved = await read()
    assert.deepEqual([unmoved.object, unmoved.ahead_ms, unmoved.status], ['test_clock', 0, 'ready'])
    assertSince(unmoved.now, before, 0, minuteMs)
    const moved = await move({ advance: 'PT32H' })
    assert.equal(moved.ahead_ms, 32 * hourMs)
    const at = new Date(Date.parse(moved.now) + dayMs).toISOString()
    const set = await move({ at })
    assert.equal(set.now, at)
    assert.ok(Date.parse((await read()).now) >= Date.parse(at))
    assert.equal((await move({ advance: 90 })).ahead_ms - set.ahead_ms, 90_000)
  })

  it('shows the whole schedule of a recipient that defers after one move', async () => {
    await move({ advance: 1 })
    const { id } = await send(test)
    await move({ advance: 'PT40H' })
    const email = await get(test, id)
    assert.equal(email.status, 'failed', JSON.stringify(email.recipients))
    assert.match(email.recipients[0]?.reply ?? '', /given up: the retry schedule is used up/)
    const times = timesOf(email.attempts)
    assertGaps(gapsOf(times), gapsMs, 0.1, 0.1)
    const deferred = email.events?.filter(({ type }) => type === 'email.deferred') ?? []
    assert.deepEqual(
      // The first attempt may have been made before the move, in real time.
      deferred.slice(1).map(({ timestamp }) => Date.parse(timestamp)),
      times.slice(1, -1),
    )
    assert.deepEqual(
      email.events?.map(({ sequence }) => sequence),
      email.events?.map((_, index) => index + 1),
    )
  })

  it('makes each attempt exactly at the next_at that the record has shown', async () => {
    const { id } = await send(test)
    let email = await until('it is deferred', async () => {
      const found = await get(test, id)
      return found.status === 'deferred' ? found : undefined
    })
    for (let tries = 1; tries < 4; tries++) {
      const next: string = email.recipients[0]?.next_at ?? assert.fail('it waits for nothing')
      await move({ at: new Date(Date.parse(next) - 1_000).toISOString() })
      // The clock runs on, so a busy machine may make the next attempt already; never an earlier one.
      const between = await get(test, id)
      assert.ok(Date.parse(between.attempts?.[tries]?.at ?? next) >= Date.parse(next))
      if (Date.parse((await read()).now) < Date.parse(next)) await move({ at: next })
      email = await until('the attempt is made', async () => {
        const found = await get(test, id)
        return found.attempts?.length === tries + 1 && found.status === 'deferred' ? found : undefined
      })
      assert.equal(email.attempts?.at(-1)?.at, next)
    }
  })

  it('delivers scheduled mail at its time, and reads times of requests by the clock', async () => {
    const first = await move({ advance: 'P10D' })
    const { id, created_at, scheduled_at } = await send(test, {
      to: ['delivered@simulator.postrider.dev'],
      scheduled_at: 'P20D',
    })
    assert.ok(Date.parse(created_at) >= Date.parse(first.now))
    assert.equal(Date.parse(scheduled_at ?? '') - Date.parse(created_at), 20 * dayMs)
    await move({ advance: 'P19D' })
    assert.equal((await get(test, id)).status, 'scheduled')
    await move({ advance: 'P2D' })
    const email = await get(test, id)
    assert.deepEqual([email.status, email.attempts?.[0]?.at], ['delivered', scheduled_at])
    const past = new Date(Date.parse((await read()).now) - hourMs).toISOString()
    const refused = await test.call({ path: '/api/v1/emails', json: rawMail({ scheduled_at: past }) })
    assertProblem(refused, 422, 'validation_failed', [{ path: 'scheduled_at', code: 'in_the_past' }])
  })

  it('ends mail at the last retry before expires_in', async () => {
    const { id } = await send(test, { expires_in: 'PT1H' })
    await move({ advance: 'PT2H' })
    const email = await get(test, id)
    assert.equal(email.status, 'failed')
    const last = Date.parse(email.attempts?.at(-1)?.at ?? '')
    assert.ok(last <= Date.parse(email.created_at) + hourMs)
    assert.equal(email.attempts?.length, 4)
  })

  it('cancels scheduled mail by the clock', async () => {
    const { id } = await send(test, { scheduled_at: 'P2D' })
    const { now } = await move({ advance: 'P1D' })
    const canceled = await test.call<EmailRecord>({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })
    assert.equal(canceled.body.status, 'canceled', canceled.text)
    const event = canceled.body.events?.at(-1)
    assert.ok(Date.parse(event?.timestamp ?? '') >= Date.parse(now))
    await move({ advance: 'P2D' })
    assert.equal((await get(test, id)).attempts?.length, 0)
  })

  it('moves neither live mail nor the test mail of another workspace', async () => {
    const other = await system().client.tenant()
    const otherTest = await other.makeKey({ mode: 'test', scopes })
    const live = tenant.api
    const waiting = [
      { caller: live, ...(await send(live, { scheduled_at: 'PT1H' })) },
      { caller: live, ...(await send(live)) },
      { caller: otherTest, ...(await send(otherTest, { scheduled_at: 'PT1H' })) },
      { caller: otherTest, ...(await send(otherTest)) },
    ]
    const settled = (): Promise<EmailRecord[]> =>
      Promise.all(
        waiting.map(({ caller, id }) =>
          until('it waits', async () => {
            const email = await get(caller, id)
            return ['scheduled', 'deferred'].includes(email.status) ? email : undefined
          }),
        ),
      )
    const before = await settled()
    await move({ advance: 'P20D' })
    assert.deepEqual(await settled(), before)
    assert.equal((await read(otherTest)).ahead_ms, 0)
    const usage = await tenant.session.call<{ period: { start: string } }>({ path: '/api/v1/billing/usage' })
    assert.equal(usage.status, 200)
  })

  it('adds up moves that run at the same time', async () => {
    await move({ advance: 1 })
    const { id } = await send(test)
    const { ahead_ms: before } = await read()
    const moves = await Promise.all(Array.from({ length: 8 }, () => move({ advance: 'PT5H' })))
    assert.deepEqual(
      moves.map(({ ahead_ms }) => Math.round((ahead_ms - before) / 1_000) * 1_000).sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8].map((count) => count * 5 * hourMs),
    )
    const email = await until('it is final', async () => {
      const found = await get(test, id)
      return isFinal(found) ? found : undefined
    })
    assertGaps(gapsOf(timesOf(email.attempts)), gapsMs, 0.1, 0.1)
  })

  const clockNow = async (): Promise<number> => Date.parse((await read()).now)

  it('refuses live keys, and lets a session move it', async () => {
    for (const call of [{ path }, { path, json: { advance: 60 } }]) {
      const refused = await tenant.api.call(call)
      assertProblem(refused, 403, 'forbidden')
      assert.match(refused.text, /test key/)
    }
    const { ahead_ms } = await read()
    const moved = await move({ advance: 60 }, tenant.session)
    assert.equal(moved.ahead_ms, ahead_ms + 60_000)
    const reader = await tenant.makeKey({ mode: 'test', scopes: ['emails:read'] })
    assertProblem(await reader.call({ path }), 403, 'insufficient_scope')
    const log = await tenant.session.call<ListRecord<{ action: string; after: { now: string } }>>({
      path: '/api/v1/audit-log?action=test_clock.move',
    })
    assert.equal(log.status, 200, log.text)
    assert.deepEqual(log.body.data[0]?.after, { now: moved.now })
  })

  it('refuses what does not move it forward', async () => {
    const { ahead_ms } = await move({ advance: 'PT1H' })
    const past = new Date((await clockNow()) - minuteMs).toISOString()
    const far = new Date(Date.now() + 367 * dayMs).toISOString()
    const refusals: [json: Record<string, unknown>, path: string, code: string][] = [
      [{}, 'advance', 'required'],
      [{ advance: 60, at: far }, 'advance', 'required'],
      [{ advance: 0 }, 'advance', 'invalid_duration'],
      [{ advance: -60 }, 'advance', 'invalid_duration'],
      [{ advance: 'tomorrow' }, 'advance', 'invalid_duration'],
      [{ advance: 'P367D' }, 'advance', 'invalid_duration'],
      [{ advance: 'P366D' }, 'advance', 'too_far_ahead'],
      [{ at: past }, 'at', 'in_the_past'],
      [{ at: far }, 'at', 'too_far_ahead'],
      [{ at: '2030-01-01T00:00:00' }, 'at', 'invalid_time'],
    ]
    for (const [json, at, code] of refusals)
      assertProblem(await test.call({ path, json }), 422, 'validation_failed', [{ path: at, code }])
    assertProblem(await test.call({ path, json: { advnce: 60 } }), 422, 'validation_failed')
    assert.equal((await read()).ahead_ms, ahead_ms)
  })

  describe('and webhooks', () => {
    const deliveriesOf = async (hook: Hook): Promise<DeliveryRecord[]> =>
      (await test.call<ListRecord<DeliveryRecord>>({ path: `${hook.path}/deliveries` })).body.data
    /** Waits until every delivery of a webhook has ended. */
    const ended = (hook: Hook, count: number): Promise<DeliveryRecord[]> => {
      let found: DeliveryRecord[] = []
      return until(
        () => `the deliveries have ended; they are ${JSON.stringify(found)}`,
        async () => {
          found = await deliveriesOf(hook)
          return found.length >= count && found.every(({ status }) => status !== 'pending') ? found : undefined
        },
      )
    }
    const fails = () => ({ status: 500 })
    const sendDelivered = () => send(test, { to: ['delivered@simulator.postrider.dev'] })

    it('shows all retries of a failing webhook after one move, signed with the real time', async () => {
      await move({ advance: 1 })
      await using hook = await startHook(test, { events: ['email.delivered'] }, fails)
      const { id } = await sendDelivered()
      await until('the first attempt failed', async () => {
        const [first] = await deliveriesOf(hook)
        return first && first.attempts.length > 0 ? true : undefined
      })
      await move({ advance: 'P2D' })
      const [delivery] = await ended(hook, 1)
      assert.deepEqual([delivery?.status, delivery?.reason], ['failed', 'exhausted'])
      assertGaps(gapsOf(timesOf(delivery?.attempts)), webhookGapsMs, 0, 0.1)
      assert.equal(hook.seen.length, 8)
      for (const one of hook.seen) assert.equal(verified(hook.secret, one).data['email_id'], id)
    })

    it('disables a webhook of the test mode whose attempts fail for 72 hours, and none that receives live events', async () => {
      await using hook = await startHook(test, { events: ['email.delivered'] }, fails)
      const liveKey = await tenant.makeKey({ scopes })
      await using live = await startHook(liveKey, { events: ['email.delivered'] }, fails)
      const { id } = await send(liveKey, { to: ['delivered@simulator.postrider.dev'] })
      await tenant.until(id, isFinal)
      for (let sends = 1; sends <= 4; sends++) {
        await sendDelivered()
        await until('it is posted', async () => ((await deliveriesOf(hook)).length >= sends ? true : undefined))
        await move({ advance: wholeWebhookSchedule })
        if (!(await hook.read()).enabled) break
        await ended(hook, sends)
      }
      const record: WebhookRecord = await until('it is disabled', async () => {
        const found = await hook.read()
        return found.enabled ? undefined : found
      })
      assert.equal(record.disabled_reason, 'failures')
      assert.equal((await live.read()).enabled, true)
    })

    it('sends events of the moved time with that time', async () => {
      await using hook = await startHook(test, { events: ['email.deferred'] })
      const { id } = await send(test)
      await move({ advance: 'PT40H' })
      const email = await until('all events are posted', async () => {
        const found = await get(test, id)
        return hook.seen.length >= 8 && isFinal(found) ? found : undefined
      })
      const deferred = email.events?.filter(({ type }) => type === 'email.deferred') ?? []
      const posted = hook.seen.map((one) => verified(hook.secret, one))
      assert.deepEqual(
        posted.map(({ timestamp }) => timestamp).sort(),
        deferred.map(({ timestamp }) => timestamp),
      )
    })
  })
})
