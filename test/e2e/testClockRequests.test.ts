import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, rawMail, type Tenant } from '../support/client.ts'
import { startHook } from '../support/hooks.ts'
import type { EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type ClockRecord = { now: string; ahead_ms: number; status: string }
type Explanation = { next_attempt: { at: string | null; reason: string }; attempts: { duration_ms: number | null }[] }

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const path = '/api/v1/test/clock'
const scopes = ['emails:send', 'emails:read', 'webhooks:write'] as const
const delivered = { to: ['delivered@simulator.postrider.dev'] }
const deferred = { to: ['deferred@simulator.postrider.dev'] }

describe('requests on a moved test clock', () => {
  const system = useSystem()
  let tenant: Tenant
  let test: Caller
  before(async () => {
    tenant = await system().client.tenant()
    test = await tenant.makeKey({ mode: 'test', scopes: [...scopes] })
    await move({ advance: 'P10D' })
  })

  const read = async (): Promise<ClockRecord> => (await test.call<ClockRecord>({ path })).body
  const move = async (json: Record<string, unknown>): Promise<ClockRecord> => {
    const { status, body, text } = await test.call<ClockRecord>({ path, json })
    assert.equal(status, 200, text)
    if (body.status !== 'ready')
      await until('nothing is due', async () => ((await read()).status === 'ready' ? true : undefined))
    return body
  }
  const post = async (over: Record<string, unknown>, caller = test): Promise<EmailRecord> => {
    const { status, body, text } = await caller.call<EmailRecord>({ path: '/api/v1/emails', json: rawMail(over) })
    assert.equal(status, 202, text)
    return body
  }
  const get = async (id: string): Promise<EmailRecord> =>
    (await test.call<EmailRecord>({ path: `/api/v1/emails/${id}` })).body
  const patch = (id: string, scheduled_at: string) =>
    test.call<EmailRecord>({ method: 'PATCH', path: `/api/v1/emails/${id}`, json: { scheduled_at } })
  const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

  it('move mail to another time of the clock', async () => {
    const { id } = await post({ ...delivered, scheduled_at: 'PT1H' })
    const { now } = await read()
    const at = later(now, 5 * dayMs)
    assert.equal((await patch(id, at)).body.scheduled_at, at)
    await move({ advance: 'P4D' })
    assert.equal((await get(id)).status, 'scheduled')
    const refused = await patch(id, later(now, dayMs))
    assertProblem(refused, 422, 'validation_failed', [{ path: 'scheduled_at', code: 'in_the_past' }])
    assert.match(refused.text, /before the test clock, which is at \d{4}-/)
    await move({ advance: 'P2D' })
    const sent = await get(id)
    assert.deepEqual([sent.status, sent.attempts?.map((attempt) => attempt.at)], ['delivered', [at]])
    assertProblem(await patch(id, 'PT1H'), 409, 'conflict')
  })

  for (const headers of [{}, { 'batch-validation': 'permissive' }])
    it(`accept a batch by the clock, ${'batch-validation' in headers ? 'permissive' : 'strict'}`, async () => {
      const { now } = await read()
      const at = later(now, 4 * dayMs)
      const messages = [rawMail({ ...delivered, scheduled_at: at }), rawMail({ ...deferred, scheduled_at: 'PT1H' })]
      const sent = await test.call<ListRecord<EmailRecord & { email?: EmailRecord }>>({
        path: '/api/v1/emails/batch',
        json: { messages },
        headers,
      })
      assert.equal(sent.status, 202, sent.text)
      const records = sent.body.data.map((one) => one.email ?? one)
      for (const { created_at } of records) assert.ok(created_at >= now)
      await move({ advance: 'P2D' })
      const [waits, fails] = await Promise.all(records.map(({ id }) => get(id)))
      assert.deepEqual([waits?.status, fails?.status, fails?.attempts?.length], ['scheduled', 'failed', 9])
      assert.equal(fails?.attempts?.[0]?.at, records[1]?.scheduled_at)
      await move({ advance: 'P3D' })
      assert.equal((await get(waits?.id ?? '')).attempts?.[0]?.at, at)
      const late = await test.call({
        path: '/api/v1/emails/batch',
        json: { messages: [rawMail({ ...delivered, scheduled_at: later(now, dayMs) })] },
        headers,
      })
      assert.match(late.text, /before the test clock/)
    })

  it('validate times by the clock for test keys, and by the real time for live keys', async () => {
    const { now } = await read()
    const codes = async (caller: Caller, scheduled_at: string): Promise<string[]> => {
      const json = rawMail({ ...delivered, scheduled_at })
      const response = await caller.call<{ problems: { code: string }[] }>({ path: '/api/v1/emails/validate', json })
      return response.body.problems.map(({ code }) => code)
    }
    assert.deepEqual(await codes(test, later(now, -hourMs)), ['in_the_past'])
    assert.deepEqual(await codes(test, later(now, 29 * dayMs)), [])
    assert.deepEqual(await codes(tenant.api, later(now, 29 * dayMs)), ['too_far_ahead'])
  })

  it('explain when the next attempt is by the clock', async () => {
    const { id } = await post({ ...deferred, scheduled_at: 'P1D' })
    const explain = async (): Promise<Explanation> =>
      (await test.call<Explanation>({ path: `/api/v1/emails/${id}/explain` })).body
    const { scheduled_at } = await get(id)
    assert.deepEqual(
      [(await explain()).next_attempt.reason, (await explain()).next_attempt.at],
      ['scheduled', scheduled_at],
    )
    await move({ at: scheduled_at })
    const { next_attempt, attempts } = await until('it was tried', async () => {
      const found = await explain()
      return found.next_attempt.reason === 'retry' ? found : undefined
    })
    assert.equal(next_attempt.at, (await get(id)).recipients[0]?.next_at)
    assert.ok((attempts[0]?.duration_ms ?? -1) >= 0)
    await move({ advance: 'PT40H' })
    assert.equal((await explain()).next_attempt.reason, 'final')
  })

  it('are replayed with their key after a move', async () => {
    const json = rawMail({ ...delivered, scheduled_at: 'P1D' })
    const once = () =>
      test.call<EmailRecord>({ path: '/api/v1/emails', json, headers: { 'idempotency-key': 'clock-1' } })
    const first = await once()
    await move({ advance: 'P3D' })
    assert.deepEqual((await once()).body, first.body)
  })

  it('change nothing when they move the clock to the time of the last move again', async () => {
    const at = later((await read()).now, dayMs)
    const { ahead_ms } = await move({ at })
    const again = await move({ at })
    assert.equal(again.ahead_ms, ahead_ms)
    assert.ok(again.now >= at)
    await move({ advance: 1 })
    const refused = await test.call({ path, json: { at } })
    assertProblem(refused, 422, 'validation_failed', [{ path: 'at', code: 'in_the_past' }])
    assert.match(refused.text, /The test clock is at .* and goes forward only; use a later time/)
  })

  it('move one clock for several keys, and do nothing without test mail', async () => {
    const other = await system().client.tenant()
    const keys = await Promise.all([1, 2].map(() => other.makeKey({ mode: 'test', scopes: [...scopes] })))
    for (const [index, key] of keys.entries()) {
      const { body } = await key.call<ClockRecord>({ path, json: { advance: 'P1D' } })
      assert.deepEqual([body.status, body.ahead_ms], ['ready', (index + 1) * dayMs])
    }
  })

  it('make a failed delivery again with the whole schedule by the clock', async () => {
    await using hook = await startHook(test, { events: ['email.delivered'] }, () => ({ status: 500 }))
    await post(delivered)
    type Delivery = { id: string; status: string; attempts: { at: string }[] }
    const last = () =>
      until('the delivery is there', async () => {
        const { body } = await test.call<ListRecord<Delivery>>({ path: `${hook.path}/deliveries` })
        return body.data[0]?.attempts.length ? body.data[0] : undefined
      })
    const failed = () =>
      until('all attempts failed', async () => {
        const found = await last()
        return found.status === 'failed' ? found : undefined
      })
    await last()
    await move({ advance: 'P2D' })
    const { id } = await failed()
    const { now } = await read()
    const again = await test.call<Delivery>({ method: 'POST', path: `${hook.path}/deliveries/${id}/redeliver` })
    assert.equal(again.status, 202, again.text)
    await move({ advance: 'P2D' })
    const { attempts } = await failed()
    assert.equal(attempts.length, 16)
    assert.ok(attempts.slice(8).every(({ at }) => at >= now))
    const [first, final] = [attempts[8]?.at ?? '', attempts[15]?.at ?? '']
    assert.ok(Date.parse(final) - Date.parse(first) >= 27 * hourMs)
  })
})
