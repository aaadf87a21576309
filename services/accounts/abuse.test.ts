import assert from 'node:assert/strict'
import { outcome } from '../../test/support/outcome.ts'
import { plainPasswords } from './fakes.ts'
import { aColleague, credentials, hourMs, testRig, tokenIn } from './testRig.ts'

type Rig = ReturnType<typeof testRig>
type Owner = Awaited<ReturnType<Rig['owner']>>

const client = { client_address: '203.0.113.9', user_agent: 'curl/8' }
const victim = 'victim@example.org'

describe('mail to one address', () => {
  const change = (rig: Rig, { token }: Owner, email = victim) =>
    outcome(rig.service.ChangeEmail({ token, email, password: credentials.password, client_address: '' }))

  it('is limited for all users together who name it as their new address', async () => {
    const rig = testRig()
    const owners = await Promise.all([1, 2, 3].map((n) => rig.owner(`eve${n}@example.com`)))
    const outcomes: string[] = []
    for (const owner of owners) for (let n = 0; n < 4; n++) outcomes.push(await change(rig, owner))
    assert.deepEqual(outcomes, [...Array<string>(10).fill('ok'), 'rate_limited', 'rate_limited'])
    await rig.mails.idle()
    assert.equal(rig.mails.sent.filter(({ to }) => to === victim).length, 10)
  })

  it('is limited in every spelling, and not for other addresses', async () => {
    const rig = testRig()
    const owners = await Promise.all([1, 2, 3].map((n) => rig.owner(`eve${n}@example.com`)))
    const spellings = [victim, 'VICTIM@example.org', 'Victim@EXAMPLE.ORG', 'victim@Example.org']
    for (const owner of owners) for (const email of spellings) await change(rig, owner, email)
    assert.equal(await change(rig, await rig.owner('eve4@example.com'), 'viCtim@example.org'), 'rate_limited')
    assert.equal(await change(rig, await rig.owner('eve5@example.com'), 'other@example.org'), 'ok')
  })

  it('is limited to ten, and then to ten a day, for a person who signed up with it', async () => {
    const rig = testRig()
    const { token } = await rig.owner(victim)
    let sent = 0
    for (let hour = 0; hour < 12; hour++) {
      if ((await outcome(rig.service.ResendConfirmation({ token }))) === 'ok') sent += 1
      rig.advance(20 * 60_000)
    }
    assert.equal(sent, 11)
  })
})

describe('link to a new address', () => {
  const thief = 'thief@example.org'
  const change = (rig: Rig, { token }: Owner) =>
    rig.service.ChangeEmail({ token, email: thief, password: credentials.password, client_address: '' })
  const setPassword = (rig: Rig, { token }: Owner) =>
    rig.service.ChangePassword({ token, current: credentials.password, password: 'another horse battery', ...client })
  const tokenOfThief = async (rig: Rig): Promise<string> => {
    await rig.mails.idle()
    const mail = rig.mails.sent.find(({ to }) => to === thief)
    return /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  it('ends with a change of the password, even while its mail is still on the way', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    await Promise.all([change(rig, owner), setPassword(rig, owner)].map((work) => outcome(work)))
    const token = await tokenOfThief(rig)
    const use = rig.service.ConfirmEmail({ token, purposes: [], client_address: '' })
    assert.equal(await outcome(use), 'invalid_link')
  })

  it('is not made when the password is changed after it was checked', async () => {
    const passwords = plainPasswords()
    let meanwhile: () => Promise<unknown> = async () => {}
    const verify: typeof passwords.verify = async (...args) => {
      const isRight = await passwords.verify(...args)
      const run = meanwhile
      meanwhile = async () => {}
      await run()
      return isRight
    }
    const rig = testRig({ passwords: { ...passwords, verify } })
    const owner = await rig.owner()
    meanwhile = () => setPassword(rig, owner)
    assert.equal(await outcome(change(rig, owner)), 'conflict')
    assert.equal(await tokenOfThief(rig), '')
  })
})

describe('tokens of invitations', () => {
  const guess = 'A'.repeat(43)

  it('are limited per client address when they are guessed', async () => {
    const accept = (rig: Rig, address: string) => {
      const request = { token: guess, password: 'some long words', session_token: '', code: '' }
      return outcome(rig.service.AcceptInvitation({ ...request, client_address: address }))
    }
    const read = (rig: Rig, address: string) =>
      outcome(rig.service.ReadInvitation({ token: guess, client_address: address }))
    for (const attempt of [accept, read]) {
      const rig = testRig()
      const outcomes: string[] = []
      for (let n = 0; n < 61; n++) outcomes.push(await attempt(rig, '198.51.100.7'))
      assert.deepEqual([outcomes.indexOf('rate_limited'), outcomes.lastIndexOf('invalid_link')], [60, 59])
      assert.equal(await attempt(rig, '198.51.100.8'), 'invalid_link')
    }
  })
})

describe('people of one office', () => {
  it('may accept more invitations in a minute than one address may guess', async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const outcomes = new Set<string>()
    for (let n = 0; n < 70; n++) {
      const request = { workspace: owner.workspace, user: owner.user, email: `person${n}@example.com`, role: 'viewer' }
      if (n % 45 === 44) rig.advance(24 * hourMs)
      await rig.service.Invite(request)
      const token = await tokenIn(rig)
      const accept = { token, password: `some long words ${n}`, session_token: '', client_address: '198.51.100.7' }
      outcomes.add(await outcome(rig.service.AcceptInvitation({ ...accept, code: '' })))
    }
    assert.deepEqual([...outcomes], ['ok'])
  })
})

describe('roles under attack', () => {
  const people = async () => {
    const rig = testRig()
    const owner = await rig.owner()
    const admin = await aColleague(rig, owner, 'admin', 'admin@example.com')
    const member = await aColleague(rig, owner, 'member', 'member@example.com')
    const viewer = await aColleague(rig, owner, 'viewer', 'viewer@example.com')
    return { rig, owner, admin, member, viewer }
  }
  type Cast = Awaited<ReturnType<typeof people>>
  const by = ({ workspace, user }: { workspace: string; user: string }) => ({ workspace, user, client_address: '' })

  const attacks: [name: string, run: (cast: Cast) => Promise<unknown>, expected: string][] = [
    [
      'an admin makes themselves owner',
      ({ rig, admin }) => rig.service.ChangeMember({ ...by(admin), member: admin.user, role: 'owner' }),
      'forbidden',
    ],
    [
      'an admin makes another person owner',
      ({ rig, admin, viewer }) => rig.service.ChangeMember({ ...by(admin), member: viewer.user, role: 'owner' }),
      'forbidden',
    ],
    [
      'an admin takes the role of the owner away',
      ({ rig, admin, owner }) => rig.service.ChangeMember({ ...by(admin), member: owner.user, role: 'viewer' }),
      'forbidden',
    ],
    [
      'an admin removes the owner',
      ({ rig, admin, owner }) => rig.service.RemoveMember({ ...by(admin), member: owner.user }),
      'forbidden',
    ],
    [
      'an admin transfers the ownership',
      ({ rig, admin }) => rig.service.TransferOwnership({ ...by(admin), member: admin.user }),
      'forbidden',
    ],
    [
      'an admin invites an owner',
      ({ rig, admin }) => rig.service.Invite({ ...by(admin), email: victim, role: 'owner' }),
      'forbidden',
    ],
    [
      'a member invites a viewer',
      ({ rig, member }) => rig.service.Invite({ ...by(member), email: victim, role: 'viewer' }),
      'forbidden',
    ],
    [
      'a member removes a viewer',
      ({ rig, member, viewer }) => rig.service.RemoveMember({ ...by(member), member: viewer.user }),
      'forbidden',
    ],
    [
      'a viewer removes a person who is not a member',
      ({ rig, viewer }) => rig.service.RemoveMember({ ...by(viewer), member: 'usr_unknown' }),
      'forbidden',
    ],
    [
      'a role of another case',
      ({ rig, owner, viewer }) => rig.service.ChangeMember({ ...by(owner), member: viewer.user, role: 'Owner' }),
      'invalid_value',
    ],
    [
      'a role that is a name of the prototype',
      ({ rig, owner, viewer }) => rig.service.ChangeMember({ ...by(owner), member: viewer.user, role: 'constructor' }),
      'invalid_value',
    ],
    [
      'the last owner leaves',
      ({ rig, owner }) => rig.service.RemoveMember({ ...by(owner), member: owner.user }),
      'conflict',
    ],
    [
      'the last owner becomes an admin',
      ({ rig, owner }) => rig.service.ChangeMember({ ...by(owner), member: owner.user, role: 'admin' }),
      'conflict',
    ],
    [
      'the owner of another workspace changes a member',
      async ({ rig, viewer, owner }) => {
        const other = await rig.owner('other@example.com')
        return rig.service.ChangeMember({
          workspace: owner.workspace,
          user: other.user,
          client_address: '',
          member: viewer.user,
          role: 'admin',
        })
      },
      'forbidden',
    ],
  ]
  for (const [name, run, expected] of attacks)
    it(`are not exceeded: ${name}`, async () => {
      const cast = await people()
      assert.equal(await outcome(run(cast)), expected)
      const { members } = await cast.rig.service.ListMembers({ workspace: cast.owner.workspace })
      const roles = members.map(({ email, role }) => `${role} ${email}`).sort()
      assert.deepEqual(roles, [
        'admin admin@example.com',
        'member member@example.com',
        `owner ${credentials.email}`,
        'viewer viewer@example.com',
      ])
    })

  it('end the invitations of a person who loses the role, and the link is unknown', async () => {
    const { rig, owner, admin } = await people()
    await rig.service.Invite({ ...by(admin), email: victim, role: 'admin' })
    const token = await tokenIn(rig)
    await rig.service.ChangeMember({ ...by(owner), member: admin.user, role: 'viewer' })
    const accept = { token, password: 'some long words', session_token: '', client_address: '', code: '' }
    assert.equal(await outcome(rig.service.AcceptInvitation(accept)), 'invalid_link')
  })

  it('are not handed over to a person whom the operator disabled, who could not log in', async () => {
    const { rig, owner, admin, viewer } = await people()
    await rig.service.SetUserControls({ id: admin.user, disabled: true, reason: '', client_address: '' })
    const transfer = (actor: typeof owner | typeof viewer, member: string) =>
      outcome(rig.service.TransferOwnership({ ...by(actor), member }))
    assert.equal(await transfer(viewer, admin.user), 'forbidden')
    assert.equal(await transfer(owner, admin.user), 'conflict')
    assert.equal(await transfer(owner, viewer.user), 'ok')
  })

  it('leave one owner when two owners leave at the same time', async () => {
    const { rig, owner, admin } = await people()
    await rig.service.ChangeMember({ ...by(owner), member: admin.user, role: 'owner' })
    const leave = [owner, admin].map((one) => outcome(rig.service.RemoveMember({ ...by(one), member: one.user })))
    assert.deepEqual((await Promise.all(leave)).sort(), ['conflict', 'ok'])
  })

  it('end the sessions of a removed member, and a link opened before does not bring them back', async () => {
    const { rig, owner, admin } = await people()
    await rig.service.RemoveMember({ ...by(owner), member: admin.user })
    assert.equal(await outcome(rig.service.AuthenticateSession({ token: admin.token })), 'unauthenticated')
    const move = { token: admin.token, workspace: owner.workspace, client_address: '' }
    assert.equal(await outcome(rig.service.SwitchWorkspace(move)), 'unauthenticated')
    rig.advance(hourMs)
    assert.equal(await outcome(rig.logIn('admin@example.com', admin.password)), 'forbidden')
  })
})
