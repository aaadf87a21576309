import assert from 'node:assert/strict'
import { connectRedis } from '@postrider/adapters/redis/connect.ts'
import { shortOrLong } from '../faults/random.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { Answer } from '../support/http.ts'
import type { EmailRecord, UsageRecord } from '../support/records.ts'
import { useCluster } from './shared.ts'

const [limit, sends] = [shortOrLong(200, 1_000), shortOrLong(600, 5_000)]
const atOnce = 64

const used = async ({ session }: Tenant): Promise<number> =>
  (await session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body.monthly.used

/** Does it again and again, one after the other, until told to stop. */
const again = (work: () => Promise<void>) => {
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

describe(`a quota of ${limit} over four gateways and two ledgers (I10)`, () => {
  const system = useCluster()

  it(`of ${sends} sends at once exactly ${limit} are taken, and at no moment more are counted`, async function () {
    this.timeout(shortOrLong(60_000, 300_000))
    const { client, gateways, redisUrl } = system()
    // A rate that stops nobody: every send asks Redis, which forgets all of it again and again.
    const tenant = await client.tenant({ monthly: limit, rate: 100_000, burst: 200_000 })
    await using redis = await connectRedis({ url: redisUrl, name: 'tests', log: { info: () => {}, warn: () => {} } })
    const seen: number[] = []
    const stopLooking = again(async () => void seen.push(await used(tenant)))
    let flushes = 0
    const stopFlushing = again(async () => {
      await redis.client.flushdb()
      flushes++
      await used(tenant)
    })

    const answers: Answer<EmailRecord>[] = []
    const ask = async (worker: number) => {
      const gateway = gateways[worker % gateways.length]
      for (let number = worker; number < sends && gateway; number += atOnce) {
        const call = { path: '/api/v1/emails', json: rawMail(), headers: { 'idempotency-key': `send-${number}` } }
        answers.push(await answered(() => gateway.withKey(tenant.api.key).call<EmailRecord>(call)))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, worker) => ask(worker)))
    await Promise.all([stopLooking(), stopFlushing()])

    const taken = answers.filter(({ status }) => status === 202)
    assert.equal(taken.length, limit)
    for (const answer of answers) if (answer.status !== 202) assertProblem(answer, 402, 'quota_exceeded')
    // A few are enough, and a busy machine has no time for more.
    assert.ok(seen.length > 2 && flushes > 2, `${seen.length} looks, ${flushes} flushes`)
    assert.deepEqual(
      seen.filter((one) => one > limit),
      [],
    )
    assert.equal(await used(tenant), limit)
  })

  it('what several recipients and keys take at once adds up to the limit, and what is given back can be had again', async function () {
    this.timeout(60_000)
    const { client, gateways } = system()
    const tenant = await client.tenant({ monthly: 20 })
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const send = (number: number) => {
      const json = rawMail({ to: [fresh(), fresh(), fresh()], scheduled_at: later })
      return gateways[number % gateways.length]
        ?.withKey(tenant.api.key)
        .call<EmailRecord>({ path: '/api/v1/emails', json })
    }
    const answers = await Promise.all(Array.from({ length: 24 }, (_, number) => send(number)))
    const taken = answers.flatMap((answer) => (answer?.status === 202 ? [answer.body.id] : []))
    assert.equal(taken.length, 6)
    assert.equal(await used(tenant), 18)
    const cancels = taken.flatMap((id) =>
      gateways.map((gateway) =>
        gateway.withKey(tenant.api.key).call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` }),
      ),
    )
    await Promise.all(cancels)
    assert.equal(await used(tenant), 0)
  })
})

describe('one effect for one key over four gateways (I5)', () => {
  const system = useCluster()
  const [keys, times] = [shortOrLong(10, 200), shortOrLong(20, 100)]

  it(`of ${times} same requests at once with each of ${keys} keys one email is made`, async function () {
    this.timeout(shortOrLong(60_000, 300_000))
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
      const asked = Array.from({ length: times }, (_, number) =>
        gateways[number % gateways.length]?.withKey(tenant.api.key).call<EmailRecord>(call),
      )
      const answers = await Promise.all(asked)
      const taken = answers.flatMap((answer) => (answer?.status === 202 ? [answer.body.id] : []))
      assert.equal(new Set(taken).size, 1)
      for (const answer of answers)
        if (answer?.status !== 202) assertProblem(answer as never, 409, 'idempotency_in_flight')
      ids.push(taken[0] ?? '')
    }
    for (const id of ids) await tenant.until(id, ({ status }) => status === 'delivered')
    assert.equal((await tenant.list('?limit=100')).data.length, Math.min(keys, 100))
    assert.equal(sink.messages.filter((one) => one.to.includes(to)).length, keys)
    assert.equal(await used(tenant), keys)
  })
})
