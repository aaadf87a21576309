import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import { outcome } from '../../test/support/outcome.ts'
import {
  client,
  credentials,
  hourMs,
  linkRequest,
  minuteMs,
  newPassword,
  type Rig,
  requestReset,
  reset,
  subjects,
  testRig,
  tokenFor,
} from './testRig.ts'

/** Switches the second factor on. Returns a maker of codes at a distance from now, and the recovery codes. */
const withTotp = async (rig: Rig, token: string) => {
  const { secret } = await rig.service.StartTotp({ token })
  const codeAt = (distanceMs = 0): string => new TOTP({ secret }).generate({ timestamp: rig.now() + distanceMs })
  const { session, recovery_codes } = await rig.service.ConfirmTotp({ token, code: codeAt(), ...client })
  return { codeAt, recovery: recovery_codes, token: session?.token ?? '' }
}

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
    await rig.service.ConfirmEmail(linkRequest(await tokenFor(rig, credentials.email)))
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
