import assert from 'node:assert/strict'
import type { Reader } from '@postrider/contracts/services.ts'
import { currentDeadline } from '@postrider/kit/deadline.ts'
import { aCaller, emptyList, type Fakes, mail, refusing, sessions, testGateway, withCaller } from './testGateway.ts'

describe('access', () => {
  const reads: [scopes: string[], mode: 'live' | 'test', expected: Partial<Reader>][] = [
    [['emails:send', 'emails:read'], 'live', { mode: 'live', sentBy: null }],
    [['emails:read'], 'test', { mode: 'test', sentBy: null }],
    [['emails:send'], 'live', { mode: 'live', sentBy: 'key_1' }],
  ]
  for (const [scopes, mode, expected] of reads) {
    it(`limits a ${mode} key with ${scopes.join(', ')} to ${JSON.stringify(expected)}`, async () => {
      let seen: unknown
      const intake: Fakes['intake'] = {
        ListEmails: async ({ reader }) => {
          seen = reader
          return emptyList
        },
      }
      await using gateway = await withCaller({ scopes, mode }, { intake: intake ?? {} })
      assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
      assert.deepEqual(seen, { workspace: 'ws_1', actor: 'key_1', recipients: [], domains: [], ...expected })
    })
  }

  // Every request takes at most 5 s, even when a lookup of the key was slow.
  for (const [tookMs, left] of [
    [1_000, null],
    [2_500, 2_300],
  ] as const)
    it(`leaves the call ${left ?? 'all of its'} ms after an authentication of ${tookMs} ms`, async () => {
      const time = { ms: 1_000_000 }
      const startedAt = 1_790_000_000_000
      const wallClock = () => startedAt + time.ms
      const seen: number[] = []
      await using gateway = await testGateway({
        elapsed: () => time.ms,
        wallClock,
        accounts: {
          AuthenticateKey: async () => {
            time.ms += tookMs
            return aCaller({})
          },
        },
        intake: {
          ListEmails: async () => {
            seen.push(currentDeadline() - wallClock())
            return emptyList
          },
        },
      })
      assert.equal((await gateway.api({ path: '/api/v1/emails' })).status, 200)
      assert.deepEqual(seen, [left ?? Number.POSITIVE_INFINITY])
    })

  it('34: names the missing scope before it reads the id', async () => {
    await using gateway = await withCaller({ scopes: ['templates:read'] })
    for (const call of [
      { path: '/api/v1/emails', json: mail },
      { path: '/api/v1/emails/em_x' },
      { path: '/api/v1/emails/em_x/cancel', method: 'POST' },
    ]) {
      const { status, body } = await gateway.api(call)
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
      assert.match(body.detail ?? '', /emails:/)
    }
  })

  it('returns session_required to a key on a route for sessions', async () => {
    await using gateway = await testGateway()
    for (const path of ['/api/v1/billing/usage', '/api/v1/workspace', '/api/v1/api-keys']) {
      assert.equal((await gateway.api({ path })).body.code, 'session_required')
    }
  })

  it('looks a key up once in two seconds, and again immediately after this gateway has revoked it', async () => {
    let [lookUps, time] = [0, 1_000]
    await using gateway = await testGateway({
      elapsed: () => time,
      intake: { ListEmails: async () => emptyList },
      accounts: {
        ...sessions,
        AuthenticateKey: async () => {
          lookUps++
          return aCaller()
        },
        RevokeKey: async () => ({}),
      },
    })
    const read = () => gateway.api({ path: '/api/v1/emails' })
    await read()
    await read()
    assert.equal(lookUps, 1)
    time += 2_001
    await read()
    assert.equal(lookUps, 2)
    const headers = { cookie: 'sid=s1', 'x-csrf-token': 't1' }
    const response = await gateway.call({ path: '/api/v1/api-keys/key_1', method: 'DELETE', headers })
    assert.equal(response.status, 204, response.text)
    await read()
    assert.equal(lookUps, 3)
  })

  it('does not cache a refused lookup', async () => {
    let lookUps = 0
    await using gateway = await testGateway({
      accounts: {
        AuthenticateKey: () => {
          lookUps++
          return refusing('unauthenticated', 'This API key was revoked.')()
        },
      },
    })
    for (const count of [1, 2]) {
      assert.match((await gateway.api({ path: '/api/v1/emails' })).body.detail ?? '', /revoked/)
      assert.equal(lookUps, count)
    }
  })
})
