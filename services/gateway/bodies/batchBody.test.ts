import assert from 'node:assert/strict'
import http from 'node:http'
import type { StageBatchRequest, SubmitBatchRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { defaultGatewayLimits } from '../config.ts'
import { openapiDocument } from '../openapi/openapi.ts'
import { routes } from '../routes/routes.ts'
import { aCaller, aKey, type Fakes, testGateway } from '../testGateway.ts'

const mebibyte = 2 ** 20

/** Accepts every batch and notes the calls. */
const noting = () => {
  const staged: StageBatchRequest[] = []
  const submitted: SubmitBatchRequest[] = []
  const intake: Fakes['intake'] = {
    StageBatch: async (request) => {
      staged.push(request)
      return { staged: { id: 'bat_1', at: 1 }, refusals: [] }
    },
    SubmitBatch: async (request) => {
      submitted.push(request)
      return { id: 'bat_1', status: 202, bodyJson: '{"object":"list","data":[]}', replayed: false, quota: null }
    },
    Check: async () => ({ problems: [] }),
  }
  return { staged, submitted, intake }
}

const message = (characters: number): string =>
  JSON.stringify({ to: ['a@receiver.example'], subject: 'S', text: 'x'.repeat(characters) })

/** Sends a body in parts, without its length. */
const send = (port: number, parts: Iterable<string>, more: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${aKey()}`, 'content-type': 'application/json', ...more }
    const options = { port, host: '127.0.0.1', path: '/api/v1/emails/batch', method: 'POST', headers }
    const sent = http.request(options, (response) =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    )
    sent.on('error', reject)
    const write = async (): Promise<void> => {
      for (const part of parts) if (!sent.write(part)) await new Promise((done) => sent.once('drain', done))
      sent.end()
    }
    write().catch(reject)
  })

function* batchOf(count: number, one: string): Generator<string> {
  yield '{"messages":['
  for (let number = 0; number < count; number += 1) yield number === 0 ? one : `,${one}`
  yield ']}'
}

describe('bodies of batches', () => {
  it('gives a short batch to intake in one call, with the fingerprint of its messages', async () => {
    const { staged, submitted, intake } = noting()
    await using gateway = await testGateway({ intake })
    const call = (messages: unknown[]) =>
      gateway.api({ path: '/api/v1/emails/batch', json: { messages }, headers: { 'idempotency-key': 'k' } })
    const one = { to: ['a@receiver.example'], subject: 'S', text: 'T' }
    await call([one, { ...one, text: 'U' }])
    await call([
      { text: 'T', cc: null, subject: 'S', to: ['a@receiver.example'] },
      { ...one, text: 'U' },
    ])
    await call([{ ...one, text: 'U' }, one])
    assert.equal(staged.length, 0)
    const prints = submitted.map(({ idempotency }) => Buffer.from(idempotency?.fingerprint ?? []).toString('hex'))
    assert.equal(prints[0], prints[1])
    assert.notEqual(prints[0], prints[2])
    assert.deepEqual(
      submitted[0]?.mails.map(({ number }) => number),
      [0, 1],
    )
  })

  it('reads 50 MiB with a memory budget of 8 MiB, by giving the messages to intake in parts', async () => {
    const { staged, submitted, intake } = noting()
    const longBodies = { ...defaultGatewayLimits.longBodies, bytes: 8 * mebibyte, bytesOfOne: 5 * mebibyte }
    await using gateway = await testGateway({ intake, config: { limits: { ...defaultGatewayLimits, longBodies } } })
    const status = await send(gateway.port, batchOf(98, message(mebibyte / 2)))
    assert.equal(status, 202)
    const sizes = staged.map(({ mails }) => mails.reduce((sum, { mail }) => sum + (mail.text?.length ?? 0), 0))
    assert.ok(sizes.every((size) => size <= mebibyte))
    const numbers = [...staged, ...submitted].flatMap(({ mails }) => mails.map(({ number }) => number))
    assert.deepEqual(
      numbers,
      Array.from({ length: 98 }, (_, number) => number),
    )
    assert.deepEqual(submitted[0]?.staged, { id: 'bat_1', at: 1 })
    assert.equal(submitted[0]?.count, 98)
  })

  // Regression: the document did not mention these refusals, which only long batches get.
  for (const [code, status] of [
    ['rate_limited', 429],
    ['unavailable', 503],
  ] as const)
    it(`refuses a long batch with ${status} while too much is staged, as the document describes`, async () => {
      const { submitted, intake } = noting()
      const StageBatch = () => Promise.reject(new Fault(code, 'Too much is staged.', { retryAfterMs: 10_000 }))
      await using gateway = await testGateway({ intake: { ...intake, StageBatch } })
      const messages = Array.from({ length: 3 }, () => JSON.parse(message(mebibyte)) as object)
      const refused = await gateway.api({ path: '/api/v1/emails/batch', json: { messages } })
      assert.deepEqual([refused.status, refused.body['code']], [status, code])
      assert.equal(refused.headers['retry-after'], '10')
      assert.equal(submitted.length, 0)
      const documented = openapiDocument(routes).paths?.['/api/v1/emails/batch']?.post ?? assert.fail()
      assert.ok(documented.description?.includes(`${status} \`${code}\``))
      const { headers = {} } = (documented.responses as Record<number, { headers?: object }>)[status] ?? {}
      for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id'])
        assert.equal(
          Object.keys(headers).some((one) => one.toLowerCase() === name),
          refused.headers[name] !== undefined,
          name,
        )
    })

  it('gives the key of a batch to intake with each of its parts', async () => {
    const { staged, intake } = noting()
    await using gateway = await testGateway({ intake })
    const batch = () => batchOf(5, message(mebibyte / 2))
    assert.equal(await send(gateway.port, batch(), { 'idempotency-key': '"k 1"' }), 202)
    const keyed = { key: 'k 1', operation: 'POST /api/v1/emails/batch' }
    assert.deepEqual([...new Set(staged.map((part) => JSON.stringify(part.keyed)))], [JSON.stringify(keyed)])
    staged.length = 0
    assert.equal(await send(gateway.port, batch()), 202)
    assert.ok(staged.length > 1 && staged.every((part) => part.keyed === undefined))
  })

  it('refuses a batch over the limit, a message over its limit, and much around the messages', async () => {
    const { submitted, intake } = noting()
    const limits = { ...defaultGatewayLimits, sendBodyBytes: mebibyte, batchBodyBytes: 2 * mebibyte }
    await using gateway = await testGateway({ intake, config: { limits } })
    const port = gateway.port
    assert.equal(await send(port, batchOf(10, message(mebibyte / 4))), 413)
    assert.equal(await send(port, batchOf(1, message(mebibyte + 100))), 413)
    assert.equal(await send(port, ['{"messages":[', ' '.repeat(100_000), ']}']), 413)
    assert.equal(await send(port, batchOf(3, message(mebibyte / 4))), 202)
    assert.equal(submitted.length, 1)
  })

  it('states what to send in place of a bare array, and of a message that is not an object', async () => {
    const { submitted, intake } = noting()
    await using gateway = await testGateway({ intake })
    const send = (json: unknown) => gateway.api({ path: '/api/v1/emails/batch', json })
    const { status, body } = await send([JSON.parse(message(1))])
    assert.equal(status, 422)
    assert.match(body.detail ?? '', /send \{"messages": \[…\]\}/)
    await send({ messages: [7, []] })
    for (const { detail } of submitted[0]?.refusals ?? []) assert.match(detail, /^A message must be a JSON object/)
    assert.equal(submitted[0]?.refusals.length, 2)
  })

  it('counts each message against the rate limit, and a request that cannot be read as one', async () => {
    const { intake } = noting()
    const costs: number[] = []
    const take: NonNullable<Fakes['limiter']>['take'] = async ([first], cost) => {
      costs.push(cost)
      const tightest = first ?? { key: '', rate: 1, burst: 1 }
      return { admitted: true, tightest, remaining: 9, resetMs: 100, retryAfterMs: 0 }
    }
    await using gateway = await testGateway({ intake, limiter: { take } })
    const json = (count: number) => ({ messages: Array.from({ length: count }, () => JSON.parse(message(1))) })
    await gateway.api({ path: '/api/v1/emails/batch', json: json(7) })
    await gateway.api({ path: '/api/v1/emails/batch', json: json(120) })
    await gateway.api({ path: '/api/v1/emails/batch', body: '{', headers: { 'content-type': 'application/json' } })
    for (const headers of [{ 'batch-validation': 'x' }, { 'idempotency-key': '' }, { 'content-type': 'text/plain' }])
      await gateway.api({ path: '/api/v1/emails/batch', body: '{"messages":[{}]}', headers })
    assert.deepEqual(costs, [0, 7, 0, 100, 0, 1, ...[0, 1, 0, 1, 0, 1]])
  })

  // Regression: the header was ignored, so the batch of a client that requested a result for each message was refused.
  for (const name of ['X-Batch-Validation', 'Batch_Validation'])
    it(`refuses the header ${name}, which is not read`, async () => {
      const { intake, submitted } = noting()
      await using gateway = await testGateway({ intake })
      const headers = { 'content-type': 'application/json', [name]: 'permissive' }
      const { status, body } = await gateway.api({ path: '/api/v1/emails/batch', body: '{"messages":[{}]}', headers })
      assert.deepEqual([status, body.errors?.[0]?.path, body.errors?.[0]?.code], [400, name, 'wrong_header'])
      assert.equal(submitted.length, 0)
    })

  it('counts a request without the scope against the rate limit', async () => {
    const costs: number[] = []
    const take: NonNullable<Fakes['limiter']>['take'] = async ([first], cost) => {
      costs.push(cost)
      const tightest = first ?? { key: '', rate: 1, burst: 1 }
      return { admitted: true, tightest, remaining: 9, resetMs: 100, retryAfterMs: 0 }
    }
    const accounts = { AuthenticateKey: async () => aCaller({ scopes: ['emails:read'] }) }
    await using gateway = await testGateway({ accounts, limiter: { take } })
    const { status } = await gateway.api({ path: '/api/v1/emails/batch', json: { messages: [{}] } })
    assert.deepEqual([status, costs], [403, [0, 1]])
  })
})
