import assert from 'node:assert/strict'
import { connectRedis } from '@postrider/adapters/redis/connect.ts'
import { shortOrLong } from '../faults/random.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, rawMail, type Tenant, whenServed } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import { useCluster } from './shared.ts'

const [limit, sends] = [shortOrLong(200, 1_000), shortOrLong(600, 5_000)]
const atOnce = 64

const used = async ({ session }: Tenant): Promise<number> =>
  (await whenServed(() => session.call<UsageRecord>({ path: '/api/v1/billing/usage' }))).body.monthly.used

const tallyOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))

/** Repeats work until the returned function is called. */
const repeat = (work: () => Promise<void>) => {
  let stopped = false
  const loop = async () => {
    while (!stopped) await work()
  }
  const looping = loop()
  return async () => {
    stopped = true
    await looping
  }
}

describe(`quota of ${limit} with four gateways and two ledgers (I10)`, () => {
  const system = useCluster()

  it(`admits exactly ${limit} of ${sends} concurrent sends and never counts more`, async () => {
    const { client, gateways, redisUrl } = system()
    // The rate limit refuses no send. Every send queries Redis, which the test flushes all the time.
    const tenant = await client.tenant({ monthly: limit, rate: 100_000, burst: 200_000 })
    await using redis = await connectRedis({ url: redisUrl, name: 'tests', log: { info: () => {}, warn: () => {} } })
    const seen: number[] = []
    const stopReading = repeat(async () => void seen.push(await used(tenant)))
    let flushes = 0
    const stopFlushing = repeat(async () => {
      await redis.client.flushdb()
      flushes++
      await used(tenant)
    })

    const areUnderway = () => (seen.length > 2 && flushes > 2) || undefined
    const responses: HttpResponse<EmailRecord>[] = []
    const sendMany = async (worker: number) => {
      const gateway = gateways[worker % gateways.length]
      for (let number = worker; number < sends && gateway; number += atOnce) {
        // A busy machine has no time for more than a few.
        if (number >= sends / 2) await until('reads and flushes are underway', areUnderway)
        const call = { path: '/api/v1/emails', json: rawMail(), headers: { 'idempotency-key': `send-${number}` } }
        responses.push(await answered(() => gateway.withKey(tenant.api.key).call<EmailRecord>(call)))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, worker) => sendMany(worker)))
    await Promise.all([stopReading(), stopFlushing()])

    const kinds = responses.map(
      ({ status, body }) => `${status} ${status === 202 ? '' : (body as unknown as { code: string }).code}`,
    )
    assert.deepEqual(tallyOf(kinds), { '202 ': limit, '402 quota_exceeded': sends - limit })
    for (const response of responses) if (response.status !== 202) assertProblem(response, 402, 'quota_exceeded')
    assert.deepEqual(
      seen.filter((one) => one > limit),
      [],
    )
    assert.equal(await used(tenant), limit)
  })

  it('counts each recipient of concurrent sends, and releases canceled sends once', async () => {
    const { client, gateways } = system()
    const tenant = await client.tenant({ monthly: 20 })
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const send = (number: number) => {
      const json = rawMail({ to: [fresh(), fresh(), fresh()], scheduled_at: later })
      const call = { path: '/api/v1/emails', json, headers: { 'idempotency-key': `recipients-${number}` } }
      const gateway = gateways[number % gateways.length] ?? assert.fail('no gateway')
      return answered(() => gateway.withKey(tenant.api.key).call<EmailRecord>(call))
    }
    const responses = await Promise.all(Array.from({ length: 24 }, (_, number) => send(number)))
    const accepted = responses.flatMap(({ status, body }) => (status === 202 ? [body.id] : []))
    assert.equal(accepted.length, 6)
    assert.equal(await used(tenant), 18)
    const cancels = accepted.flatMap((id) =>
      gateways.map((gateway) =>
        whenServed(() => gateway.withKey(tenant.api.key).call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })),
      ),
    )
    await Promise.all(cancels)
    // Sends that a busy quota did not release immediately are released by the sweep.
    await until('the sends are released', async () => ((await used(tenant)) === 0 ? true : undefined))
  })
})

describe('idempotency keys with four gateways (I5)', () => {
  const system = useCluster()
  const [keys, times] = [shortOrLong(10, 200), shortOrLong(20, 100)]

  it(`create one email for ${times} concurrent requests with each of ${keys} keys`, async () => {
    const { client, gateways, sink } = system()
    const tenant = await client.tenant()
    const to = fresh()
    const ids: string[] = []
    for (let key = 0; key < keys; key++) {
      const call = {
        path: '/api/v1/emails',
        json: rawMail({ to: [to] }),
        headers: { 'idempotency-key': `same-${key}` },
      }
      const requests = Array.from({ length: times }, (_, number) =>
        gateways[number % gateways.length]?.withKey(tenant.api.key).call<EmailRecord>(call),
      )
      const responses = await Promise.all(requests)
      for (const response of responses) {
        // A busy machine may have no time for a request.
        if (response?.status === 503) assertProblem(response as never, 503, 'unavailable')
        else if (response?.status !== 202) assertProblem(response as never, 409, 'idempotency_in_flight')
      }
      const final = await answered(() => tenant.api.call<EmailRecord>(call))
      const accepted = [...responses, final].flatMap((response) => (response?.status === 202 ? [response.body.id] : []))
      assert.equal(new Set(accepted).size, 1)
      ids.push(accepted[0] ?? '')
    }
    for (const id of ids) await tenant.until(id, ({ status }) => status === 'delivered')
    assert.equal((await tenant.list('?limit=100')).data.length, Math.min(keys, 100))
    assert.equal(sink.messages.filter((one) => one.to.includes(to)).length, keys)
    assert.equal(await used(tenant), keys)
  })
})
