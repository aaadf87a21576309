import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

type Canceled = { to: string; body: EmailRecord; first: HttpResponse<EmailRecord>; ms: number }

describe('scheduling', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const cancel = (id: string) => tenant.api.call<EmailRecord>({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })

  it('sends a scheduled email not before its time, and before an email that is due a second later', async () => {
    // On a cluster two dispatchers can deliver them. A busy machine may need longer than the time between both.
    let ms = 500
    const order = await until('both are sent in time', async () => {
      ms *= 2
      const found = await orderOfTwo(ms)
      return found === 'late' ? undefined : found
    })
    assert.equal(order, 'right')
  })

  /**
   * Sends an email that is due in `ms` and one that is due `ms` later, and waits for both.
   * @returns `late`: the first was accepted after its time, or had not arrived when the second was due and arrived
   * after it; `wrong`: the second arrived before it was due, or first although the first was not late
   */
  const orderOfTwo = async (ms: number): Promise<'right' | 'wrong' | 'late'> => {
    const { receiver } = system()
    const [to, later] = [fresh(), fresh()]
    const at = Date.now() + ms
    const response = await tenant.send(rawMail({ to: [to], scheduled_at: new Date(at).toISOString() }))
    assert.equal(response.status, 202, response.text)
    if (Date.now() >= at) return 'late'
    assert.deepEqual([response.body.status, response.body.scheduled_at], ['scheduled', new Date(at).toISOString()])
    assert.equal(response.body.recipients[0]?.status, 'scheduled')
    const second = receiver.waitFor(later).then(() => Date.now())
    await tenant.send(rawMail({ to: [later], scheduled_at: new Date(at + ms).toISOString() }))
    await receiver.waitFor(to)
    const lateMs = Date.now() - at
    assert.ok(lateMs >= 0, `it was sent ${-lateMs} ms before its time`)
    if ((await second) < at + ms) return 'wrong'
    const [first, next] = [to, later].map((address) => receiver.received.findIndex((one) => one.to.includes(address)))
    if ((first ?? assert.fail()) < (next ?? assert.fail())) return 'right'
    return lateMs < ms ? 'wrong' : 'late'
  }

  it('accepts a duration from now and a time with an offset', async () => {
    const before = Date.now()
    const duration = await tenant.send(rawMail({ scheduled_at: 'PT2H' }))
    const from = Date.parse(duration.body.scheduled_at ?? '') - 2 * 3_600_000
    assert.ok(from > before - 5_000 && from < Date.now() + 5_000, duration.body.scheduled_at ?? '')
    const at = Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000
    const local = new Date(at + 5.5 * 3_600_000).toISOString().replace(/\.\d+Z$/, '+05:30')
    const offset = await tenant.send(rawMail({ scheduled_at: local }))
    assert.equal(offset.body.scheduled_at, new Date(at).toISOString())
  })

  it('sends an email whose scheduled_at has just passed', async () => {
    const to = fresh()
    assert.equal((await tenant.send(rawMail({ to: [to], scheduled_at: inMs(-20_000) }))).status, 202)
    await system().receiver.waitFor(to)
  })

  for (const [what, scheduled_at] of [
    ['of more than a minute ago', inMs(-120_000)],
    ['more than 30 days ahead', inMs(31 * 86_400_000)],
    ['with a duration over 30 days', 'P31D'],
    ['without an offset', '2030-01-01T00:00:00'],
    ['in words', 'tomorrow at nine'],
    ['with an invalid day', '2027-02-30T00:00:00Z'],
    ['that is a number', 1_900_000_000],
  ] as const)
    it(`refuses a scheduled_at ${what} and does not send the email`, async () => {
      const to = fresh()
      assertProblem(await tenant.send(rawMail({ to: [to], scheduled_at })), 422, 'validation_failed', [
        { path: 'scheduled_at' },
      ])
      assert.equal(system().receiver.to(to).length, 0)
    })

  /** Cancels an email that is due after `ms`. If a busy machine is too slow for that, the next email is due later. */
  const canceledBefore = async (ms: number): Promise<Canceled> => {
    const to = fresh()
    const { body } = await tenant.send(rawMail({ to: [to], scheduled_at: inMs(ms) }))
    const first = await cancel(body.id)
    return first.status === 409 && ms < 10_000 ? canceledBefore(ms * 4) : { to, body, first, ms }
  }

  it('does not send a canceled email, and returns the same response to another cancel', async () => {
    const { to, body, first, ms } = await canceledBefore(700)
    assert.deepEqual(
      [first.status, first.body.status, first.body.recipients[0]?.status],
      [200, 'canceled', 'canceled'],
      first.text,
    )
    const again = await cancel(body.id)
    assert.deepEqual([again.status, again.body.status], [200, 'canceled'])
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier], scheduled_at: inMs(ms + 500) }))
    await system().receiver.waitFor(barrier)
    assert.equal(system().receiver.to(to).length, 0)
    assert.equal((await tenant.get(body.id)).status, 'canceled')
  })

  it('refuses to cancel a delivered email', async () => {
    const { body } = await tenant.send(rawMail())
    await tenant.until(body.id, (email) => email.status === 'delivered')
    assertProblem(await cancel(body.id), 409, 'conflict')
    assert.equal((await tenant.get(body.id)).status, 'delivered')
  })

  it('an email is either canceled or delivered in each of 40 races between both', async () => {
    const races = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const to = fresh()
        const mail = rawMail({ to: [to] })
        const { body } = await answered(() => tenant.send(mail, { 'idempotency-key': `race to ${to}` }))
        const response = await cancel(body.id)
        return { to, id: body.id, canceled: response.status === 200 }
      }),
    )
    for (const { to, id, canceled } of races) {
      const email = await tenant.until(id, (one) => ['delivered', 'canceled'].includes(one.status))
      assert.equal(email.status, canceled ? 'canceled' : 'delivered')
      assert.equal(system().receiver.to(to).length, canceled ? 0 : 1)
    }
  })

  it('an email that expires before its delivery fails and is not retried', async () => {
    const failedAfter = async (seconds: number): Promise<EmailRecord> => {
      const to = fresh()
      system().receiver.refuse(to, { code: 451, text: 'Later' })
      const { body, status, text } = await tenant.send(rawMail({ to: [to], expires_in: `PT${seconds}S` }))
      assert.equal(status, 202, text)
      const email = await tenant.until(body.id, (one) => one.status === 'failed')
      // If a busy machine did not attempt it before it expired, the next email expires later.
      return email.attempts?.length === 0 && seconds < 16 ? failedAfter(seconds * 4) : email
    }
    const email = await failedAfter(1)
    assert.equal(email.recipients[0]?.next_at, null)
    assert.equal(email.attempts?.length, 1)
  })
})
