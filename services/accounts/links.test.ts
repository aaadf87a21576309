import assert from 'node:assert/strict'
import { outcome } from '../../test/support/outcome.ts'
import {
  client,
  credentials,
  linkRequest,
  newPassword,
  type Rig,
  requestReset,
  reset,
  testRig,
  tokenFor,
} from './testRig.ts'

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
      (rig, tokens) => outcome(rig.service.ConfirmEmail(linkRequest(tokens.reset))),
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
