import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { outcome } from '../../test/support/outcome.ts'
import { credentials, hourMs, minuteMs, testRig, tokenIn } from './testRig.ts'

type Rig = ReturnType<typeof testRig>

const client = { client_address: '203.0.113.9', user_agent: 'curl/8' }
const victim = 'victim@example.org'
const newPassword = 'another horse battery'

/** Switches the second factor on. */
const withTotp = async (rig: Rig, token: string) => {
  const { secret } = await rig.service.StartTotp({ token })
  const code = (): string => new TOTP({ secret }).generate({ timestamp: rig.now() })
  const { session, recovery_codes } = await rig.service.ConfirmTotp({ token, code: code(), ...client })
  rig.advance(minuteMs)
  return { code, recovery: recovery_codes, token: session?.token ?? '' }
}

const resetToken = async (rig: Rig, email: string): Promise<string> => {
  await rig.service.RequestPasswordReset({ email, client_address: '203.0.113.9' })
  return tokenIn(rig)
}

const reset = async (rig: Rig, email = victim) =>
  rig.service.ResetPassword({
    token: await resetToken(rig, email),
    password: newPassword,
    client_address: '203.0.113.9',
  })

const confirm = async (rig: Rig, token: string) => {
  await rig.service.ResendConfirmation({ token })
  await rig.service.ConfirmEmail({ token: await tokenIn(rig), purposes: [], client_address: '' })
}

const isConfirmed = async (rig: Rig, token: string) =>
  (await rig.service.AuthenticateSession({ token })).email_confirmed

describe('account that another person made with the address of the victim', () => {
  const attacks: [name: string, attack: (rig: Rig, token: string) => Promise<unknown>][] = [
    ['no second factor', async () => {}],
    ['a second factor', (rig, token) => withTotp(rig, token)],
    ['a second factor that is not confirmed', (rig, token) => rig.service.StartTotp({ token })],
    [
      'a second factor, switched on again by a second session',
      async (rig, token) => {
        const { token: renewed, code } = await withTotp(rig, token)
        await rig.service.LogIn({ ...credentials, email: victim, code: code() })
        rig.advance(minuteMs)
        await rig.service.DisableTotp({ token: renewed, code: code(), ...client })
        await withTotp(rig, renewed)
      },
    ],
    [
      'a requested change to an address of the attacker',
      (rig, token) =>
        rig.service.ChangeEmail({ token, email: 'eve@example.com', password: credentials.password, ...client }),
    ],
  ]
  for (const [name, attack] of attacks)
    it(`is the victim's after a password by mail, with ${name}`, async () => {
      // Regression: a second factor of the attacker used to stay, so the owner of the address could never log in.
      const rig = testRig()
      const eve = await rig.owner(victim)
      await attack(rig, eve.token)
      await rig.mails.idle()
      const stolen = rig.mails.sent.filter(({ to }) => to !== victim).at(-1)?.text ?? ''
      await reset(rig)
      const own = await rig.logIn(victim, newPassword)
      assert.equal(await isConfirmed(rig, own.token), true)
      assert.equal(await outcome(rig.service.AuthenticateSession({ token: eve.token })), 'unauthenticated')
      assert.equal(await outcome(rig.service.LogIn({ ...credentials, email: victim })), 'unauthenticated')
      const token = /token=([\w-]{43})/.exec(stolen)?.[1] ?? 'A'.repeat(43)
      const use = rig.service.ConfirmEmail({ token, purposes: [], client_address: '' })
      assert.equal(await outcome(use), 'invalid_link')
      assert.equal((await rig.service.ListSessions({ token: own.token })).sessions.length, 1)
    })

  it('is the victim’s although the attacker confirms a second factor while the password is set', async () => {
    for (let n = 0; n < 10; n++) {
      const rig = testRig()
      const { token } = await rig.owner(victim)
      const { secret } = await rig.service.StartTotp({ token })
      const mailed = await resetToken(rig, victim)
      const code = new TOTP({ secret }).generate({ timestamp: rig.now() })
      const set = () => rig.service.ResetPassword({ token: mailed, password: newPassword, client_address: '' })
      const enable = () => rig.service.ConfirmTotp({ token, code, ...client })
      const later = async (work: () => Promise<unknown>) => {
        for (let turn = 0; turn < n; turn++) await Promise.resolve()
        return outcome(work())
      }
      await Promise.all([outcome(set()), later(enable)])
      assert.equal(await outcome(rig.logIn(victim, newPassword)), 'ok', `${n} turns later`)
    }
  })

  it('gets an email that names the removed factor and what to check, and an entry in the audit log', async () => {
    const rig = testRig()
    await withTotp(rig, (await rig.owner(victim)).token)
    await reset(rig)
    await rig.mails.idle()
    const { subject, text } = rig.mails.sent.at(-1) ?? assert.fail('no mail')
    assert.equal(subject, 'Your password was changed')
    assert.match(text, /Two-factor authentication was switched off.*Check the members and API keys/)
    const entry = rig.audit.entries.find(({ action }) => action === 'user.reset_password')
    assert.deepEqual([entry?.before, entry?.after], [{ totp_enabled: true }, { totp_enabled: false }])
  })
})

describe('second factor of a confirmed address', () => {
  const orders: [name: string, prepare: (rig: Rig, token: string) => Promise<unknown>][] = [
    [
      'set after the confirmation',
      async (rig, token) => {
        await confirm(rig, token)
        await withTotp(rig, token)
      },
    ],
    [
      'set before the confirmation',
      async (rig, token) => {
        await confirm(rig, (await withTotp(rig, token)).token)
      },
    ],
  ]
  for (const [name, prepare] of orders)
    it(`stays when a reader of the mailbox sets a password: ${name}`, async () => {
      const rig = testRig()
      await prepare(rig, (await rig.owner(victim)).token)
      rig.advance(10 * minuteMs)
      for (let n = 0; n < 2; n++) {
        await reset(rig)
        assert.equal(await outcome(rig.logIn(victim, newPassword)), 'totp_required')
      }
    })
})

describe('invitation of a user whose address is not confirmed', () => {
  const invited = async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const bob = await rig.owner('bob@example.com')
    await rig.service.Invite({
      workspace: owner.workspace,
      user: owner.user,
      email: 'bob@example.com',
      role: 'member',
    })
    return { rig, owner, bob, token: await tokenIn(rig) }
  }
  const nothing = { password: '', session_token: '', client_address: '203.0.113.9', code: '' }

  for (const by of ['session', 'password'] as const)
    it(`confirms the address when it is accepted by ${by}`, async () => {
      // Regression: the address of an existing user used to stay unconfirmed, although the link was mailed to it.
      const { rig, bob, token } = await invited()
      assert.equal(await isConfirmed(rig, bob.token), false)
      const proof = by === 'session' ? { session_token: bob.token } : { password: rig.password }
      const reply = await rig.service.AcceptInvitation({ ...nothing, token, ...proof })
      assert.equal(reply.email_confirmed, true)
      assert.equal(await isConfirmed(rig, bob.token), true)
      const actions = rig.audit.entries.filter(({ actor }) => actor === bob.user).map(({ action }) => action)
      assert.equal(actions.filter((action) => action === 'user.confirm_email').length, 1)
      assert.equal(await outcome(rig.service.ResendConfirmation({ token: bob.token })), 'conflict')
    })

  it('confirms nothing with a wrong password, for another session, or by reading the link', async () => {
    const { rig, owner, bob, token } = await invited()
    await rig.service.ReadInvitation({ token, client_address: '' })
    const attempts = [{ password: 'not the right one' }, { session_token: owner.token }, {}]
    const outcomes = []
    for (const given of attempts)
      outcomes.push(await outcome(rig.service.AcceptInvitation({ ...nothing, token, ...given })))
    assert.deepEqual(outcomes, ['unauthenticated', 'forbidden', 'missing'])
    assert.equal(await isConfirmed(rig, bob.token), false)
    assert.equal(await isConfirmed(rig, owner.token), false)
  })

  it('leaves the time of an earlier confirmation', async () => {
    const { rig, bob, token } = await invited()
    await confirm(rig, bob.token)
    const { emailConfirmedAt } = (await rig.store.user(bob.user)) ?? assert.fail('no user')
    rig.advance(hourMs)
    await rig.service.AcceptInvitation({ ...nothing, token, session_token: bob.token })
    assert.equal((await rig.store.user(bob.user))?.emailConfirmedAt, emailConfirmedAt)
  })
})

describe('code of the second factor', () => {
  const nothing = { session_token: '', client_address: '203.0.113.9' }
  const tries: [name: string, code: (totp: { code(): string; recovery: string[] }) => string, expected: string][] = [
    ['absent', () => '', 'totp_required'],
    ['wrong', () => '000000', 'invalid_code'],
    ['the code of the app', ({ code }) => code(), 'ok'],
    ['a recovery code', ({ recovery }) => recovery[0] ?? '', 'ok'],
  ]
  for (const [name, codeOf, expected] of tries) {
    it(`returns ${expected} if it is ${name} when an invitation is accepted with the password`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const totp = await withTotp(rig, (await rig.owner('bob@example.com')).token)
      await rig.service.Invite({
        workspace: owner.workspace,
        user: owner.user,
        email: 'bob@example.com',
        role: 'viewer',
      })
      const request = { ...nothing, token: await tokenIn(rig), password: rig.password, code: codeOf(totp) }
      assert.equal(await outcome(rig.service.AcceptInvitation(request)), expected)
      const { members } = await rig.service.ListMembers({ workspace: owner.workspace })
      assert.equal(members.length, expected === 'ok' ? 2 : 1)
    })

    it(`returns ${expected} if it is ${name} when a user of no workspace signs up again`, async () => {
      const rig = testRig()
      const owner = await rig.owner()
      const bob = await rig.owner('bob@example.com')
      const totp = await withTotp(rig, bob.token)
      await rig.service.ChangeMember({ ...bob, client_address: '', member: bob.user, role: 'owner' })
      await rig.service.Invite({ ...bob, email: credentials.email, role: 'owner' })
      const accept = { ...nothing, token: await tokenIn(rig), password: '', session_token: owner.token, code: '' }
      await rig.service.AcceptInvitation(accept)
      await rig.service.RemoveMember({ ...bob, client_address: '', member: bob.user })
      const request = { ...credentials, email: 'bob@example.com', code: codeOf(totp) }
      assert.equal(await outcome(rig.service.SignUp(request)), expected)
      const { workspaces } = await rig.service.ListOwnWorkspaces({ user: bob.user })
      assert.equal(workspaces.length, expected === 'ok' ? 1 : 0)
    })
  }

  it('does not show a second factor to a person who signs up without the password', async () => {
    const rig = testRig()
    await withTotp(rig, (await rig.owner()).token)
    const guess = { ...credentials, password: 'not the right one' }
    assert.equal(await outcome(rig.service.SignUp(guess)), 'conflict')
    assert.equal(await outcome(rig.service.LogIn(guess)), 'unauthenticated')
  })

  it('can be switched off while the workspace requires it, and the session is marked until it is on again', async () => {
    const rig = testRig()
    const { token, workspace, user } = await rig.owner()
    await rig.service.UpdateWorkspace({ workspace, user, require_totp: true, clear_spending_cap: false })
    const needsTotp = async (of: string) => (await rig.service.AuthenticateSession({ token: of })).caller?.needsTotp
    const first = await withTotp(rig, token)
    assert.equal(await needsTotp(first.token), false)
    assert.equal(
      await outcome(rig.service.DisableTotp({ token: first.token, code: '000000', ...client })),
      'invalid_code',
    )
    await rig.service.DisableTotp({ token: first.token, code: first.code(), ...client })
    assert.equal(await needsTotp(first.token), true)
    const { token: opened } = await rig.logIn(credentials.email, rig.password)
    assert.equal(await needsTotp(opened), true)
    assert.equal(await needsTotp((await withTotp(rig, opened)).token), false)
  })
})

describe('user whom the operator disabled', () => {
  const disabled = async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const controls = { id: owner.user, disabled: true, reason: 'Spam.', client_address: '' }
    return { rig, owner, disable: () => rig.service.SetUserControls(controls) }
  }

  it('gets no mail with a link, and the request shows nothing of it', async () => {
    const { rig, disable } = await disabled()
    await disable()
    const sent = rig.mails.sent.length
    const request = { email: credentials.email, client_address: '203.0.113.9' }
    assert.deepEqual(await rig.service.RequestPasswordReset(request), {})
    await rig.mails.idle()
    assert.equal(rig.mails.sent.length, sent)
  })

  it('sets no password with a link that was mailed before, and can use it when enabled again', async () => {
    const { rig, owner, disable } = await disabled()
    const token = await resetToken(rig, credentials.email)
    await disable()
    const set = () => outcome(rig.service.ResetPassword({ token, password: newPassword, client_address: '' }))
    assert.equal(await set(), 'forbidden')
    await rig.service.SetUserControls({ id: owner.user, disabled: false, reason: '', client_address: '' })
    assert.equal(await outcome(rig.logIn(credentials.email, rig.password)), 'ok')
    assert.equal(await set(), 'ok')
  })

  it('accepts no invitation, neither with the password nor with an earlier session', async () => {
    const { rig, owner, disable } = await disabled()
    const host = await rig.owner('host@example.com')
    await rig.service.Invite({ ...host, email: credentials.email, role: 'admin' })
    const token = await tokenIn(rig)
    await disable()
    const accept = { token, client_address: '', code: '' }
    const byPassword = rig.service.AcceptInvitation({ ...accept, password: rig.password, session_token: '' })
    assert.equal(await outcome(byPassword), 'forbidden')
    const bySession = rig.service.AcceptInvitation({ ...accept, password: '', session_token: owner.token })
    assert.equal(await outcome(bySession), 'missing')
    assert.equal((await rig.service.ListMembers({ workspace: host.workspace })).members.length, 1)
  })
})
