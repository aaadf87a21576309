import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { aPerson, type Fakes, refusing, testGateway } from '../testGateway.ts'

const accounts: NonNullable<Fakes['accounts']> = {
  AuthenticateSession: async ({ token }) =>
    token === 'ada'
      ? { token: '', csrf_token: 'csrf', email: 'ada@x.example', caller: aPerson({ role: 'viewer' }) }
      : refusing('unauthenticated', 'No.')(),
}

const hostile = '<!doctype html><script>canary()</script><p style="color: red" onclick="canary()">Hi é</p>'

const post = (fields: Record<string, string>, cookie = 'sid=ada') => ({
  method: 'POST' as const,
  path: '/templates/preview',
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

describe('page of a template for a frame', () => {
  it('shows the HTML under a policy that allows nothing that runs, sends or loads', async () => {
    await using gateway = await testGateway({ accounts })
    const { status, headers, text } = await gateway.call(post({ csrf_token: 'csrf', html: hostile }))
    assert.equal(status, 200, text)
    assert.equal(text, hostile.replace('<!doctype html>', '<!doctype html><base target="_blank">'))
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    assert.deepEqual([headers['x-content-type-options'], headers['cache-control']], ['nosniff', 'no-store'])
    const shown = await gateway.call(post({ csrf_token: 'csrf', html: hostile, images: 'show' }))
    assert.match(String(shown.headers['content-security-policy']), /img-src data: https: http:; /)
  })

  // 390,000 fields took more than a second.
  it('refuses a form with too many fields', async () => {
    await using gateway = await testGateway({ accounts })
    const form = { ...post({}), body: '&a'.repeat(390_000) }
    await assertIterationsBelow(50, async () => {
      const { status, body } = await gateway.call(form)
      assert.deepEqual([status, body.detail], [400, 'A form may have at most 100 fields.'])
    })
  })

  it('shows nothing without a session, without its token, or over 256 KiB', async () => {
    await using gateway = await testGateway({ accounts })
    const status = async (...given: Parameters<typeof post>) => (await gateway.call(post(...given))).status
    assert.equal(await status({ csrf_token: 'csrf', html: hostile }, 'sid=eve'), 401)
    assert.equal(await status({ csrf_token: 'csrf', html: hostile }, 'a=b'), 401)
    assert.equal(await status({ csrf_token: 'other', html: hostile }), 403)
    assert.equal(await status({ html: hostile }), 403)
    assert.equal(await status({ csrf_token: 'csrf', html: '<'.repeat(256 * 1_024) }), 200)
    assert.equal(await status({ csrf_token: 'csrf', html: '<'.repeat(257 * 1_024) }), 413)
  })
})
