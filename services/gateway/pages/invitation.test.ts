import assert from 'node:assert/strict'
import { invalid } from '@postrider/kit/fault.ts'
import { aPerson, aWorkspace, type Fakes, refusing, testGateway } from '../testGateway.ts'

const token = 'a'.repeat(43)
const path = `/account/invitation?token=${token}`
const page = { accept: 'text/html' }
const form = { ...page, 'content-type': 'application/x-www-form-urlencoded' }

type Accounts = NonNullable<Fakes['accounts']>

const unusable = async (): Promise<never> => {
  throw invalid({ path: 'token', code: 'invalid_link', message: 'This link is used.' })
}

const offering = (over: Partial<Accounts> = {}, hasAccount = false): { accounts: Accounts; accepted: unknown[] } => {
  const accepted: unknown[] = []
  const accounts: Accounts = {
    ReadInvitation: async ({ token: given }) =>
      given === token
        ? {
            workspace_name: 'Acme <b>',
            inviter: 'ada@x.example',
            role: 'member',
            email: 'bob@x.example',
            has_account: hasAccount,
            expires_at: Date.UTC(2026, 10, 28, 10),
          }
        : unusable(),
    AuthenticateSession: async ({ token: cookie }) =>
      cookie === 'bob' || cookie === 'eve'
        ? { token: '', csrf_token: 'csrf', email: `${cookie}@x.example`, caller: aPerson({ role: 'member' }) }
        : refusing('unauthenticated', 'No.')(),
    AcceptInvitation: async (request) => {
      accepted.push(request)
      return { token: 'new', csrf_token: 'c', email: 'bob@x.example', caller: aPerson({ role: 'member' }) }
    },
    GetWorkspace: async () => aWorkspace,
    ...over,
  }
  return { accounts, accepted }
}

describe('page of an invitation', () => {
  it('shows the offer with a form for a new password, and accepts nothing', async () => {
    const { accounts, accepted } = offering()
    await using gateway = await testGateway({ accounts })
    const { status, text, headers } = await gateway.call({ path, headers: page })
    assert.equal(status, 200)
    assert.match(
      text,
      /ada@x\.example invites bob@x\.example to the workspace <b>Acme &lt;b&gt;<\/b> as <b>member<\/b>/,
    )
    assert.match(text, /Password of your new account/)
    assert.match(text, /autocomplete="new-password"/)
    assert.match(String(headers['content-security-policy']), /form-action 'self'/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(accepted, [])
  })

  it('requires the password of a person with an account', async () => {
    const { accounts } = offering({}, true)
    await using gateway = await testGateway({ accounts })
    const { text } = await gateway.call({ path, headers: page })
    assert.match(text, /Password of bob@x\.example/)
    assert.match(text, /autocomplete="current-password"/)
  })

  it('accepts with the session of the invited person, whose page has its token', async () => {
    const { accounts, accepted } = offering({}, true)
    await using gateway = await testGateway({ accounts })
    const headers = { ...form, cookie: 'sid=bob' }
    const shown = await gateway.call({ path, headers })
    assert.ok(!shown.text.includes('type="password"'))
    assert.match(shown.text, /name="csrf_token" value="csrf"/)
    const post = { path: '/account/invitation', method: 'POST', headers }
    const forged = await gateway.call({ ...post, body: `token=${token}` })
    assert.equal(forged.status, 403)
    assert.deepEqual(accepted, [])
    const response = await gateway.call({ ...post, body: `token=${token}&csrf_token=csrf` })
    assert.deepEqual([response.status, response.headers.location], [303, '/account/joined'])
    assert.match(String(response.headers['set-cookie']), /^sid=new;/)
    const [request] = accepted as { session_token: string; password: string }[]
    assert.deepEqual([request?.session_token, request?.password], ['bob', ''])
    const joined = await gateway.call({ path: '/account/joined', headers })
    assert.match(joined.text, /You are a member of Acme/)
  })

  it('has no button for the session of another person', async () => {
    const { accounts } = offering()
    await using gateway = await testGateway({ accounts })
    const { text } = await gateway.call({ path, headers: { ...page, cookie: 'sid=eve' } })
    assert.match(text, /This invitation is for bob@x\.example\. Log out/)
    assert.ok(!text.includes('Accept the invitation'))
  })

  it('accepts with a password, and shows the page again with the problems', async () => {
    const { accounts, accepted } = offering()
    await using gateway = await testGateway({ accounts })
    const post = { path: '/account/invitation', method: 'POST', headers: form }
    const wrong = refusing('unauthenticated', 'The email address or the password is wrong.')
    await using refusingGateway = await testGateway({ accounts: { ...accounts, AcceptInvitation: wrong } })
    const response = await gateway.call({ ...post, body: `token=${token}&password=correct+horse` })
    assert.equal(response.status, 303)
    const [request] = accepted as { session_token: string; password: string }[]
    assert.deepEqual([request?.session_token, request?.password], ['', 'correct horse'])
    const again = await refusingGateway.call({ ...post, body: `token=${token}&password=x` })
    assert.equal(again.status, 401)
    assert.match(again.text, /role="alert" id="alert">The email address or the password is wrong\./)
    assert.match(again.text, /type="password"/)
  })

  it('returns 404 for a link that cannot be used', async () => {
    const { accounts } = offering({ AcceptInvitation: unusable })
    await using gateway = await testGateway({ accounts })
    for (const given of ['', 'x', 'b'.repeat(43), 'b'.repeat(10_000)]) {
      const { status, text } = await gateway.call({ path: `/account/invitation?token=${given}`, headers: page })
      assert.equal(status, 404, given.slice(0, 50))
      assert.match(text, /This link is used\./)
    }
    const posted = await gateway.call({ path: '/account/invitation', method: 'POST', headers: form, body: 'token=x' })
    assert.equal(posted.status, 404)
  })

  it('refuses a form of another site', async () => {
    const { accounts, accepted } = offering()
    await using gateway = await testGateway({ accounts })
    for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const headers = { ...form, ...from }
      const body = `token=${token}&password=correct+horse`
      const { status } = await gateway.call({ path: '/account/invitation', method: 'POST', headers, body })
      assert.equal(status, 403)
    }
    assert.deepEqual(accepted, [])
  })

  it('does not write the token to the log', async () => {
    const { accounts } = offering()
    await using gateway = await testGateway({ accounts })
    await gateway.call({ path, headers: page })
    assert.ok(!JSON.stringify(gateway.lines).includes(token))
  })
})
