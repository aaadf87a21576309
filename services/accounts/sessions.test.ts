import assert from 'node:assert/strict'
import { outcome } from '../../test/support/outcome.ts'
import { credentials, minuteMs, testRig } from './testRig.ts'

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
