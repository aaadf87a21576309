import assert from 'node:assert/strict'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { aPerson, type Fakes, testGateway } from '../testGateway.ts'

const taken: string[][] = []
const limiterThat = (admitted: boolean): Limiter => ({
  take: async (buckets) => {
    taken.push(buckets.map(({ key }) => key))
    const tightest: RateBucket = buckets[0] ?? assert.fail()
    return { admitted, tightest, remaining: 0, resetMs: 1_000, retryAfterMs: 1_000 }
  },
})

const accounts: NonNullable<Fakes['accounts']> = {
  AuthenticateSession: async ({ token }) => ({
    token: '',
    csrf_token: 't',
    email: 'e',
    caller: aPerson({ role: token as Role }),
  }),
}
const intake: NonNullable<Fakes['intake']> = { ListCaptured: async () => ({ captured: [] }) }

const form = 'application/x-www-form-urlencoded'
const previewBody = 'csrf_token=t&html=hi'

// These pages read the store or make long pages, and had no limit.
describe('rate limit of pages that need a session', () => {
  beforeEach(() => taken.splice(0))

  const requests = [
    ...[
      '/mailbox',
      '/mailbox/att_1',
      '/mailbox/att_1/html',
      '/mailbox/att_1/raw',
      '/mailbox/att_1/attachments/0',
    ].flatMap((path) => [
      { path, headers: { accept: 'text/html' } },
      { path, headers: { accept: 'application/json' } },
    ]),
    { path: '/templates/preview', method: 'POST', headers: { accept: '*/*', 'content-type': form }, body: previewBody },
  ]
  for (const { headers, ...call } of requests)
    it(`counts a page as a read, and refuses it over the limit: ${call.path} as ${headers.accept}`, async () => {
      await using gateway = await testGateway({ accounts, limiter: limiterThat(false) })
      for (const role of ['owner', 'viewer']) {
        const response = await gateway.call({ ...call, headers: { ...headers, cookie: `sid=${role}` } })
        assert.equal(response.status, 429)
        assert.equal(response.headers['retry-after'], '1')
        assert.match(String(response.headers['ratelimit-policy']), /"read"/)
      }
      assert.deepEqual(taken[0], ['ws_1/key:usr_1:read', 'ws_1/workspace'])
    })

  it('does not affect requests below it', async () => {
    await using gateway = await testGateway({ accounts, intake, limiter: limiterThat(true) })
    const cookie = { cookie: 'sid=owner' }
    assert.equal((await gateway.call({ path: '/mailbox', headers: cookie })).status, 200)
    const headers = { ...cookie, 'content-type': form }
    assert.equal((await gateway.call({ path: '/templates/preview', headers, body: previewBody })).status, 200)
    assert.equal(taken.length, 2)
  })

  it('does not apply to this machine', async () => {
    const config = { publicUrl: 'http://localhost:8080', publicUrlIsSet: false }
    await using gateway = await testGateway({ intake, limiter: limiterThat(false), config })
    assert.equal((await gateway.call({ path: '/mailbox' })).status, 200)
    assert.deepEqual(taken, [])
  })
})
