import assert from 'node:assert/strict'
import { outcome } from '../../test/support/outcome.ts'
import { minuteMs, testRig } from './testRig.ts'

const client = { client_address: '127.0.0.1', user_agent: 'curl/8' }

/** Makes the first workspace and a link. */
const withLink = async () => {
  const rig = testRig()
  const first = (await rig.ensureFirstWorkspace()) ?? assert.fail('there is a workspace')
  return { rig, first, ...(await nextLink(rig)) }
}

const nextLink = async ({ issueOwnerLink }: ReturnType<typeof testRig>) => {
  const url = (await issueOwnerLink()) ?? assert.fail('no link was made')
  return { url, token: new URL(url).searchParams.get('token') ?? '' }
}

describe('link of a start', () => {
  it('signs the first owner in, once', async () => {
    const { rig, url, token } = await withLink()
    assert.match(url, /^https:\/\/post\.example\/account\/sign-in\?token=[\w-]{43}$/)
    const shown = await rig.service.ReadLink({ token, purposes: ['sign_in'], client_address: '127.0.0.1' })
    assert.deepEqual([shown.email, shown.purpose], ['owner@postrider.localhost', 'sign_in'])
    const session = await rig.service.SignInByLink({ token, ...client })
    assert.equal(session.caller?.role, 'owner')
    assert.equal((await rig.service.AuthenticateSession({ token: session.token })).email, shown.email)
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'invalid_link')
  })

  it('is used by one of two requests at the same moment', async () => {
    const { rig, token } = await withLink()
    const both = [1, 2].map(() => outcome(rig.service.SignInByLink({ token, ...client })))
    assert.equal((await Promise.all(both)).filter((one) => one === 'invalid_link').length, 1)
  })

  it('ends after 15 minutes, and when the next start makes another one', async () => {
    const { rig, token } = await withLink()
    const next = await nextLink(rig)
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'invalid_link')
    rig.advance(15 * minuteMs)
    assert.equal(await outcome(rig.service.SignInByLink({ token: next.token, ...client })), 'invalid_link')
    const last = await nextLink(rig)
    rig.advance(15 * minuteMs - 1)
    assert.equal((await rig.service.SignInByLink({ token: last.token, ...client })).caller?.role, 'owner')
  })

  it('is not made for another user, and does nothing for other purposes', async () => {
    const rig = testRig()
    const { token } = await rig.owner()
    assert.equal(await rig.issueOwnerLink(), null)
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'invalid_link')
    const made = await withLink()
    const others = ['confirm_email', 'change_email', 'reset_password', 'invitation']
    const read = made.rig.service.ReadLink({ token: made.token, purposes: others, client_address: '' })
    assert.equal(await outcome(read), 'invalid_link')
    const confirm = made.rig.service.ConfirmEmail({ token: made.token, purposes: [], client_address: '' })
    assert.equal(await outcome(confirm), 'invalid_link')
    const reset = { token: made.token, password: 'another horse battery', client_address: '' }
    assert.equal(await outcome(made.rig.service.ResetPassword(reset)), 'invalid_link')
  })

  it('ends with a password or a second factor of the owner, and no other is made', async () => {
    const { rig, first, token } = await withLink()
    const session = await rig.logIn(first.ownerEmail, first.password)
    const password = { current: first.password, password: 'another horse battery' }
    await rig.service.ChangePassword({ token: session.token, ...password, ...client })
    assert.equal(await rig.issueOwnerLink(), null)
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'invalid_link')
  })

  it('is refused for an owner whom the operator disabled', async () => {
    const { rig, token } = await withLink()
    const owner = await rig.store.userByEmail('owner@postrider.localhost')
    await rig.service.SetUserControls({ id: owner?.id ?? '', disabled: true, reason: 'x', client_address: '' })
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'forbidden')
    await rig.service.SetUserControls({ id: owner?.id ?? '', disabled: false, reason: '', client_address: '' })
    assert.equal(await outcome(rig.service.SignInByLink({ token, ...client })), 'invalid_link')
    assert.equal(await rig.issueOwnerLink(), null)
  })
})
