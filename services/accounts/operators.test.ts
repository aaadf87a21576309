import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { outcome } from '../../test/support/outcome.ts'
import { credentials, testRig } from './testRig.ts'

type Rig = ReturnType<typeof testRig>

const client = { client_address: '203.0.113.9', user_agent: 'curl/8' }
const newPassword = 'another horse battery'

const confirm = async (rig: Rig): Promise<void> => {
  await rig.mails.idle()
  const link = /\?token=([\w-]+)/.exec(rig.mails.sent.find(({ to }) => to === credentials.email)?.text ?? '')?.[1]
  await rig.service.ConfirmEmail({ token: link ?? '', purposes: [], client_address: '' })
}

const confirmed = async (rig: Rig): Promise<string> => {
  const { token } = await rig.owner()
  await confirm(rig)
  return token
}

const add = (rig: Rig, email: string = credentials.email) =>
  rig.service.AddOperator({ email, client_address: '192.0.2.1' })

const list = async (rig: Rig) => (await rig.service.ListOperators({ before: '', limit: 0, query: '' })).operators

/** Switches the second factor on. Returns the renewed session's token, the recovery codes, and a maker of codes. */
const withTotp = async (rig: Rig, token: string) => {
  const { secret } = await rig.service.StartTotp({ token })
  const codeAt = (distanceMs = 0): string => new TOTP({ secret }).generate({ timestamp: rig.now() + distanceMs })
  const { session, recovery_codes } = await rig.service.ConfirmTotp({ token, code: codeAt(), ...client })
  return { codeAt, token: session?.token ?? '', recovery: recovery_codes }
}

describe('operators', () => {
  it('are users with a confirmed address and a second factor', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    for (const [email, code] of [
      [credentials.email, 'unconfirmed_address'],
      ['no-one@example.com', 'unknown_user'],
      ['nonsense', 'invalid_value'],
    ] as const) {
      const refusal = await add(rig, email).catch((thrown) => thrown)
      assert.deepEqual([refusal.code, refusal.problems[0].path], ['validation_failed', 'email'])
      if (email !== 'nonsense') assert.equal(refusal.problems[0].code, code)
    }
    await confirm(rig)
    const refusal = await add(rig).catch((thrown) => thrown)
    assert.deepEqual(
      refusal.problems.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['email', 'totp_required']],
    )
    assert.deepEqual(await list(rig), [])
    await withTotp(rig, token)
    assert.equal((await add(rig)).totp_enabled, true)
  })

  it('stay operators without the second factor, and when they are added again', async () => {
    const rig = testRig()
    const { token, recovery } = await withTotp(rig, await confirmed(rig))
    const added = await add(rig)
    await rig.service.DisableTotp({ token, code: recovery[0] ?? '', ...client })
    const again = await add(rig)
    assert.deepEqual([again.id, again.since, again.totp_enabled], [added.id, added.since, false])
  })

  it('are added once, listed and removed, with a entry each', async () => {
    const rig = testRig()
    const { token } = await withTotp(rig, await confirmed(rig))
    const added = await add(rig, credentials.email.toUpperCase())
    assert.deepEqual(await add(rig), added)
    assert.deepEqual(await list(rig), [added])
    assert.deepEqual([added.email, added.totp_enabled, added.disabled], [credentials.email, true, false])
    assert.equal((await rig.service.AuthenticateSession({ token })).operator, true)
    const remove = { id: added.id, client_address: '192.0.2.2' }
    await rig.service.RemoveOperator(remove)
    assert.equal((await rig.service.AuthenticateSession({ token })).operator, false)
    assert.deepEqual(await list(rig), [])
    assert.equal(await outcome(rig.service.RemoveOperator(remove)), 'not_found')
    assert.equal(await outcome(rig.service.RemoveOperator({ ...remove, id: 'nonsense' })), 'not_found')
    const { entries } = await rig.service.ListAudit({ user: '', limit: 2, before: null })
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.actor_type, entry.target, entry.before, entry.after]),
      [
        ['operator.remove', 'operator', added.id, { operator: true }, { operator: false }],
        ['operator.add', 'operator', added.id, { operator: false }, { operator: true }],
      ],
    )
    assert.deepEqual(
      entries.map((entry) => entry.client_address),
      ['192.0.2.2', '192.0.2.1'],
    )
  })
})

describe('second factor of a session', () => {
  const passed = async (rig: Rig, token: string) => (await rig.service.AuthenticateSession({ token })).totp_passed

  it('is passed by the session that enabled it and by a login with a code, and by no other session', async () => {
    const rig = testRig()
    const { token: first } = await rig.owner()
    const { token: other } = await rig.service.LogIn(credentials)
    const { codeAt, token, recovery } = await withTotp(rig, first)
    assert.deepEqual([await passed(rig, token), await passed(rig, other)], [true, false])
    const byCode = await rig.service.LogIn({ ...credentials, code: codeAt(30_000) })
    const byRecovery = await rig.service.LogIn({ ...credentials, code: recovery[0] ?? '' })
    assert.deepEqual([byCode.totp_passed, await passed(rig, byCode.token)], [true, true])
    assert.equal(await passed(rig, byRecovery.token), true)
  })

  // The new token of a session that had not passed the factor was one of a session that had.
  it('is not passed by a change of the password', async () => {
    const rig = testRig()
    const { token: first } = await rig.owner()
    const { token: other } = await rig.service.LogIn(credentials)
    await withTotp(rig, first)
    const change = { current: credentials.password, password: newPassword, ...client }
    const changed = await rig.service.ChangePassword({ token: other, ...change })
    assert.deepEqual([changed.totp_passed, await passed(rig, changed.token)], [false, false])
  })

  it('stays passed by a session whose password changes or that moves to another workspace', async () => {
    const rig = testRig()
    const { token } = await withTotp(rig, (await rig.owner()).token)
    const change = { current: credentials.password, password: newPassword, ...client }
    const { token: renewed, caller } = await rig.service.ChangePassword({ token, ...change })
    assert.equal(await passed(rig, renewed), true)
    const move = { token: renewed, workspace: caller?.workspace ?? '', client_address: '' }
    assert.equal((await rig.service.SwitchWorkspace(move)).totp_passed, true)
  })

  it('is not passed any more when it is disabled or replaced', async () => {
    const rig = testRig()
    const { token, recovery } = await withTotp(rig, (await rig.owner()).token)
    const { token: other } = await rig.service.LogIn({ ...credentials, code: recovery[0] ?? '' })
    await rig.service.DisableTotp({ token, code: recovery[1] ?? '', ...client })
    assert.deepEqual([await passed(rig, token), await passed(rig, other)], [false, false])
    rig.advance(1_000)
    const again = await withTotp(rig, token)
    assert.deepEqual([await passed(rig, again.token), await passed(rig, other)], [true, false])
  })
})
