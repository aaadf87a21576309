import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, password, type Session, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { accept, accepting, invitations, invite } from '../support/people.ts'
import type { ListRecord, ProblemRecord, SessionRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const auth = '/api/v1/auth'
const next = 'another horse battery staple'
const resetting = `${auth}/password-reset/confirm`
const confirming = `${auth}/email/confirm`

/** What a person has: an account, a link of each purpose, and the texts of the emails. */
type Person = { email: string; session: Session; reset: string; confirm: string; invitation: string }

const anAddress = (): string => `10.${[...randomBytes(3)].join('.')}`

describe('attacks on accounts', () => {
  const system = useSystem()
  let host: Tenant
  before(async () => {
    host = await system().client.tenant()
  })

  /** From a random address, so that limits per client do not hide the rule under test. */
  const call = <T = ProblemRecord>(path: string, json: unknown, headers: Record<string, string> = {}) =>
    system().client.call<T>({ path, json, headers: { 'x-forwarded-for': anAddress(), ...headers } })
  const logIn = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
    call<SessionRecord>(`${auth}/login`, json, headers)
  const stateOf = (cookie: string) =>
    system().client.call<SessionRecord>({ path: `${auth}/session`, headers: { cookie } })

  /** Returns the token of the newest mailed link of a page. */
  const mailed = (email: string, page: string, count = 1): Promise<string> =>
    until(`a link to ${page}`, async () => {
      const links = system()
        .receiver.to(email)
        .flatMap(({ mail }) => new RegExp(`/account/${page}\\?token=([\\w-]{43})\\s`).exec(mail.text ?? '')?.[1] ?? [])
      return links.length < count ? undefined : links.at(-1)
    })
  const requestReset = async (email: string, count = 1): Promise<string> => {
    assert.equal((await call(`${auth}/password-reset`, { email })).status, 202)
    return mailed(email, 'reset-password', count)
  }
  const signUp = async () => {
    const email = fresh('person')
    const response = await system().client.signUp({ email })
    assert.equal(response.status, 201, response.text)
    return { email, session: system().client.session(response) }
  }
  const person = async (): Promise<Person> => {
    const { email, session } = await signUp()
    const [reset, confirm, invitation] = await Promise.all([
      requestReset(email),
      mailed(email, 'confirm-email'),
      invite(system(), host.session, email, 'viewer'),
    ])
    return { email, session, reset, confirm, invitation }
  }
  /** What no attack may have changed. */
  const assertUntouched = async ({ email, session }: Pick<Person, 'email' | 'session'>): Promise<void> => {
    const { body, status } = await stateOf(session.cookie)
    assert.deepEqual([status, body.user.email_confirmed, body.user.totp_enabled], [200, false, false])
    assert.equal((await logIn({ email, password })).status, 200)
  }

  describe('links', () => {
    type Wrong = (own: Person, other: Person) => Promise<HttpResponse<ProblemRecord>>
    const changed = (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const setting = (token: string, headers = {}) => call(resetting, { token, password: next }, headers)
    const using = (token: string) => call(confirming, { token })
    const joining = (token: string) => call(accepting, { token, password })
    const replayed = async (act: () => Promise<HttpResponse<unknown>>, other: Person) => {
      // Another person's link, so that the victim stays as they are.
      const repeated = system().client.repeated()
      const first = await act()
      // A busy cluster may return 503 for a request that it has executed, and the client repeats it.
      assert.ok(first.status < 300 || system().client.repeated() > repeated, `${other.email}: ${first.text}`)
    }

    const attacks: [name: string, attack: Wrong][] = [
      ['to set a password, guessed', () => setting('A'.repeat(43))],
      ['to set a password, with another last character', ({ reset }) => setting(changed(reset))],
      ['to set a password, in another case', ({ reset }) => setting(reset.toUpperCase())],
      ['to set a password, with a space', ({ reset }) => setting(` ${reset}`)],
      ['to set a password, used to confirm an address', ({ reset }) => using(reset)],
      ['to set a password, used to join a workspace', ({ reset }) => joining(reset)],
      ['to confirm an address, guessed', () => using('A'.repeat(43))],
      ['to confirm an address, used to set a password', ({ confirm }) => setting(confirm)],
      ['to confirm an address, used to join a workspace', ({ confirm }) => joining(confirm)],
      ['of an invitation, guessed', () => joining('A'.repeat(43))],
      ['of an invitation, used to set a password', ({ invitation }) => setting(invitation)],
      ['of an invitation, used to confirm an address', ({ invitation }) => using(invitation)],
      [
        'to set a password, replayed',
        async (_own, other) => {
          await replayed(() => setting(other.reset), other)
          return setting(other.reset)
        },
      ],
      [
        'to confirm an address, replayed',
        async (_own, other) => {
          await replayed(() => using(other.confirm), other)
          return using(other.confirm)
        },
      ],
      [
        'of an invitation, replayed',
        async (_own, other) => {
          await replayed(() => joining(other.invitation), other)
          return joining(other.invitation)
        },
      ],
      [
        'to set a password, replayed with the session of another person',
        async (own, other) => {
          await replayed(() => setting(other.reset), other)
          const { cookie, record } = own.session
          return setting(other.reset, { cookie, 'x-csrf-token': record.csrf_token })
        },
      ],
    ]
    let own: Person
    before(async () => {
      own = await person()
    })
    for (const [name, attack] of attacks)
      it(`${name}: 422 invalid_link`, async () => {
        const needsOther = name.includes('replayed')
        const problem = assertProblem(await attack(own, needsOther ? await person() : own), 422, 'validation_failed', [
          { path: 'token', code: 'invalid_link' },
        ])
        assert.equal(problem.errors?.length, 1)
        await assertUntouched(own)
      })

    it('change only their own user, even with the session of another one', async () => {
      const other = await person()
      const { cookie, record } = own.session
      const headers = { cookie, 'x-csrf-token': record.csrf_token }
      assert.equal((await call(confirming, { token: other.confirm }, headers)).status, 200)
      assert.equal((await call(resetting, { token: other.reset, password: next }, headers)).status, 204)
      await assertUntouched(own)
      assertProblem(await logIn({ email: other.email, password }), 401, 'unauthenticated')
      assertProblem(await call(accepting, { token: other.invitation }, headers), 403, 'forbidden')
    })
  })

  describe('programs that open links', () => {
    const openers: [name: string, method: string, headers: Record<string, string>][] = [
      ['a scanner', 'GET', { 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks)' }],
      ['a scanner that sends HEAD', 'HEAD', {}],
      ['a prefetch', 'GET', { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch', 'x-moz': 'prefetch' }],
      ['a scanner that follows all types', 'GET', { accept: '*/*', range: 'bytes=0-99' }],
    ]
    for (const [name, method, headers] of openers)
      it(`change nothing and get no session: ${name}`, async () => {
        const { email, session, reset, confirm, invitation } = await person()
        const pages = [
          `reset-password?token=${reset}`,
          `confirm-email?token=${confirm}`,
          `invitation?token=${invitation}`,
        ]
        for (let n = 0; n < 2; n++)
          for (const page of pages) {
            for (const query of ['', `&password=${next.replaceAll(' ', '+')}&confirm=1&_method=POST`]) {
              const accept = { accept: 'text/html', 'x-forwarded-for': anAddress(), ...headers }
              const response = await system().client.call({
                method,
                path: `/account/${page}${query}`,
                headers: accept,
              })
              assert.equal(response.status, 200, page)
              assert.equal(response.headers['set-cookie'], undefined)
              assert.equal(response.headers['cache-control'], 'no-store')
              assert.equal(response.headers['referrer-policy'], 'same-origin')
            }
          }
        await assertUntouched({ email, session })
        const open = await host.session.call<ListRecord<{ email: string }>>({ path: `${invitations}?limit=100` })
        assert.ok(open.body.data.some((one) => one.email === email))
        const from = { 'x-forwarded-for': anAddress() }
        assert.equal((await accept(system().client, { token: invitation, email, password }, from)).status, 200)
        assert.equal((await call(resetting, { token: reset, password: next })).status, 204)
      })

    for (const path of [resetting, confirming, accepting])
      for (const method of ['GET', 'HEAD', 'PUT'])
        it(`cannot use the operation by ${method} ${path}`, async () => {
          const query = `?token=${'A'.repeat(43)}&password=x`
          const response = await system().client.call({ method, path: path + query })
          assert.deepEqual([response.status, response.headers.allow], [405, 'POST'])
        })
  })

  describe('session fixation', () => {
    const planted = 'A'.repeat(43)
    const opened = (response: HttpResponse<SessionRecord>): string => system().client.session(response).cookie

    it('a planted token is neither used nor valid after a sign-up, a login and an invitation', async () => {
      const email = fresh('fixed')
      const headers = { cookie: `sid=${planted}; __Host-sid=${planted}` }
      const json = { email, password, workspace_name: 'Acme' }
      const signedUp = await call<SessionRecord>(`${auth}/signup`, json, headers)
      const loggedIn = await logIn({ email, password }, headers)
      const invited = fresh('fixed')
      const token = await invite(system(), host.session, invited, 'viewer')
      const from = { 'x-forwarded-for': anAddress(), ...headers }
      const joined = await accept(system().client, { token, email: invited, password }, from)
      assert.deepEqual([signedUp.status, loggedIn.status, joined.status], [201, 200, 200])
      const cookies = [signedUp, loggedIn, joined].map(opened)
      assert.equal(new Set(cookies).size, 3)
      assert.ok(cookies.every((cookie) => !cookie.includes(planted)))
      assertProblem(await stateOf(`sid=${planted}`), 401, 'unauthenticated')
    })

    it('a session of the attacker stays theirs when the victim logs in with its cookie', async () => {
      const [attacker, victim] = [await signUp(), await signUp()]
      const response = await logIn({ email: victim.email, password }, { cookie: attacker.session.cookie })
      assert.equal(response.status, 200, response.text)
      assert.notEqual(opened(response), attacker.session.cookie)
      assert.equal((await stateOf(attacker.session.cookie)).body.user.email, attacker.email)
      assert.equal((await stateOf(opened(response))).body.user.email, victim.email)
    })

    it('ends the former token with a new password, and when the second factor is switched on', async () => {
      const { session, email } = await signUp()
      const changed = await session.call<SessionRecord>({
        path: `${auth}/password`,
        json: { current: password, password: next },
      })
      assert.equal(changed.status, 200, changed.text)
      const renewed = system().client.session(changed)
      const started = await renewed.call<{ secret: string }>({ method: 'POST', path: `${auth}/totp` })
      const code = new TOTP({ secret: started.body.secret }).generate()
      const enabled = await renewed.call<SessionRecord>({ path: `${auth}/totp/confirm`, json: { code } })
      assert.equal(enabled.status, 200, enabled.text)
      for (const { cookie } of [session, renewed]) assertProblem(await stateOf(cookie), 401, 'unauthenticated')
      assert.equal((await stateOf(opened(enabled))).body.user.email, email)
    })
  })

  it('an account made with the address of another person is theirs after a password by mail, without its factor', async () => {
    const { email, session } = await signUp()
    const started = await session.call<{ secret: string }>({ method: 'POST', path: `${auth}/totp` })
    const code = new TOTP({ secret: started.body.secret }).generate()
    const enabled = await session.call<SessionRecord>({ path: `${auth}/totp/confirm`, json: { code } })
    assert.equal(enabled.status, 200, enabled.text)
    const token = await requestReset(email)
    assert.equal((await call(resetting, { token, password: next })).status, 204)
    const own = await logIn({ email, password: next })
    assert.equal(own.status, 200, own.text)
    assert.deepEqual([own.body.user.email_confirmed, own.body.user.totp_enabled], [true, false])
    assertProblem(await stateOf(system().client.session(enabled).cookie), 401, 'unauthenticated')
    const later = system().client.session(own)
    const again = await later.call<{ secret: string }>({ method: 'POST', path: `${auth}/totp` })
    const first = new TOTP({ secret: again.body.secret }).generate()
    assert.equal((await later.call({ path: `${auth}/totp/confirm`, json: { code: first } })).status, 200)
    const second = await requestReset(email, 2)
    assert.equal((await call(resetting, { token: second, password })).status, 204)
    assertProblem(await logIn({ email, password }), 401, 'unauthenticated', [{ path: 'code', code: 'totp_required' }])
  })

  it('codes of the second factor: used, old, early, of another user and malformed ones are 401 invalid_code', async () => {
    const enable = async () => {
      const { email, session } = await signUp()
      const { secret } = (await session.call<{ secret: string }>({ method: 'POST', path: `${auth}/totp` })).body
      const totp = new TOTP({ secret })
      const first = totp.generate()
      const response = await session.call({ path: `${auth}/totp/confirm`, json: { code: first } })
      assert.equal(response.status, 200, response.text)
      return { email, totp, first }
    }
    const [own, other] = [await enable(), await enable()]
    const at = (distanceMs: number) => own.totp.generate({ timestamp: Date.now() + distanceMs })
    const codes = [own.first, at(-180_000), at(180_000), other.totp.generate(), '12345', '1234567', '١٢٣٤٥٦', 'abcdef']
    for (const code of codes)
      assertProblem(await logIn({ email: own.email, password, code }), 401, 'unauthenticated', [
        { path: 'code', code: 'invalid_code' },
      ])
  })

  it('one password for many accounts from one address is limited, with the same responses for unknown ones', async () => {
    const known = (await signUp()).email
    const headers = { 'x-forwarded-for': '198.51.100.200' }
    const texts = new Set<string>()
    let refused: HttpResponse<SessionRecord> | undefined
    for (let round = 0; round < 12 && refused === undefined; round++) {
      const emails = [...(round === 0 ? [known] : []), ...Array.from({ length: 8 }, () => fresh('sprayed'))]
      const responses = await Promise.all(
        emails.map((email) => logIn({ email, password: 'password of spring' }, headers)),
      )
      for (const response of responses) if (response.status === 401) texts.add(response.text.replace(/req_\w+/, ''))
      refused = responses.find(({ status }) => status === 429)
    }
    assert.equal(texts.size, 1, [...texts].join('\n'))
    assert.ok(refused, 'no limit')
    assertProblem(refused, 429, 'rate_limited')
    assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.equal((await logIn({ email: known, password })).status, 200, 'other addresses are not limited')
  })
})
