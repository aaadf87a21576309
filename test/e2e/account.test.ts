import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, password, type Session } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { Received } from '../support/receiver.ts'
import type { SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const auth = '/api/v1/auth'
const next = 'another horse battery staple'

/** Returns the first mail to an address with this subject. */
const mailTo = (received: () => readonly Received[], subject: string): Promise<Received> =>
  until(`the mail "${subject}"`, async () => received().find(({ mail }) => mail.subject === subject))

const urlIn = ({ mail }: Received): URL => new URL(/https?:\S+/.exec(mail.text ?? '')?.[0] ?? assert.fail('no link'))

const tokenIn = (received: Received): string => urlIn(received).searchParams.get('token') ?? assert.fail('no token')

const codeOf = (secret: string): string => new TOTP({ secret }).generate()

describe('own account', () => {
  const system = useSystem()
  const call = <T>(path: string, json: unknown, headers: Record<string, string> = {}): Promise<HttpResponse<T>> =>
    system().client.call<T>({ path, json, headers })
  const mail = (address: string, subject: string) => mailTo(() => system().receiver.to(address), subject)
  const signUp = async () => {
    const email = fresh('person')
    const response = await system().client.signUp({ email })
    assert.equal(response.status, 201, response.text)
    return { email, session: system().client.session(response), record: response.body }
  }
  const logIn = (json: Record<string, unknown>) => call<SessionRecord>(`${auth}/login`, json)
  const sessionOf = async (session: Caller) => session.call<SessionRecord>({ path: `${auth}/session` })
  const post = <T>(session: Session, path: string, json?: unknown) =>
    session.call<T>({ method: 'POST', path, ...(json === undefined ? {} : { json }) })

  for (const forged of [
    { host: 'localhost:8443' },
    { host: '127.0.0.1:8443', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '8443', 'x-forwarded-prefix': '/evil' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-host': 'evil.example', 'x-original-host': 'evil.example', 'x-original-url': '//evil.example/' },
  ])
    it(`has no word of a request in links of its emails: ${JSON.stringify(forged)}`, async () => {
      const { email } = await signUp()
      assert.equal((await call(`${auth}/password-reset`, { email }, forged)).status, 202)
      const sent = await mail(email, 'Set a new password')
      assert.equal(urlIn(sent).origin, new URL(system().client.url).origin)
      assert.doesNotMatch(`${sent.mail.text} ${sent.mail.html} ${sent.mail.subject}`, /evil|:8443/)
    })

  it('gets no mail by a request with a foreign Host, which a gateway on a loopback address refuses', async () => {
    const { email } = await signUp()
    await mail(email, 'Confirm your email address')
    const refused = await call(`${auth}/password-reset`, { email }, { host: 'evil.example' })
    assert.equal(refused.status, 403, refused.text)
    assert.deepEqual(
      system()
        .receiver.to(email)
        .map((received) => received.mail.subject),
      ['Confirm your email address'],
    )
  })

  it('has an address that a link of the public URL confirms', async () => {
    const { email, session, record } = await signUp()
    assert.equal(record.user.email_confirmed, false)
    const sent = await mail(email, 'Confirm your email address')
    assert.equal(urlIn(sent).origin, new URL(system().client.url).origin)
    assert.ok(sent.mail.html?.includes(urlIn(sent).href.replaceAll('&', '&amp;')))
    const confirmed = await call(`${auth}/email/confirm`, { token: tokenIn(sent) })
    assert.deepEqual(
      [confirmed.status, confirmed.body],
      [200, { object: 'email_address', email, email_confirmed: true }],
    )
    const { user } = (await sessionOf(session)).body
    assert.equal(user.email_confirmed, true)
    assertProblem(await call(`${auth}/email/confirm`, { token: tokenIn(sent) }), 422, 'validation_failed', [
      { path: 'token', code: 'invalid_link' },
    ])
    assertProblem(await post(session, `${auth}/email/resend`), 409, 'conflict')
  })

  it('gets mail that no tenant can read and that is not counted', async () => {
    const { email, session } = await signUp()
    await mail(email, 'Confirm your email address')
    const emails = await session.call<{ data: unknown[] }>({ path: '/api/v1/emails' })
    assert.deepEqual(emails.body.data, [])
    const usage = await session.call<{ monthly: { used: number } }>({ path: '/api/v1/billing/usage' })
    assert.equal(usage.body.monthly.used, 0)
  })

  it('has a page for the link that changes nothing when it is opened, and works without scripts', async () => {
    const { email, session } = await signUp()
    const url = urlIn(await mail(email, 'Confirm your email address'))
    for (let n = 0; n < 3; n++) {
      const page = await system().client.call<string>({
        path: `${url.pathname}${url.search}`,
        headers: { accept: 'text/html' },
      })
      assert.equal(page.status, 200)
      assert.match(page.text, /<form method="post" action="\/account\/confirm-email">/)
      assert.doesNotMatch(page.text, /<script/)
      assert.equal(page.headers['cache-control'], 'no-store')
    }
    const { user } = (await sessionOf(session)).body
    assert.equal(user.email_confirmed, false)
    const form = {
      method: 'POST',
      path: url.pathname,
      body: url.searchParams.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    } as const
    const foreign = await system().client.call({
      ...form,
      headers: { ...form.headers, origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 403)
    const used = await system().client.call({ ...form })
    assert.match(used.text, /Your email address is confirmed/)
    const again = await system().client.call({ ...form })
    assert.equal(again.status, 422)
    assert.match(again.text, /no longer valid/)
  })

  it('gets a new password by a mailed link, once, which ends its sessions', async () => {
    const { email, session } = await signUp()
    const known = await call(`${auth}/password-reset`, { email })
    const unknown = await call(`${auth}/password-reset`, { email: fresh('unknown') })
    assert.deepEqual([known.status, known.text], [202, unknown.text])
    const token = tokenIn(await mail(email, 'Set a new password'))
    const problem = [{ path: 'password', code: 'common_password' }]
    assertProblem(
      await call(`${auth}/password-reset/confirm`, { token, password: 'iloveyou' }),
      422,
      'validation_failed',
      problem,
    )
    assert.equal((await call(`${auth}/password-reset/confirm`, { token, password: next })).status, 204)
    assertProblem(await call(`${auth}/password-reset/confirm`, { token, password: next }), 422, 'validation_failed', [
      { path: 'token', code: 'invalid_link' },
    ])
    assertProblem(await sessionOf(session), 401, 'unauthenticated')
    assertProblem(await logIn({ email, password }), 401, 'unauthenticated')
    assert.equal((await logIn({ email, password: next })).status, 200)
    await mail(email, 'Your password was changed')
  })

  it('refuses requests of another site that have no token, and other types of body', async () => {
    const origin = { origin: 'https://evil.example' }
    for (const path of ['password-reset', 'password-reset/confirm', 'email/confirm']) {
      assertProblem(await call(`${auth}/${path}`, {}, origin), 403, 'csrf')
      const text = {
        method: 'POST',
        path: `${auth}/${path}`,
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      } as const
      assertProblem(await system().client.call({ ...text }), 415, 'unsupported_media_type')
    }
  })

  it('changes its password, ends other sessions and renews its own', async () => {
    const { email, session } = await signUp()
    const other = system().client.session(await logIn({ email, password }))
    const wrong = await post(session, `${auth}/password`, { current: 'not the right one', password: next })
    assertProblem(wrong, 422, 'validation_failed', [{ path: 'current', code: 'wrong_password' }])
    const changed = await post<SessionRecord>(session, `${auth}/password`, { current: password, password: next })
    assert.equal(changed.status, 200, changed.text)
    const renewed = system().client.session(changed)
    assert.notEqual(renewed.cookie, session.cookie)
    assert.equal((await sessionOf(renewed)).status, 200)
    for (const former of [session, other]) assertProblem(await sessionOf(former), 401, 'unauthenticated')
  })

  it('changes its address when the link to the new one is used', async () => {
    const { email, session } = await signUp()
    const address = fresh('new')
    assert.equal((await post(session, `${auth}/email`, { email: address, password })).status, 202)
    await mail(email, 'A new email address was requested')
    const token = tokenIn(await mail(address, 'Confirm your new email address'))
    assert.equal((await sessionOf(session)).body.user.email, email)
    assert.equal((await call(`${auth}/email/confirm`, { token })).status, 200)
    assert.equal((await sessionOf(session)).body.user.email, address)
    assertProblem(await logIn({ email, password }), 401, 'unauthenticated')
    assert.equal((await logIn({ email: address, password })).status, 200)
  })

  it('has a second factor with a QR code and recovery codes, which an owner can require', async () => {
    const { email, session } = await signUp()
    const started = await post<{ secret: string; uri: string; qr_svg: string }>(session, `${auth}/totp`)
    assert.equal(started.status, 200, started.text)
    assert.match(started.body.uri, /^otpauth:\/\/totp\//)
    assert.match(started.body.qr_svg, /^<svg /)
    const required = await session.call({ method: 'PATCH', path: '/api/v1/workspace', json: { require_totp: true } })
    assert.equal(required.status, 200, required.text)
    const refused = assertProblem(await session.call({ path: '/api/v1/emails' }), 403, 'forbidden', [
      { code: 'totp_required' },
    ])
    assert.match(refused.detail, /POST \/api\/v1\/auth\/totp/)
    const code = codeOf(started.body.secret)
    const enabled = await post<SessionRecord & { recovery_codes: string[] }>(session, `${auth}/totp/confirm`, { code })
    assert.equal(enabled.status, 200, enabled.text)
    assert.equal(enabled.body.recovery_codes.length, 10)
    const renewed = system().client.session(enabled)
    assert.equal((await renewed.call({ path: '/api/v1/emails' })).status, 200)
    assertProblem(await logIn({ email, password }), 401, 'unauthenticated', [{ path: 'code', code: 'totp_required' }])
    // The same code again: a new one is valid if 30 s have passed.
    assertProblem(await logIn({ email, password, code }), 401, 'unauthenticated', [
      { path: 'code', code: 'invalid_code' },
    ])
    const [first, second] = enabled.body.recovery_codes
    assert.equal((await logIn({ email, password, code: first })).status, 200)
    assertProblem(await logIn({ email, password, code: first }), 401, 'unauthenticated')
    const off = await renewed.call({ method: 'DELETE', path: `${auth}/totp`, json: { code: second } })
    assert.equal(off.status, 204, off.text)
    assertProblem(await renewed.call({ path: '/api/v1/emails' }), 403, 'forbidden')
  })

  it('lists its sessions with their devices, and ends one session or all other sessions', async () => {
    const { email, session } = await signUp()
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const firefox = await call<SessionRecord>(`${auth}/login`, { email, password }, { 'user-agent': agent })
    await logIn({ email, password })
    type Entry = { id: string; device: string | null; address: string; current: boolean }
    const list = await session.call<{ data: Entry[] }>({ path: `${auth}/sessions` })
    assert.equal(list.body.data.length, 3)
    assert.equal(list.body.data.filter(({ current }) => current).length, 1)
    const found = list.body.data.find(({ device }) => device === 'Firefox on Linux') ?? assert.fail(list.text)
    assert.equal((await session.call({ method: 'DELETE', path: `${auth}/sessions/${found.id}` })).status, 204)
    assertProblem(await sessionOf(system().client.session(firefox)), 401, 'unauthenticated')
    assertProblem(await session.call({ method: 'DELETE', path: `${auth}/sessions/${found.id}` }), 404, 'not_found')
    const others = await session.call<{ count: number }>({ method: 'DELETE', path: `${auth}/sessions` })
    assert.deepEqual([others.status, others.body.count], [200, 1])
    assert.equal((await sessionOf(session)).status, 200)
  })
})
