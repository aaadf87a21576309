import assert from 'node:assert/strict'
import type { WebhookClient, WebhookResult } from './webhookClient.ts'

/** A request as a receiver sees it. Header names are in lower case. */
export type SeenWebhook = { method: string; path: string; headers: Readonly<Record<string, string>>; body: string }

/**
 * `end`: the response ends, its connection is closed 1 byte too early, or no byte of it is ever sent. Default: it ends.
 */
export type WebhookReply = {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  end?: 'whole' | 'early' | 'never'
}

export type WebhookReceiver = { url: string; seen: SeenWebhook[] }

export type WebhookClientHarness = AsyncDisposable & {
  client: WebhookClient
  /** Starts a receiver that the client may reach. */
  receive(reply: (seen: SeenWebhook) => WebhookReply): Promise<WebhookReceiver>
}

const kibibyte = 1_024
/** Time that is longer than a busy machine stops a test. */
const patientMs = 3_600_000

const request = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: '{"type":"email.sent","name":"bücher"}',
})

/** The result without its duration, which depends on the machine. */
const untimed = ({ durationMs, ...result }: WebhookResult) => {
  assert(Number.isSafeInteger(durationMs) && durationMs >= 0)
  return result
}

const answered = (result: WebhookResult) => {
  assert(result.kind === 'answered', JSON.stringify(result))
  return result
}

/**
 * Declares the tests that every webhook client must pass.
 * @param open starts a client with this time limit of an attempt, whose operator allows 127.0.0.0/8 alone
 */
export const webhookClientConformance = (
  adapter: string,
  open: (options: { totalMs: number }) => Promise<WebhookClientHarness>,
) =>
  describe(`webhook client: ${adapter}`, () => {
    it('posts the body and the header fields, and returns the response', async () => {
      await using harness = await open({ totalMs: patientMs })
      const receiver = await harness.receive(() => ({ status: 202, headers: { 'x-trace': 'a' }, body: 'thanks' }))
      const result = answered(await harness.client.post(request(`${receiver.url}hook?a=b`)))
      assert.deepEqual([result.status, result.headers['x-trace'], result.isBodyCut], [202, 'a', false])
      assert.equal(Buffer.from(result.body).toString(), 'thanks')
      assert.equal('retryAfterMs' in result, false)
      const [seen] = receiver.seen
      assert.deepEqual([seen?.method, seen?.path, seen?.body], ['POST', '/hook?a=b', request('').body])
      assert.equal(seen?.headers['webhook-id'], 'evt_1')
      assert.equal(seen?.headers['accept-encoding'], 'identity')
      assert.equal(seen?.headers['content-length'], '38')
    })

    for (const status of [301, 302, 303, 307, 308])
      it(`returns a ${status} and does not follow it`, async () => {
        await using harness = await open({ totalMs: patientMs })
        const target = await harness.receive(() => ({}))
        const receiver = await harness.receive(() => ({ status, headers: { location: target.url } }))
        assert.equal(answered(await harness.client.post(request(receiver.url))).status, status)
        assert.deepEqual([receiver.seen.length, target.seen.length], [1, 0])
      })

    for (const [length, kept, isBodyCut] of [
      [0, 0, false],
      [4 * kibibyte, 4 * kibibyte, false],
      [4 * kibibyte + 1, 4 * kibibyte, true],
      [64 * kibibyte, 4 * kibibyte, true],
      [1_024 * kibibyte, 4 * kibibyte, true],
    ] as const)
      it(`keeps ${kept} bytes of a body of ${length}`, async () => {
        await using harness = await open({ totalMs: patientMs })
        const receiver = await harness.receive(() => ({ body: 'a'.repeat(length) }))
        const result = answered(await harness.client.post(request(receiver.url)))
        assert.deepEqual([result.status, result.body.length, result.isBodyCut], [200, kept, isBodyCut])
      })

    it('keeps the bytes of a compressed body', async () => {
      await using harness = await open({ totalMs: patientMs })
      const body = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
      const receiver = await harness.receive(() => ({ headers: { 'content-encoding': 'gzip' }, body }))
      assert.deepEqual(answered(await harness.client.post(request(receiver.url))).body, body)
    })

    it('returns the wait that Retry-After requests', async () => {
      await using harness = await open({ totalMs: patientMs })
      const receiver = await harness.receive(() => ({ status: 429, headers: { 'retry-after': '120' } }))
      assert.equal(answered(await harness.client.post(request(receiver.url))).retryAfterMs, 120_000)
    })

    it('fails without a response in time', async () => {
      await using harness = await open({ totalMs: 100 })
      const receiver = await harness.receive(() => ({ end: 'never' }))
      assert.deepEqual(untimed(await harness.client.post(request(receiver.url))), {
        kind: 'failed',
        reason: 'timeout',
        detail: 'there was no complete response within the time limit',
      })
    })

    it('fails with the status of a response that ends early', async () => {
      await using harness = await open({ totalMs: patientMs })
      const receiver = await harness.receive(() => ({ status: 200, body: 'thanks', end: 'early' }))
      const result = await harness.client.post(request(receiver.url))
      assert(result.kind === 'failed')
      assert.deepEqual([result.reason, result.status], ['response', 200])
    })

    for (const [url, reason] of [
      ['https://10.0.0.1/', 'url'],
      ['http://8.8.8.8/', 'url'],
      ['https://user@127.0.0.1/', 'url'],
      ['nothing', 'url'],
    ] as const)
      it(`blocks ${url}`, async () => {
        await using harness = await open({ totalMs: patientMs })
        const result = await harness.client.post(request(url))
        assert(result.kind === 'blocked')
        assert.equal(result.reason, reason)
        assert.match(result.detail, /^the URL /)
      })

    it('stops when the caller aborts', async () => {
      await using harness = await open({ totalMs: patientMs })
      const { promise: arrival, resolve } = Promise.withResolvers<void>()
      const receiver = await harness.receive(() => {
        resolve()
        return { end: 'never' }
      })
      const stopping = new AbortController()
      const posting = harness.client.post({ ...request(receiver.url), signal: stopping.signal })
      await arrival
      stopping.abort()
      const expected = { kind: 'failed', reason: 'stopped', detail: 'the attempt was stopped' } as const
      assert.deepEqual(untimed(await posting), expected)
      assert.deepEqual(
        untimed(await harness.client.post({ ...request(receiver.url), signal: stopping.signal })),
        expected,
      )
      assert.equal(receiver.seen.length, 1)
    })

    it('ends requests when the client is closed', async () => {
      await using harness = await open({ totalMs: patientMs })
      const { promise: arrival, resolve } = Promise.withResolvers<void>()
      const receiver = await harness.receive(() => {
        resolve()
        return { end: 'never' }
      })
      const posting = harness.client.post(request(receiver.url))
      await arrival
      await harness.client.close()
      for (const result of [await posting, await harness.client.post(request(receiver.url))])
        assert.deepEqual([result.kind, 'reason' in result && result.reason], ['failed', 'stopped'])
      assert.equal(receiver.seen.length, 1)
    })
  })
