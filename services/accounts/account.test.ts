import assert from 'node:assert/strict'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { TOTP } from 'otpauth'
import { outcome } from '../../test/support/outcome.ts'
import { credentials, hourMs, minuteMs, testRig } from './testRig.ts'

const client = { client_address: '203.0.113.9', user_agent: 'curl/8' }
const newPassword = 'another horse battery'

type Rig = ReturnType<typeof testRig>

/** Returns the token of the newest link in the emails to an address. */
const tokenFor = async ({ mails }: Rig, to: string): Promise<string> => {
  await mails.idle()
  const links = mails.sent
    .filter((mail) => mail.to === to)
    .flatMap(({ text }) => /\?token=([\w-]+)/.exec(text)?.[1] ?? [])
  return links.at(-1) ?? assert.fail(`no link was mailed to ${to}`)
}

const subjects = async ({ mails }: Rig, to = credentials.email): Promise<string[]> => {
  await mails.idle()
  return mails.sent.filter((mail) => mail.to === to).map(({ subject }) => subject)
}

const link = (token: string) => ({ token, purposes: [], client_address: '203.0.113.9' })

const reset = (rig: Rig, token: string, password = newPassword) =>
  rig.service.ResetPassword({ token, password, client_address: '203.0.113.9' })

const requestReset = (rig: Rig, email = credentials.email, client_address = '203.0.113.9') =>
  rig.service.RequestPasswordReset({ email, client_address })

/** Switches the second factor on. Returns a maker of codes at a distance from now, and the recovery codes. */
const withTotp = async (rig: Rig, token: string) => {
  const { secret } = await rig.service.StartTotp({ token })
  const codeAt = (distanceMs = 0): string => new TOTP({ secret }).generate({ timestamp: rig.now() + distanceMs })
  const { session, recovery_codes } = await rig.service.ConfirmTotp({ token, code: codeAt(), ...client })
  return { codeAt, recovery: recovery_codes, token: session?.token ?? '' }
}

describe('email address', () => {
  it('is confirmed by the link that the sign-up emails', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    assert.equal((await rig.service.AuthenticateSession({ token })).email_confirmed, false)
    const { email, purpose } = await rig.service.ConfirmEmail(link(await tokenFor(rig, credentials.email)))
    assert.deepEqual([email, purpose], [credentials.email, 'confirm_email'])
    assert.equal((await rig.service.AuthenticateSession({ token })).email_confirmed, true)
    assert.equal(await outcome(rig.service.ResendConfirmation({ token })), 'conflict')
  })

  it('gets another link on request, which replaces the first', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const first = await tokenFor(rig, credentials.email)
    await rig.service.ResendConfirmation({ token })
    const second = await tokenFor(rig, credentials.email)
    assert.notEqual(first, second)
    assert.equal(await outcome(rig.service.ConfirmEmail(link(first))), 'invalid_link')
    assert.equal(await outcome(rig.service.ConfirmEmail(link(second))), 'ok')
  })

  it('changes when the link that was mailed to the new address is used, and the former address gets notices', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const change = { token, email: 'New@Example.com', password: credentials.password, client_address: '' }
    await rig.service.ChangeEmail(change)
    assert.equal((await rig.service.AuthenticateSession({ token })).email, credentials.email)
    await rig.service.ConfirmEmail(link(await tokenFor(rig, 'new@example.com')))
    const { email, email_confirmed } = await rig.service.AuthenticateSession({ token })
    assert.deepEqual([email, email_confirmed], ['new@example.com', true])
    assert.deepEqual((await subjects(rig)).slice(1), [
      'A new email address was requested',
      'Your email address was changed',
    ])
    // The former address was advised to set a new password, which only the new address can request.
    const toFormer = rig.mails.sent.filter(({ to }) => to === credentials.email).at(-1)
    assert.match(toFormer?.text ?? '', /tell the owner of your workspace and the operator of this service now/)
    await rig.service.LogIn({ ...credentials, email: 'new@example.com' })
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'unauthenticated')
  })

  it('does not change to an address that another account got first, or with a wrong password', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const change = { token, email: 'new@example.com', password: credentials.password, client_address: '' }
    assert.equal(await outcome(rig.service.ChangeEmail({ ...change, password: 'wrong' })), 'wrong_password')
    await rig.service.ChangeEmail(change)
    const linkToken = await tokenFor(rig, 'new@example.com')
    await rig.owner('new@example.com')
    assert.equal(await outcome(rig.service.ConfirmEmail(link(linkToken))), 'conflict')
    assert.equal(await outcome(rig.service.ChangeEmail(change)), 'conflict')
  })

  it('ends the links to the former address when it changes', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    await requestReset(rig)
    const resetToken = await tokenFor(rig, credentials.email)
    await rig.service.ChangeEmail({
      token,
      email: 'new@example.com',
      password: credentials.password,
      client_address: '',
    })
    await rig.service.ConfirmEmail(link(await tokenFor(rig, 'new@example.com')))
    assert.equal(await outcome(reset(rig, resetToken)), 'invalid_link')
  })
})

describe('password', () => {
  it('is set by a mailed link, which ends all sessions and opens none', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    await requestReset(rig)
    await reset(rig, await tokenFor(rig, credentials.email))
    assert.equal(await outcome(rig.service.AuthenticateSession({ token })), 'unauthenticated')
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'unauthenticated')
    const session = await rig.service.LogIn({ ...credentials, password: newPassword })
    assert.equal(session.email_confirmed, true, 'the person reads mail of the address')
    assert.equal((await subjects(rig)).at(-1), 'Your password was changed')
  })

  it('is not set by a link after 30 minutes', async () => {
    const rig = testRig()
    await rig.owner()
    await requestReset(rig)
    const token = await tokenFor(rig, credentials.email)
    rig.advance(30 * minuteMs)
    assert.equal(await outcome(reset(rig, token)), 'invalid_link')
    await requestReset(rig)
    const next = await tokenFor(rig, credentials.email)
    rig.advance(30 * minuteMs - 1)
    assert.equal(await outcome(reset(rig, next)), 'ok')
  })

  it('a refused password does not use up the link', async () => {
    const rig = testRig()
    await rig.owner()
    await requestReset(rig)
    const token = await tokenFor(rig, credentials.email)
    for (const [password, code] of [
      ['short', 'too_short'],
      ['Password123', 'common_password'],
      [credentials.email, 'common_password'],
    ] as const)
      assert.equal(await outcome(reset(rig, token, password)), code)
    assert.equal(await outcome(reset(rig, token)), 'ok')
  })

  it('is set by one of twenty concurrent uses of a link', async () => {
    const rig = testRig()
    await rig.owner()
    await requestReset(rig)
    const token = await tokenFor(rig, credentials.email)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => outcome(reset(rig, token, `${newPassword} ${n}`))),
    )
    assert.equal(outcomes.filter((each) => each === 'ok').length, 1)
  })

  it('is requested with the same reply for a known and an unknown address, and mailed to the known one only', async () => {
    const rig = testRig()
    await rig.owner()
    await rig.mails.idle()
    const before = rig.mails.sent.length
    assert.deepEqual(await requestReset(rig), await requestReset(rig, 'eve@example.com'))
    await rig.mails.idle()
    assert.deepEqual(
      rig.mails.sent.slice(before).map(({ to }) => to),
      [credentials.email],
    )
  })

  for (const email of [credentials.email, 'eve@example.com'])
    it(`is requested at most 5 times an hour for an address, such as ${email}`, async () => {
      const rig = testRig()
      await rig.owner()
      const outcomes: string[] = []
      for (let n = 0; n < 6; n++) outcomes.push(await outcome(requestReset(rig, email, `198.51.100.${n}`)))
      assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'ok', 'ok', 'rate_limited'])
      rig.advance(hourMs / 5)
      assert.equal(await outcome(requestReset(rig, email, '192.0.2.1')), 'ok')
    })

  it('is requested by one client for at most 30 addresses at the same time', async () => {
    const rig = testRig()
    const outcomes: string[] = []
    for (let n = 0; n < 31; n++) outcomes.push(await outcome(requestReset(rig, `user${n}@example.com`)))
    assert.deepEqual([outcomes.indexOf('rate_limited'), outcomes.length], [30, 31])
  })

  it('ends the other sessions when a person changes it, and gives the current session a new token', async () => {
    const rig = testRig()
    const { token, csrf_token } = await rig.owner()
    const { token: other } = await rig.service.LogIn(credentials)
    const change = { token, current: credentials.password, password: newPassword, ...client }
    assert.equal(await outcome(rig.service.ChangePassword({ ...change, current: 'wrong' })), 'wrong_password')
    assert.equal(await outcome(rig.service.ChangePassword({ ...change, password: 'password1' })), 'common_password')
    const renewed = await rig.service.ChangePassword(change)
    assert.notEqual(renewed.csrf_token, csrf_token)
    assert.equal((await rig.service.AuthenticateSession({ token: renewed.token })).email, credentials.email)
    for (const former of [token, other])
      assert.equal(await outcome(rig.service.AuthenticateSession({ token: former })), 'unauthenticated')
  })

  it('ends sessions when it changes, even if a crash left them in the store', async () => {
    const rig = testRig()
    const { token, user } = await rig.owner()
    rig.advance(1_000)
    await rig.store.changeUser(user, { passwordHash: 'y', sessionsSince: rig.now() }, {}, anEntry())
    assert.equal(await outcome(rig.service.AuthenticateSession({ token })), 'unauthenticated')
  })

  it('opens no session when it changed during a login with the former password', async () => {
    const rig = testRig()
    const { user } = await rig.owner()
    const { insertSession } = rig.store
    rig.store.insertSession = async (session, entry) => {
      await insertSession(session, entry)
      await rig.store.changeUser(user, { passwordHash: 'y' }, {}, anEntry())
    }
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'unauthenticated')
    assert.deepEqual((await rig.store.sessionsOf(user, 0, 9)).length, 1, 'the session of the sign-up')
  })
})

describe('second factor', () => {
  it('is required only after the right password, once its first code is confirmed', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    await rig.service.StartTotp({ token })
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'ok', 'not confirmed yet')
    const { codeAt } = await withTotp(rig, token)
    rig.advance(minuteMs)
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'totp_required')
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, password: 'wrong' })), 'unauthenticated')
    assert.equal(
      await outcome(rig.service.LogIn({ ...credentials, password: 'wrong', code: codeAt() })),
      'unauthenticated',
    )
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: codeAt() })), 'ok')
  })

  it('gives the session another token when it is switched on', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const on = await withTotp(rig, token)
    assert.equal(await outcome(rig.service.AuthenticateSession({ token })), 'unauthenticated')
    const session = await rig.service.AuthenticateSession({ token: on.token })
    assert.deepEqual([session.totp_enabled, on.recovery.length], [true, 10])
    assert.equal((await subjects(rig)).at(-1), 'Two-factor authentication is on')
  })

  const skews: [name: string, distanceMs: number, expected: string][] = [
    ['the current period', 0, 'ok'],
    ['the period before', -30_000, 'ok'],
    ['the period after', 30_000, 'ok'],
    ['two periods before', -60_000, 'invalid_code'],
    ['two periods after', 60_000, 'invalid_code'],
    ['an hour ago', -hourMs, 'invalid_code'],
  ]
  for (const [name, distanceMs, expected] of skews)
    it(`returns ${expected} for the code of ${name}`, async () => {
      const rig = testRig()
      const { codeAt } = await withTotp(rig, (await rig.owner()).token)
      rig.advance(10 * minuteMs)
      assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: codeAt(distanceMs) })), expected)
    })

  it('refuses a used code, a code of an earlier period, and the code that switched it on', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const { codeAt } = await withTotp(rig, token)
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: codeAt() })), 'invalid_code')
    rig.advance(10 * minuteMs)
    const [earlier, used] = [codeAt(-30_000), codeAt()]
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: used })), 'ok')
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: used })), 'invalid_code')
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: earlier })), 'invalid_code')
  })

  it('accepts each recovery code once, of its own user only', async () => {
    const rig = testRig()
    const { recovery } = await withTotp(rig, (await rig.owner()).token)
    await withTotp(rig, (await rig.owner('eve@example.com')).token)
    const [first = '', second = ''] = recovery
    rig.advance(10 * minuteMs)
    assert.equal(
      await outcome(rig.service.LogIn({ ...credentials, email: 'eve@example.com', code: first })),
      'invalid_code',
    )
    assert.equal(
      await outcome(rig.service.LogIn({ ...credentials, code: first.toUpperCase().replaceAll('-', ' ') })),
      'ok',
    )
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: first })), 'invalid_code')
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: second })), 'ok')
    assert.equal((await subjects(rig)).at(-1), 'A recovery code was used')
  })

  it('is switched off with a code, not with a wrong one', async () => {
    const rig = testRig()
    const on = await withTotp(rig, (await rig.owner()).token)
    rig.advance(10 * minuteMs)
    const off = (code: string) => outcome(rig.service.DisableTotp({ token: on.token, code, ...client }))
    assert.equal(await off('000000'), 'invalid_code')
    assert.equal(await off(on.codeAt()), 'ok')
    assert.equal(await off(on.codeAt()), 'conflict')
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'ok')
  })

  it('is not switched off, and not passed, by a link that sets a password for a confirmed address', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    await rig.service.ConfirmEmail(link(await tokenFor(rig, credentials.email)))
    await withTotp(rig, token)
    rig.advance(10 * minuteMs)
    await requestReset(rig)
    await reset(rig, await tokenFor(rig, credentials.email))
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, password: newPassword })), 'totp_required')
  })

  it('limits the tried codes from any number of addresses, including correct codes', async () => {
    const rig = testRig()
    const { codeAt } = await withTotp(rig, (await rig.owner()).token)
    rig.advance(24 * hourMs)
    const guess = (n: number, code: string) =>
      outcome(rig.service.LogIn({ ...credentials, client_address: `198.51.${n}.7`, code }))
    const outcomes: string[] = []
    for (let n = 0; n < 21; n++) outcomes.push(await guess(n, '000000'))
    assert.deepEqual([outcomes.indexOf('rate_limited'), outcomes.length], [20, 21])
    assert.equal(await guess(99, codeAt()), 'rate_limited')
    rig.advance(hourMs / 20)
    assert.equal(await guess(99, codeAt()), 'ok')
  })

  it('has its secret encrypted again under a new master key, and works with it alone', async () => {
    const [former, next] = ['a-secret-of-at-least-32-characters', 'another-secret-of-at-least-32-characters']
    const rig = testRig({ secrets: [former] })
    const { user, token } = await rig.owner()
    const { codeAt } = await withTotp(rig, token)
    const stores = { accounts: rig.store, users: rig.store, now: rig.now }
    assert.equal(await rig.resealSecrets(), 0)
    const both = testRig({ ...stores, secrets: [next, former] })
    assert.deepEqual([await both.resealSecrets(), await both.resealSecrets()], [1, 0])
    rig.advance(10 * minuteMs)
    const only = testRig({ ...stores, secrets: [next] })
    assert.equal(await outcome(only.service.LogIn({ ...credentials, code: codeAt() })), 'ok')
    rig.advance(minuteMs)
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, code: codeAt() })), 'unavailable')
    assert.ok(!JSON.stringify(await rig.store.user(user)).includes(former))
  })

  it('can be required of members: without it a session is marked', async () => {
    const rig = testRig()
    const { token, workspace, user } = await rig.owner()
    const require = { workspace, user, require_totp: true, clear_spending_cap: false }
    assert.equal((await rig.service.UpdateWorkspace(require)).require_totp, true)
    assert.equal((await rig.service.AuthenticateSession({ token })).caller?.needsTotp, true)
    const on = await withTotp(rig, token)
    assert.equal((await rig.service.AuthenticateSession({ token: on.token })).caller?.needsTotp, false)
  })
})

describe('list of sessions', () => {
  it('shows device, address and time of the last use, and ends one session or all other sessions', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const second = await rig.service.LogIn({ ...credentials, user_agent: agent })
    await rig.service.LogIn({ ...credentials, client_address: '198.51.100.7' })
    rig.advance(minuteMs)
    await rig.service.AuthenticateSession({ token: second.token, client_address: '192.0.2.44' })
    await rig.drain()
    const { sessions } = await rig.service.ListSessions({ token })
    assert.deepEqual(
      sessions.map(({ device, address, current }) => [device, address, current]),
      [
        ['', '203.0.113.9', true],
        ['Firefox on Linux', '192.0.2.44', false],
        ['', '198.51.100.7', false],
      ],
    )
    assert.ok(sessions.every(({ id }) => /^ses_[0-9a-z]{26}$/.test(id)))
    const id = sessions[1]?.id ?? ''
    await rig.service.RevokeSession({ token, id, client_address: '' })
    assert.equal(await outcome(rig.service.AuthenticateSession({ token: second.token })), 'unauthenticated')
    assert.equal(await outcome(rig.service.RevokeSession({ token, id, client_address: '' })), 'not_found')
    assert.deepEqual(await rig.service.RevokeOtherSessions({ token }), { count: 1 })
    assert.equal((await rig.service.ListSessions({ token })).sessions.length, 1)
  })

  it('neither shows nor ends sessions of another person', async () => {
    const rig = testRig()
    const [own, other] = [await rig.owner(), await rig.owner('eve@example.com')]
    const { sessions } = await rig.service.ListSessions({ token: own.token })
    assert.equal(sessions.length, 1)
    const stolen = { token: other.token, id: sessions[0]?.id ?? '', client_address: '' }
    assert.equal(await outcome(rig.service.RevokeSession(stolen)), 'not_found')
    assert.deepEqual(await rig.service.RevokeOtherSessions({ token: other.token }), { count: 0 })
    assert.equal(await outcome(rig.service.AuthenticateSession({ token: own.token })), 'ok')
  })
})

/** What an unauthenticated client or another user tries with a link, and the exact outcome. */
describe('attack on a link', () => {
  type Attack = (rig: Rig, tokens: { reset: string; confirm: string; ofOther: string }) => Promise<string>

  const attacks: [name: string, attack: Attack, expected: string][] = [
    [
      'used twice',
      async (rig, { reset: token }) => {
        await reset(rig, token)
        return outcome(reset(rig, token))
      },
      'invalid_link',
    ],
    ['to confirm, used to set a password', (rig, { confirm }) => outcome(reset(rig, confirm)), 'invalid_link'],
    [
      'to set a password, used to confirm',
      (rig, tokens) => outcome(rig.service.ConfirmEmail(link(tokens.reset))),
      'invalid_link',
    ],
    ['guessed', (rig) => outcome(reset(rig, 'A'.repeat(43))), 'invalid_link'],
    ['empty', (rig) => outcome(reset(rig, '')), 'invalid_link'],
    [
      'with one character changed',
      (rig, tokens) => outcome(reset(rig, `${tokens.reset.slice(0, -1)}${tokens.reset.endsWith('A') ? 'B' : 'A'}`)),
      'invalid_link',
    ],
    [
      'that a newer one replaced',
      async (rig, tokens) => {
        await requestReset(rig)
        await rig.mails.idle()
        return outcome(reset(rig, tokens.reset))
      },
      'invalid_link',
    ],
    [
      'read many times, then used',
      async (rig, tokens) => {
        const read = { token: tokens.reset, purposes: ['reset_password'], client_address: '' }
        for (let n = 0; n < 5; n++) await rig.service.ReadLink(read)
        return outcome(reset(rig, tokens.reset))
      },
      'ok',
    ],
    [
      'used after the password was changed',
      async (rig, tokens) => {
        const { token } = await rig.service.LogIn(credentials)
        await rig.service.ChangePassword({ token, current: credentials.password, password: newPassword, ...client })
        return outcome(reset(rig, tokens.reset, 'a third horse battery'))
      },
      'invalid_link',
    ],
  ]
  for (const [name, attack, expected] of attacks)
    it(`${name}: ${expected}`, async () => {
      const rig = testRig()
      await rig.owner()
      const confirm = await tokenFor(rig, credentials.email)
      await rig.owner('eve@example.com')
      await requestReset(rig, 'eve@example.com')
      const ofOther = await tokenFor(rig, 'eve@example.com')
      await requestReset(rig)
      const tokens = { reset: await tokenFor(rig, credentials.email), confirm, ofOther }
      assert.equal(await attack(rig, tokens), expected)
    })

  it('sets only the password of the user of the link', async () => {
    const rig = testRig()
    await rig.owner()
    await rig.owner('eve@example.com')
    await requestReset(rig, 'eve@example.com')
    await reset(rig, await tokenFor(rig, 'eve@example.com'))
    assert.equal(await outcome(rig.service.LogIn(credentials)), 'ok')
    assert.equal(await outcome(rig.service.LogIn({ ...credentials, password: newPassword })), 'unauthenticated')
  })

  it('is limited per client address when many tokens are guessed', async () => {
    const rig = testRig()
    const outcomes: string[] = []
    for (let n = 0; n < 61; n++) outcomes.push(await outcome(reset(rig, 'A'.repeat(43))))
    assert.deepEqual([outcomes.indexOf('rate_limited'), outcomes.length], [60, 61])
  })

  it('has links of the configured address only, and no token in the store or the audit log', async () => {
    const rig = testRig()
    await rig.owner()
    await requestReset(rig)
    const token = await tokenFor(rig, credentials.email)
    const mails = rig.mails.sent.map(({ text, html }) => text + html).join('')
    const hosts = new Set([...mails.matchAll(/https?:\/\/([^/"\s]+)/g)].map(([, host]) => host))
    assert.deepEqual([...hosts], ['post.example'])
    assert.ok(!JSON.stringify(rig.audit.entries).includes(token))
  })
})
