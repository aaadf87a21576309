import assert from 'node:assert/strict'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { emptyList, mail, testGateway, withCaller } from '../testGateway.ts'

describe('rate limit', () => {
  const seen: string[] = []
  const limiter = (admitted: boolean): Limiter => ({
    take: async (buckets) => {
      seen.push(buckets.map(({ key, rate, burst }) => `${key} ${rate} ${burst}`).join(', '))
      const tightest = buckets[0] ?? assert.fail()
      return { admitted, tightest, remaining: 18.7, resetMs: 130, retryAfterMs: admitted ? 0 : 1_200 }
    },
  })
  beforeEach(() => seen.splice(0))

  it('takes from the buckets of key and workspace and reports them in headers, also on refusals', async () => {
    await using gateway = await testGateway({ limiter: limiter(true) })
    const { status, headers } = await gateway.api({ path: '/api/v1/emails', json: {} })
    assert.equal(status, 422)
    assert.deepEqual(seen, ['ws_1/key:key_1:send 10 20, ws_1/workspace 50 100'])
    assert.equal(headers['ratelimit-policy'], '"send";q=20;w=2, "workspace";q=100;w=2')
    assert.equal(headers['ratelimit'], '"send";r=18;t=1')
  })

  it('returns 429 with Retry-After when a bucket is empty', async () => {
    await using gateway = await testGateway({ limiter: limiter(false) })
    const { status, body, headers } = await gateway.api({ path: '/api/v1/emails', json: mail })
    assert.deepEqual([status, body.code, headers['retry-after']], [429, 'rate_limited', '2'])
  })

  it('uses the operator’s rate for both buckets, and no bucket when the operator lifted the limit', async () => {
    for (const [over, expected] of [
      [{ rate: 3 }, ['ws_1/key:key_1:read 3 6, ws_1/workspace 3 6']],
      [{ burst: 7 }, ['ws_1/key:key_1:read 50 7, ws_1/workspace 50 7']],
      [{ rate: 0 }, []],
    ] as const) {
      seen.splice(0)
      await using gateway = await withCaller(over, {
        limiter: limiter(true),
        intake: { ListEmails: async () => emptyList },
      })
      assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
      assert.deepEqual(seen, expected)
    }
  })

  it('uses no tokens for a request without credentials', async () => {
    await using gateway = await testGateway({ limiter: limiter(true) })
    await gateway.call({ path: '/api/v1/emails' })
    assert.deepEqual(seen, [])
  })
})
