import assert from 'node:assert/strict'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { outcome } from '../../test/support/outcome.ts'
import {
  client,
  credentials,
  hourMs,
  minuteMs,
  newPassword,
  requestReset,
  reset,
  subjects,
  testRig,
  tokenFor,
} from './testRig.ts'

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
