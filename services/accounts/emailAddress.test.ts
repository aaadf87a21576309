import assert from 'node:assert/strict'
import { outcome } from '../../test/support/outcome.ts'
import { credentials, linkRequest, requestReset, reset, subjects, testRig, tokenFor } from './testRig.ts'

describe('email address', () => {
  it('is confirmed by the link that the sign-up emails', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    assert.equal((await rig.service.AuthenticateSession({ token })).email_confirmed, false)
    const { email, purpose } = await rig.service.ConfirmEmail(linkRequest(await tokenFor(rig, credentials.email)))
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
    assert.equal(await outcome(rig.service.ConfirmEmail(linkRequest(first))), 'invalid_link')
    assert.equal(await outcome(rig.service.ConfirmEmail(linkRequest(second))), 'ok')
  })

  it('changes when the link that was mailed to the new address is used, and the former address gets notices', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    const change = { token, email: 'New@Example.com', password: credentials.password, client_address: '' }
    await rig.service.ChangeEmail(change)
    assert.equal((await rig.service.AuthenticateSession({ token })).email, credentials.email)
    await rig.service.ConfirmEmail(linkRequest(await tokenFor(rig, 'new@example.com')))
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
    assert.equal(await outcome(rig.service.ConfirmEmail(linkRequest(linkToken))), 'conflict')
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
    await rig.service.ConfirmEmail(linkRequest(await tokenFor(rig, 'new@example.com')))
    assert.equal(await outcome(reset(rig, resetToken)), 'invalid_link')
  })
})
